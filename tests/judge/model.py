"""What a specification is once it has been read, and what a run of it looks like.

This module is the contract between the two halves of the judge. The first half (`parse`, `check`,
`evaluate`, `run`, `boards`, `observe`) makes the objects below out of a text and plays them; the second
half explores all runs and says what is so. Section numbers are those of docs/semantics.md.

How the judge is used, in short:

    spec = load(path)                                   # or SpecError
    verify = spec.verifies[0]
    machine = Machine(spec, verify.contracts)           # Machine: run.py, described below
    for orbit in boards.orbits(spec, verify.sequence, verify):           # boards.py
        state = machine.start(verify.sequence, orbit.data)
        result = machine.advance(state, assignment)     # Step | Choice | End | Consult

**Values.** integer: int. boolean: bool. Enumeration: str. Entity: int (its identity, see `Data`).
`none`: None. Values are only ever compared within one type.

**Data** (`Data`, a named tuple of tuples, hashable):

    data.entities[sort.index][slot]   None (a free identity), or (status, field 0, field 1, ...)
    data.variables[variable.index]    value; variables, supplies and roles in one row, as declared
    data.zones[zone.index]            a tuple of identities, first to last; of a family a tuple of such
                                      tuples, by the slot of the owner
    data.queues[queue.index]          a tuple of Instance, oldest first

An identity is `sort.base + slot`; `slot_of`, `sort_of` take it apart. It is larger than any integer that
specifications for tests explore, so the two are not confused. Entities of the board have the lower slots,
created ones follow. The status is a sum of CREATED and REMOVED. Of an unordered zone the contents are in
order of identity, so that arrangements are not told apart.

**State** is `State(data, control)`; both parts are hashable and equal exactly if §4 says so. `control` is
a tuple of activations `Activation(unit, locals, frames)`, the outermost first. Its insides belong to
run.py; `depth` of a Choice is what the second half needs of them.

**Readings.** An assignment is a dict from `Reading.index` to the index of an alternative. `advance` and
`value` look up what they consult; where an alternative is missing and would make a difference, `advance`
returns Consult and `Expression.value` raises NeedsReading. Fill it in and ask again: nothing was done.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, NamedTuple, Optional

STRIDE = 1 << 32
CREATED = 1
REMOVED = 2
# Tags with which the game is over.
OVER = ("win", "loss", "draw")


def sort_of(identity: int) -> int:
    """The index of the sort of an entity."""
    return identity // STRIDE - 1


def slot_of(identity: int) -> int:
    """The place of an entity among those of its sort."""
    return identity % STRIDE


# ---------------------------------------------------------------------------------------------------
# Where things stand


@dataclass(eq=False)
class Clause:
    """A clause of a document."""

    id: str
    kind: str  # rule, definition, example, claim, note, reference
    locator: str
    document: Optional[str]
    says: Optional[str] = None
    waived: Optional[str] = None
    refers: list = field(default_factory=list)  # ('id' | 'text', str)
    defines: list = field(default_factory=list)
    uses: list = field(default_factory=list)
    yields_to: list = field(default_factory=list)  # ids
    cites: list = field(default_factory=list)  # ids
    basis: Optional[str] = None  # as written: text, external, gap, invented
    parent: Optional["Clause"] = None
    direct: bool = False  # whether nothing but the parent stands around it
    formal: bool = False  # anything formal stands directly under it
    span: Optional["Span"] = None


class Span(NamedTuple):
    """A place in the specification. `number` orders places: files as included, then by place."""

    file: str
    line: int  # from 1
    column: int  # from 1
    end_line: int
    end_column: int  # the column after the last one
    number: int


@dataclass(eq=False)
class Site:
    """Something that is executed or chosen at: a statement, step, trigger, sequence, restart."""

    kind: str  # 'set', 'for each', 'choose one', ...; 'step', 'trigger', 'sequence', 'restart'
    path: str  # sequence/step/kind#n ..., as reports name it
    span: Span
    words: str  # the text, without white space (§6)
    clause: Optional[Clause]  # the innermost one around it
    parent: Optional["Site"]  # statement, step, trigger or sequence around it
    basis: str = "text"  # what it stands on: text, external, gap, invented
    cites: tuple = ()  # clause ids of the annotations at it (steps, triggers, sequences)
    index: int = -1  # its number in spec.sites
    gap: Optional[str] = None  # of a `gap` statement: its name, also with `may change`
    is_met: bool = False  # whether runs that execute it meet a gap, and go on
    branches: int = 0  # how many blocks an `if`, `cases`, `depending on`, `choose one` or `may` has
    otherwise: bool = False  # whether the last of them is `otherwise`
    iteration: Any = None  # insides of run.py, of a `for each`
    heading: str = ""  # of a statement: its words without the blocks under it
    block: Any = None  # the same of all statements of one block
    made_up: bool = False  # of an experiment

    def order(self, assignment: dict) -> Optional[str]:
        """In which order a `for each` goes: 'fixed', 'any', 'chosen', 'rank', or 'turns' if players take turns; None
        of other statements, under `simultaneously`, and where a reading says and has no alternative."""
        return None if self.iteration is None else self.iteration.said_order(assignment)

    def __repr__(self) -> str:
        return f"<{self.path}>"


# ---------------------------------------------------------------------------------------------------
# Types and declarations


@dataclass(eq=False)
class Type:
    """`kind`: integer, boolean, enum, entity, optional. Enumerations have `values`, the last two `sort`."""

    kind: str
    name: str = ""
    values: tuple = ()
    sort: Optional["Sort"] = None

    def __repr__(self) -> str:
        return {"entity": self.name, "optional": f"optional {self.name}"}.get(self.kind, self.name or self.kind)


@dataclass(eq=False)
class Place:
    """A field, variable, supply or role: where a value is kept. Bounds are pairs or None (§1.1)."""

    name: str
    type: Type
    index: int  # of fields: data.entities[sort][slot][1 + index]; else data.variables[index]
    kind: str  # 'field', 'var', 'supply', 'role'
    sort: Optional["Sort"] = None  # of a field
    document: Optional[tuple] = None  # from a to b; of a supply at least (0, MAX)
    explored: Optional[tuple] = None  # explore a to b, or what stands for it
    listed: list = field(default_factory=list)  # pairs, if not all values between are explored
    reach: Optional[tuple] = None  # reach a to b, or what stands for it
    starts: Any = None  # the value it starts with, if `has_starts`
    has_starts: bool = False
    default: Any = None
    has_default: bool = False
    span: Optional[Span] = None

    @property
    def full_name(self) -> str:
        return f"{self.sort.name}.{self.name}" if self.sort else self.name


@dataclass(eq=False)
class Sort:
    name: str
    index: int
    player: bool
    document: Optional[tuple]  # numbers of entities: from a to b
    explored: tuple  # numbers of entities on a board
    headroom: int
    fields: list = field(default_factory=list)  # Place
    zones: list = field(default_factory=list)  # Zone: those of this sort
    numbered: bool = False  # §1.2
    span: Optional[Span] = None
    type: Optional[Type] = None  # of its entities
    optional: Optional[Type] = None  # of those, or none

    def __post_init__(self):
        self.type = Type("entity", self.name, sort=self)
        self.optional = Type("optional", self.name, sort=self)

    @property
    def base(self) -> int:
        """The identity of its first entity."""
        return (self.index + 1) * STRIDE


@dataclass(eq=False)
class Zone:
    name: str
    index: int
    sort: Sort
    owner: Optional[Sort]  # of a family
    starts_empty: bool
    holds: Optional[int]  # holds at most
    explored: Optional[int]  # explore at most
    unordered: bool
    span: Optional[Span] = None


@dataclass(eq=False)
class Queue:
    name: str
    index: int
    discipline: str  # 'first', 'last', 'priority'
    capacity: Optional[int]  # explore up to
    span: Optional[Span] = None


@dataclass(eq=False)
class Event:
    name: str
    parameters: list  # (name, Type)
    queue: Optional[Queue]  # None: at once
    order: Any = None  # of its listeners, if said (insides of run.py)
    listener: Optional[Type] = None  # what all its listeners are, if a name is given to them
    listener_name: Optional[str] = None
    triggers: list = field(default_factory=list)
    raised: Any = None  # insides of whenever.py, if the state raises it
    span: Optional[Span] = None
    site: Optional[Site] = None  # that of gaps in `listeners ORDER`, and in what raises it; under no clause (§6)


@dataclass(eq=False)
class Trigger:
    name: str
    event: Event
    site: Site
    priority: int
    has_listener: bool
    body: Any = None  # insides of run.py
    index: int = -1


class Instance(NamedTuple):
    """A trigger that waits or is resolved."""

    trigger: int  # index in spec.triggers
    listener: Any  # identity, or None
    payload: tuple


@dataclass(eq=False)
class Reading:
    """A reading, also the implicit ones of `steps unspecified` and `nest unspecified`."""

    name: str  # as written; of implicit ones 'SEQUENCE' (steps) and 'SEQUENCE nesting' (places)
    index: int
    kind: str  # 'declared', 'steps' (binding, free), 'nesting' (steps, places)
    alternatives: list  # names
    texts: list
    cites: list  # for each alternative the clause ids that it cites (of none: empty)
    clause: Optional[Clause]
    sequence: Optional["Sequence"] = None
    span: Optional[Span] = None


# ---------------------------------------------------------------------------------------------------
# Expressions


class NoValue(Exception):
    """An expression has a gap. `span` is that of the gap's expression, for precedence."""

    def __init__(self, kind: str, words: str, span: Optional[Span]):
        super().__init__(kind)
        self.kind = kind
        self.words = words
        self.span = span


