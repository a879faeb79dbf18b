//! Declarations of state: types, sorts, fields, variables, roles and supplies.
//!
//! A budget keeps boards few: a place that would multiply them beyond [`MOST_BOARDS`] gets a
//! `starts` where that is possible.

use super::Feature;
use super::maker::Maker;
use super::tree::{expr, int, item, name, named, range};
use super::world::{Enum, Place, Sort, Ty};
use arbitrary::Result;
use endstep_language::syntax::ast::{
    EntityDecl, Expr, ExprKind, Field, Item, ItemKind, RoleDecl, SizeBound, Trivia, TypeDecl,
    TypeExpr, VarDecl,
};

/// About how many boards a specification has at most.
pub const MOST_BOARDS: u64 = 48;

const ENUMS: [(&str, &[&str]); 2] = [
    ("Colour", &["red", "blue", "green"]),
    ("Phase", &["dawn", "noon", "dusk"]),
];
/// Two for each sort: no two sorts share the name of a field.
const FIELDS: [&str; 6] = ["power", "mark", "temper", "debt", "age", "guard"];
const VARS: [&str; 4] = ["score", "tide", "mood", "luck"];

/// A place in the making.
struct Made {
    ty: TypeExpr,
    kind: Ty,
    range: (i64, i64),
    default: Option<Expr>,
    starts: Option<Expr>,
}

/// How many more times boards may be multiplied.
pub(super) struct Budget(u64);

impl Budget {
    pub(super) fn new() -> Self {
        Self(MOST_BOARDS)
    }

    /// Spends a factor, if there is that much left.
    pub(super) fn spend(&mut self, factor: u64) -> bool {
        let affordable = factor <= self.0;
        if affordable {
            self.0 /= factor.max(1);
        }
        affordable
    }
}

