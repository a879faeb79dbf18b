//! What the compiler reads in a text: its lines in blocks, and its expressions.

use crate::line::Line;
use endstep_language::syntax::ast::{
    Block, BoardLine, Claim, ClaimKind, Clause, ClauseKind, ClauseLine, ExampleLine, Expr,
    ExprKind, File, Item, ItemKind, Loc, Name, SeqItem, SeqItemKind, Sight, Stmt, StmtKind, Trivia,
    Visit, Walk,
};
use std::collections::BTreeSet;
use std::ops::Range;

/// An expression: its kind as the grammar calls it, and its bytes.
pub type Found = (usize, usize, &'static str);

/// The lines of a file.
pub fn lines(file: &File, text: &str) -> Vec<Line> {
    let reader = Reader { text };
    file.items.iter().map(|item| reader.item(item)).collect()
}

/// All expressions of a file.
pub fn expressions(file: &File) -> BTreeSet<Found> {
    struct Finder(BTreeSet<Found>);
    impl<'t> Visit<'t> for Finder {
        fn expr(&mut self, node: &'t Expr) {
            let place = bytes(node.loc);
            self.0.insert((place.start, place.end, kind(&node.kind)));
            node.inside(self);
        }
    }
    let mut finder = Finder(BTreeSet::new());
    file.meet(&mut finder);
    finder.0
}

fn bytes(loc: Loc) -> Range<usize> {
    loc.span().range()
}

/// What the grammar calls a kind of expressions.
fn kind(of: &ExprKind) -> &'static str {
    match of {
        ExprKind::Error => "ERROR",
        ExprKind::Int(_) => "int",
        ExprKind::Bool(_) => "bool",
        ExprKind::None => "none",
        ExprKind::Name(_) => "name",
        ExprKind::Field(..) => "field",
        ExprKind::Call(..) => "call",
        ExprKind::Not(_) => "not",
        ExprKind::Negate(_) => "negate",
        ExprKind::Binary(..) => "binary",
        ExprKind::Is { .. } => "is",
        ExprKind::Cond(..) => "cond",
        ExprKind::Half(..) => "half",
        ExprKind::Builtin(..) => "builtin",
        ExprKind::Count(_) => "count",
        ExprKind::Sum(..) => "sum",
        ExprKind::Extreme(..) => "extreme",
        ExprKind::Quantified(..) => "quantified",
        ExprKind::EndOf(..) => "end_of",
        ExprKind::Endmost(..) => "endmost",
        ExprKind::Size(_) => "size",
        ExprKind::Turn { .. } => "turn",
        ExprKind::Neighbour(..) => "neighbour",
        ExprKind::Holder(_) => "holder",
        ExprKind::Old(_) => "old",
        ExprKind::Per(..) => "per",
        ExprKind::Paren(_) => "paren",
    }
}

struct Reader<'t> {
    text: &'t str,
}

