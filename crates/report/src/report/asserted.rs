//! What is said of claims, questions and examples: that they are not so.
//!
//! ```text
//! a paraphrase               In short, the document says: All who are dead leave. This fails on the board below.
//! the author's comment       The author asks whether this is true: Nobody who is dead stays. On the board …
//! neither                    The author asks whether this is true: After cleanup, every Card has … On the …
//! ```
//!
//! The formula stands apart from the sentence: [`formally`].

use super::called::as_shown;
use super::conditional::{combinations, comes_out_only_if, found_only_if};
use super::demands;
use super::endless::endless;
use super::outcome::{end_data, gap, outcome, stop, tag};
use super::spoken;
use super::words::{Words, capital, plain};
use endstep_language::syntax::ast::ClauseKind;
use endstep_language::typing::program::{
    Claim, ClaimKind, Clause, Declared, Example, ExampleLine, ExpectedGap, Expr, ExprKind, StepId,
    Whom,
};
use endstep_semantics::semantics::{GapName, Interpreter, Names, Site, Tag, Who};
use endstep_semantics::witness::{Root, Run, RunEnd, Witness};
use endstep_verdicts::verdict::{ClaimFailure, Detail, ExampleFailure, Finding, Pair, Question};

/// On a board that a finding shows.
const NOT_SO: &str = "This fails on the board below";

/// What is claimed or asked, as sentences: what the author's comment says, else the formula in words,
/// else the formula.
fn statement(words: Words<'_>, claim: &Claim) -> String {
    let said = || spoken::claim(words, claim).map(|one| format!("{}.", capital(&one)));
    let doc = claim.doc.as_deref().map(ended);
    doc.or_else(said)
        .unwrap_or_else(|| format!("`{}`.", formula(words, claim)))
}

/// That what a step ensures is not so where it ends. In it the start is that of the step.
pub(super) fn not_ensured(
    words: Words<'_>,
    step: StepId,
    ensured: Option<&Expr>,
    said: &str,
) -> String {
    let is_old = |one: &Expr| matches!(one.kind, ExprKind::Old(_));
    let asks_old = ensured.is_some_and(|one| one.any(&is_old));
    format!(
        "When {} has ended, this should hold, and it does not: {said}.{}",
        words.step(step),
        match asks_old {
            true => " The start is that of the step.",
            false => "",
        }
    )
}

/// A text with an end.
fn ended(text: &str) -> String {
    match text.ends_with(['.', '!', '?', ')', '"']) {
        true => capital(text),
        false => format!("{}.", capital(text)),
    }
}

/// What a clause says; a paraphrase, which is why it has no quotation marks.
fn cited(says: &str) -> String {
    let end = if says.ends_with(['.', '!', '?']) {
        ""
    } else {
        "."
    };
    format!("In short, the document says: {}{end}", capital(says))
}

/// `order irrelevant in cleanup`, without what it is called.
fn formula(words: Words<'_>, claim: &Claim) -> String {
    let line = words.line(claim.span);
    match line.split_once(": ") {
        Some((_, formula)) => formula.to_owned(),
        None => line,
    }
}

/// Whether several claims stand under the clause of one: none of them is all that it says.
fn is_shared(words: Words<'_>, claim: &Claim) -> bool {
    let claims = words.program.claims.iter();
    claims
        .filter(|one| !one.question && one.clause == claim.clause)
        .count()
        > 1
}

/// The clause of a claim that says what it claims.
fn clause_of<'a>(words: Words<'a>, claim: &Claim) -> Option<&'a Clause> {
    let says = claim.clause.map(|id| &words.program.clauses[id]);
    says.filter(|clause| clause.kind == ClauseKind::Claim && !clause.says.is_empty())
}

/// What is claimed, or was asked.
pub(super) fn asserted(words: Words<'_>, claim: &Claim) -> String {
    match (claim.question, clause_of(words, claim)) {
        (true, _) => {
            let asked = statement(words, claim);
            format!("The author asks whether this is true: {asked}")
        }
        (false, Some(clause)) => {
            let comment = claim.doc.as_deref().map(ended);
            let comment = comment.map_or_else(String::new, |doc| format!(" {doc}"));
            format!("{}{comment}", cited(&clause.says))
        }
        (false, None) => {
            let claimed = statement(words, claim);
            let clause = claim
                .clause
                .map(|id| words.program.clauses[id].says.as_str());
            match clause.filter(|says| !says.is_empty()) {
                Some(says) => {
                    let says = cited(says);
                    format!("{says} This was taken to claim: {claimed}")
                }
                None => format!("The document is said to claim this: {claimed}"),
            }
        }
    }
}

