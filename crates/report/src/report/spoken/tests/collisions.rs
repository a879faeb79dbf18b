//! Two conditions that mean different things are never told in the same words.
//!
//! Random conditions over a few names are said; those that are said alike are compared on random pairs of a
//! start and a later state. `cargo test -p endstep-report collisions -- --ignored` looks at more of them.

use super::super::claim;
use crate::report::words::Words;
use endstep_language::index::Id;
use endstep_language::source::SourceMap;
use endstep_language::typing::program::{ClaimKind, EntityId, Expr, Program, SortId, Value};
use endstep_semantics::semantics::{Data, Entity, Interpreter, Readings, Variant};
use std::collections::BTreeMap;

const GAME: &str = r#"game "Said"
player Player, explore 2
  gold: integer, explore 0 to 3
  can_act: boolean
entity Card, explore up to 3
  health: integer, explore 0 to 3
  ready: boolean
  can_act: boolean
  host: optional Card
zone board of Card per Player
zone aside of Card
role active: Player
role champion: Player
var round: integer, explore 0 to 3
var lost: boolean
define is_ill(c: Card) = c.health = 0
define worth_of(c: Card) = c.health + 1
sequence cleanup
  step tidy
    nothing
"#;

/// So many conditions are looked at each time, and so many if more are asked for.
const USUAL: usize = 4_000;
const MANY: usize = 400_000;
/// And so many with other brackets beside each.
const VARIANTS: usize = 8;

/// Numbers that look random and are the same each time (Steele, Lea, Flood: splittable generators, 2014).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % end as u64).unwrap()
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

/// Writes conditions.
struct Writer {
    numbers: Numbers,
    cards: Vec<String>,
    players: Vec<String>,
    /// Which forms are written now (Groce and others: swarm testing, 2012): few at a time meet more often.
    numbers_now: Vec<usize>,
    conditions_now: Vec<usize>,
}

/// What a binder binds.
struct Bound {
    name: String,
    is_card: bool,
}

/// Writes what is said inside of a binder.
type Inside = fn(&mut Writer, &Bound, usize) -> String;

impl Writer {
    /// Chooses the forms that are written from now on.
    fn swarm(&mut self) {
        let mut some = |plain: usize, all: usize| -> Vec<usize> {
            let most = 1 + self.numbers.below(3);
            (0..most)
                .map(|_| plain + self.numbers.below(all - plain))
                .collect()
        };
        (self.numbers_now, self.conditions_now) = (some(5, 15), some(7, 18));
    }

    /// One of the forms that are written now, or one without parts.
    fn form(&mut self, is_number: bool, depth: usize) -> usize {
        let (plain, now) = match is_number {
            true => (5, &self.numbers_now),
            false => (8, &self.conditions_now),
        };
        match self.numbers.below(3) {
            1.. if depth > 0 => now[self.numbers.below(now.len())],
            _ => self.numbers.below(plain),
        }
    }

    fn one_of(&mut self, names: &[String]) -> Option<String> {
        (!names.is_empty()).then(|| names[self.numbers.below(names.len())].clone())
    }

    fn card(&mut self) -> String {
        let cards = self.cards.clone();
        match (self.one_of(&cards), self.numbers.below(8)) {
            (Some(card), 1..) => card,
            (_, 0..6) => "(first of aside)".to_owned(),
            _ => format!("(last of {})", self.owned()),
        }
    }

    fn player(&mut self) -> String {
        let players = self.players.clone();
        match (self.one_of(&players), self.numbers.below(8)) {
            (Some(player), 1..) => player,
            (_, 0) => "(next after active)".to_owned(),
            _ => "active".to_owned(),
        }
    }

    fn zone(&mut self) -> String {
        match self.numbers.below(6) {
            0 => "board".to_owned(),
            _ => self.owned(),
        }
    }

    /// A zone that is one.
    fn owned(&mut self) -> String {
        match self.numbers.below(5) {
            0 => format!("board({})", self.player()),
            _ => "aside".to_owned(),
        }
    }