impl Reader<'_> {
    fn name(&self, name: &Name) -> String {
        format!("name {}", &self.text[bytes(name.loc)])
    }

    fn item(&self, item: &Item) -> Line {
        self.item_kind(&item.kind).at(bytes(item.loc))
    }

    fn items(&self, items: &[Item]) -> Vec<Line> {
        items.iter().map(|item| self.item(item)).collect()
    }

    fn item_kind(&self, kind: &ItemKind) -> Line {
        let named = |kind: &str, name: &Name| Line::new(kind).with(self.name(name));
        match kind {
            ItemKind::Error => Line::new("ERROR"),
            ItemKind::Game(_) => Line::new("game"),
            ItemKind::Include(_) => Line::new("include"),
            ItemKind::Document(document, items, _) => {
                over(named("document", &document.name), self.items(items))
            }
            ItemKind::Clause(clause, items, _) => self.clause(clause, self.items(items)),
            ItemKind::Type(one) => named("type", &one.name),
            ItemKind::Table(table) => {
                let columns = table.columns.iter().map(|one| named("column", &one.name));
                let rows = table.rows.iter().map(|one| named("row", &one.name));
                named("table", &table.name).over(columns.chain(rows).collect())
            }
            ItemKind::Entity(entity) => {
                let fields = entity.fields.iter();
                let fields = fields.map(|one| named("field_decl", &one.name)).collect();
                over(named("entity", &entity.name), fields)
            }
            ItemKind::Var(one) => named("var", &one.name),
            ItemKind::Role(one) => named("role", &one.name),
            ItemKind::Zone(one) => named("zone", &one.name),
            ItemKind::Define(one) => match one.continuous {
                Some(_) => named("continuous", &one.name),
                None => named("define", &one.name),
            },
            ItemKind::Legal(one) => named("legal", &one.name),
            ItemKind::Queue(one) => named("queue", &one.name),
            ItemKind::Event(one) => named("event", &one.name),
            ItemKind::Reading(reading) => {
                let alternatives = reading.alternatives.iter();
                let alternatives = alternatives.map(|one| named("reading_alt", &one.name));
                named("reading", &reading.name).over(alternatives.collect())
            }
            ItemKind::Trigger(trigger) => {
                named("trigger", &trigger.name).over(self.block(&trigger.body))
            }
            ItemKind::Sequence(sequence) => over(
                named("sequence", &sequence.name),
                self.seq_items(&sequence.items),
            ),
            ItemKind::Observer(observer) => {
                let sights = observer.sights.iter().map(|(_, sight)| sight_line(sight));
                over(named("observer", &observer.name), sights.collect())
            }
            ItemKind::Verify(_) => Line::new("verify"),
            ItemKind::Experiment(one) => {
                let changes = format!("{} changes", one.alterations.len());
                named("experiment", &one.name).with(changes)
            }
            ItemKind::Claim(claim) => self.claim(claim),
            ItemKind::Board(board) => {
                over(named("board", &board.name), self.board_lines(&board.lines))
            }
            ItemKind::Example(example) => {
                let lines = example.lines.iter();
                let lines = lines.map(|(_, line)| self.example_line(line)).collect();
                over(named("example", &example.name), lines)
            }
            ItemKind::Accept(_) => Line::new("accept"),
        }
    }

    fn clause(&self, clause: &Clause, inner: Vec<Line>) -> Line {
        let kind = match clause.kind {
            ClauseKind::Rule => "rule",
            ClauseKind::Definition => "definition",
            ClauseKind::Example => "example",
            ClauseKind::Claim => "claim",
            ClauseKind::Note => "note",
            ClauseKind::Reference => "reference",
        };
        let says = clause.says.iter().map(|_| Line::new("says"));
        let lines = clause.lines.iter().map(|(_, line)| clause_line(line));
        let line = Line::new("clause")
            .with(format!("id {:?}", bytes(clause.id.loc)))
            .with(kind)
            .with(format!("locator {:?}", bytes(clause.locator.loc)));
        over(line, says.chain(lines).chain(inner).collect())
    }

    fn claim(&self, claim: &Claim) -> Line {
        let kind = match &claim.kind {
            ClaimKind::Error => "ERROR",
            ClaimKind::OrderIrrelevant(_) => "order_irrelevant",
            ClaimKind::Equivalent(..) => "equivalent",
            ClaimKind::Terminates(..) => "terminates",
            ClaimKind::Invariant(..) => "invariant",
            ClaimKind::Must(..) => "must",
            ClaimKind::Reachable(..) => "reachable",
            ClaimKind::ReachableAfter(..) => "reachable_after",
            ClaimKind::ExtremeIn(..) => "extreme_in",
            ClaimKind::ExtremeAfter(..) => "extreme_after",
            ClaimKind::Conserves(..) => "conserves",
            ClaimKind::Idempotent(_) => "idempotent",
        };
        let word = if claim.question { "question" } else { "claim" };
        Line::new(word).with(self.name(&claim.name)).with(kind)
    }

    fn seq_items(&self, items: &[SeqItem]) -> Vec<Line> {
        items.iter().map(|item| self.seq_item(item)).collect()
    }

    fn seq_item(&self, item: &SeqItem) -> Line {
        let line = match &item.kind {
            SeqItemKind::Error => Line::new("ERROR"),
            SeqItemKind::Clause(clause, items, _) => self.clause(clause, self.seq_items(items)),
            SeqItemKind::Annotation(line) => clause_line(line),
            SeqItemKind::Item(item) => self.item_kind(item),
            SeqItemKind::Step(step) => {
                let mut lines = self.block(&step.body);
                lines.extend(step.ensures.iter().map(|_| Line::new("ensures")));
                Line::new("step").with(self.name(&step.name)).over(lines)
            }
            SeqItemKind::Restart(restart) => {
                let mut lines = vec![Line::new("cancel"), Line::new("unfinished")];
                lines.extend(
                    restart
                        .before
                        .iter()
                        .map(|(_, block)| Line::new("before_restarting").over(self.block(block))),
                );
                Line::new("restart").over(lines)
            }
            SeqItemKind::Contract(contract) => {
                let changes = contract.changes.iter().map(|_| Line::new("changes"));
                let ensures = contract.ensures.iter().map(|_| Line::new("ensures"));
                Line::new("contract").over(changes.chain(ensures).collect())
            }
        };
        // The compiler has no place for lines that a clause may have as well.
        match line.kind.as_str() {
            "cites" | "basis" => line,
            _ => line.at(bytes(item.loc)),
        }
    }

    fn block(&self, block: &Block) -> Vec<Line> {
        block.stmts.iter().map(|stmt| self.stmt(stmt)).collect()
    }

    fn stmt(&self, stmt: &Stmt) -> Line {
        let line = self.stmt_kind(&stmt.kind);
        match line.kind.as_str() {
            "cites" | "basis" => line,
            _ => line.at(bytes(stmt.loc)),
        }
    }

    fn stmt_kind(&self, kind: &StmtKind) -> Line {
        match kind {
            StmtKind::Error => Line::new("ERROR"),
            StmtKind::Nothing => Line::new("nothing"),
            StmtKind::Pass => Line::new("pass"),
            StmtKind::Clause(clause, block) => self.clause(clause, self.block(block)),
            StmtKind::Annotation(line) => clause_line(line),
            StmtKind::Let(name, _) => Line::new("let").with(self.name(name)),
            StmtKind::Set(..) => Line::new("set"),
            StmtKind::Increase(..) => Line::new("increase"),
            StmtKind::Decrease(..) => Line::new("decrease"),
            StmtKind::Transfer { .. } => Line::new("transfer"),
            StmtKind::Move(..) => Line::new("move"),
            StmtKind::MoveAll(..) => Line::new("move_all"),
            StmtKind::Shuffle(_) => Line::new("shuffle"),
            StmtKind::Create { name, .. } => {
                let mut line = Line::new("create");
                line.facts.extend(name.iter().map(|name| self.name(name)));
                line
            }
            StmtKind::Remove(_) => Line::new("remove"),
            StmtKind::Announce(..) => Line::new("announce"),
            StmtKind::If(arms, otherwise) => {
                let blocks = arms.iter().map(|(_, block)| block);
                self.nested("if", blocks.chain(otherwise.iter().map(|(_, block)| block)))
            }
            StmtKind::Cases {
                arms, otherwise, ..
            } => {
                let arms = arms.iter().map(|arm| self.nested("arm", [&arm.body]));
                let last = otherwise
                    .iter()
                    .map(|(_, block)| self.nested("otherwise", [block]));
                Line::new("cases").over(arms.chain(last).collect())
            }
            StmtKind::Depending { arms, .. } => {
                let arms = arms.iter().map(|(_, _, block)| self.nested("arm", [block]));
                Line::new("depending").over(arms.collect())
            }
            StmtKind::ForEach { body, .. } => self.nested("for_each", [body]),
            StmtKind::Simultaneously(body) => self.nested("simultaneously", [body]),
            StmtKind::Repeat(_, body) => self.nested("repeat", [body]),
            StmtKind::Choose(..) => Line::new("choose"),
            StmtKind::ChooseNumber { name, .. } => Line::new("choose_number").with(self.name(name)),
            StmtKind::ChooseOne { options, .. } => {
                let options = options.iter();
                let options = options.map(|one| self.nested("choice_option", [&one.body]));
                Line::new("choose_one").over(options.collect())
            }
            StmtKind::May {
                body, otherwise, ..
            } => {
                let otherwise = otherwise.iter().map(|(_, block)| block);
                self.nested("may", std::iter::once(body).chain(otherwise))
            }
            StmtKind::Distribute { .. } => Line::new("distribute"),
            StmtKind::Perform(..) => Line::new("perform"),
            StmtKind::Resolve { .. } => Line::new("resolve"),
            StmtKind::Leave(_) => Line::new("leave"),
            StmtKind::GoTo(_) => Line::new("go_to"),
            StmtKind::Declare(..) => Line::new("declare"),
            StmtKind::Gap(name, _)
            | StmtKind::GapGoesOn { name, .. }
            | StmtKind::GapMayChange { name, .. } => Line::new("gap").with(self.name(name)),
        }
    }

    fn nested<'b>(&self, kind: &str, blocks: impl IntoIterator<Item = &'b Block>) -> Line {
        let blocks = blocks.into_iter();
        blocks.fold(Line::new(kind), |line, block| line.over(self.block(block)))
    }

    fn board_lines(&self, lines: &[(Trivia, BoardLine)]) -> Vec<Line> {
        let lines = lines.iter().map(|(_, line)| match line {
            BoardLine::Error => Line::new("ERROR"),
            BoardLine::Entities { names, .. } => {
                let line = Line::new("entities");
                names
                    .iter()
                    .fold(line, |line, name| line.with(self.name(name)))
            }
            BoardLine::Var(name, _) => Line::new("value").with(self.name(name)),
        });
        lines.collect()
    }

    fn example_line(&self, line: &ExampleLine) -> Line {
        match line {
            ExampleLine::Error => Line::new("ERROR"),
            ExampleLine::On(_) => Line::new("on"),
            ExampleLine::Given(lines, _) => Line::new("given").over(self.board_lines(lines)),
            ExampleLine::Perform(..) => Line::new("perform"),
            ExampleLine::Reading(..) => Line::new("holds"),
            ExampleLine::Choose(_) => Line::new("chosen"),
            ExampleLine::After(..) => Line::new("after"),
            ExampleLine::Expect { .. }
            | ExampleLine::ExpectOutcome(..)
            | ExampleLine::ExpectGap { .. } => Line::new("expect"),
        }
    }
}

/// A line over the block that it may have.
fn over(line: Line, block: Vec<Line>) -> Line {
    match block.is_empty() {
        true => line,
        false => line.over(block),
    }
}

fn clause_line(line: &ClauseLine) -> Line {
    Line::new(match line {
        ClauseLine::Waived(_) => "waived",
        ClauseLine::RefersTo(_) => "refers",
        ClauseLine::Defines(_) => "defines",
        ClauseLine::Uses(_) => "uses",
        ClauseLine::YieldsTo(_) => "yields",
        ClauseLine::Cites(_) => "cites",
        ClauseLine::Basis(_) => "basis",
    })
}

fn sight_line(sight: &Sight) -> Line {
    Line::new(match sight {
        Sight::Everything | Sight::Sees(_) | Sight::SeesAsSet(_) | Sight::SeesBy { .. } => "sees",
        Sight::Ignores(_) => "ignores",
    })
}
