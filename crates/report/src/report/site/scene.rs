//! A board as HTML: zones with cards in them.

use super::prose::prose;
use super::table::of_text;
use crate::report::board::{NOTHING, Shown};
use crate::report::scene::{Card, Scene, Spread};
use maud::{Markup, html};

/// What lies where; `name` tells those who cannot see it which board it is.
pub(super) fn scene(scene: &Scene, name: &str) -> Markup {
    let is_empty = scene.spreads.is_empty() && scene.vars.is_empty();
    html! {
        div.scene role="group" aria-label=(name) {
            @if is_empty { p { (NOTHING) } }
            @for spread in &scene.spreads { (self::spread(spread)) }
            @if !scene.vars.is_empty() {
                ul.facts.vars { @for one in &scene.vars { li { (fact(one.changed, &one.of_board())) } } }
            }
        }
    }
}

fn spread(spread: &Spread) -> Markup {
    html! {
        div.spread {
            p.name {
                (spread.name)
                @if spread.is_ordered { " " span.aside { "first to last" } }
            }
            @if spread.cards.is_empty() {
                p.nothing { "nothing" }
            } @else {
                ul.cards { @for one in &spread.cards { (card(one)) } }
            }
        }
    }
}

fn card(card: &Card) -> Markup {
    html! {
        li.card.came[card.came] {
            span.name { (card.name) }
            @if card.came { " " span.mark { "came here" } }
            @if !card.facts.is_empty() {
                ul.facts { @for one in &card.facts { li { (fact(one.changed, &one.of_card())) } } }
            }
        }
    }
}

fn fact(changed: bool, text: &str) -> Markup {
    html! {
        @if changed {
            strong.changed { (text) } span.sr { " (changed)" }
        } @else { (text) }
    }
}

/// The same board with every field, as tables.
pub(super) fn tables(board: &Shown) -> Markup {
    html! {
        @for members in &board.sorts {
            @match members.rows.as_slice() {
                [only] => { p { (prose(&only.join(", "))) } }
                rows => { (of_text(rows, &format!("Every {}", members.sort))) }
            }
        }
        @if !board.notes.is_empty() { (super::prose::list(&board.notes)) }
        @if !board.vars.is_empty() { p { (board.vars.join(", ")) } }
    }
}
