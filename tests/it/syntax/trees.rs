//! Random specifications: printing and parsing undo each other, whatever the
//! author wrote and whatever tree a program built.

use super::{parsed, round_trip};
use endstep::source::Loc;
use endstep::syntax::ast::{
    BinaryOp, Binder, Builtin, End, Expr, ExprKind, Extreme, File, IsTest, Item, ItemKind, Legal,
    Name, Quantifier, Rounding, Side, Trivia,
};
use endstep::syntax::print;
use proptest::prelude::{ProptestConfig, any, prop};
use proptest::proptest;

/// Random numbers from a fixed row of bytes; zeros after its end, so that
/// whatever is made from it gets simple and ends.
struct Tape<'b> {
    bytes: std::slice::Iter<'b, u8>,
    nesting: usize,
}

impl<'b> Tape<'b> {
    fn new(bytes: &'b [u8]) -> Self {
        let bytes = bytes.iter();
        Self { bytes, nesting: 0 }
    }

    /// A number below `end`; 0 is the simplest choice.
    fn below(&mut self, end: usize) -> usize {
        self.bytes.next().map_or(0, |&byte| usize::from(byte) % end)
    }

    fn pick<'w>(&mut self, words: &[&'w str]) -> &'w str {
        words[self.below(words.len())]
    }

    /// A tree of at most six levels.
    fn expr(&mut self) -> Expr {
        self.nesting += 1;
        let forms = if self.nesting > 6 { 4 } else { 27 };
        let kind = match self.below(forms) {
            0 => ExprKind::Name(self.name()),
            1 => ExprKind::Int(self.below(9) as i64),
            2 => ExprKind::Bool(true),
            3 => ExprKind::None,
            4..=8 => {
                let operator = OPERATORS[self.below(OPERATORS.len())];
                ExprKind::Binary(operator, self.boxed(), self.boxed())
            }
            9 => ExprKind::Not(self.boxed()),
            10 => ExprKind::Negate(self.boxed()),
            11 => ExprKind::Field(self.boxed(), self.name()),
            12 => ExprKind::Call(self.name(), self.exprs()),
            13 => ExprKind::Is {
                subject: self.boxed(),
                negated: self.below(2) == 1,
                test: self.test(),
            },
            14 => ExprKind::Cond(self.boxed(), self.boxed(), self.boxed()),
            15 => {
                let rounding = [None, Some(Rounding::Up), Some(Rounding::Down)];
                ExprKind::Half(self.boxed(), rounding[self.below(3)])
            }
            16 => ExprKind::Builtin(Builtin::Max, vec![self.expr(), self.expr()]),
            17 => ExprKind::Count(self.binder()),
            18 => ExprKind::Sum(self.boxed(), self.binder()),
            19 => ExprKind::Extreme(Extreme::Smallest, self.boxed(), self.binder()),
            20 => {
                let quantifier = [Quantifier::Every, Quantifier::Some][self.below(2)];
                ExprKind::Quantified(quantifier, self.binder(), self.boxed())
            }
            21 => ExprKind::EndOf(End::Top, self.boxed()),
            22 => ExprKind::Turn {
                forward: self.below(2) == 0,
                from: self.boxed(),
                such_that: (self.below(2) == 1).then(|| (self.name(), self.boxed())),
            },
            23 => ExprKind::Neighbour(Side::After, self.boxed()),
            24 => {
                let parts = vec![(self.name(), self.expr()), (self.name(), self.expr())];
                ExprKind::Per(self.name(), parts)
            }
            25 => ExprKind::Endmost([End::Top, End::Last][self.below(2)], self.binder()),
            _ => ExprKind::Old(self.boxed()),
        };
        self.nesting -= 1;
        Expr {
            kind,
            loc: Loc::default(),
        }
    }

    fn boxed(&mut self) -> Box<Expr> {
        Box::new(self.expr())
    }

    fn exprs(&mut self) -> Vec<Expr> {
        (0..self.below(3)).map(|_| self.expr()).collect()
    }

    fn name(&mut self) -> Name {
        // Names that are keywords elsewhere, among them those of tests after `is`.
        let names = [
            "c", "size", "empty", "removed", "top", "x_1", "one", "by", "live",
        ];
        Name {
            text: self.pick(&names).to_owned(),
            loc: Loc::default(),
        }
    }

    fn test(&mut self) -> IsTest {
        match self.below(6) {
            0 => IsTest::None,
            1 => IsTest::Empty,
            2 => IsTest::Removed,
            3 => IsTest::In(self.boxed()),
            4 => IsTest::Beside(Side::After, self.boxed()),
            _ => IsTest::Equal(self.boxed()),
        }
    }

    fn binder(&mut self) -> Box<Binder> {
        let form = self.below(8);
        Box::new(Binder {
            name: self.name(),
            sort: (form % 4 != 1).then(|| self.name()),
            zone: (!form.is_multiple_of(4)).then(|| self.expr()),
            filter: (form >= 4).then(|| self.expr()),
        })
    }
}

