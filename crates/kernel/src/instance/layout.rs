//! Where everything lies in the states of an instance.

use std::sync::Arc;

use super::code::Code;
use super::groups::of_expr;
use super::narrow::Narrow;
use crate::ir::{Domain, OpKind, Place, System};
use endstep_language::index::Id;
use endstep_language::typing::program::{EntityId, FieldId, SortId, ZoneId};
use endstep_semantics::semantics::{Data, Spot, Variant, ZoneKey};

/// No zone, no reading.
pub const NOWHERE: u16 = u16::MAX;

/// What is no constant.
const WRITTEN: u32 = u32::MAX;

/// The fixed part of an instance.
#[derive(Debug, Clone)]
pub struct Layout {
    /// Entities of the board; later ones are created.
    pub board: usize,
    /// How many variables come before the fields.
    pub vars: usize,
    /// Numbers for each entity.
    pub stride: usize,
    /// All zones that there can be, in order.
    pub zones: Vec<ZoneKey>,
    /// The zones of each family: first and one past the last.
    families: Vec<(u16, u16)>,
    /// By family and owner.
    owned: Vec<Vec<u16>>,
    /// How many entities of each sort a run may have created at once.
    pub headroom: Vec<usize>,
    /// What can change.
    pub shape: Shape,
    /// How that is packed.
    pub narrow: Narrow,
    /// Where the variables and the fields of the board's entities lie that no operation writes.
    pub constants: Vec<usize>,
    /// The position among them of each variable and each field of those entities; [`WRITTEN`] of what can be written.
    constant: Vec<u32>,
}

/// What the operations of a system can change, on whatever board.
#[derive(Debug, Clone)]
pub struct Shape {
    /// Whether a field can be written, by sort and position in the entity.
    pub written: Vec<Vec<bool>>,
    /// The positions of those that can, by sort.
    pub changing: Vec<Vec<usize>>,
    /// Whether a variable can be written.
    pub vars: Vec<bool>,
    /// Something restarts.
    pub restarts: bool,
    /// The [`groups`](super::groups) that conditions of restarts read; `None`: such a condition speaks
    /// of what a procedure was given, or of the place where it is, so that groups do not tell.
    pub restart_reads: Option<u64>,
    /// Something is removed, or may have been removed before.
    pub removes: bool,
    /// Something is created, or was created before.
    pub creates: bool,
    /// Something moves, is created, removed or shuffled.
    pub moves: bool,
    /// What runs.
    pub code: Arc<Code>,
}

impl Shape {
    /// Of a system.
    pub fn new(system: &System) -> Self {
        let ops = || system.ops.values().iter().map(|op| &op.kind);
        let fields = system.sorts.values().iter().map(|sort| sort.fields.len());
        let mut shape = Self {
            written: fields.map(|count| vec![false; count]).collect(),
            changing: Vec::new(),
            vars: vec![false; system.vars.len()],
            restarts: system
                .procedures
                .values()
                .iter()
                .any(|one| one.restart.is_some()),
            restart_reads: restart_reads(system),
            removes: ops().any(|op| matches!(op, OpKind::Remove(..))),
            creates: ops().any(|op| matches!(op, OpKind::Create { .. })),
            moves: ops().any(|op| {
                matches!(
                    op,
                    OpKind::Remove(..)
                        | OpKind::Move(..)
                        | OpKind::MoveAll(..)
                        | OpKind::Create { .. }
                        | OpKind::Shuffle(_)
                )
            }),
            code: Arc::new(Code::new(system)),
        };
        shape.find_writes(system);
        let changing = |fields: &Vec<bool>| {
            let all = fields.iter().enumerate();
            all.filter(|(_, written)| **written)
                .map(|(at, _)| at)
                .collect()
        };
        shape.changing = shape.written.iter().map(changing).collect();
        shape
    }

    fn find_writes(&mut self, system: &System) {
        for op in system.ops.values() {
            let places = match &op.kind {
                OpKind::Set(place, _) | OpKind::Add { place, .. } => vec![place],
                OpKind::ChooseValue { place, .. } | OpKind::Distribute { into: place, .. } => {
                    vec![place]
                }
                OpKind::Transfer { from, to, .. } => vec![from, to],
                _ => Vec::new(),
            };
            for place in places {
                self.write(system, place);
            }
        }
        for procedure in system.procedures.values() {
            for change in &procedure.changes {
                match &change.target {
                    Ok((place, _)) => self.write(system, place),
                    Err(field) => self.write_field(system, *field),
                }
            }
        }
    }

    fn write(&mut self, system: &System, place: &Place) {
        match place {
            Place::Var(var, _) => self.vars[var.index()] = true,
            Place::Field(_, field, _) => self.write_field(system, *field),
        }
    }

    fn write_field(&mut self, system: &System, field: FieldId) {
        let declared = &system.fields[field];
        self.written[declared.sort.index()][declared.index as usize] = true;
    }
}