class NeedsReading(Exception):
    """A reading would make a difference and has no alternative in the assignment."""

    def __init__(self, reading: Reading):
        super().__init__(reading.name)
        self.reading = reading


class Exceeded(Exception):
    """Evaluating was given up: too many expressions, or an integer left 64 bits."""


@dataclass(eq=False)
class Expression:
    """A compiled expression.

    `value(data, locals, assignment, old)` gives its value or raises NoValue, NeedsReading or Exceeded.
    `locals` is the tuple of the activation around it, () for conditions of boards, claims and observers;
    `old` the Data that `old` reads, or None where nothing is old.
    """

    code: Callable
    type: Type
    span: Span
    text: str  # as written, on one line
    uses_old: bool
    tree: Any = None  # the syntax tree (parse.py)
    value: Callable = None


# ---------------------------------------------------------------------------------------------------
# Procedures


@dataclass(eq=False)
class Step:
    name: str
    index: int  # in its sequence
    sequence: "Sequence"
    site: Site
    ensures: list = field(default_factory=list)  # Expression
    body: Any = None  # insides of run.py
    clauses: list = field(default_factory=list)  # Clause: those around it, or that it is made of or cites


@dataclass(eq=False)
class Contract:
    changes: list  # (Place, owner, within): owner an Expression of a field of one entity, else None (the
    #                fields of all entities); within a pair of Expressions or None
    ensures: list  # Expression; `old` is the data at the call


