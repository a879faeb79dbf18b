"""A pytest plugin: the claims, questions and examples of a specification are tests.

    pytest specs/cleanup.endstep            the files named on the command line
    [pytest]
    endstep_files = specs/*.endstep         or those that match, from the root folder of the tests

There is one test for each claim, question and example, and one for each other new finding that makes a check fail.
What is not known because of a limit is skipped, with the limit; a finding that is expected or accepted is no failure.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from . import _draw, check
from .results import Answer, Finding, Specification

SEVERITIES = ("note", "warning", "error")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("endstep_files", "patterns of specifications that are tests", type="args", default=[])


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> EndstepFile | None:
    if file_path.suffix != ".endstep":
        return None
    config = parent.config
    named = [(config.invocation_params.dir / arg).resolve() for arg in config.args]
    patterns = config.getini("endstep_files")
    inside = file_path.is_relative_to(config.rootpath)
    matches = inside and any(file_path.relative_to(config.rootpath).match(pattern) for pattern in patterns)
    if file_path.resolve() in named or matches:
        return EndstepFile.from_parent(parent, path=file_path)
    return None


class SpecificationError(Exception):
    """A specification does not compile."""


class EndstepFile(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        report = check(self.path)
        [specification] = report.specifications
        if not specification.compiled:
            errors = [one for one in specification.diagnostics if one.severity == "error"]
            raise SpecificationError("\n".join(f"{one.code}: {one.message}" for one in errors))
        findings = {one.fingerprint: one for one in specification.findings or []}
        told: set[str] = set()
        for answer in specification.answers or []:
            if answer.kind in ("claim", "example"):
                own = [findings[key] for key in answer.findings if key in findings]
                told.update(one.fingerprint for one in own)
                yield AnswerItem.from_parent(self, name=f"{answer.kind} {answer.subject}", answer=answer, findings=own)
        worst = SEVERITIES.index(report.policy.fail_on)
        for one in findings.values():
            fails = one.status == "new" and SEVERITIES.index(one.severity) >= worst
            if fails and one.fingerprint not in told:
                yield FindingItem.from_parent(self, name=f"{one.code} {one.subject}", finding=one)
        if report.exit == 2:
            yield LimitItem.from_parent(self, name="everything was looked at", specification=specification)


class Refuted(Exception):
    """What is claimed, asked or told in an example is not so."""


class _Item(pytest.Item):
    line: int | None = None

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, Refuted):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, self.line, self.name


class AnswerItem(_Item):
    def __init__(self, *, answer: Answer, findings: list[Finding], **rest: Any) -> None:
        super().__init__(**rest)
        self.answer, self.findings = answer, findings
        self.line = answer.place.line - 1 if answer.place else None

    def runtest(self) -> None:
        if self.answer.verdict == "unknown":
            pytest.skip(f"unknown: {'; '.join(self.answer.limits)}")
        new = [one for one in self.findings if one.status == "new" and one.severity != "note"]
        if self.answer.verdict in ("refuted", "none in scope") and new:
            raise Refuted("\n\n".join([self.answer.text, *map(_draw.finding, new)]))


class FindingItem(_Item):
    def __init__(self, *, finding: Finding, **rest: Any) -> None:
        super().__init__(**rest)
        self.finding = finding
        places = [place for place in finding.places if place]
        self.line = places[0].line - 1 if places else None

    def runtest(self) -> None:
        raise Refuted(_draw.finding(self.finding))


class LimitItem(_Item):
    def __init__(self, *, specification: Specification, **rest: Any) -> None:
        super().__init__(**rest)
        self.specification = specification

    def runtest(self) -> None:
        limits = [limit for scope in self.specification.scopes or [] for limit in scope.limits]
        pytest.skip("; ".join(limits) or "a limit was reached")
