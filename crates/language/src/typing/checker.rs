//! The state of a check: the program so far, the names, what was found wrong.

use super::activation::{Activation, Caller};
use super::program::{
    BoardId, ClauseIdx, DefineId, DocumentId, EnumId, EventId, FieldId, GapId, ObserverId, Program,
    QueueId, ReadingId, SequenceId, SortId, StepId, TriggerId, Type, VarId, ZoneId,
};
use super::wording::Wordbook;
use crate::diag::{Code, Diagnostic, Severity, codes};
use crate::index::{Arena, Id};
use crate::resolve::{MAX_DEPTH, NameKind, Outline, Table, Uses, nearest, too_deep, unknown};
use crate::source::Span;
use crate::syntax::ast::{ClauseId, Loc, Name};
use std::collections::{BTreeMap, BTreeSet};

/// What a name in an expression can stand for, wherever the expression stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Global {
    Enum(EnumId),
    Sort(SortId),
    Var(VarId),
    Zone(ZoneId),
    Define(DefineId),
    Queue(QueueId),
    Reading(ReadingId),
}

impl Global {
    /// The kind, with its article, for messages.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Self::Enum(_) => "a type",
            Self::Sort(_) => "a sort",
            Self::Var(_) => "a variable",
            Self::Zone(_) => "a zone",
            Self::Define(_) => "a definition",
            Self::Queue(_) => "a queue",
            Self::Reading(_) => "a reading",
        }
    }

    /// The kind, for whoever shows names.
    pub(super) fn name_kind(self) -> NameKind {
        match self {
            Self::Enum(_) => NameKind::Type,
            Self::Sort(_) => NameKind::Sort,
            Self::Var(_) => NameKind::Variable,
            Self::Zone(_) => NameKind::Zone,
            Self::Define(_) => NameKind::Definition,
            Self::Queue(_) => NameKind::Queue,
            Self::Reading(_) => NameKind::Reading,
        }
    }
}

/// Of which kinds a name is to be.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    Sort,
    SortOrType,
    Variable,
    VariableOrZone,
    Zone,
    DefinitionOrZone,
    Queue,
    Reading,
}

impl Wanted {
    /// The kinds without an article, for messages.
    fn words(self) -> &'static str {
        match self {
            Self::Sort => "sort",
            Self::SortOrType => "sort or type",
            Self::Variable => "variable",
            Self::VariableOrZone => "variable or zone",
            Self::Zone => "zone",
            Self::DefinitionOrZone => "definition or zone",
            Self::Queue => "queue",
            Self::Reading => "reading",
        }
    }

    /// Whether something is of one of the kinds.
    fn fits(self, found: Global) -> bool {
        match found {
            Global::Enum(_) => matches!(self, Self::SortOrType),
            Global::Sort(_) => matches!(self, Self::Sort | Self::SortOrType),
            Global::Var(_) => matches!(self, Self::Variable | Self::VariableOrZone),
            Global::Zone(_) => {
                matches!(
                    self,
                    Self::Zone | Self::VariableOrZone | Self::DefinitionOrZone
                )
            }
            Global::Define(_) => matches!(self, Self::DefinitionOrZone),
            Global::Queue(_) => matches!(self, Self::Queue),
            Global::Reading(_) => matches!(self, Self::Reading),
        }
    }
}

/// All names, by kind.
pub(super) struct Names {
    pub(super) globals: Table<Global>,
    pub(super) values: BTreeMap<String, Vec<(EnumId, u16)>>,
    pub(super) documents: Table<DocumentId>,
    pub(super) clauses: Table<ClauseIdx>,
    pub(super) events: Table<EventId>,
    pub(super) triggers: Table<TriggerId>,
    pub(super) sequences: Table<SequenceId>,
    pub(super) observers: Table<ObserverId>,
    pub(super) boards: Table<BoardId>,
    pub(super) gaps: Table<GapId>,
    /// Where a gap stands first in which runs end (`true`), or from which they go on.
    pub(super) gap_ends: BTreeMap<GapId, (Span, bool)>,
    pub(super) steps: BTreeMap<SequenceId, Table<StepId>>,
    /// What is made up, and of which sequence, if there is such a one.
    pub(super) experiments: BTreeMap<SequenceId, Option<SequenceId>>,
}