@dataclass(eq=False)
class Sequence:
    name: str
    index: int
    site: Site
    parameters: list  # (name, Type)
    policy: str  # 'in order', 'unspecified', 'any', 'chosen'
    steps: list = field(default_factory=list)
    has_places: bool = False  # over each
    nest: Optional[str] = None  # 'steps', 'places', 'unspecified'
    restart: Any = None  # insides of run.py; truthy if there is a rule
    restart_site: Optional[Site] = None
    contract: Optional[Contract] = None
    steps_reading: Optional[Reading] = None
    nest_reading: Optional[Reading] = None
    performs: set = field(default_factory=set)  # names of sequences performed in its steps
    experiment: Optional["Sequence"] = None  # of which sequence, if the author made it up


@dataclass(eq=False)
class Condition:
    """`legal NAME: e` and `explore only NAME: e`."""

    name: str
    expression: Expression
    clause: Optional[Clause]
    span: Span


@dataclass(eq=False)
class Observer:
    """What is seen. `zones`: (Zone, as_set). See observe.py."""

    name: Optional[str]  # None: everything
    everything: bool
    fields: list  # Place
    variables: list  # Place
    zones: list
    expressions: list  # Expression, or SeenBy (kinds.py)
    removed: bool  # whether removed entities are told apart