    /// A card or none, or a player or none.
    fn optional(&mut self, is_card: bool) -> String {
        match (is_card, self.numbers.below(6)) {
            (true, 0) => format!("(neighbour before {})", self.card()),
            (true, 1) => format!("(first d1 in {} where d1.ready)", self.owned()),
            (true, _) => format!("{}.host", self.card()),
            (false, 0 | 1) => "champion".to_owned(),
            (false, 2) => format!("(old (holder of {}))", self.card()),
            (false, _) => format!("(holder of {})", self.card()),
        }
    }

    /// A binder, and what is said inside of it.
    fn bound(&mut self, depth: usize, then: Inside) -> (String, String) {
        let is_card = self.numbers.below(4) > 0;
        let name = match is_card {
            true => format!("c{}", self.cards.len()),
            false => format!("p{}", self.players.len()),
        };
        let range = match (is_card, self.numbers.below(2)) {
            (true, 0) => format!("{name}: Card"),
            (true, _) => format!("{name} in {}", self.zone()),
            (false, _) => format!("{name}: Player"),
        };
        self.names(is_card).push(name.clone());
        let bound = Bound { name, is_card };
        let filter = match self.numbers.below(2) {
            0 => String::new(),
            _ => format!(" where {}", self.about(&bound, depth)),
        };
        let said = then(self, &bound, depth);
        self.names(is_card).pop();
        (format!("{range}{filter}"), said)
    }

    fn names(&mut self, is_card: bool) -> &mut Vec<String> {
        match is_card {
            true => &mut self.cards,
            false => &mut self.players,
        }
    }

    /// A condition that is, most often, about what is bound.
    fn about(&mut self, bound: &Bound, depth: usize) -> String {
        let below = depth.saturating_sub(1);
        let Bound { name, is_card } = bound;
        match (self.numbers.below(9), is_card) {
            (0, _) => self.condition(depth),
            (1 | 2, _) if depth > 0 => {
                let by = self.numbers.of(&["and", "or"]);
                let one = self.about(bound, below);
                format!("({one} {by} {})", self.about(bound, below))
            }
            (3, _) if depth > 0 => format!("(not {})", self.about(bound, below)),
            (4, _) if depth > 0 => format!("(old {})", self.about(bound, below)),
            (5 | 6, _) => {
                let what = if *is_card { "health" } else { "gold" };
                let op = self.numbers.of(&["=", "!=", "<", ">"]);
                format!("({name}.{what} {op} {})", self.number(below))
            }
            (7, true) => format!("({name} is in {})", self.zone()),
            (8, true) => format!("(holder of {name} = {})", self.player()),
            (1, true) => format!("{name}.ready"),
            _ => format!("{name}.can_act"),
        }
    }

