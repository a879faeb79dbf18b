//! Whether options leave out boards, values or readings that the specification asks for.
//!
//! ```text
//! entity Card, explore up to 2       --scope Card=1   leaves out those with two
//!                                    --scope Card=2   leaves out nothing
//! ```

use std::collections::BTreeSet;

use super::boards::Boards;
use super::job::{Job, jobs};
use super::options::Options;
use endstep_language::typing::program::{
    Concern, FieldId, Program, ReadingId, SortId, Type, Value,
};

/// Whether some boards or runs are left out that the specification asks for.
pub fn is_restricted(program: &Program, options: &Options) -> bool {
    leaves_boards_out(program, options) || options.claims.is_some() || options.faults_only
}

/// Whether some boards, or some readings, are left out that the specification asks for: `--scope Card=2` leaves
/// none out where no more cards than two are explored.
pub fn leaves_boards_out(program: &Program, options: &Options) -> bool {
    let jobs = jobs(program, options.claims.as_deref());
    options.board.is_some()
        || leaves_values_out(program, options)
        || jobs
            .iter()
            .any(|job| leaves_sizes_out(program, job, options))
}

/// Whether boards or readings are left out from outside that the specification asks for: of a scope, or boards
/// that it writes down, on which claims are tried.
pub(super) fn leaves_out(program: &Program, job: &Job, options: &Options) -> bool {
    if job.on.is_some() {
        return leaves_readings_out(program, options);
    }
    let written = !job.claims.is_empty() && program.boards.ids().next().is_some();
    (written && leaves_boards_out(program, options))
        || leaves_values_out(program, options)
        || leaves_sizes_out(program, job, options)
}

/// Whether options leave out numbers of entities that a job asks for.
fn leaves_sizes_out(program: &Program, job: &Job, options: &Options) -> bool {
    // What is asked of one board is asked of it whatever the sizes are.
    if job.on.is_some() {
        return false;
    }
    let asked = Boards::of(program, job, &Options::default()).sizes;
    let is_less = |(of, most): &(SortId, u32)| {
        let mut asked = asked.iter();
        asked.any(|(sort, _, high)| sort == of && most < high)
    };
    options.sizes.iter().any(is_less)
}

/// Whether options leave out values that are explored, or alternatives of a reading.
fn leaves_values_out(program: &Program, options: &Options) -> bool {
    let mut fields = options.fields.iter();
    fields.any(|(field, chosen)| leaves_out_values(program, *field, chosen))
        || leaves_readings_out(program, options)
}

fn leaves_readings_out(program: &Program, options: &Options) -> bool {
    let of_reading = |id: &ReadingId| program.readings[*id].alternatives.len() > 1;
    options.readings.keys().any(of_reading)
}

/// Whether some values of a field are not all that are explored.
pub fn leaves_out_values(program: &Program, field: FieldId, chosen: &[Value]) -> bool {
    // What no sequence has to do with has one value anyway.
    let jobs = jobs(program, None);
    let mut all = jobs.iter().map(|job| Concern::of(program, job.sequence));
    if !all.any(|concern| concern.fields.contains(&field)) {
        return false;
    }
    let field = &program.fields[field];
    let chosen: BTreeSet<Value> = chosen.iter().copied().collect();
    let explored = match (field.starts, field.ty) {
        (Some(_), _) => Some(1),
        (None, Type::Bool) => Some(2),
        (None, Type::Enum(of)) => Some(program.enums[of].values.len() as u64),
        (None, Type::Int) => {
            let bounds = field.bounds.explore.or(field.bounds.document);
            let many = |(low, high): &(i64, i64)| high.abs_diff(*low).saturating_add(1);
            match field.listed.is_empty() {
                true => bounds.as_ref().map(many),
                false => Some(field.listed.iter().map(many).sum()),
            }
        }
        // These cannot be chosen.
        (None, Type::Entity(_) | Type::Optional(_)) => None,
    };
    explored.is_none_or(|number| (chosen.len() as u64) < number)
}

/// Of the values that options choose, those of fields of which they leave some out.
pub(super) fn less_than_explored(program: &Program, chosen: &[Chosen]) -> Vec<Chosen> {
    let mut less = chosen.to_vec();
    less.retain(|(field, values)| leaves_out_values(program, *field, values));
    less
}

/// The values that a field has.
type Chosen = (FieldId, Vec<Value>);