/// What was claimed or asked, in a line: `question all_end: cleanup comes to an end`.
pub(super) fn in_a_line(words: Words<'_>, claim: &Claim) -> String {
    // The comment on a claim that stands under its sentence is no more than a comment.
    let told = match clause_of(words, claim) {
        Some(_) if !claim.question && is_shared(words, claim) => None,
        Some(clause) if !claim.question => Some(&clause.says),
        _ => claim.doc.as_ref(),
    };
    let said = match (told, spoken::claim(words, claim)) {
        (Some(told), _) => told.strip_suffix('.').unwrap_or(told).to_owned(),
        (None, Some(said)) => said,
        (None, None) => formula(words, claim),
    };
    format!("{}: {said}", name_of(claim))
}

/// What a claim or question is called: `question all_end`.
pub(super) fn name_of(claim: &Claim) -> String {
    let kind = if claim.question { "question" } else { "claim" };
    format!("{kind} {}", claim.name)
}

/// What was checked, in words if they are not told anyhow, and as a formula; of what is written as one.
pub(super) fn formally(words: Words<'_>, finding: &Finding) -> Vec<(&'static str, String)> {
    match &finding.detail {
        Detail::Claim(at, _) | Detail::Untested(Question::Claim(at), _) => {
            let Some(claim) = words.program.claims.get(*at) else {
                return Vec::new();
            };
            let is_worded = claim.doc.is_some() || clause_of(words, claim).is_some();
            let said = spoken::claim(words, claim).filter(|_| is_worded);
            let said = said.map(|said| ("what was checked", said));
            let line = ("formally", words.line(claim.span));
            said.into_iter().chain([line]).collect()
        }
        Detail::Example { example, line, .. } => {
            let example = words.program.examples.get(*example);
            let line = line.and_then(|line| example?.lines.get(line));
            let line = line.map(|(line, span)| match line {
                ExampleLine::ExpectOutcome(declared) => expected(words, declared),
                _ => words.line(*span),
            });
            line.map(|line| ("formally", line)).into_iter().collect()
        }
        Detail::Gap(GapName::Implicit(cause, site, span)) => {
            let line = match site {
                Site::Stmt(id) => words.quote(words.program.stmts[*id].span),
                // Any of several can have no value there.
                _ if spoken::has_rival(words, (*cause, *site, *span)) => String::new(),
                _ => words.quote(*span),
            };
            let line = (!line.is_empty()).then_some(("formally", line));
            line.into_iter().collect()
        }
        Detail::Demands(..) => demands::formally(words, finding),
        _ => Vec::new(),
    }
}

/// What a run performs.
fn performed(words: Words<'_>, run: &Run) -> String {
    match &run.root {
        Root::Sequence(sequence, _) => words.sequence(*sequence),
        Root::Step(step, _) => words.step(*step),
    }
}

pub(super) fn claim(
    words: Words<'_>,
    names: &Names,
    (at, failure): (usize, &ClaimFailure),
    witness: Option<&Witness>,
) -> String {
    let program = words.program;
    let Some(claim) = program.claims.get(at) else {
        return String::new();
    };
    let intro = asserted(words, claim);
    // A claim may name its own observer, and then says so itself.
    let seen = match claim.observer {
        None => words.for_what_is_seen(&[claim.kind.sequence()]),
        Some(_) => String::new(),
    };
    let why = match failure {
        ClaimFailure::Order(pair) => format!("{NOT_SO}. {}", order(words, names, pair, witness)),
        ClaimFailure::Equivalent => match witness {
            Some(Witness::Versus(versus)) => format!(
                "{NOT_SO}: {} can end{seen} in a way in which {} cannot.",
                performed(words, &versus.run),
                performed(words, &versus.against)
            ),
            _ => "This is false.".to_owned(),
        },
        ClaimFailure::Loop(class) => format!(
            "{NOT_SO}: a run from it {}",
            endless(words, witness, *class)
        ),
        ClaimFailure::Condition => format!("{NOT_SO}{}.", lacking(words, claim, witness)),
        ClaimFailure::Reached => format!("{NOT_SO}: there it happens."),
        ClaimFailure::Never => "It happens in no run that was tried for it.".to_owned(),
        ClaimFailure::Gap(name) => format!("It cannot be said: {}.", gap(words, name)),
        ClaimFailure::Again => format!("{NOT_SO}: {}.", again(witness)),
        // It is an answer, and told as one.
        ClaimFailure::Takes(value) => format!("It is {value} there."),
    };
    format!("{intro} {why}")
}

