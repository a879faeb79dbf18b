//! What is said of claims, questions and examples: that they are not so, or that they could not have
//! failed.

use super::outcome::{gap, outcome};
use super::paragraph::{endless, order};
use super::words::{Words, plain};
use crate::semantics::Names;
use crate::syntax::ast::ClauseKind;
use crate::typing::program::{Claim, ClaimKind, Declared, ExampleLine, Whom};
use crate::verdict::{ClaimFailure, ExampleFailure, Question, Untested};
use crate::witness::{Root, Run, Witness};

/// What is claimed, or was asked.
fn asserted(words: Words<'_>, claim: &Claim) -> String {
    let quote = words.line(claim.span);
    let says = claim.clause.map(|id| &words.program.clauses[id]);
    let says = says.filter(|clause| clause.kind == ClauseKind::Claim && !clause.says.is_empty());
    match (claim.question, says) {
        (true, _) => {
            let asked = quote.strip_prefix("question ").unwrap_or(&quote);
            format!("The question was: {asked}.")
        }
        (false, Some(clause)) => format!("The document says \"{}\" ({quote}).", clause.says),
        (false, None) => format!("The document is said to claim: {quote}."),
    }
}

/// What is said of something that holds and could not have failed.
pub(super) fn untested(words: Words<'_>, question: Question, why: Untested) -> String {
    let claim = match question {
        Question::Claim(at) => words.program.claims.get(at),
        _ => None,
    };
    let intro = match (claim, question) {
        (Some(claim), _) => format!("{} It holds", asserted(words, claim)),
        (None, Question::Contract(sequence)) => {
            format!("{} keeps its contract", words.sequence(sequence))
        }
        (None, _) => "It holds".to_owned(),
    };
    let kind = claim.map(|claim| &claim.kind);
    let reason = match why {
        Untested::NoBoard => "no legal board that was explored meets its condition".to_owned(),
        Untested::NoEnd => match kind {
            Some(ClaimKind::Must(..)) => {
                "no run comes to an end; each stops where the rules cannot be followed, or never ends"
                    .to_owned()
            }
            _ => "no run ends normally".to_owned(),
        },
        Untested::NotDone => "no run ever does that step".to_owned(),
        Untested::NothingToOrder => match kind {
            Some(ClaimKind::OrderIrrelevant(_, Some(step))) => format!(
                "no run ever has two things to put in order in {}",
                words.step(*step)
            ),
            Some(ClaimKind::OrderIrrelevant(sequence, None)) => format!(
                "no run of {} ever has two things to put in order",
                words.sequence(*sequence)
            ),
            _ => "no run ever has two things to put in order".to_owned(),
        },
        Untested::NothingThere => {
            "at no end of a run is there anything of which it speaks".to_owned()
        }
        Untested::NothingChanges => {
            "no run that ends changes anything that the contract lists".to_owned()
        }
    };
    format!("{intro}, but it could not have failed: {reason}.")
}

/// What a run performs.
fn performed(words: Words<'_>, run: &Run) -> String {
    match &run.root {
        Root::Sequence(sequence, _) => words.sequence(*sequence),
        Root::Step(step) => words.step(*step),
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
    let why = match failure {
        ClaimFailure::Order(pair) => {
            format!("That is not so. {}", order(words, names, pair))
        }
        ClaimFailure::Equivalent => match witness {
            Some(Witness::Versus(versus)) => format!(
                "That is not so: {} can end in a way in which {} cannot.",
                performed(words, &versus.run),
                performed(words, &versus.against)
            ),
            _ => "That is not so.".to_owned(),
        },
        ClaimFailure::Loop(class) => format!("That is not so: it {}", endless(names, *class)),
        ClaimFailure::Condition => "That is not so: here it does not hold.".to_owned(),
        ClaimFailure::Reached => "That is not so: here it happens.".to_owned(),
        ClaimFailure::Never => {
            "That is not so: it happens on no run from any board that was explored.".to_owned()
        }
        ClaimFailure::Gap(name) => format!("It cannot be said: {}.", gap(words, name)),
        ClaimFailure::Again => "That is not so: doing it again changes something.".to_owned(),
    };
    format!("{intro} {why}")
}

pub(super) fn example(
    words: Words<'_>,
    names: &Names,
    (at, line): (usize, Option<usize>),
    why: &ExampleFailure,
) -> String {
    let Some(example) = words.program.examples.get(at) else {
        return String::new();
    };
    let name = plain(&example.name);
    let found = line.and_then(|line| example.lines.get(line));
    let quote = match found {
        Some((ExampleLine::ExpectOutcome(declared), _)) => expected(words, declared),
        Some((_, span)) => words.line(*span),
        None => String::new(),
    };
    let label = match found {
        Some((ExampleLine::Choose(label), _)) => label.clone(),
        _ => String::new(),
    };
    let what = match why {
        ExampleFailure::Illegal(condition) => {
            let legal = words.program.legals.get(*condition);
            let legal = legal.map_or_else(String::new, |legal| plain(&legal.name));
            format!("its board is not legal: \"{legal}\" does not hold on it")
        }
        ExampleFailure::NeverOffered => format!("\"{label}\" can never be chosen"),
        ExampleFailure::False => format!("this does not hold: {quote}"),
        ExampleFailure::Impossible => format!("no run does this: {quote}"),
        ExampleFailure::Otherwise(found) => {
            format!("{}, instead of: {quote}", outcome(words, names, found))
        }
        ExampleFailure::NoStep => format!("that step does not end any more: {quote}"),
    };
    format!("The example \"{name}\" does not come out as the document tells it: {what}.")
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
