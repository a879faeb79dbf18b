//! What is the same for all boards of a program, and what for all runs from one board.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use endstep_kernel::footprint::{Place, of_condition};
use endstep_kernel::instance::{Cells, Layout, Setting, Shape, candidates, groups};
use endstep_kernel::ir::{ExprKind, Function, System};
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
    /// Whether the condition of each claim speaks of the board, too.
    pub looks_back: Vec<bool>,
    /// Where everything lay on the boards that were looked at last, the latest in front.
    layouts: Mutex<VecDeque<(Entities, u32, Arc<Layout>)>>,
}

/// So many layouts are kept.
const MOST_LAYOUTS: usize = 8;

/// The sorts of the entities of a board, and whether each was created.
type Entities = Vec<(SortId, bool)>;

impl Ground {
    /// Of a program.
    pub fn new(program: &Program) -> Self {
        let system = lower(program);
        let shape = Shape::new(&system);
        let claims = system.claims.iter();
        let reads = claims.map(|parts| parts.first().map_or(0, |first| reads(&system, first)));
        let looks_back = system.claims.iter().map(|parts| {
            let mut all = parts
                .iter()
                .chain(system.functions.iter().map(|(_, one)| one));
            all.any(|one| one.body.any(&|e| matches!(e.kind, ExprKind::Old(_))))
        });
        Self {
            shape,
            looks_back: looks_back.collect(),
            reads: reads.collect(),
            iterations: candidates(&system),
            layouts: Mutex::default(),
            system,
        }
    }

    /// The groups of places that a condition reads.
    pub fn reads_of(&self, condition: &Function) -> u64 {
        reads(&self.system, condition)
    }

    /// Where everything lies on a board. It depends on which entities there are alone, and there is one layout for all
    /// boards with the same ones that are looked at one soon after the other.
    fn layout(&self, board: &Data, extra: u32) -> Arc<Layout> {
        let entities = board.entities.iter();
        let of: Entities = entities.map(|one| (one.sort, one.created)).collect();
        // Whoever panicked while holding it has left it as it was.
        let mut known = self.layouts.lock().unwrap_or_else(PoisonError::into_inner);
        let is = |(entities, more, _): &(Entities, u32, _)| *more == extra && *entities == of;
        let at = known.iter().position(is).unwrap_or_else(|| {
            let layout = Layout::new(&self.system, &self.shape, board, extra);
            known.truncate(MOST_LAYOUTS - 1);
            known.push_front((of, extra, Arc::new(layout)));
            0
        });
        known.swap(0, at);
        Arc::clone(&known[0].2)
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
