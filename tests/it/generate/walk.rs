//! Random walks of the interpreter over a random board, and what must be true of every state.

use arbitrary::{Result, Unstructured};
use endstep::generate::position;
use endstep::index::Id;
use endstep::semantics::{Data, Interpreter, Names, Next, Readings, State, Variant};
use endstep::typing::program::{EntityId, Program, SequenceId, Type, Value};
use std::collections::BTreeSet;

/// The longest walk.
const MOST_STEPS: usize = 400;

/// Walks through every sequence that is verified, from one board. Returns how many steps it took.
///
/// # Panics
///
/// If the interpreter does, or answers in two ways, or produces a state that is not well-formed.
pub fn walk(program: &Program, u: &mut Unstructured<'_>) -> Result<usize> {
    let mut readings = Readings::new();
    for (id, reading) in program.readings.iter() {
        let last = u16::try_from(reading.alternatives.len() - 1).unwrap();
        readings.insert(id, u.int_in_range(0..=last)?);
    }
    let Some(board) = position(u, program)? else {
        return Ok(0);
    };
    let (data, names) = Data::from_board(program, &board);
    well_formed(program, &data);
    let (variant, mut steps) = (Variant::default(), 0);
    let it = Interpreter {
        program,
        readings: &readings,
        variant: &variant,
    };
    let legal = |condition| it.condition(condition, &data, None) == Ok(true);
    if !program
        .legals
        .iter()
        .all(|legal_one| legal(&legal_one.condition))
    {
        return Ok(0);
    }
    for verify in &program.verifies {
        let variant = Variant {
            contracts: verify.contracts.iter().copied().collect(),
            ..Variant::default()
        };
        let it = Interpreter {
            variant: &variant,
            ..it
        };
        steps += run(it, (verify.sequence, data.clone()), &names, u)?;
    }
    Ok(steps)
}

fn run(
    it: Interpreter<'_>,
    (sequence, data): (SequenceId, Data),
    names: &Names,
    u: &mut Unstructured<'_>,
) -> Result<usize> {
    let mut state = it.start(sequence, &[], data);
    for step in 0..MOST_STEPS {
        let next = it.next(state.clone());
        assert_eq!(it.next(state), next, "the interpreter answers in two ways");
        state = match next {
            Next::Step(state, _) => {
                well_formed(it.program, &state.data);
                state
            }
            Next::Choose(point) => {
                assert!(point.alternatives.len() > 1, "no choice: {point:?}");
                let mut keys = BTreeSet::new();
                for alternative in &point.alternatives {
                    well_formed(it.program, &alternative.state.data);
                    let _ = names.key(it.program, &alternative.key);
                    assert!(
                        keys.insert(&alternative.key),
                        "twice: {:?}",
                        alternative.key
                    );
                }
                let at = u.choose_index(point.alternatives.len())?;
                let chosen = point.alternatives.into_iter().nth(at);
                chosen.map_or_else(|| unreachable!("an index of the list"), |one| one.state)
            }
            Next::Done(ended, _) => {
                well_formed(it.program, &ended.data);
                return Ok(step);
            }
            Next::Consult(reading) => panic!("{reading:?} was fixed, and is asked for"),
        };
        bounded(it.program, &state);
    }
    Ok(MOST_STEPS)
}

/// Checks what `docs/semantics.md` says of all data (1).
fn well_formed(program: &Program, data: &Data) {
    assert_eq!(data.vars.len(), program.vars.len());
    for (value, var) in data.vars.iter().zip(program.vars.values()) {
        fits(data, *value, var.ty, &var.name);
        within(*value, var.bounds.document, &var.name);
        within(*value, var.bounds.reach, &var.name);
    }
    for entity in &data.entities {
        let fields = &program.sorts[entity.sort].fields;
        assert_eq!(entity.fields.len(), fields.len());
        for (value, &field) in entity.fields.iter().zip(fields) {
            let field = &program.fields[field];
            fits(data, *value, field.ty, &field.name);
            within(*value, field.bounds.document, &field.name);
            within(*value, field.bounds.reach, &field.name);
        }
    }
    let mut lying = BTreeSet::new();
    for ((id, of), contents) in &data.zones {
        let zone = &program.zones[*id];
        let owner = of.map(|of| data.entities[of.index()].sort);
        assert_eq!(owner, zone.per, "whose `{}` this is", zone.name);
        let most = zone.capacity.unwrap_or(u32::MAX);
        assert!(
            contents.len() <= most as usize,
            "`{}` is too full",
            zone.name
        );
        if zone.unordered {
            assert!(contents.is_sorted(), "`{}` is arranged", zone.name);
        }
        for &one in contents {
            let entity = &data.entities[one.index()];
            assert_eq!(entity.sort, zone.sort, "{one:?} lies in `{}`", zone.name);
            assert!(
                !entity.removed,
                "{one:?} is removed and lies in `{}`",
                zone.name
            );
            assert!(lying.insert(one), "{one:?} lies in two places");
        }
    }
    for (id, sort) in program.sorts.iter() {
        let created = data
            .entities
            .iter()
            .filter(|one| one.sort == id && one.created);
        assert!(
            created.count() <= sort.headroom as usize,
            "too many `{}`",
            sort.name
        );
    }
    assert_eq!(data.queues.len(), program.queues.len());
    for (pending, queue) in data.queues.iter().zip(program.queues.values()) {
        assert!(
            pending.len() <= queue.capacity as usize,
            "`{}` is too long",
            queue.name
        );
        for instance in pending {
            let event = &program.events[program.triggers[instance.trigger].event];
            assert_eq!(instance.payload.len(), event.params.len());
            for (value, param) in instance.payload.iter().zip(&event.params) {
                fits(data, *value, param.ty, &param.name);
            }
        }
    }
}

/// Checks that a value is one of its type.
fn fits(data: &Data, value: Value, ty: Type, name: &str) {
    let of = |id: EntityId, sort| {
        data.entities
            .get(id.index())
            .is_some_and(|one| one.sort == sort)
    };
    let fit = match (value, ty) {
        (Value::Int(_), Type::Int)
        | (Value::Bool(_), Type::Bool)
        | (Value::Enum(_), Type::Enum(_))
        | (Value::None, Type::Optional(_)) => true,
        (Value::Entity(id), Type::Entity(sort) | Type::Optional(sort)) => of(id, sort),
        _ => false,
    };
    assert!(fit, "`{name}` is a {ty:?} and holds {value:?}");
}

fn within(value: Value, bound: Option<(i64, i64)>, name: &str) {
    if let (Value::Int(n), Some((low, high))) = (value, bound) {
        assert!(
            (low..=high).contains(&n),
            "`{name}` is {n}, outside {low} to {high}"
        );
    }
}

/// Checks what keeps the states of an instance finite in number.
fn bounded(program: &Program, state: &State) {
    assert!(
        state.control.len() <= 64,
        "{} activations",
        state.control.len()
    );
    for activation in &state.control {
        assert!(activation.frames.len() <= program.stmts.len() + 16);
    }
}
