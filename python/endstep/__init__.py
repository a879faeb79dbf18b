"""Formal verification of board-game rules documents, from Python.

    import endstep

    report = endstep.check("game.endstep")
    for finding in report.specifications[0].findings or []:
        print(finding.code, finding.text)

`check` and `report` run the program that is installed with this package (`endstep --help`, docs/cli.md).
What a report consists of stands in docs/json.md; its classes are those of `endstep.results`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from ._load import load
from .results import Answer, Diagnostic, Finding, Report, Specification

__all__ = ["Answer", "Diagnostic", "EndstepError", "Finding", "Report", "Specification", "check", "program", "replay", "report"]

# Exit codes of a check that has a report: nothing new, findings, inconclusive, a specification in error.
_REPORTED = (0, 1, 2, 3)


class EndstepError(RuntimeError):
    """The program could not do what was asked.

    `code` is its exit code (64: bad usage; 66: an input cannot be read; 74: an output cannot be written), and the
    message what it wrote to standard error.
    """

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message or f"endstep ended with exit code {code}")
        self.code = code


def program() -> str:
    """The path of the program that belongs to this package."""
    name = "endstep.exe" if sys.platform == "win32" else "endstep"
    scheme = "nt_user" if os.name == "nt" else "posix_user"
    folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", scheme)]
    # Installed with `pip install --target DIR`.
    folders.append(str(Path(__file__).resolve().parent.parent / "bin"))
    for folder in folders:
        path = Path(folder, name)
        if path.is_file():
            return str(path)
    raise FileNotFoundError(f"found no {name} in {', '.join(folders)}, expected the one that this package installs")


def _run(arguments: list[str], good: Iterable[int]) -> tuple[int, str]:
    done = subprocess.run([program(), *arguments], capture_output=True, encoding="utf-8", check=False)
    if done.returncode not in good:
        raise EndstepError(done.returncode, done.stderr.strip())
    return done.returncode, done.stdout


def check(*paths: str | os.PathLike[str], options: Iterable[str] = ()) -> Report:
    """Checks specifications, and folders of them; what `endstep check PATHS --format json` says.

    `options` are further ones of `endstep check`, as in `["--scope", "Card=2", "--prove"]`. A finding, a limit or a
    specification in error is no exception: see `Report.exit`.
    """
    arguments = ["check", *options, "--format", "json", "--", *(os.fspath(path) for path in paths)]
    return load(Report, json.loads(_run(arguments, _REPORTED)[1]))


def replay(path: str | os.PathLike[str], finding: str) -> str:
    """The board and the runs of a finding, named by its fingerprint or how that begins; `endstep replay` in text."""
    return _run(["replay", "--", os.fspath(path), finding], [0])[1]


def report(
    path: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    format: Literal["site", "markdown"] = "site",
    options: Iterable[str] = (),
) -> int:
    """Writes a report, what `endstep report PATH -o OUTPUT --format FORMAT` does; returns the exit code (0 to 3)."""
    arguments = ["report", *options, "--format", format, "-o", os.fspath(output), "--", os.fspath(path)]
    return _run(arguments, _REPORTED)[0]
