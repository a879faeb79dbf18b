//! A film as data for the player of `player.js`: the board at the beginning, and what each frame changes.
//!
//! ```text
//! places    where cards lie: a name, whether in order
//! clauses   what the document says: where, and the way to it
//! reels     title, end, from, cards, lying, facts, frames
//! frames    heading, lines, repeats, clause; what is new: cards, lying, facts, values
//! ```

use super::frame::target;
use crate::report::film::{Film, Frame, Reel};
use crate::report::page::Passage;
use crate::report::scene::{Card, Scene, Spread};
use crate::report::trace::{Line, LineKind};
use crate::report::words::plain;
use endstep_language::index::Id;
use maud::{Markup, PreEscaped, html};
use serde_json::{Map, Value, json};

/// The data, where a script finds them.
pub(super) fn film(film: &Film, clauses: &[Passage]) -> Markup {
    // Nothing in it can end the element.
    let text = json(film, clauses).to_string().replace('<', "\\u003c");
    html! { script #film type="application/json" { (PreEscaped(text)) } }
}

fn json(film: &Film, clauses: &[Passage]) -> Value {
    let place = |one: &Spread| json!({ "name": one.name, "ordered": one.is_ordered });
    let clause = |one: &Passage| {
        json!({
            "id": one.link.text,
            "locator": one.locator,
            "says": one.says,
            "href": target(&one.link.anchor),
        })
    };
    let reels = film.reels.iter().map(|one| reel(film, one));
    json!({
        "places": film.places.iter().map(place).collect::<Vec<_>>(),
        "clauses": clauses.iter().map(clause).collect::<Vec<_>>(),
        "reels": reels.collect::<Vec<_>>(),
    })
}

fn reel(film: &Film, reel: &Reel) -> Value {
    let mut before = &Scene::default();
    let mut changed = |board| news(film, std::mem::replace(&mut before, board), board);
    let board = changed(&reel.board);
    let frames = reel.frames.iter().map(|one| {
        let mut frame = changed(&one.board);
        for (name, value) in told(one) {
            frame.insert(name.to_owned(), value);
        }
        Value::Object(frame)
    });
    json!({
        "title": plain(&reel.title),
        "end": reel.end,
        "from": reel.from,
        "frames": frames.collect::<Vec<_>>(),
        "board": board,
    })
}

/// What happens in a frame.
fn told(frame: &Frame) -> [(&'static str, Value); 4] {
    let line = |line: &Line| {
        let kind = match line.kind {
            LineKind::Choice => "choice",
            LineKind::Change => "change",
            LineKind::Heading | LineKind::Cut | LineKind::Repeats | LineKind::Other => "other",
        };
        json!([kind, line.text])
    };
    [
        ("heading", json!(frame.heading)),
        ("lines", frame.lines.iter().map(line).collect()),
        ("repeats", json!(frame.repeats)),
        ("clause", json!(frame.clause)),
    ]
}

/// What a board has that the one before it has not: cards with what is said of them by number, where other cards lie
/// by the position of the place, what is said of the board by position.
fn news(film: &Film, before: &Scene, board: &Scene) -> Map<String, Value> {
    let known = |scene: &Scene, at| -> Vec<usize> {
        let lying = scene.spreads.iter().filter(|one| one.at == at);
        let cards = lying.flat_map(|one| &one.cards);
        cards.map(|card| card.id.index()).collect()
    };
    let places = film.places.iter().enumerate();
    let lying = places.filter_map(|(at, place)| {
        let now = known(board, place.at);
        (now != known(before, place.at)).then(|| (at.to_string(), json!(now)))
    });
    let lying: Map<String, Value> = lying.collect();
    let all = |scene: &Scene| -> Vec<Card> {
        let cards = scene.spreads.iter().flat_map(|one| &one.cards);
        cards.cloned().collect()
    };
    let old = all(before);
    let is_news = |card: &Card| {
        let mut old = old.iter();
        !old.any(|one| one.id == card.id && one.name == card.name && facts(one) == facts(card))
    };
    let cards = all(board).into_iter().filter(is_news);
    let cards = cards.map(|card| {
        let told = json!({ "name": card.name, "facts": facts(&card) });
        (card.id.index().to_string(), told)
    });
    let facts = board.vars.iter().enumerate();
    let facts = facts.filter_map(|(at, fact)| {
        let was = before.vars.get(at).map(|one| one.of_board());
        let is = fact.of_board();
        (was.as_ref() != Some(&is)).then(|| (at.to_string(), Value::String(is)))
    });
    let facts: Map<String, Value> = facts.collect();
    let mut out = Map::new();
    for (name, news) in [
        ("cards", cards.collect()),
        ("lying", lying),
        ("facts", facts),
    ] {
        if !news.is_empty() {
            out.insert(name.to_owned(), Value::Object(news));
        }
    }
    out
}

fn facts(card: &Card) -> Vec<String> {
    card.facts.iter().map(|fact| fact.of_card()).collect()
}