/// Of a value that should stay the same, that it is not always there.
fn lacking(words: Words<'_>, claim: &Claim, witness: Option<&Witness>) -> &'static str {
    let run = witness.and_then(|witness| witness.runs().first().copied());
    let (ClaimKind::Conserves(value, _), Some(run)) = (&claim.kind, run) else {
        return "";
    };
    let it = Interpreter {
        program: words.program,
        readings: &run.readings,
        variant: &run.variant,
    };
    let is_there = |data| it.value(value, data, Some(&run.board)).is_ok();
    match (is_there(&run.board), end_data(run).map(is_there)) {
        (false, Some(true)) => ": it has no value at the start, and has one then",
        (true, Some(false)) => ": it has a value at the start, and has none then",
        (false, Some(false)) => {
            ": it has no value at the start and none then, but for different reasons"
        }
        (true, Some(true)) | (_, None) => "",
    }
}

/// What is different the second time.
fn again(witness: Option<&Witness>) -> &'static str {
    let Some(Witness::Again { second, .. }) = witness else {
        return "doing it again changes something";
    };
    match &second.end {
        RunEnd::Ended(ended) if ended.tag == Tag::End => "doing it again changes something",
        RunEnd::Ended(_) => "done again, it ends in another way",
        _ => "done again, it never ends",
    }
}

/// What is said of an example that does not come out.
pub(super) fn example(words: Words<'_>, names: &Names, finding: &Finding) -> String {
    let Detail::Example {
        example: at,
        line,
        why,
        ..
    } = &finding.detail
    else {
        return String::new();
    };
    let Some(example) = words.program.examples.get(*at) else {
        return String::new();
    };
    let runs = finding.witness.as_ref().map(Witness::runs);
    let run = runs.and_then(|runs| runs.first().copied());
    // Without a run to show, things have the names that the example gives them.
    let board = &words.program.boards[example.board];
    let named = Names {
        board: board.entities.iter().map(|one| one.name.clone()).collect(),
    };
    let names = if run.is_some() { names } else { &named };
    // Some readings were left out from outside.
    let is_in_part = !finding.fixed.is_empty();
    let what = why_not(words, names, (example, *line), (why, run), is_in_part);
    // Where several readings break the line, they need not break it in the same way.
    let read = run.is_some_and(|run| {
        let mut read = run.readings.iter();
        read.any(|(&id, &at)| !example.readings.contains(&(id, at)))
    });
    let shown = match read {
        true => match what.strip_prefix("a run ") {
            Some(rest) => format!("in the run below, it {rest}"),
            None => format!("in the run below, {what}"),
        },
        false => what,
    };
    let name = format!("The example \"{}\"", plain(&example.name));
    let told = match &example.doc {
        Some(doc) => format!("{name} tells this: {} It", ended(doc)),
        None => name,
    };
    match (
        comes_out_only_if(words, finding),
        found_only_if(words, finding),
    ) {
        (Some(only), _) if read => {
            format!("{told} comes out only if {only}. {}.", capital(&shown))
        }
        (Some(only), _) => format!("{told} comes out only if {only}. If not, {shown}."),
        (None, Some(fails)) => format!("{told} does not come out if {fails}: {shown}."),
        (None, None) if !combinations(words.program, finding).is_empty() => {
            format!("{told} does not come out under some readings of the text: {shown}.")
        }
        (None, None) => {
            format!("{told} does not come out as the document tells it: {shown}.")
        }
    }
}

/// What an example expects in one of its lines.
fn expectation(words: Words<'_>, names: &Names, (example, at): (&Example, usize)) -> String {
    let doc = example.docs.get(at).and_then(Option::as_deref);
    let Some((line, span)) = example.lines.get(at) else {
        return String::new();
    };
    let said = |condition| spoken::condition(words, names, condition);
    let (when, said) = match line {
        ExampleLine::After(step, condition) => {
            (format!("after {}, ", words.step(*step)), said(condition))
        }
        ExampleLine::Expect(condition) | ExampleLine::ExpectPossible(condition) => {
            (String::new(), said(condition))
        }
        ExampleLine::ExpectOutcome(declared) => {
            (String::new(), Some(declared_end(words, declared)))
        }
        ExampleLine::ExpectGap(gap) | ExampleLine::ExpectPossibleGap(gap) => {
            (String::new(), Some(stop(words, *gap)))
        }
        ExampleLine::Choose(_) => (String::new(), None),
    };
    let doc = doc.map(|doc| doc.strip_suffix('.').unwrap_or(doc).to_owned());
    let said = doc.or_else(|| said.map(|said| format!("{when}{said}")));
    said.unwrap_or_else(|| format!("`{}`", words.line(*span)))
}

/// Whether runs meet a gap, and go on.
fn is_met(words: Words<'_>, gap: ExpectedGap) -> bool {
    matches!(gap, ExpectedGap::Named(gap) if words.program.goes_on(gap))
}

