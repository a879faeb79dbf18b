//! What is the same for all boards of a program, and what for all runs from one board.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use endstep_kernel::footprint::{Place, of_condition};
use endstep_kernel::instance::{Cells, Layout, Setting, Shape, candidates, groups};
use endstep_kernel::ir::{Function, System};
use endstep_kernel::lower::lower;
use endstep_language::typing::program::{Program, SortId, StmtId};
use endstep_semantics::semantics::{Data, Readings, Variant};

/// A system with what a run can change in it.
#[derive(Debug)]
pub struct Ground {
    /// The system.
    pub system: System,
    /// What can change.
    pub shape: Shape,
    /// Iterations of which it can be asked whether their elements are apart.
    pub iterations: BTreeSet<StmtId>,
    /// The groups of places that the condition of each claim reads; of a claim that has none, 0.
    pub reads: Vec<u64>,
    /// Where everything lay on the board that was looked at last.
    layout: Mutex<Option<(Entities, u32, Arc<Layout>)>>,
}

/// The sorts of the entities of a board, and whether each was created.
type Entities = Vec<(SortId, bool)>;

impl Ground {
    /// Of a program.
    pub fn new(program: &Program) -> Self {
        let system = lower(program);
        let shape = Shape::new(&system);
        let claims = system.claims.iter();
        let reads = claims.map(|parts| parts.first().map_or(0, |first| reads(&system, first)));
        Self {
            shape,
            reads: reads.collect(),
            iterations: candidates(&system),
            layout: Mutex::new(None),
            system,
        }
    }

    /// The groups of places that a condition reads.
    pub fn reads_of(&self, condition: &Function) -> u64 {
        reads(&self.system, condition)
    }

    /// Where everything lies on a board. It depends on which entities there are alone, and boards with the same ones
    /// mostly come one after the other.
    fn layout(&self, board: &Data, extra: u32) -> Arc<Layout> {
        let entities = board.entities.iter();
        let of: Entities = entities.map(|one| (one.sort, one.created)).collect();
        // Whoever panicked while holding it has left it as it was.
        let mut last = self.layout.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((last, more, layout)) = &*last
            && *last == of
            && *more == extra
        {
            return Arc::clone(layout);
        }
        let layout = Arc::new(Layout::new(&self.system, &self.shape, board, extra));
        *last = Some((of, extra, Arc::clone(&layout)));
        layout
    }

    /// A board under readings and a variant.
    pub fn instance(&self, board: &Data, readings: &Readings, variant: &Variant) -> Instance {
        let system = &self.system;
        let layout = self.layout(board, variant.extra);
        let ids = system.readings.ids();
        Instance {
            board: Cells::of(system, &layout, board),
            layout,
            readings: ids
                .map(|id| readings.get(&id).copied().unwrap_or(u16::MAX))
                .collect(),
            variant: variant.clone(),
        }
    }
}

/// The groups of places that a condition reads.
fn reads(system: &System, condition: &Function) -> u64 {
    let places = of_condition(system, condition).reads.into_iter();
    let groups = places.map(|place| match place {
        Place::Field(field) => groups::of_field(field),
        Place::Var(var) => groups::of_var(var),
        Place::Zone(_) | Place::Sort(_) => groups::ENTITIES,
        Place::Queue(_) => groups::QUEUES,
    });
    groups.fold(0, |all, group| all | group)
}

/// What is fixed for all runs from a board.
#[derive(Debug)]
pub struct Instance {
    /// Where everything lies.
    pub layout: Arc<Layout>,
    /// The alternative of each reading, `u16::MAX` where it is not fixed.
    pub readings: Vec<u16>,
    /// How the system is changed for a check.
    pub variant: Variant,
    /// The data of the board.
    pub board: Cells,
}

impl Instance {
    /// What a machine needs; `ground` is what the instance was made of.
    pub fn setting<'s>(&'s self, ground: &'s Ground) -> Setting<'s> {
        Setting {
            system: &ground.system,
            layout: &self.layout,
            readings: &self.readings,
            variant: &self.variant,
        }
    }
}