@dataclass(eq=False)
class Verify:
    sequence: Sequence
    observer: Optional[Observer]
    sizes: dict  # sort name -> largest number (up to)
    contracts: frozenset  # names of sequences replaced by their contract
    where: Optional[Expression]
    span: Optional[Span]  # None: verified without being named
    index: int = 0


@dataclass(eq=False)
class Claim:
    """A claim or question.

    form, and what it has: 'order irrelevant' (sequence, step or None); 'equivalent' (sequence, other,
    where); 'terminates' (sequence, where); 'invariant' (moment: 'end', 'steps', 'throughout'; expression);
    'must' (expression, where); 'unreachable', 'conserves' (expression); 'reachable' (moment: None, 'end'; expression;
    where); 'largest', 'smallest' (moment: 'ever', 'end'; expression; where); 'idempotent' (sequence, step or None).
    """

    name: str
    question: bool
    form: str
    sequence: Sequence
    other: Optional[Sequence]
    step: Optional[Step]
    moment: Optional[str]
    expression: Optional[Expression]
    where: Optional[Expression]
    observer: Optional[Observer]
    clause: Optional[Clause]
    span: Span
    on: Optional["Board"] = None  # the only board of which it is asked


@dataclass(eq=False)
class Board:
    """A board that is written down: `data`, and the entities that it names."""

    name: Optional[str]
    data: "Data"
    names: dict  # name -> identity
    span: Span


@dataclass(eq=False)
class Line:
    """A line of an example: kind is 'choose' (text), 'expect', 'possible' (expression), 'after' (step,
    expression), 'outcome' (tag: the head of End.tag, and whom), 'gap', 'possible gap' (name or kind)."""

    kind: str
    span: Span
    text: Optional[str] = None
    expression: Optional[Expression] = None
    step: Optional[Step] = None
    tag: Optional[tuple] = None
    gap: Optional[tuple] = None  # ('name', g) or ('kind', k)


@dataclass(eq=False)
class Example:
    name: str
    board: Board
    sequence: Sequence
    arguments: tuple  # values
    readings: dict  # assignment: what is fixed
    lines: list  # Line
    clause: Optional[Clause]
    span: Span


@dataclass(eq=False)
class Accept:
    code: str
    at: Optional[str]
    because: str
    span: Span


