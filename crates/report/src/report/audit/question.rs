//! Decisions in words: what is asked, what the specification says, and what else could be meant.

use crate::report::words::{Words, capital, plain};
use endstep_language::syntax::ast::QueueDiscipline;
use endstep_language::typing::program::{
    Binder, Cancel, EventId, ExprKind, Place, PlaceKind, QueueId, SortId, StmtKind, Type, ZoneId,
};
use endstep_tools::decisions::{Alternative, Decision, Made};

/// A decision in three sentences, each without its full stop.
pub(super) struct Question {
    /// What is asked.
    pub asked: String,
    /// What the specification has decided.
    pub written: String,
    /// What could be meant instead.
    pub otherwise: String,
}

impl Question {
    pub(super) fn of(words: Words<'_>, decision: &Decision) -> Self {
        let told = Told { words, decision };
        let [asked, written, otherwise] = match &decision.alternative {
            Alternative::Rechecked => told.rechecked(),
            Alternative::Newcomers => told.newcomers(),
            Alternative::Together => {
                let one = told.element();
                [
                    "Is this done one after the other, or all at once?".to_owned(),
                    format!("It is done to one {one} after the other, each seeing what was done before it"),
                    "all of it were done at once, from what was there before".to_owned(),
                ]
            }
            Alternative::OneByOne => [
                "Is this done all at once, or one after the other?".to_owned(),
                "All of it is done at once, from what was there before".to_owned(),
                "it were done one after the other, each seeing what was done before it".to_owned(),
            ],
            Alternative::FirstPlace(zone) => told.place(*zone),
            Alternative::Unlimited => [
                "Is what lies beyond the limit lost?".to_owned(),
                "The amount is cut off at the limit".to_owned(),
                "nothing were cut off".to_owned(),
            ],
            Alternative::StopsAtZero => told.zero(),
            Alternative::Announced(event, by) => {
                let event = told.event(*event);
                let by = words.statement(*by);
                [
                    format!("Does this count as {event}?"),
                    format!("Where the same is done elsewhere, {event} is announced, as at {by}; here it is not"),
                    format!("it counted as {event} here, too"),
                ]
            }
            Alternative::Cancelled(cancel) => told.cancelled(cancel),
            Alternative::Carried(carried) => told.carried(*carried),
            Alternative::NotItself => told.itself(),
            Alternative::StillTrue => [
                "Must the condition still be true when it happens?".to_owned(),
                "Once its event has come with the condition true, it happens, whatever has become of the condition"
                    .to_owned(),
                "it happened only with the condition still true".to_owned(),
            ],
            Alternative::StillThere => told.still_there(),
            Alternative::AtOnce(event) | Alternative::Waits(event, _) => told.moment(*event),
            Alternative::Discipline(queue, discipline) => told.queue(*queue, *discipline),
        };
        Self {
            asked,
            written,
            otherwise,
        }
    }
}

struct Told<'a> {
    words: Words<'a>,
    decision: &'a Decision,
}