impl Default for Names {
    fn default() -> Self {
        Self {
            globals: Table::new("name"),
            values: BTreeMap::new(),
            documents: Table::new("document"),
            clauses: Table::new("clause"),
            events: Table::new("event"),
            triggers: Table::new("trigger"),
            sequences: Table::new("sequence"),
            observers: Table::new("observer"),
            boards: Table::new("board"),
            gaps: Table::new("gap"),
            gap_ends: BTreeMap::new(),
            steps: BTreeMap::new(),
            experiments: BTreeMap::new(),
        }
    }
}

/// Parameters with their types; none where the type is in error.
pub(super) type Signature = Vec<(String, Option<Type>)>;

/// The check of one specification.
pub(super) struct Checker<'a> {
    pub(super) outline: &'a Outline<'a>,
    pub(super) program: Program,
    pub(super) names: Names,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Something is wrong that was reported here or by the parser.
    pub(super) failed: bool,
    /// The types of variables and fields; none where in error.
    pub(super) var_types: Arena<VarId, Option<Type>>,
    pub(super) field_types: Arena<FieldId, Option<Type>>,
    pub(super) define_params: Arena<DefineId, Signature>,
    pub(super) define_types: Arena<DefineId, Option<Type>>,
    /// The enumerations that are tables.
    pub(super) tables: BTreeMap<EnumId, Columns>,
    pub(super) event_params: Arena<EventId, Signature>,
    pub(super) sequence_params: Arena<SequenceId, Signature>,
    /// The player sort.
    pub(super) players: Option<SortId>,
    /// Clauses with those that they cite as a whole.
    pub(super) citing: Vec<(ClauseIdx, ClauseIdx)>,
    /// Clauses that something else cites.
    pub(super) cited: BTreeSet<ClauseIdx>,
    /// What is being checked.
    pub(super) frame: Activation,
    pub(super) calls: Calls,
    pub(super) usage: Usage,
    pub(super) wordbook: Wordbook,
    /// What names mean.
    pub(super) uses: Uses,
    /// Where the entities of boards are declared, by board.
    pub(super) entity_places: BTreeMap<String, BTreeMap<String, Span>>,
    /// Where the values of types are declared.
    pub(super) value_places: BTreeMap<(EnumId, u16), Span>,
    /// Where the alternatives of readings are declared.
    pub(super) alternative_places: BTreeMap<ReadingId, Vec<Span>>,
    /// Names that are steps.
    pub(super) step_uses: Vec<(Span, StepId)>,
    /// In an experiment: what is performed instead of what.
    pub(super) instead: BTreeMap<SequenceId, SequenceId>,
    /// What was.
    pub(super) replaced: BTreeSet<SequenceId>,
    depth: u32,
    too_deep: bool,
}

impl<'a> Checker<'a> {
    pub(super) fn new(outline: &'a Outline<'a>, uses: Uses, diagnostics: Vec<Diagnostic>) -> Self {
        Self {
            uses,
            entity_places: BTreeMap::new(),
            value_places: BTreeMap::new(),
            alternative_places: BTreeMap::new(),
            step_uses: Vec::new(),
            outline,
            program: Program::default(),
            names: Names::default(),
            failed: false,
            var_types: Arena::new(),
            field_types: Arena::new(),
            define_params: Arena::new(),
            define_types: Arena::new(),
            tables: BTreeMap::new(),
            event_params: Arena::new(),
            sequence_params: Arena::new(),
            players: None,
            citing: Vec::new(),
            cited: BTreeSet::new(),
            frame: Activation::default(),
            calls: Calls::default(),
            usage: Usage::default(),
            wordbook: Wordbook::default(),
            instead: BTreeMap::new(),
            replaced: BTreeSet::new(),
            depth: 0,
            too_deep: !diagnostics.is_empty(),
            diagnostics,
        }
    }