@dataclass(eq=False)
class Spec:
    game: str = ""
    path: str = ""
    files: list = field(default_factory=list)
    types: dict = field(default_factory=dict)  # declared enumerations by name
    sorts: list = field(default_factory=list)
    variables: list = field(default_factory=list)
    zones: list = field(default_factory=list)
    queues: list = field(default_factory=list)
    events: dict = field(default_factory=dict)
    raised: list = field(default_factory=list)  # Event: those that the state raises, as declared
    triggers: list = field(default_factory=list)  # as written
    readings: list = field(default_factory=list)  # declared ones as written, then implicit ones
    sequences: dict = field(default_factory=dict)
    legal: list = field(default_factory=list)  # Condition
    only: list = field(default_factory=list)  # Condition: explore only
    observers: dict = field(default_factory=dict)
    everything: Optional[Observer] = None
    verifies: list = field(default_factory=list)  # also those that are implied where there is none
    claims: list = field(default_factory=list)
    boards: dict = field(default_factory=dict)
    examples: list = field(default_factory=list)
    accepts: list = field(default_factory=list)
    documents: list = field(default_factory=list)  # (name, title)
    clauses: dict = field(default_factory=dict)
    sites: list = field(default_factory=list)  # every Site, as written
    warnings: list = field(default_factory=list)
    player: Optional[Sort] = None
    tallies: frozenset = frozenset()  # Place: what only counts (§8)
    spoken: Any = None  # of what each part speaks (concern.py)
    leaves: Any = None  # (the sequence in whose steps, or None; the sequence that some statement leaves)
    world: Any = None  # insides of check.py: what names mean


class SpecError(Exception):
    """The text is no specification. `code` is that of `endstep explain`, where the docs tell it."""

    def __init__(self, message: str, code: Optional[str] = None, span: Optional[Span] = None):
        where = f"{span.file}:{span.line}:{span.column}: " if span else ""
        super().__init__(f"{where}{code + ': ' if code else ''}{message}")
        self.code = code
        self.span = span


# ---------------------------------------------------------------------------------------------------
# Runs


class Data(NamedTuple):
    entities: tuple
    variables: tuple
    zones: tuple
    queues: tuple


class Activation(NamedTuple):
    unit: Any  # Sequence or Trigger
    locals: tuple
    frames: tuple  # bottom to top; insides of run.py


class State(NamedTuple):
    data: Data
    control: tuple  # of Activation


class Next:
    """One small step that needs no choice. `events`: see below."""

    __slots__ = ("state", "events")

    def __init__(self, state: State, events: tuple):
        self.state = state
        self.events = events


class Alternative(NamedTuple):
    label: tuple
    state: State
    events: tuple


class Choice:
    """Two alternatives or more (a choice with one alternative is a Next with the event ('only', label)).

    kind      order, selection, distribution, chance, gap
    decider   None (nobody, nobody in particular), 'everyone', 'chance', or the identity of a player
    site      of the statement (iteration, ...), of the sequence (free lists), of the announcement
    depth     (number of activations, number of frames of the last one) of the frame that chooses. Two
              Choices of one site and one depth, the second reached from the first without the stack
              having been shorter in between, are made by the same iteration.
    conflict  whether it is the fork after a conflict (§6)
    offered   alternatives

    Labels: ('entity', identity) ('value', v) ('step', step index) ('place', v) ('instance', Instance)
    ('option', index, text) ('case', index) ('may', bool, text) ('unit', element) ('card', identity)
    ('insertion', identity) ('announcement', event name, payload) ('write', text) ('number', n)
    ('values', tuple) ('listener', listener).
    """

    __slots__ = ("kind", "decider", "site", "depth", "alternatives", "conflict")

    def __init__(self, kind: str, decider: Any, site: Site, depth: tuple, alternatives: list, conflict: bool = False):
        self.kind = kind
        self.decider = decider
        self.site = site
        self.depth = depth
        self.alternatives = alternatives
        self.conflict = conflict


class End:
    """The run has ended; `data` is that of the outcome, `site` what was executed (a statement, step, sequence).

    tag: ('end',) ('win', p) ('loss', p) ('draw', p) with p an identity, 'everyone' or None; ('gap', name);
    ('gap', kind, clause id or None, words): an implicit gap and what makes two the same (§6);
    ('conflict',) ('range', full name of the place or zone) ('stuck', sequence name) ('limit', why), where
    why is 'reach', 'headroom', 'capacity', 'overflow', 'expressions' or 'nesting'.
    """

    __slots__ = ("tag", "data", "site", "events")

    def __init__(self, tag: tuple, data: Data, site: Optional[Site], events: tuple = ()):
        self.tag = tag
        self.data = data
        self.site = site
        self.events = events