impl Told<'_> {
    fn event(&self, id: EventId) -> String {
        format!("\"{}\"", plain(&self.words.program.events[id].name))
    }

    /// What an iteration visits, if the decision is about one.
    fn binder(&self) -> Option<&Binder> {
        let Made::Stmt(id) = self.decision.made else {
            return None;
        };
        match &self.words.program.stmts[id].kind {
            StmtKind::ForEach { binder, .. } => Some(binder),
            // Nothing else visits elements.
            _ => None,
        }
    }

    /// `Card`, or `thing`
    fn element(&self) -> String {
        let sort = self.binder().and_then(|binder| self.sort_of(binder));
        sort.map_or_else(|| "thing".to_owned(), |sort| self.sort(sort))
    }

    fn sort(&self, sort: SortId) -> String {
        plain(&self.words.program.sorts[sort].name)
    }

    fn sort_of(&self, binder: &Binder) -> Option<SortId> {
        match binder.ty {
            Type::Entity(sort) => Some(sort),
            Type::Int | Type::Bool | Type::Enum(_) | Type::Optional(_) => None,
        }
    }

    /// Whether which elements an iteration deals with depends on a condition.
    fn is_filtered(&self) -> bool {
        self.binder().is_some_and(|binder| binder.filter.is_some())
    }

    fn rechecked(&self) -> [String; 3] {
        let one = self.element();
        [
            format!("Does it still happen to a {one} that no longer meets the condition when its turn comes?"),
            "It happens to all that meet the condition at the beginning, whatever becomes of them before their turn"
                .to_owned(),
            format!("a {one} that no longer meets the condition when its turn comes were passed over"),
        ]
    }

    fn newcomers(&self) -> [String; 3] {
        let one = self.element();
        let (comes, are) = match self.is_filtered() {
            true => ("comes to meet the condition", "meet the condition"),
            false => ("comes there", "are there"),
        };
        [
            format!("If a {one} {comes} meanwhile, does it happen to it, too?"),
            format!("It happens only to those that {are} at the beginning"),
            format!("it happened to a {one} that {comes} meanwhile, too"),
        ]
    }

    fn place(&self, zone: ZoneId) -> [String; 3] {
        let zone = plain(&self.words.program.zones[zone].name);
        [
            format!("Does it come to the top of {zone}, or to the bottom?"),
            format!(
                "It comes to the bottom of {zone}, the last place; the specification names no end"
            ),
            format!("it came to the top of {zone}, the first place"),
        ]
    }

    fn zero(&self) -> [String; 3] {
        let number = self.number();
        [
            format!("Can {number} fall below 0?"),
            format!("{} can fall below 0", capital(&number)),
            format!("{number} stopped at 0"),
        ]
    }

    /// What a statement takes something away from.
    fn number(&self) -> String {
        let place = match self.decision.made {
            Made::Stmt(id) => match &self.words.program.stmts[id].kind {
                StmtKind::Decrease(place, ..) => Some(place),
                // Nothing else stops at zero.
                _ => None,
            },
            Made::Sequence(_) | Made::Trigger(_) | Made::Event(_) | Made::Queue(_) => None,
        };
        place.map_or_else(|| "the number".to_owned(), |place| self.written(place))
    }

    fn written(&self, place: &Place) -> String {
        let program = self.words.program;
        match &place.kind {
            PlaceKind::Var(var) => plain(&program.vars[*var].name),
            PlaceKind::Field(of, field) => {
                let field = &program.fields[*field];
                let of = match &of.kind {
                    ExprKind::Var(var) => plain(&program.vars[*var].name),
                    // Whatever it is called there, it is one of its sort.
                    _ => format!("a {}", self.sort(field.sort)),
                };
                format!("the {} of {of}", plain(&field.name))
            }
        }
    }

    fn cancelled(&self, instead: &Cancel) -> [String; 3] {
        let written = match self.decision.made {
            Made::Sequence(id) => self.words.program.sequences[id].restart.as_ref(),
            Made::Stmt(_) | Made::Trigger(_) | Made::Event(_) | Made::Queue(_) => None,
        };
        let written = written.map_or("at some moment", |restart| moment(&restart.cancel));
        [
            "When does a new beginning break off what is under way?".to_owned(),
            format!("It is broken off {written}"),
            format!("it were broken off {}", moment(instead)),
        ]
    }

    fn carried(&self, carried: bool) -> [String; 3] {
        let asked = "What becomes of what was not done when it begins again?".to_owned();
        let (written, otherwise) = match carried {
            true => ("It is never done", "it were done later"),
            false => ("It is done later", "it were never done"),
        };
        [asked, written.to_owned(), otherwise.to_owned()]
    }

    /// What reacts.
    fn listener(&self) -> String {
        let listener = match self.decision.made {
            Made::Trigger(id) => self.words.program.triggers[id].listener.as_ref(),
            Made::Stmt(_) | Made::Sequence(_) | Made::Event(_) | Made::Queue(_) => None,
        };
        let sort = listener.and_then(|binder| self.sort_of(binder));
        sort.map_or_else(|| "thing".to_owned(), |sort| self.sort(sort))
    }

    fn still_there(&self) -> [String; 3] {
        let one = self.listener();
        [
            format!("Does a {one} still react if it has left before its reaction happens?"),
            format!("A {one} whose reaction waits reacts, wherever it lies by then"),
            format!("a {one} reacted only if it still lay where it was when the event came"),
        ]
    }

    fn itself(&self) -> [String; 3] {
        let one = self.listener();
        [
            format!("Does a {one} react to what happens to itself?"),
            format!("A {one} reacts to what happens to itself, too"),
            format!("a {one} reacted only to what happens to others"),
        ]
    }

    fn moment(&self, event: EventId) -> [String; 3] {
        let waits = self.words.program.events[event].queue.is_some();
        let event = self.event(event);
        let (written, otherwise) = match waits {
            true => ("wait until they are resolved", "happened at once"),
            false => ("happen at once", "waited until they are resolved"),
        };
        [
            format!("When do reactions to {event} happen?"),
            format!("Reactions to {event} {written}"),
            format!("they {otherwise}"),
        ]
    }

    fn queue(&self, queue: QueueId, instead: QueueDiscipline) -> [String; 3] {
        let queue = &self.words.program.queues[queue];
        let name = plain(&queue.name);
        [
            format!("In which order does what waits in \"{name}\" happen?"),
            format!(
                "What waits in \"{name}\" happens {}",
                order(queue.discipline)
            ),
            format!("it happened {}", order(instead)),
        ]
    }
}

fn moment(cancel: &Cancel) -> &'static str {
    match cancel {
        Cancel::AtOnce => "at once",
        Cancel::EndOfStep => "at the end of the step",
        Cancel::EndOfPass => "at the end of all steps",
        Cancel::Per(..) => "when the reading says",
    }
}

fn order(discipline: QueueDiscipline) -> &'static str {
    match discipline {
        QueueDiscipline::FirstInFirstOut => "in the order in which it came",
        QueueDiscipline::LastInFirstOut => "in the reverse order, what came last first",
        QueueDiscipline::ByPriority => "by priority",
    }
}
