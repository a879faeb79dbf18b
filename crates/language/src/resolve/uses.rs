//! Which names of a text mean the same: for whoever shows, follows or changes them.
//!
//! ```text
//! zone hand of Card              -- `hand` declares itself; `Card` means a sort
//! for each c: Card in hand       -- `c` declares itself; `hand` means the zone above
//!   set c.tapped to true         -- `c` means the local, `tapped` a field of `Card`
//! ```
//!
//! *Guarantees.* Each place is listed once. A name that means nothing is not listed. What an experiment
//! reads again of another sequence is listed as it is there.

use crate::source::Span;
use std::collections::BTreeMap;

/// What kind of thing a name means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameKind {
    /// A document.
    Document,
    /// A clause.
    Clause,
    /// A type or a table.
    Type,
    /// A value of a type, or a row of a table.
    Value,
    /// A column of a table.
    Column,
    /// A sort of entities or players.
    Sort,
    /// A field of a sort.
    Field,
    /// A variable, supply or role.
    Variable,
    /// A zone, or a family of zones.
    Zone,
    /// A queue.
    Queue,
    /// A definition.
    Definition,
    /// A reading.
    Reading,
    /// An alternative of a reading.
    Alternative,
    /// An event.
    Event,
    /// A trigger.
    Trigger,
    /// A sequence, or an experiment with one.
    Sequence,
    /// A step.
    Step,
    /// An observer.
    Observer,
    /// A board, or the board of an example.
    Board,
    /// An entity of a board that is written out.
    Entity,
    /// A gap.
    Gap,
    /// A claim or question.
    Claim,
    /// A condition of legality.
    Legal,
    /// An example.
    Example,
    /// A name that is bound: by an iteration, a choice, `let`, or as a parameter.
    Local,
}

impl NameKind {
    /// What it is called.
    pub fn word(self) -> &'static str {
        match self {
            Self::Document => "document",
            Self::Clause => "clause",
            Self::Type => "type",
            Self::Value => "value",
            Self::Column => "column",
            Self::Sort => "sort",
            Self::Field => "field",
            Self::Variable => "variable",
            Self::Zone => "zone",
            Self::Queue => "queue",
            Self::Definition => "definition",
            Self::Reading => "reading",
            Self::Alternative => "alternative",
            Self::Event => "event",
            Self::Trigger => "trigger",
            Self::Sequence => "sequence",
            Self::Step => "step",
            Self::Observer => "observer",
            Self::Board => "board",
            Self::Entity => "entity",
            Self::Gap => "gap",
            Self::Claim => "claim or question",
            Self::Legal => "condition of legality",
            Self::Example => "example",
            Self::Local => "name for a value",
        }
    }
}

/// A name in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Use {
    /// Where it stands.
    pub at: Span,
    /// Where it is declared; the same place in a declaration.
    pub declared: Span,
    /// What it means.
    pub kind: NameKind,
}

impl Use {
    /// Whether this is the declaration.
    pub fn is_declaration(&self) -> bool {
        self.at == self.declared
    }
}

/// A name that could stand at a place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Offer {
    /// The name.
    pub text: String,
    /// What it means; none where the place takes names of several kinds and nothing tells which this is of.
    pub kind: Option<NameKind>,
}

/// The names of a specification, and what they mean.
#[derive(Debug, Clone, Default)]
pub struct Uses {
    /// By place.
    all: BTreeMap<Span, Use>,
    /// What is known of what a name stands for, by where it is declared.
    types: BTreeMap<Span, String>,
    /// The name that stands where names are wanted.
    probe: Option<String>,
    /// What could stand there, best first.
    offers: Vec<Offer>,
}

impl Uses {
    /// Names to be found; wherever `probe` stands and means nothing, what could be meant is taken down.
    pub fn probing(probe: &str) -> Self {
        Self {
            probe: Some(probe.to_owned()),
            ..Self::default()
        }
    }

    /// The names, in the order of their places.
    pub fn all(&self) -> impl Iterator<Item = &Use> {
        self.all.values()
    }

    /// The name that covers an offset, or ends there.
    pub fn at(&self, place: Span) -> Option<&Use> {
        let before = self.all.range(
            ..=Span {
                end: u32::MAX,
                ..place
            },
        );
        let mut near = before.rev().take(2).map(|(_, one)| one);
        near.find(|one| one.at.source == place.source && one.at.end >= place.start)
    }

    /// All places that mean what is declared here, the declaration among them.
    pub fn of(&self, declared: Span) -> impl Iterator<Item = &Use> {
        self.all().filter(move |one| one.declared == declared)
    }

    /// What is known of what is declared here, such as `a Card` of a local.
    pub fn type_of(&self, declared: Span) -> Option<&str> {
        self.types.get(&declared).map(String::as_str)
    }

    /// What could stand where the probe does, best first, each once.
    pub fn offers(&self) -> &[Offer] {
        &self.offers
    }

    /// Takes down a name; a place that is known stays what it is.
    pub(crate) fn add(&mut self, at: Span, declared: Span, kind: NameKind) {
        if !at.is_empty() {
            self.all.entry(at).or_insert(Use { at, declared, kind });
        }
    }

    /// Takes down what is known of a declared name.
    pub(crate) fn describe(&mut self, declared: Span, ty: String) {
        self.types.entry(declared).or_insert(ty);
    }

    /// Whether this is the name that stands where names are wanted.
    pub(crate) fn is_probe(&self, text: &str) -> bool {
        self.probe.as_deref() == Some(text)
    }

    /// Takes down what could stand where the probe does.
    pub(crate) fn offer<'n>(
        &mut self,
        kind: Option<NameKind>,
        names: impl Iterator<Item = &'n str>,
    ) {
        for name in names {
            let text = name.to_owned();
            if !self.offers.iter().any(|one| one.text == text) && !self.is_probe(name) {
                self.offers.push(Offer { text, kind });
            }
        }
    }
}
