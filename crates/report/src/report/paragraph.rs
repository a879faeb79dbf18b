//! What a finding says, as one paragraph for somebody who knows games.
//!
//! Each paragraph says what the document leaves open, contradicts or gets wrong,
//! and what comes of it on the board of the witness. The words are the
//! specification's own.

use super::asserted::{self, claim, order};
use super::called::{able, as_shown};
use super::caveat::{decides, who_is_left_out};
use super::conditional::{combinations, found_only_if, tried};
use super::demands;
use super::endless::{endless, positions};
use super::layout::list;
use super::outcome::{gaps, goes_on, range, tag};
use super::rests;
use super::round;
use super::sides;
use super::spoken;
use super::trace::has_places;
use super::untested;
use super::ways;
use super::words::{Words, beside_others, capital, plain, value_words};
use endstep_language::typing::program::{
    GapId, ListPolicy, Order, SequenceId, StepId, StmtId, StmtKind, Value,
};
use endstep_semantics::semantics::{KeyType, Names, Site, Who};
use endstep_semantics::witness::{Ability, Grown, Outcome, Power, Root, Run, Violated, Witness};
use endstep_verdicts::verdict::{ClaimFailure, Detail, Finding, Pair};

/// The names of the entities on the board of a finding's witness.
pub(super) fn names(finding: &Finding) -> Names {
    let run = finding
        .witness
        .as_ref()
        .and_then(|witness| witness.runs().first().copied());
    run.map_or_else(Names::default, |run| run.names.clone())
}

/// The paragraph of a finding.
pub(super) fn paragraph(words: Words<'_>, finding: &Finding) -> String {
    let mut text = capital(&detail(words, finding));
    if let Some(consequence) = consequence(words, finding) {
        text.push_str(&format!(" {consequence}"));
    }
    text.push_str(&under(words, finding));
    text
}

fn detail(words: Words<'_>, finding: &Finding) -> String {
    let names = &names(finding);
    match &finding.detail {
        Detail::MissingClause(_) => {
            "Nothing in the specification does what this clause says yet, and it is not waived."
                .to_owned()
        }
        Detail::DanglingReference(_, to) => {
            format!("This clause refers to \"{to}\", and nothing has that name.")
        }
        Detail::UndefinedTerm(_, term) => {
            format!("This clause uses the term \"{term}\", and no clause defines it.")
        }
        Detail::Order(pair) => order(words, names, pair, finding.witness.as_ref()),
        Detail::Steps(sequence, pair) => format!(
            "{} It comes out differently if they change places.",
            open_list(words, names, *sequence, pair)
        ),
        Detail::SameGap(sequence, pair) => format!(
            "{} Whichever comes first, the document falls silent in the same way. All that differs is what \
             has been done until then. Once the gap is filled, the order may matter.",
            open_list(words, names, *sequence, pair)
        ),
        Detail::Position { stmt, pair, begins } => position(words, names, *stmt, pair, *begins),
        Detail::NobodyChooses(pair) => nobody_chooses(words, names, pair, finding),
        Detail::Gap(name) => sentence(&gaps(words, name)),
        Detail::GapMet(_, stmt) => {
            let told =
                goes_on(words, *stmt).map(|[gap, how]| format!("{gap}. The specification {how}."));
            told.unwrap_or_default()
        }
        Detail::GapMatters(id, stmt, one, other) => {
            gap_matters(words, names, (*id, *stmt), [*one, *other])
        }
        Detail::Conflict(site, matters) => conflict(words, *site, *matters, finding),
        Detail::Range(exceeded) => sentence(&range(words, names, exceeded)),
        Detail::Reading { .. } | Detail::ReadingPower { .. } => ways::told(words, finding),
        Detail::Demands(sequence, _) => demands::paragraph(words, *sequence, finding),
        Detail::Loop {
            sequence, class, ..
        } => format!(
            "{} {}{}",
            words.sequence(*sequence),
            endless(words, finding.witness.as_ref(), *class),
            round::repeats(words, finding)
        ),
        Detail::Growth { .. } => growth(words, names, finding),
        Detail::Claim(at, failure) => claim(words, names, (*at, failure), finding.witness.as_ref()),
        Detail::Example { .. } => asserted::example(words, names, finding),
        Detail::Dropped {
            sequence,
            steps,
            iterations,
        } => dropped(words, *sequence, steps, iterations),
        Detail::MissingRecheck(sequence, step) => missing_recheck(words, finding, *sequence, *step),
        Detail::Untested(question, why) => untested::in_a_note(words, *question, *why),
        Detail::IdleStep(step, sequences) => idle(words, finding, *step, sequences),
        other => broken_promise(words, finding, other),
    }
}

