"""A pytest plugin: the claims, questions and examples of a specification are tests.

    pytest specs/cleanup.endstep            files named on the command line
    [pytest]
    endstep_files = specs/*.endstep         patterns, from the root folder of the tests

See docs/python.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from . import check, replay
from .results import Finding, Place, Report

SEVERITIES = ("note", "warning", "error")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("endstep_files", "patterns of specifications that are tests", type="args", default=[])


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> SpecificationFile | None:
    if file_path.suffix != ".endstep":
        return None
    config = parent.config
    named = [(config.invocation_params.dir / arg).resolve() for arg in config.args]
    inside = file_path.is_relative_to(config.rootpath)
    patterns = config.getini("endstep_files") if inside else []
    if file_path.resolve() in named or any(file_path.relative_to(config.rootpath).match(one) for one in patterns):
        return SpecificationFile.from_parent(parent, path=file_path)
    return None


class SpecificationError(Exception):
    """A specification does not compile."""


class Fault(Exception):
    """Something for which a check fails."""


class SpecificationFile(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        report = check(self.path)
        [specification] = report.specifications
        if not specification.compiled:
            errors = [one for one in specification.diagnostics if one.severity == "error"]
            raise SpecificationError("\n".join(f"{one.code}: {one.message}" for one in errors))
        faults = {one.fingerprint: one for one in specification.findings or [] if _fails(report, one)}
        for answer in specification.answers or []:
            if answer.kind in ("claim", "example"):
                own = [faults.pop(key) for key in answer.findings if key in faults]
                limits = answer.limits if answer.verdict == "unknown" else []
                yield self.item(f"{answer.kind} {answer.subject}", answer.place, text=answer.text, own=own, limits=limits)
        for one in faults.values():
            yield self.item(f"{one.code} {one.subject}", next(iter(one.places), None), own=[one])
        if report.policy.vanished_fails:
            for gone in specification.vanished or []:
                text = f"{gone.code} at {gone.subject} was known and is gone"
                yield self.item(f"expected {gone.code} {gone.subject}", None, text=text, fails=True)
        for accept in specification.unused_accepts or []:
            name = f"accept {accept.code}" + (f" at {accept.at}" if accept.at else "")
            yield self.item(name, accept.place, text="this line covers no finding", fails=True)

    def item(self, name: str, place: Place | None, **rest: Any) -> Item:
        item: Item = Item.from_parent(self, name=name, **rest)
        item.line = place.line - 1 if place else None
        return item


def _fails(report: Report, finding: Finding) -> bool:
    return finding.status == "new" and SEVERITIES.index(finding.severity) >= SEVERITIES.index(report.policy.fail_on)


class Item(pytest.Item):
    line: int | None = None

    def __init__(
        self, *, text: str = "", own: list[Finding] = [], limits: list[str] = [], fails: bool = False, **rest: Any
    ) -> None:
        super().__init__(**rest)
        self.text, self.own, self.limits, self.fails = text, own, limits, fails

    def runtest(self) -> None:
        if self.own or self.fails:
            raise Fault("\n\n".join(filter(None, [self.text, *map(self.told, self.own)])))
        if self.limits:
            pytest.skip(f"unknown: {'; '.join(self.limits)}")

    def told(self, finding: Finding) -> str:
        told = f"{finding.code}  {finding.text}"
        return f"{told}\n\n{replay(self.path, finding.fingerprint)}" if finding.witness else told

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        return str(excinfo.value) if isinstance(excinfo.value, Fault) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, self.line, self.name