    /// Adds a diagnostic.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.failed |= diagnostic.severity == Severity::Error;
        self.diagnostics.push(diagnostic);
    }

    /// Adds an error with one place.
    pub(super) fn error(&mut self, code: Code, message: String, at: Loc, label: &str) {
        self.report(Diagnostic::error(code, message).at(at, label));
    }

    /// The value, or the error in its place.
    pub(super) fn found<T>(&mut self, result: Result<T, Box<Diagnostic>>) -> Option<T> {
        result.map_err(|error| self.report(*error)).ok()
    }

    /// Remembers that something could not be built, so that no program is returned without it.
    pub(super) fn needed<T>(&mut self, built: Option<T>) -> Option<T> {
        self.failed |= built.is_none();
        built
    }

    /// Goes one level further in; false, and one diagnostic for the whole check, if that is too
    /// deep.
    pub(super) fn enter(&mut self, loc: Loc) -> bool {
        if self.depth >= MAX_DEPTH {
            self.failed = true;
            if !self.too_deep {
                self.too_deep = true;
                self.report(too_deep(loc));
            }
            return false;
        }
        self.depth += 1;
        true
    }

    /// Comes back from [`enter`](Self::enter).
    pub(super) fn exit(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// The sort that a name declares.
    pub(super) fn sort(&mut self, name: &Name) -> Option<SortId> {
        match self.global(name, Wanted::Sort)? {
            Global::Sort(sort) => Some(sort),
            other => self.wrong_kind(name, other.kind(), "a sort"),
        }
    }

    /// The reading that a name declares; it counts as consulted.
    pub(super) fn reading(&mut self, name: &Name) -> Option<ReadingId> {
        let reading = self.reading_named(name)?;
        self.usage.readings.insert(reading);
        Some(reading)
    }

    /// The reading that a name declares.
    pub(super) fn reading_named(&mut self, name: &Name) -> Option<ReadingId> {
        match self.global(name, Wanted::Reading)? {
            Global::Reading(reading) => Some(reading),
            other => self.wrong_kind(name, other.kind(), "a reading"),
        }
    }

    /// The queue that a name declares.
    pub(super) fn queue(&mut self, name: &Name) -> Option<QueueId> {
        match self.global(name, Wanted::Queue)? {
            Global::Queue(queue) => Some(queue),
            other => self.wrong_kind(name, other.kind(), "a queue"),
        }
    }

    /// What a name declares, wherever it stands; `expected` is what is wanted, for a message.
    pub(super) fn global(&mut self, name: &Name, wanted: Wanted) -> Option<Global> {
        let found = self.meant(name);
        if found.is_none() {
            let globals = &self.names.globals;
            // One of another kind would be the next error.
            let fits = |name: &&str| globals.get(name).is_some_and(|found| wanted.fits(found));
            let near = nearest(&name.text, globals.names().filter(fits));
            if self.uses.is_probe(&name.text) {
                self.uses.offer(None, globals.names().filter(fits));
            }
            let error = unknown(wanted.words(), &name.text, name.loc.span(), near);
            self.report(error);
        }
        found
    }

    /// What a name declares, if anything does.
    pub(super) fn meant(&mut self, name: &Name) -> Option<Global> {
        let found = self.names.globals.get(&name.text)?;
        let declared = self.names.globals.place(&name.text)?;
        self.uses.add(name.loc.span(), declared, found.name_kind());
        Some(found)
    }

    /// What a name of this kind stands for; reports if nothing has it.
    pub(super) fn named<I: Copy>(
        &mut self,
        of: impl Fn(&Names) -> Option<&Table<I>>,
        kind: NameKind,
        name: &Name,
    ) -> Option<I> {
        let table = of(&self.names)?;
        if let Some(declared) = table.place(&name.text) {
            self.uses.add(name.loc.span(), declared, kind);
        } else if self.uses.is_probe(&name.text) {
            self.uses.offer(Some(kind), table.names());
        }
        let found = table.find(name);
        self.found(found)
    }

    /// The sequence that a name declares.
    pub(super) fn sequence_named(&mut self, name: &Name) -> Option<SequenceId> {
        self.named(|names| Some(&names.sequences), NameKind::Sequence, name)
    }

    /// The step of a sequence that a name declares.
    pub(super) fn step_named(&mut self, sequence: SequenceId, name: &Name) -> Option<StepId> {
        self.named(|names| names.steps.get(&sequence), NameKind::Step, name)
    }

    /// The event that a name declares.
    pub(super) fn event_named(&mut self, name: &Name) -> Option<EventId> {
        self.named(|names| Some(&names.events), NameKind::Event, name)
    }

    /// The board that a name declares.
    pub(super) fn written_board(&mut self, name: &Name) -> Option<BoardId> {
        self.named(|names| Some(&names.boards), NameKind::Board, name)
    }

    /// Reports a name of another kind.
    pub(super) fn wrong_kind<T>(&mut self, name: &Name, found: &str, expected: &str) -> Option<T> {
        let message = format!("found `{}`, {found}, expected {expected}", name.text);
        let mut error = Diagnostic::error(codes::names::WRONG_KIND, message)
            .at(name.loc, format!("this is {found}"));
        if let Some(place) = self.names.globals.place(&name.text) {
            error = error.also(place, "declared here");
        }
        self.report(error);
        None
    }

    /// Where a global name is declared.
    pub(super) fn declared_at(&self, name: &str) -> Option<Span> {
        self.names.globals.place(name)
    }

    /// The position of a clause of the outline as an id.
    pub(super) fn clause_idx(position: Option<usize>) -> Option<ClauseIdx> {
        position.map(ClauseIdx::from_index)
    }

    /// The clause that an id names.
    pub(super) fn clause(&mut self, id: &ClauseId) -> Option<ClauseIdx> {
        if let Some(clause) = self.clause_quietly(id) {
            return Some(clause);
        }
        let near = nearest(&id.text, self.names.clauses.names());
        let help = near.map(|near| format!("did you mean `{near}`?"));
        let message = format!("found `{}`, expected the id of a clause", id.text);
        let mut error = Diagnostic::error(codes::names::UNKNOWN_CLAUSE, message)
            .at(id.loc, "no clause has this id");
        error.help.extend(help);
        self.report(error);
        None
    }

    /// The clause that an id names, if there is one.
    pub(super) fn clause_quietly(&mut self, id: &ClauseId) -> Option<ClauseIdx> {
        if self.uses.is_probe(&id.text) {
            let kind = Some(NameKind::Clause);
            self.uses.offer(kind, self.names.clauses.names());
        }
        let clause = self.names.clauses.get(&id.text)?;
        let declared = self.names.clauses.place(&id.text)?;
        self.uses.add(id.loc.span(), declared, NameKind::Clause);
        Some(clause)
    }

    /// The clauses that are cited; they count as formalised.
    pub(super) fn cite(&mut self, ids: &[ClauseId]) -> Vec<ClauseIdx> {
        let found: Vec<ClauseIdx> = ids.iter().filter_map(|id| self.clause(id)).collect();
        self.cited.extend(found.iter().copied());
        found
    }

    /// What a type is called in messages, with its article.
    pub(super) fn describe(&self, ty: Type) -> String {
        match ty {
            Type::Int => "an integer".to_owned(),
            Type::Bool => "a truth value".to_owned(),
            Type::Enum(id) => match self.program.enums.get(id) {
                Some(one) => format!("a value of `{}`", one.name),
                None => "a value of a type".to_owned(),
            },
            Type::Entity(sort) => format!("a `{}`", self.sort_name(sort)),
            Type::Optional(sort) => format!("a `{}` or none", self.sort_name(sort)),
        }
    }

    /// The name of a sort.
    pub(super) fn sort_name(&self, sort: SortId) -> &str {
        self.program
            .sorts
            .get(sort)
            .map_or("?", |sort| sort.name.as_str())
    }
}