/// That the order of two steps is open, and why: nobody says that it binds, it is said that it does
/// not, or somebody chooses it.
fn open_list(words: Words<'_>, names: &Names, sequence: SequenceId, pair: &Pair) -> String {
    // They can stand in a sequence that the one that is verified performs.
    let list = match pair.site {
        Site::Sequence(list) => list,
        _ => sequence,
    };
    let (first, second) = (plain(&pair.kinds.0), plain(&pair.kinds.1));
    let steps = format!(
        "the steps \"{first}\" and \"{second}\" of {}",
        words.sequence(list)
    );
    match (pair.who, &words.program.sequences[list].policy) {
        (Who::Nobody, ListPolicy::Unspecified(_)) => {
            format!("{steps} stand in a list, and the text does not say that its order binds.")
        }
        (Who::Nobody, _) => {
            format!("{steps} may be done in either order, and the document does not say which.")
        }
        (Who::Player(player), _) => {
            let player = names.entity(player);
            format!("{player} chooses which of {steps} comes first.")
        }
        (Who::Everyone, _) => format!("the players choose together which of {steps} comes first."),
        (Who::Chance, _) => format!("chance decides which of {steps} comes first."),
    }
}

fn missing_recheck(
    words: Words<'_>,
    finding: &Finding,
    sequence: SequenceId,
    step: StepId,
) -> String {
    let under = match finding.is_tried_under_all() {
        true => String::new(),
        false => format!(", under {}", tried(words.program, finding, "")),
    };
    let seen = words.for_what_is_seen(&[sequence]);
    let (again, rest) = match words.program.sequences[sequence].over {
        Some(_) => (
            "doing it again at once for the same place changes nothing",
            "doing the same again for each place can change something",
        ),
        None => (
            "doing it again at once changes nothing",
            "there can be something left for it to do",
        ),
    };
    format!(
        "What {} does can be undone later: when {} is over, {rest}, and in the run below it is not done again. That is no \
         fault if it need hold only at that moment. Wherever it came to its end, in every \
         run from every board of its scope that was tried{under}, {again}{seen}.",
        words.step(step),
        words.sequence(sequence)
    )
}

fn nobody_chooses(words: Words<'_>, names: &Names, pair: &Pair, finding: &Finding) -> String {
    let witness = finding.witness.as_ref();
    let (first, second) = as_shown(words, witness, (&pair.first, &pair.second));
    format!(
        "The document does not say who chooses between {} and {} in {}, or how, and it makes a difference.",
        words.key(names, first),
        words.key(names, second),
        words.scene(pair.site),
    )
}

/// Of an iteration whose order is fixed under some reading only: that it is so there.
pub(super) fn where_so_read(words: Words<'_>, stmt: StmtId) -> String {
    match &words.program.stmts[stmt].kind {
        StmtKind::ForEach {
            order: Order::Per(reading, _),
            ..
        } => format!(" where it is so read ({})", words.reading(*reading)),
        _ => String::new(),
    }
}

fn position(words: Words<'_>, names: &Names, stmt: StmtId, pair: &Pair, begins: bool) -> String {
    let by_reading = where_so_read(words, stmt);
    let site = words.scene(Site::Stmt(stmt));
    let [one, other] = [&pair.second, &pair.first].map(|key| words.key(names, key));
    let decides = match begins {
        true => format!(
            "that order decides what happens: if {one} came before {other}, it would come out differently"
        ),
        false => format!(
            "on a run from this board that order has no beginning: it would make a difference whether {one} or {other} \
             came first"
        ),
    };
    format!(
        "The document fixes the order in {site}{by_reading}, and {decides}. That is no fault, but players should know."
    )
}

fn gap_matters(
    words: Words<'_>,
    names: &Names,
    (id, stmt): (GapId, StmtId),
    values: [Value; 2],
) -> String {
    let program = words.program;
    let ty = match &program.stmts[stmt].kind {
        StmtKind::GapMayChange { place, .. } => place.ty.into(),
        _ => KeyType::Plain,
    };
    let [one, other] = values.map(|value| value_words(program, names, (value, ty)));
    let gap = &program.gaps[id];
    let what = match gap.text.is_empty() {
        true => format!("the document leaves \"{}\" open", plain(&gap.name)),
        false => words.silence(id),
    };
    let what = capital(&what);
    format!("{what}. It matters, because it comes out differently with {one} and with {other}.")
}

