//! How runs end, in words.

use super::spoken::{has_rival, lack};
use super::words::{Words, beside_others, plain};
use endstep_language::typing::program::{EntityId, ExpectedGap, GapId, StmtId, StmtKind};
use endstep_semantics::semantics::{
    Data, Exceeded, GapName, Limit, Manner, Names, Site, Spot, Tag,
};
use endstep_semantics::witness::{Outcome, Root, Run, RunEnd};

/// How a run ends, as the end of a sentence: `ann wins`.
pub(super) fn tag(words: Words<'_>, names: &Names, tag: &Tag) -> String {
    let someone =
        |who: &Option<EntityId>| who.map_or_else(|| "everyone".to_owned(), |id| names.entity(id));
    let verb = |who: &Option<EntityId>, verb: &str| match who {
        Some(id) => format!("{} {verb}s", names.entity(*id)),
        None => format!("everyone {verb}s"),
    };
    match tag {
        Tag::End => "it ends normally".to_owned(),
        Tag::Win(who) => verb(who, "win"),
        Tag::Loss(who) => format!("{} loses", someone(who)),
        Tag::Draw => "it is a draw".to_owned(),
        Tag::Gap(name) => format!("it stops, because {}", gap_in_words(words, name)),
        Tag::Conflict(_) => "it stops, because more is taken than there is".to_owned(),
        Tag::Range(exceeded) => format!("it stops, because {}", range(words, names, exceeded)),
        Tag::Stuck(sequence) => format!(
            "it stops, because nothing that was tried meets the contract of {}",
            words.sequence(*sequence)
        ),
        Tag::Limit(found) => format!("it was given up: {}", limit(words, names, found)),
    }
}

/// One word for a tag, for programs.
pub(super) fn tag_word(tag: &Tag) -> &'static str {
    match tag {
        Tag::End => "end",
        Tag::Win(_) => "win",
        Tag::Loss(_) => "loss",
        Tag::Draw => "draw",
        Tag::Gap(_) => "gap",
        Tag::Conflict(_) => "conflict",
        Tag::Range(_) => "range",
        Tag::Stuck(_) => "stuck",
        Tag::Limit(_) => "limit",
    }
}

/// What the document does not say, of all boards of a finding: another one of what a statement evaluates may have no
/// value on some of them. Without file and line, if there are words for the place.
pub(super) fn gaps(words: Words<'_>, name: &GapName) -> String {
    let GapName::Implicit(cause, site, span) = name else {
        return gap(words, name);
    };
    let of = (*cause, *site, *span);
    let what = lack(words, of).map(|what| match has_rival(words, of) {
        true => format!("{}; on the board shown, {what}", cause.in_general()),
        false => what,
    });
    let is_named = match site {
        Site::Stmt(id) => words.is_within(*id),
        Site::Outside(_) => false,
        _ => true,
    };
    match what {
        Some(what) if is_named => format!("in {}, {what}", words.scene(*site)),
        what => located(words, name, what),
    }
}

/// What the document does not say, and where.
pub(super) fn gap(words: Words<'_>, name: &GapName) -> String {
    let what = match name {
        GapName::Named(_) => None,
        GapName::Implicit(cause, site, span) => lack(words, (*cause, *site, *span)),
    };
    located(words, name, what)
}

/// A gap with its place, in words that tell all of it, or in those of its kind.
fn located(words: Words<'_>, name: &GapName, told: Option<String>) -> String {
    match (name, told) {
        (GapName::Named(id), _) => named(words, *id),
        // The code stands apart where words tell all.
        (GapName::Implicit(_, site, _), Some(what)) => match words.region(*site) {
            at if at.is_empty() => what,
            at => format!("in {at}, {what}"),
        },
        (GapName::Implicit(cause, site, span), None) => {
            let what = cause.in_general();
            let quote = words.quote(*span);
            let at = words.site(*site);
            match quote.is_empty() || at.contains(&quote) {
                true => format!("{what}, in {at}"),
                false => format!("{what}: `{quote}`, in {at}"),
            }
        }
    }
}

/// What the document does not say.
fn gap_in_words(words: Words<'_>, name: &GapName) -> String {
    match name {
        GapName::Named(id) => named(words, *id),
        GapName::Implicit(cause, site, span) => {
            let said = lack(words, (*cause, *site, *span));
            said.unwrap_or_else(|| cause.in_general().to_owned())
        }
    }
}

/// That a gap is met, as the end of a sentence, with what is assumed then.
pub(super) fn goes_on(words: Words<'_>, stmt: StmtId) -> Option<[String; 2]> {
    let StmtKind::GapGoesOn { gap, assuming } = &words.program.stmts[stmt].kind else {
        return None;
    };
    let how = match assuming {
        Some(assumed) => format!("goes on, assuming: {}", quoted(assumed)),
        None => "goes on all the same".to_owned(),
    };
    Some([named(words, *gap), how])
}

