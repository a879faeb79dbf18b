# Made by python/make-results from docs/check.schema.json. What the members mean stands in docs/json.md.

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, kw_only=True)
class Experiment:
    name: str
    of: str
    but: str


@dataclass(frozen=True, kw_only=True)
class SuspectedItem:
    sequence: str
    kind: Literal['loop', 'orders', 'differs', 'long']
    text: str


@dataclass(frozen=True, kw_only=True)
class Sampled:
    runs: int
    boards: int
    boards_at_least: bool
    deals: int
    options: list[str]
    edges: int
    corpus: int
    resumed: int
    suspected: list[SuspectedItem]
    not_refuted: list[str]
    left_to_check: list[str]


@dataclass(frozen=True, kw_only=True)
class Offset:
    line: int | None
    column: int | None
    offset: int


Code: TypeAlias = str


Severity: TypeAlias = Literal['error', 'warning', 'note']


@dataclass(frozen=True, kw_only=True)
class Place:
    file: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, kw_only=True)
class ByReadingItem:
    readings: dict[str, str]
    boards: int


@dataclass(frozen=True, kw_only=True)
class CountedItem:
    scope: int
    boards: int
    digest: str | None


@dataclass(frozen=True, kw_only=True)
class OnlyItem:
    condition: str
    holds: bool


@dataclass(frozen=True, kw_only=True)
class WiderItem:
    sort: str
    zone: str | None
    only: list[OnlyItem]


@dataclass(frozen=True, kw_only=True)
class UndecidedItem:
    entity: str | None
    name: str
    because: Literal['values', 'runs', 'board']


Values: TypeAlias = list[int | bool | str]


@dataclass(frozen=True, kw_only=True)
class Range:
    place: str
    smallest: int
    largest: int


Ranges: TypeAlias = list[Range]


@dataclass(frozen=True, kw_only=True)
class Repair:
    text: str
    legal_boards: int


@dataclass(frozen=True, kw_only=True)
class Boards:
    when: str
    boards: int


@dataclass(frozen=True, kw_only=True)
class Clause:
    id: str
    document: str | None
    locator: str
    says: str


@dataclass(frozen=True, kw_only=True)
class Way:
    not_met: list[str]
    outcomes: int


@dataclass(frozen=True, kw_only=True)
class Difference:
    what: str
    first: str
    second: str


@dataclass(frozen=True, kw_only=True)
class Entity:
    name: str
    sort: str
    removed: bool
    fields: dict[str, str]


@dataclass(frozen=True, kw_only=True)
class Board:
    entities: list[Entity]
    zones: dict[str, list[str]]
    variables: dict[str, str]
    waiting: dict[str, list[str]] | None = None


@dataclass(frozen=True, kw_only=True)
class Choice:
    kind: Literal['order', 'selection', 'distribution', 'chance', 'gap']
    decider: str
    taken: str
    offered: list[str]


@dataclass(frozen=True, kw_only=True)
class Expected:
    code: Code
    subject: str
    fingerprint: str
    cause: str | None = None
    because: str | None = None


@dataclass(frozen=True, kw_only=True)
class Accept:
    code: str
    at: str | None
    because: str
    place: Place | None


@dataclass(frozen=True, kw_only=True)
class Coverage:
    formalised: int
    waived: int
    informal: int
    missing: int


@dataclass(frozen=True, kw_only=True)
class Size:
    sort: str
    smallest: int
    largest: int


@dataclass(frozen=True, kw_only=True)
class GivenUpItem:
    kind: Literal['position', 'idle step', 'second look', 'second time', 'other sequence']
    at: str
    boards: int


@dataclass(frozen=True, kw_only=True)
class Scope:
    subject: str
    on: str | None
    values: Ranges
    may_change: Ranges
    sizes: list[Size]
    only: list[str]
    where: str | None
    boards: int
    legal_boards: int
    states: int
    steps: int
    readings: int
    limited_boards: int
    written_boards: int
    written_boards_given_up: int
    given_up: list[GivenUpItem]
    limits: list[str]


@dataclass(frozen=True, kw_only=True)
class Summary:
    new: int
    notes: int
    expected: int
    accepted: int
    vanished: int
    unused_accepts: int
    unknown: int


Entities: TypeAlias = list[Entity]


Variables: TypeAlias = dict[str, str]


Zones: TypeAlias = dict[str, list[str]]


@dataclass(frozen=True, kw_only=True)
class Policy:
    fail_on: Severity
    vanished_fails: bool