impl Maker<'_> {
    /// The items that declare the state.
    pub(super) fn state(&mut self) -> Result<Vec<Item>> {
        let mut items = Vec::new();
        let mut budget = Budget::new();
        for (type_name, values) in ENUMS {
            if self.odds(90)? {
                let count = 2 + self.below(values.len() - 1)?;
                items.push(self.enumeration(type_name, &values[..count]));
            }
        }
        if self.may(Feature::Players, 216)? {
            items.push(self.sort("Player", true, &mut budget)?);
        }
        if self.odds(220)? {
            items.push(self.sort("Card", false, &mut budget)?);
        }
        if self.odds(48)? {
            items.push(self.sort("Spot", false, &mut budget)?);
        }
        let sorts: Vec<usize> = self.world.things().collect();
        for sort in sorts {
            let zones = self.zones(sort, &mut budget)?;
            items.extend(zones);
        }
        self.variables(&mut items, &mut budget)?;
        self.tables(&mut items)?;
        Ok(items)
    }

    fn enumeration(&mut self, type_name: &str, values: &[&str]) -> Item {
        self.world.enums.push(Enum {
            name: type_name.to_owned(),
            values: values.iter().map(|&value| value.to_owned()).collect(),
            columns: Vec::new(),
        });
        item(ItemKind::Type(TypeDecl {
            name: name(type_name),
            values: values.iter().map(|value| name(value)).collect(),
        }))
    }

    fn sort(&mut self, sort_name: &str, player: bool, budget: &mut Budget) -> Result<Item> {
        let at = self.world.sorts.len();
        let owner = player || sort_name == "Spot";
        let (explore, document, sizes) = self.sizes(owner)?;
        let headroom = !owner && self.may(Feature::Creation, 128)?;
        let extra = if headroom || self.odds(8)? {
            Some(i64::from(headroom))
        } else {
            None
        };
        self.world.sorts.push(Sort {
            name: sort_name.to_owned(),
            player,
            sizes,
            headroom,
            fields: Vec::new(),
        });
        budget.spend(u64::try_from(sizes.1 - sizes.0 + 1).unwrap_or(1));
        let mut fields = Vec::new();
        let count = self.pick(&[(2, 0), (4, 1), (3, 2)])?;
        for field in FIELDS.iter().skip(2 * at).take(count) {
            let made = self.place(at, true, u32::try_from(sizes.1).unwrap_or(1), budget)?;
            self.world.sorts[at].fields.push(Place {
                name: (*field).to_owned(),
                ty: made.kind,
                range: made.range,
            });
            fields.push(Field {
                trivia: Trivia::default(),
                name: name(field),
                ty: made.ty,
                default: made.default,
                starts: made.starts,
            });
        }
        Ok(item(ItemKind::Entity(EntityDecl {
            player,
            name: name(sort_name),
            document,
            explore,
            headroom: extra.filter(|_| !player),
            fields,
            tail: Vec::new(),
        })))
    }

    /// How many entities there are: explored, the document's, and the fewest and most of them.
    #[allow(clippy::type_complexity, reason = "taken apart at once")]
    fn sizes(
        &mut self,
        owner: bool,
    ) -> Result<(Option<SizeBound>, Option<(i64, i64)>, (i64, i64))> {
        let least = i64::from(owner);
        let bound = |low, high, up_to| SizeBound { low, high, up_to };
        let (explore, document, sizes) = match self.below(6)? {
            0 => (Some(bound(None, 1, false)), None, (1, 1)),
            1 | 2 => (Some(bound(None, 2, false)), None, (2, 2)),
            3 => (Some(bound(Some(1), 2, false)), None, (1, 2)),
            4 => (Some(bound(None, 2, true)), None, (least, 2)),
            _ => {
                let explored = if self.odds(128)? {
                    Some(bound(None, 2, false))
                } else {
                    None
                };
                let low = if explored.is_some() { 2 } else { 1 };
                (explored, Some((1, 2)), (low, 2))
            }
        };
        Ok((explore, document, sizes))
    }

    /// The type of a new place of so many entities, and its values on boards.
    fn place(&mut self, sort: usize, field: bool, times: u32, budget: &mut Budget) -> Result<Made> {
        let mut kinds = vec![(6, Ty::Int), (3, Ty::Bool)];
        let enums = self.world.enums.iter().enumerate();
        let named = enums.filter(|(_, one)| !one.name.is_empty());
        kinds.extend(named.map(|(at, _)| (2, Ty::Enum(at))));
        if self.allows(Feature::Links) && !self.world.sorts.is_empty() {
            let to = if field {
                sort
            } else {
                self.world.sorts.len() - 1
            };
            kinds.push((2, Ty::Optional(to)));
        }
        if let Some(players) = self
            .world
            .players()
            .filter(|&players| field && players != sort)
        {
            let most = u64::try_from(self.world.sorts[players].sizes.1).unwrap_or(1);
            if most.saturating_pow(times) <= budget.0 {
                kinds.push((1, Ty::Entity(players)));
            }
        }
        let kind = self.pick(&kinds)?;
        let mut made = match kind {
            Ty::Int => self.integer(false)?,
            Ty::Bool => boolean(),
            Ty::Enum(at) => self.one_value(at),
            Ty::Optional(to) => self.link(to, true),
            Ty::Entity(to) => self.link(to, false),
        };
        let values = match kind {
            Ty::Int => made.range.1 - made.range.0 + 1,
            Ty::Bool => 2,
            Ty::Enum(at) => self.world.enums[at].values.len() as i64,
            Ty::Optional(to) => self.world.sorts[to].sizes.1 + 1,
            Ty::Entity(to) => self.world.sorts[to].sizes.1,
        };
        let boards = u64::try_from(values).unwrap_or(1).saturating_pow(times);
        if matches!(kind, Ty::Entity(_)) {
            budget.spend(boards);
            return Ok(made);
        }
        let starts = self.odds(64)? || !budget.spend(boards);
        if starts {
            made.starts = Some(self.constant(kind, made.range)?);
        }
        if self.odds(48)? {
            made.default = Some(self.constant(kind, made.range)?);
        }
        Ok(made)
    }

    /// An integer type; of a supply, without negative values.
    fn integer(&mut self, supply: bool) -> Result<Made> {
        let low = if !supply && self.odds(56)? { -1 } else { 0 };
        let high = 1 + i64::try_from(self.below(2)?).unwrap_or(0);
        let (document, explore, reach) = match self.below(5)? {
            0 | 1 => (None, Some((low, high)), Some((low - 2, high + 2))),
            2 => (Some((low, high)), None, None),
            3 => (Some((low, high + 1)), Some((low, high)), None),
            _ => (None, Some((low, high)), None),
        };
        let written = |bounds: Option<(i64, i64)>| bounds.map(range);
        // Without the values between, where there are any and nothing else is said.
        let explored = match explore {
            Some((low, high)) if document.is_none() && reach.is_none() && high - low > 1 => {
                vec![range((low, low)), range((high, high))]
            }
            _ => written(explore).into_iter().collect(),
        };
        Ok(Made {
            ty: TypeExpr::Integer {
                document: written(document),
                explore: explored,
                reach: written(reach),
            },
            kind: Ty::Int,
            range: (low, high),
            default: None,
            starts: None,
        })
    }

    fn one_value(&self, at: usize) -> Made {
        Made {
            ty: TypeExpr::Named {
                optional: false,
                name: name(&self.world.enums[at].name),
            },
            kind: Ty::Enum(at),
            ..boolean()
        }
    }

    fn link(&self, to: usize, optional: bool) -> Made {
        let kind = if optional {
            Ty::Optional(to)
        } else {
            Ty::Entity(to)
        };
        Made {
            ty: TypeExpr::Named {
                optional,
                name: name(&self.world.sorts[to].name),
            },
            kind,
            ..boolean()
        }
    }

    /// A constant of a type, without entities.
    pub(super) fn constant(&mut self, ty: Ty, (low, high): (i64, i64)) -> Result<Expr> {
        Ok(match ty {
            Ty::Int => {
                let span = usize::try_from(high - low + 1).unwrap_or(1);
                int(low + i64::try_from(self.below(span)?).unwrap_or(0))
            }
            Ty::Bool => {
                let value = self.odds(128)?;
                expr(ExprKind::Bool(value))
            }
            Ty::Enum(at) => {
                let values = self.world.enums[at].values.clone();
                named(&self.one_of(&values)?)
            }
            Ty::Optional(_) | Ty::Entity(_) => expr(ExprKind::None),
        })
    }

    fn variables(&mut self, items: &mut Vec<Item>, budget: &mut Budget) -> Result<()> {
        if let Some(players) = self.world.players() {
            items.push(self.active(players, budget));
        }
        let count = 1 + self.below(3)?;
        for (at, var) in VARS.iter().enumerate().take(count) {
            let made = if at == 0 && !self.odds(32)? {
                let mut made = self.integer(false)?;
                if !budget.spend(u64::try_from(made.range.1 - made.range.0 + 1).unwrap_or(1)) {
                    made.starts = Some(self.constant(Ty::Int, made.range)?);
                }
                made
            } else if at == 1 && self.odds(48)? {
                self.anonymous()
            } else {
                self.place(0, false, 1, budget)?
            };
            self.declare(var, &made);
            items.push(variable(var, false, made));
        }
        if self.may(Feature::Supplies, 80)? {
            let mut made = self.integer(true)?;
            made.starts = Some(self.constant(Ty::Int, made.range)?);
            let supply = Place {
                name: "coins".to_owned(),
                ty: Ty::Int,
                range: made.range,
            };
            self.world.supplies.push(supply);
            self.declare("coins", &made);
            items.push(variable("coins", true, made));
        }
        if !self.world.sorts.is_empty() && self.may(Feature::Roles, 96)? {
            items.push(self.role(budget)?);
        }
        Ok(())
    }

    fn declare(&mut self, var: &str, made: &Made) {
        self.world.vars.push(Place {
            name: var.to_owned(),
            ty: made.kind,
            range: made.range,
        });
    }

    /// The player on turn: so that some player can always be named.
    fn active(&mut self, players: usize, budget: &mut Budget) -> Item {
        let most = self.world.sorts[players].sizes.1;
        budget.spend(u64::try_from(most).unwrap_or(1));
        let made = self.link(players, false);
        self.declare("active", &made);
        variable("active", false, made)
    }

    /// `one of …`: an enumeration without a name of its own.
    fn anonymous(&mut self) -> Made {
        let values = ["open", "shut"];
        let at = self.world.enums.len();
        self.world.enums.push(Enum {
            // No binder can range over it.
            name: String::new(),
            values: values.iter().map(|&value| value.to_owned()).collect(),
            columns: Vec::new(),
        });
        Made {
            ty: TypeExpr::OneOf(values.iter().map(|value| name(value)).collect()),
            kind: Ty::Enum(at),
            starts: Some(named(values[0])),
            ..boolean()
        }
    }

    fn role(&mut self, budget: &mut Budget) -> Result<Item> {
        let sort = self.below(self.world.sorts.len())?;
        let most = self.world.sorts[sort].sizes.1 + 1;
        let starts = self.odds(96)? || !budget.spend(u64::try_from(most).unwrap_or(1));
        self.world.vars.push(Place {
            name: "leader".to_owned(),
            ty: Ty::Optional(sort),
            range: (0, 0),
        });
        Ok(item(ItemKind::Role(RoleDecl {
            name: name("leader"),
            sort: name(&self.world.sorts[sort].name),
            starts: starts.then(|| expr(ExprKind::None)),
        })))
    }
}

fn boolean() -> Made {
    Made {
        ty: TypeExpr::Boolean,
        kind: Ty::Bool,
        range: (0, 0),
        default: None,
        starts: None,
    }
}

fn variable(var: &str, supply: bool, made: Made) -> Item {
    item(ItemKind::Var(VarDecl {
        supply,
        name: name(var),
        ty: made.ty,
        default: made.default,
        starts: made.starts,
    }))
}