const OPERATORS: [BinaryOp; 11] = [
    BinaryOp::Or,
    BinaryOp::And,
    BinaryOp::Equal,
    BinaryOp::NotEqual,
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
    BinaryOp::Add,
    BinaryOp::Subtract,
    BinaryOp::Multiply,
];

/// A file with one expression.
fn file(condition: Expr) -> File {
    let name = Name {
        text: "l".to_owned(),
        loc: Loc::default(),
    };
    let item = Item {
        trivia: Trivia::default(),
        kind: ItemKind::Legal(Legal {
            explored: false,
            name,
            condition,
        }),
        loc: Loc::default(),
    };
    File {
        items: vec![item],
        tail: Vec::new(),
    }
}

/// What an expression says, with every part in brackets and no others.
fn meaning(expr: &Expr) -> String {
    if let ExprKind::Paren(inner) = &expr.kind {
        return meaning(inner);
    }
    let parts: Vec<String> = expr.children().into_iter().map(meaning).collect();
    // What is no part: the form and the names.
    let debug = format!("{:?}", shallow(expr));
    format!("[{debug} {}]", parts.join(" "))
}

/// The expression with `none` for each of its parts.
fn shallow(expr: &Expr) -> ExprKind {
    let none = || {
        Box::new(Expr {
            kind: ExprKind::None,
            loc: Loc::default(),
        })
    };
    let binder = |binder: &Binder| {
        Box::new(Binder {
            name: bare(&binder.name),
            sort: binder.sort.as_ref().map(bare),
            zone: binder.zone.as_ref().map(|_| *none()),
            filter: binder.filter.as_ref().map(|_| *none()),
        })
    };
    match &expr.kind {
        ExprKind::Name(name) => ExprKind::Name(bare(name)),
        ExprKind::Field(_, name) => ExprKind::Field(none(), bare(name)),
        ExprKind::Call(name, _) => ExprKind::Call(bare(name), Vec::new()),
        ExprKind::Per(name, _) => ExprKind::Per(bare(name), Vec::new()),
        ExprKind::Builtin(builtin, _) => ExprKind::Builtin(*builtin, Vec::new()),
        ExprKind::Not(_) => ExprKind::Not(none()),
        ExprKind::Negate(_) => ExprKind::Negate(none()),
        ExprKind::Old(_) => ExprKind::Old(none()),
        ExprKind::Binary(operator, ..) => ExprKind::Binary(*operator, none(), none()),
        ExprKind::Is { negated, test, .. } => ExprKind::Is {
            subject: none(),
            negated: *negated,
            test: match test {
                IsTest::In(_) => IsTest::In(none()),
                IsTest::Beside(side, _) => IsTest::Beside(*side, none()),
                IsTest::Equal(_) => IsTest::Equal(none()),
                other => other.clone(),
            },
        },
        ExprKind::Cond(..) => ExprKind::Cond(none(), none(), none()),
        ExprKind::Half(_, rounding) => ExprKind::Half(none(), *rounding),
        ExprKind::Count(of) => ExprKind::Count(binder(of)),
        ExprKind::Sum(_, over) => ExprKind::Sum(none(), binder(over)),
        ExprKind::Extreme(which, _, over) => ExprKind::Extreme(*which, none(), binder(over)),
        ExprKind::Quantified(which, of, _) => ExprKind::Quantified(*which, binder(of), none()),
        ExprKind::EndOf(end, _) => ExprKind::EndOf(*end, none()),
        ExprKind::Endmost(end, of) => ExprKind::Endmost(*end, binder(of)),
        ExprKind::Neighbour(side, _) => ExprKind::Neighbour(*side, none()),
        ExprKind::Turn {
            forward, such_that, ..
        } => ExprKind::Turn {
            forward: *forward,
            from: none(),
            such_that: such_that.as_ref().map(|(name, _)| (bare(name), none())),
        },
        other => other.clone(),
    }
}

/// A name without its place.
fn bare(name: &Name) -> Name {
    Name {
        text: name.text.clone(),
        loc: Loc::default(),
    }
}

/// The text of a specification as an untidy author writes it.
struct Author<'b> {
    tape: Tape<'b>,
    text: String,
}

