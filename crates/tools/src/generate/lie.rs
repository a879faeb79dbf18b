//! Declarations of zones: where entities lie, and whose the zones are.

use super::Feature;
use super::declare::Budget;
use super::maker::Maker;
use super::tree::{item, name};
use super::world::{Sort, Zone};
use arbitrary::Result;
use endstep_language::syntax::ast::{self, Item, ItemKind, ZoneOption};

impl Maker<'_> {
    /// The zones of a sort.
    pub(super) fn zones(&mut self, sort: usize, budget: &mut Budget) -> Result<Vec<Item>> {
        let names: [&str; 3] = match self.world.sorts[sort].name.as_str() {
            "Card" => ["row", "hand", "heap"],
            _ => return Ok(Vec::new()),
        };
        let mut items = Vec::new();
        if !self.may(Feature::Zones, 200)? {
            return Ok(items);
        }
        let owners = self.owners();
        let count = 1 + self.below(names.len())?;
        for (at, zone_name) in names.iter().enumerate().take(count) {
            let mut per = None;
            if at == 1 || self.odds(80)? {
                per = self.any_of(&owners)?;
            }
            let per = per.filter(|_| self.allows(Feature::Families));
            items.push(self.declare_zone(zone_name, (sort, per), at == 0, budget)?);
        }
        Ok(items)
    }

    /// The sorts of which each entity can have its own zone.
    fn owners(&self) -> Vec<usize> {
        let sorts = self.world.sorts.iter().enumerate();
        let owns = |sort: &Sort| sort.player || sort.name == "Spot";
        sorts
            .filter(|(_, sort)| owns(sort))
            .map(|(at, _)| at)
            .collect()
    }

    fn declare_zone(
        &mut self,
        zone_name: &str,
        (sort, per): (usize, Option<usize>),
        first: bool,
        budget: &mut Budget,
    ) -> Result<Item> {
        let copies = per.map_or(1, |per| self.world.sorts[per].sizes.1);
        let lying = u32::try_from(self.world.sorts[sort].sizes.1).unwrap_or(1);
        let factor = u64::try_from(copies + 1).unwrap_or(1).saturating_pow(lying);
        let mut options = Vec::new();
        if !first && (self.odds(128)? || !budget.spend(factor)) {
            options.push(ZoneOption::StartsEmpty);
        }
        let mut most = None;
        if self.odds(40)? {
            // Everything has to lie somewhere on boards.
            let least = if first { i64::from(lying) } else { 1 };
            most = Some(least + i64::try_from(self.below(2)?).unwrap_or(0));
            options.extend(most.map(ZoneOption::HoldsAtMost));
        }
        if !first && self.odds(40)? {
            options.push(ZoneOption::ExploreAtMost(1));
        }
        let unordered = self.odds(40)?;
        if unordered {
            options.push(ZoneOption::Unordered);
        }
        self.world.zones.push(Zone {
            name: zone_name.to_owned(),
            sort,
            per,
            unordered,
            most,
        });
        Ok(item(ItemKind::Zone(ast::Zone {
            name: name(zone_name),
            sort: name(&self.world.sorts[sort].name),
            per: per.map(|per| name(&self.world.sorts[per].name)),
            options,
        })))
    }
}