/// What a cancelled pass had not come to. The next one begins with the first step: it does every step,
/// but its iterations take what there is then, and not what was waiting when the pass was cancelled.
fn dropped(
    words: Words<'_>,
    sequence: SequenceId,
    steps: &[StepId],
    iterations: &[StmtId],
) -> String {
    let around = |id: &StmtId| words.step_around(*id);
    let (waited, others): (Vec<StepId>, Vec<StepId>) = steps.iter().partition(|&&step| {
        let mut own = iterations.iter();
        !has_places(words.program, step) && own.any(|one| around(one) == Some(step))
    });
    let named = |steps: &[StepId]| -> Option<String> {
        let name = |&id: &StepId| format!("\"{}\"", plain(&words.program.steps[id].name));
        let names: Vec<String> = steps.iter().map(name).collect();
        match names.as_slice() {
            [] => None,
            [one] => Some(format!("the step {one}")),
            several => Some(format!("the steps {}", list(several, "and"))),
        }
    };
    // What a step has not come to goes with the step.
    let begun = |id: &&StmtId| {
        around(id).is_none_or(|step| has_places(words.program, step) || !steps.contains(&step))
    };
    let rest = |id: &StmtId| format!("the rest of {}", words.statement(*id));
    let mut lost: Vec<String> = named(&waited).into_iter().collect();
    lost.extend(iterations.iter().filter(begun).map(rest));
    let name = words.sequence(sequence);
    let (them, was) = match others.len() {
        1 => ("it", "was"),
        _ => ("them", "were"),
    };
    let anyway = named(&others).map_or_else(String::new, |others| {
        let others = capital(&others);
        let undone = match words.program.sequences[sequence].over {
            // It can be done for some.
            Some(_) => "had not yet been done for every place".to_owned(),
            None => format!("{was} still to be done"),
        };
        format!(
            " {others} {undone}; another pass, if one comes to {them}, does {them} like any other."
        )
    });
    format!(
        "When {name} is cancelled, it does not keep what was still waiting (in the run below, for {}). That \
         gets its turn only if something comes to it again.{anyway}",
        list(&lost, "and")
    )
}

/// What is promised in the specification and not kept, and what is never used.
fn broken_promise(words: Words<'_>, finding: &Finding, detail: &Detail) -> String {
    let program = words.program;
    let condition = |expr: Option<&endstep_language::typing::program::Expr>| {
        let said = |expr| spoken::condition(words, &Names::default(), expr);
        expr.map_or_else(String::new, |expr| {
            said(expr).unwrap_or_else(|| format!("`{}`", words.quote(expr.span)))
        })
    };
    match detail {
        Detail::Legal(sequence, at) => {
            let legal = program.legals.get(*at);
            let name = legal.map_or_else(String::new, |legal| plain(&legal.name));
            format!(
                "Before {} the board is legal, and afterwards it is not: \"{name}\" ({}) no \
                 longer holds.",
                words.sequence(*sequence),
                condition(legal.map(|legal| &legal.condition))
            )
        }
        Detail::Ensures(step, at) => {
            let ensured = program.steps[*step].ensures.get(*at);
            asserted::not_ensured(words, *step, ensured, &condition(ensured))
        }
        Detail::Contract(sequence, at) => {
            let contract = program.sequences[*sequence].contract.as_ref();
            let promise = contract.and_then(|contract| contract.ensures.get(*at));
            format!(
                "{} promises this by its contract, and does not keep it: {}.",
                words.sequence(*sequence),
                condition(promise)
            )
        }
        Detail::Frame(sequence, what, false) => format!(
            "{} changes {what}, which its contract does not list.",
            words.sequence(*sequence)
        ),
        Detail::Frame(sequence, what, true) => format!(
            "At the end of {}, {what} is outside of what its contract allows.",
            words.sequence(*sequence)
        ),
        Detail::Stuck(sequence) => format!(
            "No values that were tried for what {} may change make its contract true.",
            words.sequence(*sequence)
        ),
        Detail::DeadStatement(id) => never(finding, &words.site(Site::Stmt(*id))),
        Detail::DeadStep(id) => never(finding, &words.step(*id)),
        Detail::DeadTrigger(id) => never(finding, &words.trigger(*id)),
        Detail::DeadReading(id) => format!(
            "No run from any board that was explored depends on {}.",
            words.reading(*id)
        ),
        Detail::NoBoard(sequence) if is_asked_again(words, *sequence) => format!(
            "At least one of the scopes of {} has no board: none within its sizes is both legal and one of those to be tried.",
            words.sequence(*sequence)
        ),
        Detail::NoBoard(sequence) => format!(
            "No board within the explored sizes is both legal and one of those to be tried: {} was explored from \
             none.",
            words.sequence(*sequence)
        ),
        // The others are worded above.
        _ => String::new(),
    }
}

