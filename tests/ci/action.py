"""Runs the steps of `action.yml` as GitHub would, but for those that are actions themselves.

    action.py ROOT WHEEL FOLDER
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import yaml

ROOT, WHEEL, WORK = (Path(one) for one in sys.argv[1:4])
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
SPECIFICATION = "rules/cards.endstep"

# `gh`: it remembers what it was given, and has no comment to change at first.
GH = """#!/usr/bin/env bash
echo "$@" >> "$GH_LOG"
if [ "$6" = --edit-last ] && [ ! -e "$GH_LOG.comment" ]; then exit 1; fi
cp "$5" "$GH_LOG.comment"
"""


class Done:
    """What a run of the action came to."""

    def __init__(self, folder: Path, code: int, log: str, used: list[str]) -> None:
        self.code, self.log, self.used = code, log, used
        read = lambda name: (folder / name).read_text(encoding="utf-8") if (folder / name).exists() else ""
        self.summary, self.comment, self.gh = read("summary"), read("gh.comment"), read("gh")
        self.outputs = dict(line.split("=", 1) for line in read("output").splitlines())


def run(name: str, repository: Path, base: str = "", **given: str) -> Done:
    """Runs the action in a repository; `base`: of a pull request from this revision."""
    folder = WORK / name
    folder.mkdir(parents=True)
    (folder / "gh-command").mkdir()
    gh = folder / "gh-command" / "gh"
    gh.write_text(GH, encoding="utf-8")
    gh.chmod(0o755)
    inputs = {key: str(one["default"]) for key, one in ACTION["inputs"].items()}
    assert not given.keys() - inputs.keys(), given
    inputs.update(given)
    known = {f"inputs.{key}": value for key, value in inputs.items()}
    known |= {"runner.temp": str(folder), "runner.os": "Linux", "github.sha": "0" * 40, "github.token": "token",
              "github.event.pull_request.base.sha": base, "github.event.pull_request.number": "7"}
    conditions = {
        "inputs.sarif == 'true'": inputs["sarif"] == "true",
        "inputs.comment == 'true' && github.event_name == 'pull_request'": inputs["comment"] == "true" and base != "",
    }
    environment = {"PATH": f"{folder}/gh-command:{os.environ['PATH']}", "HOME": str(folder), "RUNNER_TEMP": str(folder),
                   "GITHUB_ACTION_PATH": str(ROOT), "GITHUB_STEP_SUMMARY": str(folder / "summary"),
                   "GITHUB_OUTPUT": str(folder / "output"), "GH_LOG": str(folder / "gh"), "LANG": "C.UTF-8"}
    log, used = "", []
    for step in ACTION["runs"]["steps"]:
        output = folder / "output"
        if output.exists():
            lines = output.read_text(encoding="utf-8").splitlines()
            known |= {f"steps.check.outputs.{key}": value for key, value in (line.split("=", 1) for line in lines)}
        conditions["steps.check.outputs.site != ''"] = "steps.check.outputs.site" in known
        if "if" in step and not conditions[step["if"]]:
            continue
        # An output that was not written is empty.
        value = lambda match: known.get(match[1], "") if match[1].startswith("steps.") else known[match[1]]
        filled = lambda text: re.sub(r"\$\{\{ (.*?) \}\}", value, str(text))
        if "uses" in step:
            used.append(step["uses"].split("@")[0])
            assert all(filled(one) for one in step["with"].values()), step
            continue
        more = {key: filled(one) for key, one in step.get("env", {}).items()}
        # As GitHub runs `shell: bash`.
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", filled(step["run"])]
        done = subprocess.run(command, cwd=repository, env=environment | more, capture_output=True, text=True, check=False)
        log += done.stdout + done.stderr
        if done.returncode != 0:
            return Done(folder, done.returncode, log, used)
    return Done(folder, 0, log, used)


def main() -> None:
    rules = WORK / "rules"
    shutil.copytree(ROOT / "examples/ci", rules)
    git = lambda *told: subprocess.run(["git", *told], cwd=rules, check=True, capture_output=True, text=True).stdout
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "rules")
    base = git("rev-parse", "HEAD").strip()
    wheel = str(WHEEL)

    good = run("good", rules, package=wheel)
    assert (good.code, good.outputs["exit-code"]) == (0, "0"), good.log
    assert good.used == ["actions/cache", "actions/upload-artifact"], good.used
    assert Path(good.outputs["site"], "index.html").exists(), good.log
    assert "no findings" in good.summary and "What this changes" not in good.summary, good.summary
    assert not good.gh, good.gh

    same = run("same", rules, base, package=wheel, comment="true", site="", sarif="true")
    assert (same.code, "site" in same.outputs) == (0, False), same.log
    assert same.used == ["actions/cache", "github/codeql-action/upload-sarif"], same.used
    assert "changes nothing" in same.comment, same.comment
    assert [line.split()[-1] for line in same.gh.splitlines()] == ["--edit-last", same.outputs["comment"]], same.gh

    text = (rules / SPECIFICATION).read_text(encoding="utf-8")
    broken = text.replace("c.health <= 0, left", "c.health < 0, left")
    assert broken != text
    (rules / SPECIFICATION).write_text(broken, encoding="utf-8")
    (rules / "rules/new.endstep").write_text('game "New"\n', encoding="utf-8")
    found = run("found", rules, base, package=wheel, comment="true", sarif="true", paths=f"{SPECIFICATION}\n rules/new.endstep \n",
                arguments="--profile ci --only 'F0610'")
    assert (found.code, found.outputs["exit-code"]) == (1, "1"), found.log
    assert f"::error file={SPECIFICATION}," in found.log, found.log
    results = json.loads(Path(found.outputs["sarif"]).read_text(encoding="utf-8"))["runs"]
    assert [one["ruleId"] for run in results for one in run["results"]] == ["F0610"], results
    assert "F0610" in found.summary and "## What this changes" in found.summary, found.summary
    assert "`rules/new.endstep` is new" in found.comment and "F0610" in found.comment, found.comment
    assert "new.html" in "".join(os.listdir(found.outputs["site"])) or Path(found.outputs["site"], "new").exists(), found.log

    (rules / SPECIFICATION).write_text(text.replace("zone board of Card", "zone board of Crad"), encoding="utf-8")
    wrong = run("wrong", rules, package=wheel)
    assert (wrong.code, wrong.outputs["exit-code"], "site" in wrong.outputs) == (3, "3", False), wrong.log
    assert wrong.used == ["actions/cache"], wrong.used
    assert "Crad" in wrong.summary and "E0201" in wrong.log, wrong.log
    print("The steps of the action did what they should in 4 repositories.")


if __name__ == "__main__":
    main()
