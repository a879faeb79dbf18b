//! Clauses: what the formalisation stands under, and lines that cite them.

use super::maker::Maker;
use super::tree::{clause_id, item, text};
use arbitrary::Result;
use endstep_language::syntax::ast::{
    BasisKind, BasisNote, Clause, ClauseKind, ClauseLine, Item, ItemKind, Reference, Text, Trivia,
};

const TERMS: [&str; 3] = ["Void", "Active Player", "Upkeep"];

impl Maker<'_> {
    /// A clause with its own lines, and nothing under it.
    pub(super) fn clause(&mut self) -> Result<Clause> {
        let number = self.world.clauses.len() + 1;
        let kind = self.pick(&[
            (6, ClauseKind::Rule),
            (1, ClauseKind::Definition),
            (1, ClauseKind::Example),
            (1, ClauseKind::Claim),
            (1, ClauseKind::Note),
            (1, ClauseKind::Reference),
        ])?;
        let says = self.odds(200)?.then(|| text(format!("sentence {number}")));
        let count = self.pick(&[(5, 0), (3, 1), (1, 2)])?;
        let mut lines: Vec<(Trivia, ClauseLine)> = Vec::new();
        for _ in 0..count {
            let line = self.clause_line()?;
            let same =
                |other: &ClauseLine| std::mem::discriminant(other) == std::mem::discriminant(&line);
            if !lines.iter().any(|(_, other)| same(other)) {
                lines.push((Trivia::default(), line));
            }
        }
        let id = format!("a.{number}");
        self.world.clauses.push(id.clone());
        Ok(Clause {
            id: clause_id(&id),
            kind,
            locator: text(format!("paragraph {number}")),
            says,
            lines,
        })
    }

    /// A clause that is not formalised, and that nothing cites.
    pub(super) fn waived(&mut self) -> Result<Item> {
        let kind = self.pick(&[(2, ClauseKind::Note), (1, ClauseKind::Rule)])?;
        let waived = ClauseLine::Waived(text("it says nothing about play"));
        let clause = Clause {
            id: clause_id("preface"),
            kind,
            locator: text("preface"),
            says: None,
            lines: vec![(Trivia::default(), waived)],
        };
        Ok(item(ItemKind::Clause(
            Box::new(clause),
            Vec::new(),
            Vec::new(),
        )))
    }

    fn clause_line(&mut self) -> Result<ClauseLine> {
        Ok(match self.below(8)? {
            0 => ClauseLine::Uses(vec![self.term()?]),
            1 => ClauseLine::Defines(vec![self.term()?]),
            2..=4 => {
                let clauses = self.world.clauses.clone();
                match self.any_of(&clauses)? {
                    Some(id) if self.odds(170)? => {
                        ClauseLine::RefersTo(Reference::Clause(clause_id(&id)))
                    }
                    _ => ClauseLine::RefersTo(Reference::Title(self.term()?)),
                }
            }
            5 => {
                let clauses = self.world.clauses.clone();
                match self.any_of(&clauses)? {
                    Some(id) => ClauseLine::YieldsTo(clause_id(&id)),
                    None => ClauseLine::Uses(vec![self.term()?, text("Turn")]),
                }
            }
            _ => self.annotation()?,
        })
    }

    fn term(&mut self) -> Result<Text> {
        Ok(text(self.one_of(&TERMS)?))
    }

    /// `cites`, `basis`
    pub(super) fn annotation(&mut self) -> Result<ClauseLine> {
        let clauses = self.world.clauses.clone();
        if let Some(id) = self.any_of(&clauses)?
            && self.odds(128)?
        {
            return Ok(ClauseLine::Cites(vec![clause_id(&id)]));
        }
        let kind = self.pick(&[
            (1, BasisKind::Invented),
            (1, BasisKind::External),
            (1, BasisKind::Gap),
            (1, BasisKind::Text),
        ])?;
        let note = self.odds(160)?.then(|| text("made up"));
        Ok(ClauseLine::Basis(BasisNote { kind, note }))
    }
}