    fn number(&mut self, depth: usize) -> String {
        let card = self.card();
        match self.form(true, depth) {
            0 | 1 => self.numbers.of(&["0", "1", "2"]).to_owned(),
            2 => "round".to_owned(),
            3 if self.cards.is_empty() => format!("{}.gold", self.player()),
            3 | 4 => format!("{card}.health"),
            5 | 6 => format!("({} + {})", self.number(depth - 1), self.number(depth - 1)),
            7 => format!("({} - {})", self.number(depth - 1), self.number(depth - 1)),
            8 => format!("(2 * {})", self.number(depth - 1)),
            9 => format!("(half of {} rounded up)", self.number(depth - 1)),
            10 => format!(
                "min({}, {})",
                self.number(depth - 1),
                self.number(depth - 1)
            ),
            11 => format!("(old {})", self.number(depth - 1)),
            12 => {
                let extreme = ["sum of", "largest", "smallest"];
                let extreme = self.numbers.of(&extreme);
                let (binder, what) = self.bound(depth - 1, |own, _, depth| own.number(depth));
                format!("({extreme} {what} over {binder})")
            }
            13 => format!("(size of {})", self.zone()),
            _ => {
                let (binder, _) = self.bound(depth - 1, |_, _, _| String::new());
                format!("(count of {binder})")
            }
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        let (card, other) = (self.card(), self.card());
        match self.form(false, depth) {
            0 => format!("{card}.ready"),
            1 => format!("{card}.can_act"),
            2 => format!("{}.can_act", self.player()),
            3 => format!("is_ill({card})"),
            4 => match self.numbers.below(5) {
                0 => "lost".to_owned(),
                1 => format!("worth_of({card}) > 1"),
                2 => format!("({card} is before {other})"),
                3 => format!("{card} = {other}"),
                _ => {
                    let is_card = self.numbers.below(2) == 0;
                    let other = match (is_card, self.numbers.below(2)) {
                        (true, 0) => self.card(),
                        (false, 0) => self.player(),
                        _ => self.optional(is_card),
                    };
                    format!("{} = {other}", self.optional(is_card))
                }
            },
            5 => format!("({card} is in {})", self.zone()),
            6 => match self.numbers.below(3) {
                0 => format!("({} is empty)", self.zone()),
                _ => {
                    let is_card = self.numbers.below(2) == 0;
                    format!("({} is none)", self.optional(is_card))
                }
            },
            7 | 8 => {
                let op = self.numbers.of(&["=", "!=", "<", "<=", ">", ">="]);
                let depth = depth.saturating_sub(1);
                format!("({} {op} {})", self.number(depth), self.number(depth))
            }
            9 | 10 => format!("(not {})", self.condition(depth - 1)),
            11 | 12 => format!(
                "({} and {})",
                self.condition(depth - 1),
                self.condition(depth - 1)
            ),
            13 | 14 => format!(
                "({} or {})",
                self.condition(depth - 1),
                self.condition(depth - 1)
            ),
            15 => format!("(old {})", self.condition(depth - 1)),
            _ => {
                let quantifier = self.numbers.of(&["every", "some"]);
                let (binder, said) = self.bound(depth - 1, Self::about);
                format!("({quantifier} {binder} has {said})")
            }
        }
    }
}

/// A random state of the players and of cards, of which some may have been removed.
fn state(program: &Program, numbers: &mut Numbers) -> Data {
    let mut data = Data::empty(program);
    let cards = numbers.below(4);
    for at in 0..2 + cards {
        let sort = SortId::from_index(usize::from(at >= 2));
        let truth = |numbers: &mut Numbers| Value::Bool(numbers.below(2) == 0);
        let mut fields = vec![Value::Int(numbers.below(4) as i64), truth(numbers)];
        if at >= 2 {
            let host = match numbers.below(2) {
                0 => Value::None,
                _ => Value::Entity(EntityId::from_index(2 + numbers.below(cards))),
            };
            fields.extend([truth(numbers), host]);
        }
        let (created, removed) = (false, false);
        data.entities.push(Entity {
            sort,
            created,
            removed,
            fields,
        });
    }
    data.add_zones(program);
    let keys: Vec<_> = data.zones.keys().copied().collect();
    for at in 2..2 + cards {
        let place = numbers.below(keys.len() + 1);
        if let Some(contents) = keys.get(place).and_then(|key| data.zones.get_mut(key)) {
            let before = numbers.below(contents.len() + 1);
            contents.insert(before, EntityId::from_index(at));
        }
    }
    for (id, var) in program.vars.iter() {
        data.vars[id.index()] = match var.name.as_str() {
            "active" => Value::Entity(EntityId::from_index(numbers.below(2))),
            "champion" => match numbers.below(3) {
                2 => Value::None,
                at => Value::Entity(EntityId::from_index(at)),
            },
            "lost" => Value::Bool(numbers.below(2) == 0),
            _ => Value::Int(numbers.below(4) as i64),
        };
    }
    data
}

/// A start and what may have become of it.
fn pair(program: &Program, numbers: &mut Numbers) -> (Data, Data) {
    let before = state(program, numbers);
    loop {
        let after = state(program, numbers);
        if after.entities.len() == before.entities.len() {
            return (before, after);
        }
    }
}

/// What a condition comes to on each pair; a run that stops there has no answer.
fn answers(it: Interpreter<'_>, pairs: &[(Data, Data)], condition: &Expr) -> Vec<Option<bool>> {
    let answer = |(old, now): &(Data, Data)| it.condition(condition, now, Some(old)).ok();
    pairs.iter().map(answer).collect()
}

/// The same words in the same order, with fewer brackets and perhaps a new pair.
fn bracketed(text: &str, numbers: &mut Numbers) -> String {
    let (mut open, mut gone) = (Vec::new(), Vec::new());
    for (at, sign) in text.char_indices() {
        match sign {
            '(' => open.push(at),
            ')' => {
                let start = open.pop().expect("brackets come in pairs");
                // Those of what has arguments stay.
                let is_own = !text[..start]
                    .ends_with(|before: char| before.is_alphanumeric() || before == '_');
                if is_own && numbers.below(2) == 0 {
                    gone.extend([start, at]);
                }
            }
            _ => {}
        }
    }
    let kept = text.char_indices().filter(|(at, _)| !gone.contains(at));
    let kept: String = kept.map(|(_, sign)| sign).collect();
    if numbers.below(2) == 0 {
        return kept;
    }
    let mut words: Vec<&str> = kept.split(' ').collect();
    let start = numbers.below(words.len());
    let end = start + numbers.below(words.len() - start);
    let (first, last) = (format!("({}", words[start]), format!("{})", words[end]));
    let only = format!("({})", words[start]);
    if start == end {
        words[start] = &only;
    } else {
        (words[start], words[end]) = (&first, &last);
    }
    words.join(" ")
}

/// What is known of a sentence: how the condition is written, and what it comes to.
type Told = BTreeMap<String, (String, Vec<Option<bool>>)>;

struct Comparing {
    pairs: Vec<(Data, Data)>,
    told: Told,
    wrong: BTreeMap<String, String>,
    said: usize,
}

impl Comparing {
    /// Looks at a condition; nothing of what is none.
    fn look(&mut self, condition: &str) {
        let text = format!("{GAME}question q: must {condition} after cleanup\n");
        let mut sources = SourceMap::new();
        let id = sources.load("said.endstep", text.as_bytes()).unwrap();
        let parsed = endstep_language::syntax::parse(id, &text);
        let Some(program) = endstep_language::typing::check(&[parsed.file]).0 else {
            return;
        };
        if !parsed.diagnostics.is_empty() {
            return;
        }
        if self.pairs.is_empty() {
            let mut numbers = Numbers(3);
            self.pairs = (0..120).map(|_| pair(&program, &mut numbers)).collect();
        }
        let it = Interpreter {
            program: &program,
            readings: &Readings::default(),
            variant: &Variant::default(),
        };
        let words = Words {
            program: &program,
            sources: &sources,
        };
        let ClaimKind::Must(condition, ..) = &program.claims[0].kind else {
            unreachable!()
        };
        let Some(sentence) = claim(words, &program.claims[0]) else {
            return;
        };
        self.said += 1;
        let formal = words.quote(condition.span).to_owned();
        let answers = answers(it, &self.pairs, condition);
        let first = (formal.clone(), answers.clone());
        let (first, known) = self.told.entry(sentence.clone()).or_insert(first);
        let differ = known.iter().zip(&answers).any(|pair| match pair {
            (Some(one), Some(other)) => one != other,
            _ => false,
        });
        if differ {
            self.wrong.insert(sentence, format!("{first}\n  {formal}"));
        }
    }
}

#[test]
fn what_is_said_alike_means_the_same() {
    compare(USUAL);
}

#[test]
#[ignore = "takes minutes"]
fn what_is_said_alike_means_the_same_among_many() {
    compare(MANY);
}

fn compare(most: usize) {
    let mut writer = Writer {
        numbers: Numbers(7),
        cards: Vec::new(),
        players: Vec::new(),
        numbers_now: Vec::new(),
        conditions_now: Vec::new(),
    };
    let mut comparing = Comparing {
        pairs: Vec::new(),
        told: Told::new(),
        wrong: BTreeMap::new(),
        said: 0,
    };
    for at in 0..most {
        if at % 50 == 0 {
            writer.swarm();
        }
        let depth = 1 + writer.numbers.below(4);
        let condition = writer.condition(depth);
        comparing.look(&condition);
        for _ in 0..VARIANTS {
            comparing.look(&bracketed(&condition, &mut writer.numbers));
        }
    }
    let Comparing { wrong, said, .. } = comparing;
    assert!(said > most, "{said} of {most} are said");
    let mut shortest: Vec<_> = wrong.iter().collect();
    shortest.sort_by_key(|(sentence, _)| sentence.len());
    let all = shortest
        .iter()
        .take(40)
        .map(|(sentence, formal)| format!("{sentence}\n  {formal}\n"));
    assert!(
        wrong.is_empty(),
        "{said} said, {} wrong\n{}",
        wrong.len(),
        all.collect::<String>()
    );
}
