//! Why a run need not end: its class, in words.
//!
//! ```text
//! by chance, with one player     … can go on for ever: with luck … to an end, but player 1 cannot make sure of it
//! ```

use super::layout::list;
use super::words::{Words, beside_others, plain};
use endstep_language::index::Id;
use endstep_language::typing::program::{EntityId, Program};
use endstep_semantics::witness::{Closed, Run, Witness};
use endstep_verdicts::verdict::LoopClass;

/// Why a run need not end, after the name of what runs; the classes of `docs/semantics.md`, 8.
pub(super) fn endless(words: Words<'_>, witness: Option<&Witness>, class: LoopClass) -> String {
    let run = witness.and_then(|witness| witness.runs().into_iter().next());
    let text = match class {
        LoopClass::Mandatory => {
            "can reach a point after which it never ends, whatever anybody chooses and however chance \
             turns out."
        }
        LoopClass::OrderDriven => {
            "can come to a point from which it can go on for ever: an order, a value or a choice that the \
             document leaves to nobody can turn out so, again and again, that no end is reached, even if \
             all players want it to end and chance helps them."
        }
        LoopClass::ByChance => {
            return match run.map(|run| (run, players(words.program, run))) {
                Some((run, all)) if all.len() < 2 => match all.first() {
                    Some(&player) => {
                        let player = run.names.entity(player);
                        format!("{BY_CHANCE} {player} cannot make sure of it.")
                    }
                    None => format!("{BY_CHANCE} nobody can make sure of it."),
                },
                _ => format!("{BY_CHANCE} the players cannot make sure of it, not even together."),
            };
        }
        LoopClass::Optional(Some(player)) => {
            let player = run.map_or_else(String::new, |run| run.names.entity(player));
            return format!(
                "{CAN} but need not: from there {player} can bring it to an end, whatever all others do."
            );
        }
        LoopClass::Optional(None) => match run.map(|run| players(words.program, run)) {
            Some(all) if all.is_empty() => {
                return format!("{CAN} but need not: what everyone together chooses can end it.");
            }
            _ => {
                return format!(
                    "{CAN} but need not: from there the players can bring it to an end together, and none of \
                     them alone."
                );
            }
        },
    };
    text.to_owned()
}

/// The class is that of a point on the way: what could have been done before it is not asked.
const CAN: &str = "can come to a point from which it can go on for ever,";

const BY_CHANCE: &str = "can come to a point from which it can go on for ever: with luck it can be brought to \
                         an end, but";

/// The players on the board of a run.
fn players(program: &Program, run: &Run) -> Vec<EntityId> {
    let entities = run.board.entities.iter().enumerate();
    let players = entities.filter(|(_, one)| program.sorts[one.sort].player);
    players.map(|(at, _)| EntityId::from_index(at)).collect()
}

/// What can follow a loop that has no end; of what only counts it is not told how large it is.
pub(super) fn positions(words: Words<'_>, run: &Run, closed: Closed) -> String {
    let whatever = match closed.uncounted {
        true => format!(", whatever {} may be", list(&counted(words, run), "and")),
        false => String::new(),
    };
    match closed.states {
        1 => format!("The same position comes back for ever{whatever}."),
        states => format!("{states} positions can follow{whatever}, none of which is an end."),
    }
}

/// The tallies that are not counted in what follows a run.
fn counted(words: Words<'_>, run: &Run) -> Vec<String> {
    let program = words.program;
    let tallies = run.variant.uncounting(program).still;
    let vars = tallies
        .vars
        .iter()
        .map(|id| beside_others(&program.vars[*id].name));
    let fields = tallies.fields.iter().map(|id| {
        let field = &program.fields[*id];
        let sort = &program.sorts[field.sort].name;
        format!("the {} of each {sort}", plain(&field.name))
    });
    vars.chain(fields).collect()
}
