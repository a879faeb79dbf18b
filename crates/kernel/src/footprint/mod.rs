//! What parts of a system can read and write, and what can influence what.
//!
//! ```text
//! step draw                                     reads   deck, hand
//!   move top of deck to hand                    writes  deck, hand
//!   if hurry                                    reads   hurry, round
//!     increase round by 1                       writes  round
//! ```
//!
//! Two parts whose footprints do not [conflict](Footprint::conflicts), as `draw` and one that only
//! counts gold, leave the same data in either order. The *cone* of places is all that can influence
//! them when a sequence runs: the cone of `round` holds `hurry`, which decides whether it is
//! increased, and `deck`, since a run stops where the deck is empty, before it comes to the round.
//!
//! *Guarantees.* Sound for every board and reading: what a part writes on any run is in `writes`,
//! and what is not in `reads` does not change what it does. Calls, functions, events with the
//! triggers that interrupt, and the triggers that a queue resolves are followed. Of a step, this
//! includes the restart of its own sequence, not that of one which performs it.
//!
//! *Grain.* `reads` and `writes` speak of fields, variables and families of zones as a whole: two
//! cards' health is one place. [Accesses](Access) are finer: seen from one element of an iteration,
//! a place is the element's own, that of what it is linked to, or of any entity, and a change may be
//! one that changes places with others of its kind ([`Mode`]). [`agree`] compares two parts by them.
//!
//! *Limits.* A part that moves an entity counts as reading and writing all zones of its sort.
//! For the cone, every change of an integer can end a run (a bound), so what it reads influences
//! everything after it. Locals are no places: operations of one block also depend on what the ones
//! before bind. Contracts are not looked at, the sequences are.
//!
//! *Background.* A. J. Bernstein, *Analysis of programs for parallel processing* (1966): no part
//! writes what the other reads or writes. M. Weiser, *Program slicing* (1981): the cone is a slice,
//! of places instead of statements, that also keeps whether a run ends.

mod access;
mod arranged;
mod block;
mod bystander;
mod cone;
mod expr;
mod place;
mod print;
mod reader;
mod total;

pub use access::{Agreement, agree};
pub use arranged::{arranged, keeps_order_of_places, keeps_order_told, together, units};
pub use block::{
    Reached, Unit, come_to, of_block, of_element, of_listed, of_listener, of_op, of_places,
    of_procedure, of_restart, of_statement, of_step, of_trigger, reached, reached_in_step, types,
};
pub use bystander::{Aside, Atom, Executed, aside};
pub use cone::cone;
pub use expr::{of_condition, of_matching, of_raising};
pub use place::{Access, Footprint, Grain, Mode, Place};
pub use print::{name, print};
pub use reader::{Alone, Reader, claimed, of_ensured, of_heading, of_list};
pub use total::{heading_may_fail, iterates_badly, raises, unsettled};
