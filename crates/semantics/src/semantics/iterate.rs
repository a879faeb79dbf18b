//! Iterations and repeats: which element comes next.

use super::machine::{Flow, Machine};
use super::next::{ChoiceKind, Key, Note, Tag};
use super::rank::{foremost, lower};
use super::state::{Frame, Rank, Site, Who};
use super::stop::Stop;
use endstep_language::index::Id;
use endstep_language::typing::program::{
    Binder, BlockId, DomainPolicy, EntityId, Order, Range, StmtId, StmtKind, Value, When,
};

/// A `for each`, taken apart.
struct Loop<'p> {
    binder: &'p Binder,
    order: &'p Order,
    body: BlockId,
}

impl<'p> Machine<'p> {
    fn declared_loop(&self, stmt: StmtId) -> (Loop<'p>, &'p DomainPolicy) {
        match &self.program().stmts[stmt].kind {
            StmtKind::ForEach {
                binder,
                order,
                domain,
                body,
            } => (
                Loop {
                    binder,
                    order,
                    body: *body,
                },
                domain,
            ),
            other => unreachable!("not an iteration: {other:?}"),
        }
    }

    pub(super) fn domain(&mut self, stmt: StmtId) -> Result<&'p DomainPolicy, Stop> {
        let mut policy = self.declared_loop(stmt).1;
        while let DomainPolicy::Per(reading, alternatives) = policy {
            let at = self.eval(Site::Stmt(stmt), |scope| scope.reading(*reading))?;
            policy = &alternatives[at];
        }
        Ok(policy)
    }

    /// Whether an iteration determines its elements again and again.
    pub fn is_live(&mut self, stmt: StmtId) -> Result<bool, Stop> {
        let policy = self.domain(stmt)?;
        Ok(matches!(
            policy,
            DomainPolicy::Live | DomainPolicy::LiveByPosition | DomainPolicy::UntilAllPass
        ))
    }

    /// Begins a `for each`.
    pub fn begin_iteration(&mut self, stmt: StmtId) -> Result<Flow, Stop> {
        let (Loop { binder, order, .. }, _) = self.declared_loop(stmt);
        let site = Site::Stmt(stmt);
        let elements = self.eval(site, |scope| scope.elements(binder))?;
        let nothing = elements.is_empty();
        let mut todo = if nothing || self.is_live(stmt)? {
            Vec::new()
        } else {
            self.arrange(order, lies(binder), elements, site)?
        };
        let mut late = Vec::new();
        // Elements that a cancelled pass of this activation left over come last.
        let data = &self.state.data;
        if let Some(top) = self.state.control.last_mut() {
            for frame in &mut top.frames {
                let Frame::Pass(pass) = frame else { continue };
                let (mine, others) = std::mem::take(&mut pass.carried)
                    .into_iter()
                    .partition(|(of, _)| *of == stmt);
                pass.carried = others;
                let mine: Vec<(StmtId, Value)> = mine;
                for (_, element) in mine {
                    let gone =
                        matches!(element, Value::Entity(id) if data.entities[id.index()].removed);
                    if !gone && !todo.contains(&element) {
                        late.push(element);
                        todo.push(element);
                    }
                }
            }
        }
        // Whoever takes turns is asked anyway.
        if !todo.is_empty() && self.takes_turns(stmt)? {
            todo.clear();
        }
        if !nothing || !todo.is_empty() {
            let (todo, ranks) = self.ranked((order, lies(binder), site), todo, &late)?;
            self.push(Frame::Iterate {
                stmt,
                todo,
                ranks,
                visited: Vec::new(),
                position: 0,
            });
        }
        Ok(Flow::Go)
    }

    /// The elements that belong now, but for some, in the order in which they are taken.
    fn arranged(&mut self, stmt: StmtId, but: &[Value]) -> Result<Vec<Value>, Stop> {
        let site = Site::Stmt(stmt);
        let (Loop { binder, order, .. }, _) = self.declared_loop(stmt);
        let mut elements = self.eval(site, |scope| scope.elements(binder))?;
        elements.retain(|element| !but.contains(element));
        self.arrange(order, lies(binder), elements, site)
    }

    /// The innermost frame is an iteration: visit the next element, or end it.
    pub fn iterate(&mut self, stmt: StmtId) -> Result<Flow, Stop> {
        let (each, _) = self.declared_loop(stmt);
        let (binder, order, body) = (each.binder, each.order, each.body);
        let policy = self.domain(stmt)?;
        if *policy == DomainPolicy::UntilAllPass {
            return self.turn(stmt, (binder, order, body));
        }
        let site = Site::Stmt(stmt);
        let (mut candidates, ranks) = self.candidates(stmt, policy)?;
        if candidates.is_empty() {
            self.pop();
            self.bind(binder.local.index(), Value::None);
            return Ok(Flow::On);
        }
        let player = foremost(&mut candidates, &ranks);
        let who = match candidates.len() {
            1 => None,
            _ => self.chooser(order, player, site)?,
        };
        let who = who.or_else(|| self.is_freed(site).then_some(Who::Nobody));
        if who.is_none() || *policy == DomainPolicy::LiveByPosition {
            candidates.truncate(1);
        }
        let ty = binder.ty.into();
        let keys = candidates
            .into_iter()
            .map(|element| Key::Element(element, ty));
        let asked = self.asked(ChoiceKind::Order, who.unwrap_or(Who::Nobody), site);
        let live = matches!(policy, DomainPolicy::Live | DomainPolicy::LiveByPosition);
        let again = *policy == DomainPolicy::Rechecked;
        Ok(self.branch(asked, keys.collect(), |machine, key| {
            let Key::Element(element, _) = key else {
                return;
            };
            machine.visit(*element, live);
            if live {
                machine.notes.push(Note::Cut);
            }
            machine.bind(binder.local.index(), *element);
            machine.push(if again {
                Frame::Recheck { stmt }
            } else {
                Frame::Block {
                    block: body,
                    next: 0,
                }
            });
        }))
    }

    /// What an iteration may visit next, in order, with the ranks.
    fn candidates(
        &mut self,
        stmt: StmtId,
        policy: &DomainPolicy,
    ) -> Result<(Vec<Value>, Vec<Rank>), Stop> {
        let (Loop { binder, order, .. }, _) = self.declared_loop(stmt);
        let site = Site::Stmt(stmt);
        let Some(Frame::Iterate {
            todo,
            ranks,
            visited,
            position,
            ..
        }) = self.frames().last().cloned()
        else {
            unreachable!("expected an iteration");
        };
        let (left, mut ranks) = self.left(todo, ranks);
        let candidates = match policy {
            DomainPolicy::Live => {
                let mut all = self.arranged(stmt, &visited)?;
                let late: Vec<Value> = left.into_iter().filter(|one| !all.contains(one)).collect();
                all.extend(&late);
                all.retain(|element| !visited.contains(element));
                let asked = (order, lies(binder), site);
                let all = self.ranked(asked, without_repeats(all), &late)?;
                ranks = all.1;
                all.0
            }
            DomainPolicy::LiveByPosition => {
                let now = self.arranged(stmt, &[])?;
                now.get(position)
                    .or(left.first())
                    .copied()
                    .into_iter()
                    .collect()
            }
            // Of turns see above; what a reading decides is decided.
            DomainPolicy::Snapshot
            | DomainPolicy::Rechecked
            | DomainPolicy::UntilAllPass
            | DomainPolicy::Per(..) => left,
        };
        Ok((candidates, ranks))
    }

    /// A second look at the condition before the body.
    pub fn recheck(&mut self, stmt: StmtId) -> Result<Flow, Stop> {
        let (Loop { binder, body, .. }, _) = self.declared_loop(stmt);
        self.pop();
        let element = self.top().locals[binder.local.index()];
        // The filter sees the element as its own bound name.
        if self.eval(Site::Stmt(stmt), |scope| scope.belongs(binder, element))? {
            self.enter(body);
        }
        Ok(Flow::On)
    }

    fn visit(&mut self, element: Value, live: bool) {
        if let Some(Frame::Iterate {
            todo,
            ranks,
            visited,
            position,
            ..
        }) = self.frames().last_mut()
        {
            if let Some(at) = todo.iter().position(|other| *other == element) {
                todo.remove(at);
                if at < ranks.len() {
                    ranks.remove(at);
                    lower(ranks);
                }
            }
            if live {
                visited.push(element);
                visited.sort_unstable();
                visited.dedup();
                *position += 1;
            }
        }
    }

    /// Of the elements left those that were not removed.
    fn left(&self, todo: Vec<Value>, ranks: Vec<Rank>) -> (Vec<Value>, Vec<Rank>) {
        if ranks.is_empty() {
            return (self.present(todo), ranks);
        }
        let pairs = todo.into_iter().zip(ranks);
        pairs
            .filter(|(element, _)| !self.present(vec![*element]).is_empty())
            .unzip()
    }

    /// Elements that were not removed.
    pub(super) fn present(&self, mut elements: Vec<Value>) -> Vec<Value> {
        elements.retain(|element| {
            !matches!(element, Value::Entity(id) if self.state.data.entities[id.index()].removed)
        });
        elements
    }

    /// Who chooses among those that come first, `player` being the one whose turn it is; `None` if the document
    /// fixes it.
    pub fn chooser(
        &mut self,
        order: &Order,
        player: Option<EntityId>,
        site: Site,
    ) -> Result<Option<Who>, Stop> {
        Ok(match self.meant(order, site)? {
            Order::Any => Some(Who::Nobody),
            Order::Chosen(by) => Some(self.who(by, site)?),
            Order::Own => Some(player.map_or(Who::Nobody, Who::Player)),
            Order::Ranked(ranked) => return self.chooser(&ranked.then, player, site),
            Order::Zone { .. } | Order::Players { .. } | Order::Per(..) => None,
        })
    }

    /// Whether it is an iteration whose order is fixed and which is tried in any other.
    fn is_freed(&self, site: Site) -> bool {
        matches!(site, Site::Stmt(stmt) if self.it.variant.free.contains(&stmt))
    }

    /// Puts elements, given in canonical order, in the order in which they are taken; `lying`: left
    /// to right means how they lie, not who they are.
    pub fn arrange(
        &mut self,
        order: &Order,
        lying: bool,
        elements: Vec<Value>,
        site: Site,
    ) -> Result<Vec<Value>, Stop> {
        match order {
            // With fewer than two there is no order to look at.
            _ if elements.len() < 2 => Ok(elements),
            Order::Any | Order::Chosen(_) | Order::Own | Order::Ranked(_) => Ok(elements),
            Order::Per(reading, alternatives) => {
                let at = self.eval(site, |scope| scope.reading(*reading))?;
                self.arrange(&alternatives[at], lying, elements, site)
            }
            Order::Zone { reversed, from } => {
                let from = match self.seat_of(from.as_ref(), site) {
                    // What is tried in any order needs no beginning.
                    Err(Stop::Tag(Tag::Gap(_))) if self.is_freed(site) => return Ok(elements),
                    from => from?,
                };
                Ok(self.by_place(
                    elements,
                    if lying { By::Place } else { By::Number },
                    |seat, at| (from(seat, false), flip(at, *reversed)),
                ))
            }
            Order::Players { reversed, from } => {
                let from = match self.seat_of(from.as_ref(), site) {
                    Err(Stop::Tag(Tag::Gap(_))) if self.is_freed(site) => return Ok(elements),
                    from => from?,
                };
                Ok(self.by_place(elements, By::Seat, |seat, at| (from(seat, *reversed), at)))
            }
        }
    }

    /// How far a seat is from the one where the order begins.
    pub(super) fn seat_of(
        &mut self,
        from: Option<&endstep_language::typing::program::Expr>,
        site: Site,
    ) -> Result<impl Fn(usize, bool) -> usize + use<>, Stop> {
        let first = match from {
            Some(expr) => Some(self.eval(site, |scope| scope.entity(expr))?),
            None => None,
        };
        let players = self.eval(site, |scope| Ok(scope.players()))?;
        let start = players.iter().position(|&p| Some(p) == first).unwrap_or(0);
        let seats = players.len().max(1);
        Ok(move |seat: usize, reversed: bool| {
            if seat >= seats {
                seat
            } else if reversed {
                (start + seats - seat) % seats
            } else {
                (seat + seats - start) % seats
            }
        })
    }

    /// Sorts by seat and position.
    fn by_place(
        &mut self,
        elements: Vec<Value>,
        by: By,
        key: impl Fn(usize, i64) -> (usize, i64),
    ) -> Vec<Value> {
        let players: Vec<EntityId> = self
            .program()
            .sorts
            .iter()
            .filter(|(_, sort)| sort.player)
            .flat_map(|(id, _)| self.state.data.members(id))
            .collect();
        let seat = |id: EntityId| players.iter().position(|&p| p == id);
        let mut keyed: Vec<_> = elements
            .into_iter()
            .enumerate()
            .map(|(index, element)| {
                let index = i64::try_from(index).unwrap_or(i64::MAX);
                let place = match element {
                    Value::Entity(id) if by == By::Seat && seat(id).is_some() => {
                        (seat(id).unwrap_or(0), 0, 0)
                    }
                    Value::Entity(id) if by != By::Number => match self.state.data.place_of(id) {
                        Some(((zone, of), at)) => {
                            let at = i64::try_from(at).unwrap_or(i64::MAX);
                            // A family of another sort goes by identity, after all players.
                            let owner = of.map_or(usize::MAX, |of| {
                                seat(of).unwrap_or(players.len() + of.index())
                            });
                            (owner, zone.index(), at)
                        }
                        None => (usize::MAX, usize::MAX, index),
                    },
                    _ => (usize::MAX, 0, index),
                };
                let (first, second) = key(place.0, place.2);
                ((first, place.1, second), element)
            })
            .collect();
        keyed.sort_by_key(|(place, _)| *place);
        keyed.into_iter().map(|(_, element)| element).collect()
    }

    /// Begins a `repeat`.
    pub fn begin_repeat(&mut self, stmt: StmtId) -> Result<Flow, Stop> {
        let StmtKind::Repeat(when, body) = &self.program().stmts[stmt].kind else {
            unreachable!("not a repeat");
        };
        // The condition of `while` is part of the heading, as that of `if` is.
        if let When::While(e) = when
            && !self.eval(Site::Stmt(stmt), |scope| scope.truth(e))?
        {
            return Ok(Flow::Go);
        }
        self.push(Frame::Repeat { stmt, before: None });
        self.begin_round(*body, when);
        Ok(Flow::Go)
    }

    fn begin_round(&mut self, body: BlockId, when: &When) {
        if *when == When::Stable {
            let now = Box::new(self.state.data.clone());
            if let Some(Frame::Repeat { before, .. }) = self.frames().last_mut() {
                *before = Some(now);
            }
        }
        self.notes.push(Note::Cut);
        self.enter(body);
    }

    /// The innermost frame is a repeat, a round of which has ended.
    pub fn repeat(&mut self, stmt: StmtId) -> Result<Flow, Stop> {
        let StmtKind::Repeat(when, body) = &self.program().stmts[stmt].kind else {
            unreachable!("not a repeat");
        };
        let ends = match when {
            When::Until(e) => self.eval(Site::Stmt(stmt), |scope| scope.truth(e))?,
            When::While(e) => !self.eval(Site::Stmt(stmt), |scope| scope.truth(e))?,
            When::Stable => match self.frames().last().cloned() {
                Some(Frame::Repeat { before, .. }) => {
                    before.is_some_and(|before| self.state.is_as_it_was(&before))
                }
                _ => true,
            },
        };
        if ends {
            self.pop();
            return Ok(Flow::On);
        }
        self.begin_round(*body, when);
        Ok(Flow::Go)
    }
}

/// What puts elements in an order that the document fixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    /// Their identities.
    Number,
    /// Where they lie.
    Place,
    /// Of players their seats, of others where they lie.
    Seat,
}

/// Whether the elements of a binder are taken as they lie.
pub(super) fn lies(binder: &Binder) -> bool {
    matches!(binder.range, Range::Zone(_))
}

fn flip(at: i64, reversed: bool) -> i64 {
    if reversed { -at } else { at }
}

fn without_repeats(elements: Vec<Value>) -> Vec<Value> {
    let mut kept = Vec::with_capacity(elements.len());
    for element in elements {
        if !kept.contains(&element) {
            kept.push(element);
        }
    }
    kept
}
