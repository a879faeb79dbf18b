//! The order matrix as HTML.

use super::findings::name;
use super::frame::{Frame, finding_page, wide};
use super::prose::prose;
use crate::report::caveat::not_who;
use crate::report::matrix::{OrderSheet, Part, grade_of};
use crate::report::order_open::unproved;
use crate::report::page::Page;
use crate::report::words::{capital, plain};
use endstep_verdicts::order::{Evidence, Point, Row};
use maud::{Markup, html};

/// The page.
pub(super) fn html(page: &Page, sheet: OrderSheet<'_>) -> Markup {
    let main = html! {
        h1 { "Orders in " (page.title) }
        @if let Some(sentence) = sheet.left_out() { p.part { (prose(&sentence)) } }
        p {
            "Whenever several things are to be done and their order is in question, it either matters which \
             comes first, or how it can end is the same. Here stands for every pair which it is, and how that is known."
        }
        @if let Some(sentence) = not_who(sheet.program) { p { (sentence) } }
        (legend(sheet))
        @for (heading, claims) in sheet.asked() {
            h2 { (heading) }
            dl {
                @for (claim, evidence) in claims {
                    dt { (plain(&sheet.program.claims[claim].name)) }
                    dd { (told(page, evidence, &sheet.claimed(claim, evidence))) }
                }
            }
        }
        @for part in Part::ALL { (self::part(page, sheet, part)) }
        @if sheet.matrix.points.is_empty() { p { "Nothing has an order that is in question." } }
        p { a href="orders.json" { "The same as JSON" } }
    };
    let title = format!("Orders in {}", page.title);
    Frame::below(&title, page, "Orders").around(&main)
}

fn legend(sheet: OrderSheet<'_>) -> Markup {
    let rows = sheet.matrix.points.iter().flat_map(|point| &point.rows);
    let claims = sheet.matrix.claims.iter().map(|(_, evidence)| evidence);
    let all: Vec<&Evidence> = rows.map(|row| &row.evidence).chain(claims).collect();
    let number = |grade: &str| all.iter().filter(|one| grade_of(one) == grade).count();
    html! {
        h2 #evidence { "How it is known" }
        dl.grades {
            @for (grade, means) in sheet.grades() {
                @if number(grade) > 0 {
                    dt { span.grade.(grade) { (grade) } " (" (number(grade)) ")" }
                    dd { (means) }
                }
            }
        }
        @if let Some(line) = sheet.not_compared() { p { (capital(&line)) "." } }
        @let explored = sheet.explored();
        @if !explored.is_empty() {
            h2 #explored { "Explored" }
            ul { @for line in &explored { li { (prose(line)) } } }
        }
    }
}

fn part(page: &Page, sheet: OrderSheet<'_>, part: Part) -> Markup {
    let points = part.of(sheet.matrix);
    let anchor = match part {
        Part::Open => "open",
        Part::Decided => "decided",
        Part::Fixed => "fixed",
    };
    html! {
        @if !points.is_empty() {
            h2 id=(anchor) { (part.title()) }
            @for point in &points { (self::point(page, sheet, point)) }
        }
    }
}

fn point(page: &Page, sheet: OrderSheet<'_>, point: &Point) -> Markup {
    let name = format!("{}{}", sheet.at(point.at), sheet.settled(point.settled));
    let table = html! {
        table {
            thead { tr {
                th scope="col" { "Pair" }
                th scope="col" { "Evidence" }
                th scope="col" { "What is known" }
            } }
            tbody { @for row in &point.rows { (self::row(page, sheet, point, row)) } }
        }
    };
    html! {
        h3 { (prose(&name)) }
        (wide(&format!("Pairs in {name}"), &table))
    }
}

fn row(page: &Page, sheet: OrderSheet<'_>, point: &Point, row: &Row) -> Markup {
    let grade = grade_of(&row.evidence);
    html! {
        tr {
            th scope="row" { (sheet.pair(point.at, row.pair)) }
            td { span.grade.(grade) { (grade) } }
            td {
                (told(page, &row.evidence, &sheet.told(&row.evidence, &row.shared)))
                @if let Some(why) = unproved(row) { "; not proved, " (why) }
            }
        }
    }
}

/// What is known, and the findings that show it.
fn told(page: &Page, evidence: &Evidence, words: &str) -> Markup {
    let findings = match evidence {
        Evidence::Refuted(refuting) => refuting.shown.as_slice(),
        _ => &[],
    };
    let anchors = findings.iter().filter_map(|&at| page.anchors.get(at));
    let anchors: Vec<String> = anchors.cloned().collect();
    html! {
        (prose(words))
        @for (at, told) in page.named(&anchors).enumerate() {
            @if at == 0 { ": see " } @else { ", " }
            a href=(finding_page(&told.anchor)) { (name(told)) }
        }
    }
}