/// Why an example does not come out, as the rest of a sentence.
fn why_not(
    words: Words<'_>,
    names: &Names,
    (example, line): (&Example, Option<usize>),
    (why, run): (&ExampleFailure, Option<&Run>),
    is_in_part: bool,
) -> String {
    let found = line.and_then(|line| example.lines.get(line));
    let quote = line.map_or_else(String::new, |line| {
        expectation(words, names, (example, line))
    });
    let label = match found {
        Some((ExampleLine::Choose(label), _)) => label.clone(),
        _ => String::new(),
    };
    match why {
        ExampleFailure::Illegal(condition) => {
            let legal = words.program.legals.get(*condition);
            let legal = legal.map_or_else(String::new, |legal| plain(&legal.name));
            let as_read = match is_in_part {
                true => " under the readings that were tried",
                false => "",
            };
            format!("its board is not legal{as_read}: \"{legal}\" does not hold on it")
        }
        ExampleFailure::NeverOffered => match run.map(|run| &run.end) {
            Some(RunEnd::Loop { .. }) => format!(
                "a run never ends, and \"{label}\" is never offered in it when its turn has come"
            ),
            _ => format!(
                "a run comes to its end without a choice at which \"{label}\" is offered when its turn has come"
            ),
        },
        ExampleFailure::False => format!("this is not true: {quote}"),
        ExampleFailure::NoValue => format!("it cannot be said whether this is true: {quote}"),
        // What is expected of some run is expected of its end.
        ExampleFailure::Impossible => match found {
            Some((ExampleLine::ExpectPossibleGap(gap), _)) if is_met(words, *gap) => {
                format!("no run does this: {quote}")
            }
            Some((ExampleLine::ExpectPossibleGap(_), _)) => {
                format!("no run ends like this: {quote}")
            }
            _ => format!("no run ends with this: {quote}"),
        },
        ExampleFailure::Otherwise(how) => {
            // What counts of an outcome leaves out by how much a bound is missed.
            let end = match run.map(|run| &run.end) {
                Some(RunEnd::Ended(ended)) => tag(words, names, &ended.tag),
                _ => outcome(words, names, how),
            };
            match found {
                Some((ExampleLine::ExpectGap(gap), _)) if is_met(words, *gap) => {
                    format!("{end}, and this does not happen on the way: {quote}")
                }
                _ => format!("{end}, and what was expected is this: {quote}"),
            }
        }
        ExampleFailure::NoStep => format!("that step does not end any more: {quote}"),
    }
}

/// The outcome that an example expects.
fn declared_end(words: Words<'_>, declared: &Declared) -> String {
    let whom = |whom: &Whom| match whom {
        Whom::Player(player) => words.quote(player.span),
        Whom::Everyone => "everyone".to_owned(),
    };
    match declared {
        Declared::Win(who) => format!("{} wins", whom(who)),
        Declared::Loss(who) => format!("{} loses", whom(who)),
        Declared::Draw => "it is a draw".to_owned(),
        Declared::End => "it ends normally".to_owned(),
    }
}

/// The line of an example that expects an outcome.
fn expected(words: Words<'_>, declared: &Declared) -> String {
    let whom = |whom: &Whom| match whom {
        Whom::Player(player) => words.quote(player.span),
        Whom::Everyone => "everyone".to_owned(),
    };
    let what = match declared {
        Declared::Win(who) => format!("win for {}", whom(who)),
        Declared::Loss(who) => format!("loss for {}", whom(who)),
        Declared::Draw => "draw".to_owned(),
        Declared::End => "end".to_owned(),
    };
    format!("expect outcome {what}")
}

pub(super) fn order(
    words: Words<'_>,
    names: &Names,
    pair: &Pair,
    witness: Option<&Witness>,
) -> String {
    let at = match pair.site {
        Site::Places(_) => format!("among {}", words.scene(pair.site)),
        _ => format!("in {}", words.scene(pair.site)),
    };
    let (first, second) = as_shown(words, witness, (&pair.first, &pair.second));
    let (first, second) = (words.key(names, first), words.key(names, second));
    // What is left open inside of a step is the document's.
    let made_up = matches!(pair.site, Site::Sequence(list) | Site::Places(list)
        if words.program.sequences[list].is_experiment());
    let who = match pair.who {
        Who::Nobody if made_up => "Nothing in the experiment says".to_owned(),
        Who::Nobody => "The document does not say".to_owned(),
        Who::Player(player) => format!("{} decides", capital(&names.entity(player))),
        Who::Everyone => "The players decide together".to_owned(),
        Who::Chance => "Chance decides".to_owned(),
    };
    format!("{who} whether {first} or {second} comes first {at}, and it makes a difference.")
}