@dataclass(frozen=True, kw_only=True)
class Unfound:
    expected: list[Expected]
    accepts: list[Accept]


@dataclass(frozen=True, kw_only=True)
class Label:
    file: str | None
    start: Offset
    end: Offset
    text: str
    primary: bool


@dataclass(frozen=True, kw_only=True)
class DecisiveItem:
    entity: str | None
    name: str
    found: Values
    other: Values
    all: bool


@dataclass(frozen=True, kw_only=True)
class Occurs:
    exact: bool
    words: str
    only: Boards | None
    always: Boards | None


@dataclass(frozen=True, kw_only=True)
class Patch:
    entities: Entities
    zones: Zones
    variables: Variables
    waiting: Zones


@dataclass(frozen=True, kw_only=True)
class Diagnostic:
    code: Code
    severity: Severity
    message: str
    labels: list[Label]
    help: list[str]


@dataclass(frozen=True, kw_only=True)
class Moment:
    step: int
    heading: str | None
    choice: Choice | None
    changes: list[str]
    follows: list[str]
    place: Place | None
    patch: Patch | None


@dataclass(frozen=True, kw_only=True)
class Run:
    title: str
    board: Board
    readings: dict[str, str]
    choices: list[str]
    outcome: Literal['end', 'win', 'loss', 'draw', 'gap', 'conflict', 'range', 'stuck', 'limit', 'diverges', 'grows', 'stopped']
    text: str
    trace: list[Moment] | None
    unsettled: list[str]


@dataclass(frozen=True, kw_only=True)
class Witness:
    kind: Literal['run', 'versus', 'again', 'lasso', 'growth', 'power', 'demands']
    ways: list[Way]
    everywhere: bool
    runs: list[Run]
    differences: list[Difference]


@dataclass(frozen=True, kw_only=True)
class Answer:
    kind: Literal['claim', 'example', 'reading', 'ways', 'order', 'steps', 'triggers', 'position', 'terminates', 'legal', 'contract', 'gap']
    subject: str
    sequence: str | None
    text: str
    verdict: Literal['proved', 'holds in scope', 'refuted', 'shown', 'none in scope', 'unknown']
    argument: str | None
    limits: list[str]
    untested: str | None
    caveat: str | None
    asks: Literal['largest', 'smallest'] | None
    value: int | None
    readings: str | None
    witness: Witness | None
    suggested: bool
    scopes: list[int]
    findings: list[str]
    place: Place | None


@dataclass(frozen=True, kw_only=True)
class Finding:
    repair: Repair | None
    changes_not_tried: int
    code: Code
    title: str
    severity: Severity
    fingerprint: str
    status: Literal['new', 'expected', 'accepted']
    reason: str | None
    verdict: Literal['refuted', 'shown', 'holds in scope', 'by inspection']
    origin: Literal['discovered', 'declared']
    basis: Literal['text', 'external', 'gap', 'invented']
    subject: str
    cause: str
    same_cause_as: str | None
    text: str
    clauses: list[Clause]
    places: list[Place | None]
    scope: int | None
    boards: int
    boards_at_least: bool
    boards_each: int
    by_reading: list[ByReadingItem]
    counted: list[CountedItem]
    legal_boards: int | None
    occurs_on: str | None
    occurs: Occurs | None
    readings: str
    found_on: str | None
    rests_on: str | None
    suggested: bool
    written: str | None
    minimality: Literal['exact', 'plainest', 'best effort']
    wider: list[WiderItem]
    decisive: list[DecisiveItem]
    undecided: list[UndecidedItem]
    witness: Witness | None


@dataclass(frozen=True, kw_only=True)
class Specification:
    name: str
    compiled: bool
    diagnostics: list[Diagnostic]
    game: str | None = None
    findings: list[Finding] | None = None
    vanished: list[Expected] | None = None
    unused_accepts: list[Accept] | None = None
    unfound: Unfound | None = None
    unseen: list[str] | None = None
    restrictions: list[str] | None = None
    only_claims: bool | None = None
    answers: list[Answer] | None = None
    coverage: Coverage | None = None
    experiments: list[Experiment] | None = None
    scopes: list[Scope] | None = None
    suggested_boards: int | None = None
    summary: Summary | None = None
    sampled: Sampled | None = None


@dataclass(frozen=True, kw_only=True)
class Report:
    version: Literal[1]
    endstep: str
    exit: int
    policy: Policy
    specifications: list[Specification]