/// What is printed in the rows of a table.
pub(super) struct Columns {
    /// The names of the columns, and what looks them up.
    pub(super) columns: Vec<(String, DefineId)>,
    /// Where the table is declared.
    pub(super) span: Span,
}

/// Calls and resolutions, as they were found.
#[derive(Debug, Default)]
pub(super) struct Calls {
    pub(super) performs: Vec<(Caller, SequenceId, Span)>,
    pub(super) resolves: Vec<(Caller, Span)>,
}

impl Calls {
    pub(super) fn perform(&mut self, caller: Caller, sequence: SequenceId, span: Span) {
        self.performs.push((caller, sequence, span));
    }

    pub(super) fn resolve(&mut self, caller: Caller, span: Span) {
        self.resolves.push((caller, span));
    }

    /// The sequences that something performs.
    pub(super) fn performed(&self) -> BTreeSet<SequenceId> {
        self.performs
            .iter()
            .map(|(_, sequence, _)| *sequence)
            .collect()
    }
}

/// What was used so far.
#[derive(Debug, Default)]
pub(super) struct Usage {
    pub(super) vars: BTreeSet<VarId>,
    pub(super) written: BTreeSet<VarId>,
    pub(super) readings: BTreeSet<ReadingId>,
    pub(super) defines: BTreeSet<DefineId>,
    pub(super) announced: BTreeSet<EventId>,
}
