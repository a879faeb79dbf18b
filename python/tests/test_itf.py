"""Traces are read by itf-py, which others wrote: see `python/test-wheel`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from itf_py import trace_from_json

GAME = """\
game "Count"
entity Card, explore 1 to 2
  health: integer from 0 to 9, explore 1 to 2
zone row of Card
sequence fall
  basis invented "for a test"
  step down
    for each c: Card in row, left to right
      decrease c.health by 1
claim alive: must every c: Card in row has c.health > 0 after fall
"""


def endstep(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "endstep", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


def test_a_run_is_a_trace(tmp_path: Path) -> None:
    (tmp_path / "game.endstep").write_text(GAME)
    report = json.loads(endstep(tmp_path, "check", "game.endstep", "--format", "json"))
    finding = report["specifications"][0]["findings"][0]
    written = endstep(tmp_path, "replay", "game.endstep", finding["fingerprint"], "--format", "itf")
    trace = trace_from_json(json.loads(written))
    assert len(trace.states) > 1
    assert all(set(state.values) == set(trace.vars) for state in trace.states)