class Consult:
    """The next small step consults a reading that the assignment does not have."""

    __slots__ = ("reading",)

    def __init__(self, reading: Reading):
        self.reading = reading


# Events are tuples. What a small step does, in the order in which it does it:
#
#   ('executed', site)                     a statement was executed (also headings)
#   ('branch', site, index)                which block of if, cases, depending on, choose one, may was taken;
#                                          index len(blocks) is `otherwise`; -1 is none. A `may` has 0 (it is
#                                          done) and 1
#   ('visit', site, element)               an iteration came to an element
#   ('only', label)                        a choice with one alternative was taken
#   ('step begun', step, place)            place: the element of `over each`, else None
#   ('step ended', step, place, locals)    locals: those with which the step can be done again, see
#                                          Machine.start_step
#   ('ensures', step, index, ok)           ok: True or False; one without a value ends the run in its gap (§6)
#   ('performed', sequence)                an activation began
#   ('sequence ended', sequence)
#   ('announced', event name, payload)
#   ('trigger', trigger, Instance)         an instance begins to be resolved
#   ('trigger ended', trigger, Instance)
#   ('cancelled', sequence, steps, elements, policy)
#                                          a pass was cancelled; dropped: the steps (and places) not begun,
#                                          ((step index or None, place or None), ...), and ((site, (element, ...)),
#                                          ...) of iterations; both may be empty. policy: 'lost', 'carried', or
#                                          None where nothing was dropped and a reading decides
#   ('conflict', site)                     the document says two things at once (§6)
#   ('round', site)                        a round of a repeat ended
#   ('pass', sequence)                     a pass began
#   ('replaced', sequence)                 a contract stood for a sequence


def load(path: str) -> Spec:
    """Reads a specification with what it includes. Raises SpecError."""
    from .check import load as read

    return read(path)


# The class Machine (run.py):
#
#   Machine(spec, contracts=frozenset(), *, without=frozenset(), free=frozenset(), wide=False, still=frozenset())
#       contracts: names of sequences that are replaced by their contract
#       without: Steps whose statements are left out (idle steps, §7)
#       free: Sites of iterations (or of sequences with `over each`) that are made in any order (§7,
#             "Position matters")
#       still: Places that stay as they are, whatever is added to them (§8)
#       wide: no bounds of exploration (reach, headroom, queues; §8, growth); data.NEAR: reach as of other values (§10)
#   .start(sequence, data, arguments=()) -> State
#   .start_step(step, data, locals) -> State     does one step alone; the run ends with ('end',) after it
#   .start_everywhere(step, data) -> State       the same of a step under `over each`, for each place
#   .advance(state, assignment) -> Next | Choice | End | Consult
#   .steps_running(state) -> tuple of Step       those that have begun and not ended, the outermost first
#
# check.py:
#
#   condition(spec, text) -> Expression          a condition on boards, written in the language
#
# boards.py:
#
#   all_boards(spec, sizes={}) -> iterator of Data     every numbering (§1.2), unconditioned
#   orbits(spec, sequence, verify=None) -> list of Orbit
#                                                      legal boards of a sequence or verify: `data` is a representative,
#                                                      `count` the number of its numberings, `status` 'legal',
#                                                      'unknown' or 'depends' (on a reading)
#   members(spec, data) -> list of Data                all numberings of a board
#   legal_assignments(spec, data, where=None) -> list  the assignments (of readings that legality consults) under which
#                                                      the board is legal; [{}] where it consults none
#   judge_board(spec, data, where=None, assignment=None) -> 'legal' | 'illegal' | 'excluded' | 'unknown' | 'depends'
#
# observe.py:
#
#   observe(spec, observer, data, assignment={}) -> hashable; equal exactly if the outcomes are (§5)
