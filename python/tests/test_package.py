"""The package, as it is installed: see `python/test-wheel`."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import endstep
import pytest
from endstep import results
from endstep._load import load

pytest_plugins = ["pytester"]

GAME = """\
game "Heal"
entity Card, explore 1 to 2
  health: integer from 0 to 2
zone row of Card
sequence cleanup
  basis invented "for a test"
  step heal
    for each c: Card in row where c.health < 2
      increase c.health by 1
claim all_healed: must every c: Card in row has c.health = 2 after cleanup
claim ends: terminates cleanup
claim some_hurt: reachable some c: Card has c.health = 0 in cleanup
example one
  given
    Card a in row with health = 1
  perform cleanup
  expect a.health = 2
verify cleanup
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "heal.endstep"
    path.write_text(GAME, encoding="utf-8")
    return path


def test_a_check_says_what_the_program_says(game: Path) -> None:
    report = endstep.check(game, options=["--no-cache"])
    assert report.exit == 1
    [specification] = report.specifications
    verdicts = {one.subject: one.verdict for one in specification.answers if one.kind in ("claim", "example")}
    assert verdicts == {"all_healed": "refuted", "ends": "proved", "some_hurt": "shown", "one": "holds in scope"}
    [finding] = [one for one in specification.findings if one.code == "F0610"]
    assert finding.witness.runs[0].board.entities[0].fields == {"health": "0"}
    assert "card 1  0       row" in endstep.replay(game, finding.fingerprint[:8])


def test_a_specification_in_error_has_diagnostics(tmp_path: Path) -> None:
    path = tmp_path / "wrong.endstep"
    path.write_text('game "W"\nvar n: integr\n', encoding="utf-8")
    report = endstep.check(path)
    assert report.exit == 3
    assert report.specifications[0].diagnostics[0].code.startswith("E")


def test_what_cannot_be_done_is_an_exception(tmp_path: Path) -> None:
    with pytest.raises(endstep.EndstepError, match="nowhere.endstep") as raised:
        endstep.check(tmp_path / "nowhere.endstep")
    assert raised.value.code == 66
    with pytest.raises(endstep.EndstepError, match="--sizes") as raised:
        endstep.check(tmp_path, options=["--sizes"])
    assert raised.value.code == 64


def test_a_report_is_written(game: Path, tmp_path: Path) -> None:
    assert endstep.report(game, tmp_path / "site") == 0
    assert (tmp_path / "site" / "index.html").is_file()
    endstep.report(game, tmp_path / "game.md", format="markdown")
    assert "F0610" in (tmp_path / "game.md").read_text(encoding="utf-8")


def test_it_is_run_as_a_module(game: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "endstep", "check", game], capture_output=True, encoding="utf-8")
    assert done.returncode == 1 and "F0610" in done.stdout


def test_members_that_are_new_are_left_out_and_missing_ones_refused() -> None:
    place = {"file": "a", "line": 1, "column": 2, "end_line": 1, "end_column": 3}
    assert load(results.Place, {**place, "new": 1}) == results.Place(**place)
    with pytest.raises(TypeError):
        load(results.Place, {"file": "a"})
    assert {one.name for one in fields(results.Report)} >= {"exit", "specifications"}


def test_claims_and_examples_are_tests(game: Path, pytester: pytest.Pytester) -> None:
    (pytester.path / "heal.endstep").write_text(GAME, encoding="utf-8")
    (pytester.path / "part.endstep").write_text("no specification\n", encoding="utf-8")
    pytester.makepyfile("def test_other(): pass")
    # Not asked for, not collected.
    pytester.runpytest().assert_outcomes(passed=1)
    told = pytester.runpytest("heal.endstep", "-v")
    told.assert_outcomes(passed=3, failed=1)
    told.stdout.fnmatch_lines(["*heal.endstep::claim all_healed FAILED*", "*F0610*", "*card 1  0 *row", "*=> it ends normally"])
    pytester.makeini("[pytest]\nendstep_files = heal*.endstep\n")
    pytester.runpytest().assert_outcomes(passed=4, failed=1)


def test_what_does_not_compile_is_an_error(pytester: pytest.Pytester) -> None:
    (pytester.path / "wrong.endstep").write_text('game "W"\nvar n: integr\n', encoding="utf-8")
    told = pytester.runpytest("wrong.endstep")
    told.assert_outcomes(errors=1)
    told.stdout.fnmatch_lines(["*E0*integr*"])


def test_what_is_expected_does_not_fail(game: Path, pytester: pytest.Pytester) -> None:
    accepted = GAME + 'accept F0610 at all_healed because "known"\n'
    (pytester.path / "heal.endstep").write_text(accepted, encoding="utf-8")
    pytester.runpytest("heal.endstep").assert_outcomes(passed=4)
    holds = accepted.replace("from 0 to 2", "from 1 to 2").replace("= 0 in cleanup", "= 1 in cleanup")
    (pytester.path / "heal.endstep").write_text(holds, encoding="utf-8")
    told = pytester.runpytest("heal.endstep")
    told.assert_outcomes(passed=4, failed=1)
    told.stdout.fnmatch_lines(["this line covers no finding"])


def test_what_is_not_known_is_skipped(pytester: pytest.Pytester) -> None:
    holds = GAME.replace("from 0 to 2", "from 1 to 2").replace("= 0 in cleanup", "= 1 in cleanup")
    (pytester.path / "heal.endstep").write_text(holds, encoding="utf-8")
    pytester.runpytest("heal.endstep").assert_outcomes(passed=4)
    (pytester.path / "endstep.toml").write_text("[limits]\nboards = 1\n", encoding="utf-8")
    told = pytester.runpytest("heal.endstep", "-rs")
    told.assert_outcomes(passed=3, skipped=1)
    told.stdout.fnmatch_lines(["SKIPPED*unknown: *"])