fn idle(words: Words<'_>, finding: &Finding, step: StepId, sequences: &[SequenceId]) -> String {
    let step = words.step(step);
    let seen = words.for_what_is_seen(sequences);
    let tried = tried(words.program, finding, "");
    let everywhere =
        format!("from every board of its scope that was tried and under {tried}{seen}");
    let decided = decided(words, sequences);
    let who = who_is_left_out(words.program, sequences);
    let names = sequences.iter().map(|&id| words.sequence(id));
    let names: Vec<String> = names.collect();
    match names.as_slice() {
        [one] => format!(
            "Without what {step} does, {one} could end in the same ways, {everywhere}.{decided}{who}"
        ),
        _ => format!(
            "Without what {step} does, each of these could end in the same ways, {everywhere}: {}.{decided}{who}",
            list(&names, "and")
        ),
    }
}

/// A sentence of what is compared where a game ends, with a blank before it; else empty.
fn decided(words: Words<'_>, sequences: &[SequenceId]) -> &'static str {
    match sequences.iter().any(|&id| decides(words.program, id)) {
        true => " Once the game is decided, only its result was compared.",
        false => "",
    }
}

fn never(finding: &Finding, what: &str) -> String {
    let tried = match finding.is_tried_under_all() {
        true => "",
        false => " that was tried",
    };
    format!(
        "{what}: no run that follows the document gets here, from any board that was explored and under any reading{tried}."
    )
}

fn conflict(words: Words<'_>, site: Site, matters: Option<bool>, finding: &Finding) -> String {
    let runs = finding.witness.as_ref().map(|witness| witness.runs());
    let root = runs.and_then(|runs| Some(&runs.first()?.root));
    let (seen, decided) = match (matters, root) {
        (Some(false), Some(Root::Sequence(of, _))) => {
            (words.for_what_is_seen(&[*of]), decided(words, &[*of]))
        }
        _ => (String::new(), ""),
    };
    let at = words.scene(site);
    let effect = match matters {
        None => {
            return format!(
                "In {at}, more is taken from a supply than it holds, and the document does not say what \
                 happens then."
            );
        }
        Some(true) => "on some board it comes out differently depending on which one is followed",
        Some(false) => "on no board in scope was it seen to matter which one is followed",
    };
    format!("Different things are said at once in {at}: {effect}{seen}.{decided}")
}

/// What is said of a run that grows.
fn growth(words: Words<'_>, names: &Names, finding: &Finding) -> String {
    let Detail::Growth {
        sequence,
        grown: more,
        decided,
    } = &finding.detail
    else {
        return String::new();
    };
    format!(
        "{} comes to where it has been before, and goes on as before, but each time {}.{}{}",
        words.sequence(*sequence),
        grown(words, names, more),
        match round::is_decided(words, finding.witness.as_ref()).unwrap_or(*decided) {
            true => " Somebody or chance decides something on the way.",
            false => " Nobody decides anything on the way.",
        },
        round::repeats(words, finding)
    )
}

/// What there is more of after a round.
fn grown(words: Words<'_>, names: &Names, grown: &[Grown]) -> String {
    let program = words.program;
    let one = |one: &Grown| match one {
        Grown::Spot(spot, by) => {
            let way = if *by > 0 { "larger" } else { "smaller" };
            let place = beside_others(&names.spot(program, *spot));
            format!("{place} is {way} by {}", by.unsigned_abs())
        }
        Grown::Entities(sort, more) => {
            format!("there is {more} {} more", program.sorts[*sort].name)
        }
        Grown::Pending(queue, more) => {
            format!(
                "{more} more is pending in {}",
                beside_others(&program.queues[*queue].name)
            )
        }
        Grown::Interrupted(1) => "1 more trigger is interrupted".to_owned(),
        Grown::Interrupted(more) => format!("{more} more triggers are interrupted"),
    };
    let all: Vec<String> = grown.iter().map(one).collect();
    list(&all, "and")
}

/// Whether it depends on how the text is read.
fn under(words: Words<'_>, finding: &Finding) -> String {
    let is_loop = match finding.detail {
        _ if words.program.readings.is_empty() => return String::new(),
        Detail::Demands(..) => false,
        Detail::Loop { .. } | Detail::Claim(_, ClaimFailure::Loop(_)) => true,
        Detail::Claim(_, ClaimFailure::Never | ClaimFailure::Gap(_)) => return String::new(),
        Detail::Claim(..) => false,
        _ => return String::new(),
    };
    match (
        combinations(words.program, finding).is_empty(),
        found_only_if(words, finding),
    ) {
        (true, _) if is_loop => under_every_reading(words, finding),
        (true, _) => String::new(),
        (false, Some(only)) if !finding.readings_known => {
            format!(" Such a board was found if {only}; other readings may have one, too.")
        }
        (false, Some(only)) => format!(" Such a board was found only if {only}."),
        (false, None) if !finding.readings_known => {
            " Such a board was found under some readings of the text; others may have one, too."
                .to_owned()
        }
        (false, None) => " Such a board was found under some readings of the text only.".to_owned(),
    }
}

/// Says whether the board shown has the loop under every reading, or whether it takes several boards to cover all
/// readings. Nothing is said if a claim asks about some readings only: the others were not tried.
fn under_every_reading(words: Words<'_>, finding: &Finding) -> String {
    let tried = tried(words.program, finding, " of the text");
    let on_each = finding.boards_each == finding.boards;
    match finding.readings.is_everywhere() {
        false => String::new(),
        true if on_each && finding.readings_in_scope().is_everywhere() => {
            format!(" There is a loop there under {tried}, though it need not be this one.")
        }
        true => format!(" Under {tried} some board has a loop there."),
    }
}

/// What comes of it on the board of the witness.
fn consequence(words: Words<'_>, finding: &Finding) -> Option<String> {
    match finding.witness.as_ref()? {
        // Both ways were told with what comes of each.
        Witness::Versus(_) if matches!(finding.detail, Detail::Reading { .. }) => None,
        Witness::Versus(versus) => sides::compared(words, versus),
        Witness::Power(power) => Some(self::power(words, power)),
        Witness::Lasso {
            closed: Some(closed),
            run,
        } => Some(positions(words, run, *closed)),
        Witness::Growth { later, .. } => Some(format!(
            "After the round shown, {} more were done in the same way. This alone does not show whether it \
             ever ends.",
            later.len()
        )),
        Witness::Run {
            run,
            violated: Violated::Everywhere(_),
        } => Some(demands::everywhere(words, run)),
        Witness::Demands(shown) => {
            let runs: Vec<&Run> = shown.runs.iter().collect();
            let rests = rests::rests(words, &runs);
            (!rests.is_empty()).then(|| rests.trim_start().to_owned())
        }
        Witness::Run { .. } | Witness::Again { .. } | Witness::Lasso { .. } => None,
    }
}

/// What somebody can do under one reading and not under another.
///
/// What is forced is a whole outcome: the manner of the end, and all data that are observed, if the game is not over.
/// It says nothing about parts of it: another reading need not keep anybody from bringing about one of them. So the
/// sentence points to the run that ends so.
fn power(words: Words<'_>, power: &Power) -> String {
    let who = able(power);
    let (can, which) = match power.ability {
        Ability::Force => ("make sure", "first"),
        Ability::Avoid => ("prevent", "second"),
    };
    let how = match (&power.outcome, power.observer) {
        // Of a run without end nothing else counts.
        (Outcome::Diverges, _) => "it never ends".to_owned(),
        (Outcome::Ended(ending, _), _) if ending.tag().is_declared() => {
            tag(words, &power.able.names, ending.tag())
        }
        (Outcome::Ended(..), None) => format!("it ends exactly as in the {which} run below"),
        (Outcome::Ended(..), Some(observer)) => {
            let observer = plain(&words.program.observers[observer].name);
            format!("it ends, for what \"{observer}\" sees, exactly as in the {which} run below")
        }
    };
    format!("Under the first, {who} can {can} that {how}; under the second, not.")
}

/// A clause as a sentence of its own.
fn sentence(text: &str) -> String {
    format!("{}.", capital(text))
}

/// Whether a sequence is verified several times.
fn is_asked_again(words: Words<'_>, of: SequenceId) -> bool {
    let verifies = words.program.verifies.iter();
    verifies.filter(|one| one.sequence == of).count() > 1
}