impl Layout {
    /// Of a system on a board; `extra` widens the headroom.
    pub fn new(system: &System, shape: &Shape, board: &Data, extra: u32) -> Self {
        let given = board.entities.iter().filter(|one| !one.created).count();
        let headroom: Vec<usize> = system
            .sorts
            .values()
            .iter()
            .map(|sort| {
                let all = system.sorts.values().iter().map(|one| one.headroom);
                Variant::room(extra, sort.headroom, all)
            })
            .collect();
        let most = given + headroom.iter().sum::<usize>();
        let most = most.max(board.entities.len());
        let fields = system.sorts.values().iter().map(|sort| sort.fields.len());
        let mut shape = shape.clone();
        let created = board.entities.iter().any(|one| one.created);
        shape.removes |= created;
        shape.creates |= created;
        let mut layout = Self {
            board: given,
            vars: system.vars.len(),
            stride: fields.max().unwrap_or(0),
            zones: Vec::new(),
            families: Vec::new(),
            owned: Vec::new(),
            headroom,
            shape,
            narrow: Narrow::default(),
            constants: Vec::new(),
            constant: Vec::new(),
        };
        layout.narrow = Narrow::new(system, most, layout.changing(system, board).into_iter());
        layout.find_constants(system, board);
        layout.lay_out_zones(system, board, most);
        layout
    }

    /// Where what can change lies: of the board's entities, then the variables.
    fn changing<'s>(&self, system: &'s System, board: &Data) -> Vec<(usize, &'s Domain)> {
        let mut places = Vec::new();
        for (entity, one) in board.entities.iter().take(self.board).enumerate() {
            let fields = &system.sorts[one.sort].fields;
            for &field in &self.shape.changing[one.sort.index()] {
                let domain = &system.fields[fields[field]].domain;
                places.push((self.cells_of(entity) + field, domain));
            }
        }
        for (at, var) in system.vars.values().iter().enumerate() {
            if self.shape.vars[at] {
                places.push((at, &var.domain));
            }
        }
        places
    }

    fn find_constants(&mut self, system: &System, board: &Data) {
        self.constants = (0..self.vars).filter(|&at| !self.shape.vars[at]).collect();
        for (entity, one) in board.entities.iter().take(self.board).enumerate() {
            let base = self.cells_of(entity);
            let fields = 0..system.sorts[one.sort].fields.len();
            let unwritten = fields.filter(|&at| !self.is_written(one.sort, at));
            let places: Vec<usize> = unwritten.map(|at| base + at).collect();
            self.constants.extend(places);
        }
        self.constant = vec![WRITTEN; self.cells_of(self.board)];
        for (number, &at) in self.constants.iter().enumerate() {
            self.constant[at] = number as u32;
        }
    }

    fn lay_out_zones(&mut self, system: &System, board: &Data, most: usize) {
        for (id, zone) in system.zones.iter() {
            let first = small(self.zones.len());
            let mut owned = Vec::new();
            match zone.per {
                None => self.zones.push((id, None)),
                Some(sort) => {
                    owned = vec![NOWHERE; most];
                    for (owner, at) in owned.iter_mut().enumerate() {
                        let may_own = match board.entities.get(owner) {
                            Some(entity) if !entity.created => entity.sort == sort,
                            _ => self.headroom[sort.index()] > 0,
                        };
                        if may_own {
                            *at = small(self.zones.len());
                            self.zones.push((id, Some(EntityId::from_index(owner))));
                        }
                    }
                }
            }
            self.families.push((first, small(self.zones.len())));
            self.owned.push(owned);
        }
    }

    /// Where the fields of an entity begin.
    #[inline]
    pub fn cells_of(&self, entity: usize) -> usize {
        self.vars + entity * self.stride
    }

    /// The position among constants of what lies there, if it is one.
    #[inline(always)]
    pub fn constant(&self, cell: usize) -> Option<usize> {
        let number = *self.constant.get(cell)?;
        (number != WRITTEN).then_some(number as usize)
    }

    /// Where a place lies.
    #[inline]
    pub fn cell(&self, system: &System, spot: Spot) -> usize {
        match spot {
            Spot::Var(var) => var.index(),
            Spot::Field(entity, field) => {
                self.cells_of(entity.index()) + system.fields[field].index as usize
            }
        }
    }

    /// The zones of a family, first and one past the last.
    pub fn family(&self, zone: ZoneId) -> std::ops::Range<usize> {
        let (first, end) = self.families[zone.index()];
        usize::from(first)..usize::from(end)
    }

    /// The zone of an owner.
    pub fn owned_by(&self, zone: ZoneId, owner: usize) -> Option<usize> {
        let at = *self.owned[zone.index()].get(owner)?;
        (at != NOWHERE).then_some(usize::from(at))
    }

    /// The number of a zone.
    pub fn zone(&self, (zone, owner): ZoneKey) -> Option<usize> {
        match owner {
            None => Some(self.family(zone).start),
            Some(owner) => self.owned_by(zone, owner.index()),
        }
    }

    /// Whether the zone of a created owner is there only once something was put into it.
    pub fn comes_late(&self, zone: usize) -> bool {
        self.zones[zone]
            .1
            .is_some_and(|owner| owner.index() >= self.board)
    }

    /// Whether a field of a sort, by position, can be written.
    pub fn is_written(&self, sort: SortId, at: usize) -> bool {
        self.shape.written[sort.index()]
            .get(at)
            .copied()
            .unwrap_or(false)
    }
}

/// The groups that the conditions of restarts read, if data are all that they speak of.
fn restart_reads(system: &System) -> Option<u64> {
    let mut reads = 0;
    for procedure in system.procedures.values() {
        if let Some(rule) = &procedure.restart {
            if procedure.params > 0 || procedure.over.is_some() {
                return None;
            }
            reads |= of_expr(system, &rule.when);
        }
    }
    Some(reads)
}

/// A small number.
///
/// # Panics
///
/// Above 65,535, which no board that is enumerated or written reaches.
pub fn small(n: usize) -> u16 {
    // INVARIANT: sorts explore, and boards name, far fewer entities and zones than this.
    u16::try_from(n).expect("at most 65,535 entities and zones")
}