/// Statements on one line; `@` is an expression.
const LINES: [&str; 22] = [
    "nothing",
    "let x = @",
    "set c.health to @",
    "increase round by @, at most @",
    "decrease board(p).x by @ , at least @",
    "transfer @ from tokens to c.tokens",
    "move @ to top of board",
    "move all of board to before c",
    "create Card as d in board(p) with health=@, kind = @",
    "remove @",
    "announce done()",
    "announce done(@, @)",
    "perform s",
    "resolve next of effects",
    "declare win for @",
    "gap g \"why\" may change c.x within 1 to @+2",
    "choose d: Card in board where @ by everyone together",
    "choose number n from 1 to 2 by @",
    "distribute @ over d in board where @ into d.x by p, at most @ each",
    "cites a.1 , b",
    "basis invented \"a \\\"b\\\" \\\\ \\n\"",
    "leave s",
];

/// Headings with statements under them; `@` is an expression.
const HEADINGS: [&str; 14] = [
    "if @",
    "for each c in board where @, left to right from @, live",
    "for each c:Card, per r (x:in any order|y: in player order), per r (x: snapshot | y: rechecked)",
    "simultaneously",
    "repeat until @",
    "repeat while @",
    "repeat until stable",
    "may by p \"label\"",
    "cases chosen by @\n  when @",
    "cases\n  otherwise",
    "depending on r\n  when a",
    "choose one by nobody in particular\n  option \"o\" where @",
    "clause a.2 (rule) at \"there\"\n  -- below\n  says \"so\" -- said",
    "if @\n  nothing\n-- between\notherwise if @ -- beside",
];

impl Author<'_> {
    fn comment(&mut self, depth: usize) {
        match self.tape.below(9) {
            1 => self.text += "\n",
            2 => self.text += &format!("{}-- why\n", "  ".repeat(depth)),
            3 => self.text += &format!("\n{}--   \n\n", "  ".repeat(depth + 1)),
            4 => self.text += &format!("{}-- out\n", " ".repeat(depth)),
            _ => {}
        }
    }

    /// Writes a template whose lines start at a depth.
    fn template(&mut self, depth: usize, template: &str) {
        for line in template.lines() {
            self.comment(depth);
            self.text += &"  ".repeat(depth);
            for (index, part) in line.split('@').enumerate() {
                if index > 0 {
                    self.tape.nesting = 4;
                    let printed = print(&file(self.tape.expr()));
                    // Long lines come back broken.
                    let printed = printed
                        .trim_end()
                        .replace("\n    ", "\n".to_owned().as_str());
                    let expr = printed.trim_start_matches("legal l: ").trim();
                    let expr = expr.replace('\n', " ");
                    self.text += &format!("({expr})");
                }
                self.text += part;
            }
            self.text += self.tape.pick(&["\n", "  \n", " -- end\n", "\r\n", "\n"]);
        }
    }

    fn block(&mut self, depth: usize, nesting: usize) {
        for _ in 0..=self.tape.below(3) {
            if nesting < 4 && self.tape.below(3) == 1 {
                let heading = self.tape.below(HEADINGS.len());
                self.template(depth, HEADINGS[heading]);
                let arms = ["\n  when", "\n  other", "\n  option"];
                let deeper = arms.iter().any(|arm| HEADINGS[heading].contains(arm));
                self.block(depth + 1 + usize::from(deeper), nesting + 1);
            } else {
                let line = self.tape.below(LINES.len());
                self.template(depth, LINES[line]);
            }
        }
        self.comment(depth);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_expression_is_printed_with_the_brackets_that_it_needs(
        bytes in prop::collection::vec(any::<u8>(), 0..200)
    ) {
        let expr = Tape::new(&bytes).expr();
        let text = print(&file(expr.clone()));
        let back = parsed("printed", &text);
        let ItemKind::Legal(legal) = &back.file.items[0].kind else {
            panic!("{text}");
        };
        assert_eq!(meaning(&legal.condition), meaning(&expr), "{text}");
        round_trip("printed", &text);
    }

    #[test]
    fn whatever_an_author_writes_survives_printing(
        bytes in prop::collection::vec(any::<u8>(), 0..600)
    ) {
        let mut author = Author {
            tape: Tape::new(&bytes),
            text: String::new(),
        };
        author.template(0, "sequence s(c: Card), steps unspecified");
        author.template(1, "restart when @\n  unfinished lost\n  cancel at once\n  before restarting");
        author.block(3, 0);
        author.template(1, "step t\n  ensures @");
        author.block(2, 0);
        author.template(2, "ensures @");
        author.comment(0);
        let printed = round_trip("written", &author.text);
        let comments = |text: &str| text.matches("--").count();
        assert_eq!(comments(&printed), comments(&author.text), "{printed}");
    }
}