/// That a run stops in a gap that an example expects, or meets it if it goes on.
pub(super) fn stop(words: Words<'_>, gap: ExpectedGap) -> String {
    let why = match gap {
        ExpectedGap::Named(id) if words.program.goes_on(id) => {
            let gap = &words.program.gaps[id];
            return match gap.text.is_empty() {
                true => format!("it meets the gap \"{}\"", plain(&gap.name)),
                false => format!("it meets this gap of the document: {}", words.gap(id)),
            };
        }
        ExpectedGap::Named(id) => named(words, id),
        ExpectedGap::Implicit(cause) => cause.in_general().to_owned(),
    };
    format!("it stops, because {why}")
}

fn named(words: Words<'_>, id: GapId) -> String {
    let gap = &words.program.gaps[id];
    match gap.text.is_empty() {
        true => format!("the document leaves \"{}\" open", plain(&gap.name)),
        false => words.silence(id),
    }
}

/// A note of the author in quotation marks, inside of a sentence.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.trim_end_matches('.'))
}

/// What the document's bound does not allow.
pub(super) fn range(words: Words<'_>, names: &Names, exceeded: &Exceeded) -> String {
    let program = words.program;
    match exceeded {
        Exceeded::Spot(spot, value) => {
            let bounds = match spot {
                Spot::Var(var) => program.vars[*var].bounds,
                Spot::Field(_, field) => program.fields[*field].bounds,
            };
            let place = beside_others(&names.spot(program, *spot));
            match bounds.document {
                Some((low, high)) => {
                    format!("{place} would become {value}, and the document allows {low} to {high}")
                }
                None => format!("{place} would become {value}, which the document does not allow"),
            }
        }
        Exceeded::Zone(zone) => {
            let zone = &program.zones[*zone];
            let most = zone.capacity.unwrap_or(0);
            format!("{} would hold more than {most}", beside_others(&zone.name))
        }
    }
}

fn limit(words: Words<'_>, names: &Names, limit: &Limit) -> String {
    let program = words.program;
    match limit {
        Limit::Reach(spot, value) => format!(
            "{} would become {value}, beyond how far runs are explored",
            beside_others(&names.spot(program, *spot))
        ),
        Limit::Headroom(sort) => {
            let sort = &program.sorts[*sort];
            format!("more than {} new {} were created", sort.headroom, sort.name)
        }
        Limit::Queue(queue) => {
            let queue = &program.queues[*queue];
            let name = beside_others(&queue.name);
            format!("more than {} were pending in {name}", queue.capacity)
        }
        Limit::Interrupts => "too many triggers interrupt each other".to_owned(),
        Limit::Expressions => "too much has to be evaluated at once".to_owned(),
        Limit::Overflow => "a number became too large".to_owned(),
        Limit::Values => "there are too many values to choose from".to_owned(),
    }
}

/// An outcome, as the end of a sentence.
pub(super) fn outcome(words: Words<'_>, names: &Names, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ended(found, _) => tag(words, names, found.tag()),
        Outcome::Diverges => "it never ends".to_owned(),
    }
}

/// How a run ends, or where it is left.
pub(super) fn end(words: Words<'_>, run: &Run) -> String {
    match &run.end {
        RunEnd::Ended(_) if is_step(run) => "the step is over".to_owned(),
        RunEnd::Ended(ended) => tag(words, &run.names, &ended.tag),
        RunEnd::Loop { .. } => "it never ends".to_owned(),
        RunEnd::Grows { .. } => "it goes on like this, each time with more or less".to_owned(),
        RunEnd::Stopped { .. } => "it goes on from here".to_owned(),
    }
}

/// Whether a run is one of a step alone, to its end.
pub(super) fn is_step(run: &Run) -> bool {
    matches!(run.root, Root::Step(..)) && run.tag() == Some(&Tag::End)
}

/// How two runs end; where that is not the same and the words are, with the place.
pub(super) fn ends(words: Words<'_>, runs: [&Run; 2]) -> [String; 2] {
    let short = runs.map(|run| end(words, run));
    let manner = |run: &Run| {
        let tag = run.tag().filter(|_| !is_step(run));
        tag.map(|tag| Manner::of(words.program, tag))
    };
    // The same words in two places of a clause, or two values beyond one bound, are one way to end.
    if manner(runs[0]).is_some() && manner(runs[0]) == manner(runs[1]) {
        let [one, _] = short;
        return [one.clone(), one];
    }
    if short[0] != short[1] || runs[0].tag() == runs[1].tag() {
        return short;
    }
    let placed = |run: &Run| match run.tag() {
        Some(Tag::Gap(name)) => format!("it stops, because {}", gap(words, name)),
        Some(Tag::Conflict(site)) => format!(
            "it stops, because in {} more is taken than there is",
            words.site(*site)
        ),
        _ => end(words, run),
    };
    let told = runs.map(placed);
    if told[0] != told[1] {
        return told;
    }
    // Two expressions in one line of which the same is said.
    let quoted = |run: &Run| match run.tag() {
        Some(Tag::Gap(GapName::Implicit(.., span))) => {
            format!("{}: `{}`", placed(run), words.quote(*span))
        }
        _ => placed(run),
    };
    runs.map(quoted)
}

/// The data with which a run ends or is left.
pub(super) fn end_data(run: &Run) -> Option<&Data> {
    match &run.end {
        RunEnd::Ended(ended) => Some(&ended.data),
        RunEnd::Stopped { data, .. } => Some(data),
        RunEnd::Loop { .. } | RunEnd::Grows { .. } => None,
    }
}
