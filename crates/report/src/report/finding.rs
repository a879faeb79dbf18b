//! One finding as text: what it says, the board, the trace, both outcomes, and how
//! to see it again.

use super::asserted::formally;
use super::conditional::{combinations, found};
use super::counted::{at_least_on_each, by_readings, of_those_tried, on_each};
use super::exhibit::{DIFFERENCES, Exhibit};
use super::headline::{headline, standing_line};
use super::layout::{Style, Tone, count, digits, hang, list, shell_word, table, table_width, wrap};
use super::paragraph::{names, paragraph};
use super::stood::rests_on;
use super::verdict::{is_known, scope_subject};
use super::words::{Words, beside_others, plain};
use super::{Sheet, Standing, decisive, occurs, trace};
use endstep_language::syntax::ast::BasisKind;
use endstep_language::typing::program::Program;
use endstep_semantics::semantics::Readings;
use endstep_semantics::witness::Witness;
use endstep_verdicts::verdict::{
    Detail, Finding, Minimality, Outside, Scope, ScopeOf, Standby, Under, fingerprint,
};

/// How many digits of a fingerprint are shown; enough to tell findings apart.
const SHOWN_DIGITS: usize = 8;

/// The first digits of a fingerprint.
pub(super) fn short_print(program: &Program, finding: &Finding) -> String {
    let mut print = fingerprint(program, finding);
    print.truncate(SHOWN_DIGITS);
    print
}

/// A finding in a report.
#[derive(Clone, Copy)]
pub(super) struct Entry<'a> {
    /// The finding.
    pub finding: &'a Finding,
    /// How it stands.
    pub standing: &'a Standing,
    /// An earlier finding of the report with the same witness.
    pub earlier: Option<&'a Finding>,
    /// The finding that leads those of the same cause, if it is another one.
    pub cause: Option<&'a Finding>,
}

/// The finding as text.
pub(super) fn text(sheet: Sheet<'_>, style: Style, entry: Entry<'_>) -> String {
    let Entry {
        finding, standing, ..
    } = entry;
    let words = Words {
        program: sheet.program,
        sources: sheet.sources,
    };
    let mut out = headline(sheet.program, style, finding, standing);
    out.push_str(&format!("  {}\n", standing_line(style, finding, standing)));
    out.push_str(&wrap(&paragraph(words, finding), style.width, 2));
    if *standing != Standing::New {
        let suggestion = suggestion(sheet, words, finding);
        if !suggestion.is_empty() {
            out.push_str(&hang(
                &format!("suggestion: {suggestion}"),
                style.width,
                2,
                4,
            ));
        }
        out.push_str(&qualified(sheet, words, style, finding));
        return out;
    }
    if let Some(cause) = entry.cause {
        let print = short_print(sheet.program, cause);
        let same = format!("the same cause: {} ({print})", cause.code.id());
        out.push_str(&hang(&same, style.width, 2, 4));
    }
    if style.quiet {
        out.push_str(&qualified(sheet, words, style, finding));
    } else {
        if let Some(earlier) = entry.earlier {
            let print = short_print(sheet.program, earlier);
            out.push_str(&format!(
                "\n  The board and the runs are those of {print} above.\n\n"
            ));
        } else if let Some(witness) = &finding.witness {
            out.push_str(&shown(words, style, witness));
        }
        out.push_str(&fact_lines(sheet, words, style, finding));
    }
    if let Some(command) = replay(sheet, finding) {
        out.push_str(&format!("  replay: {command}\n"));
    }
    out
}

/// What a finding does not assert without, where little is shown of it.
fn qualified(sheet: Sheet<'_>, words: Words<'_>, style: Style, finding: &Finding) -> String {
    let found = found_on(words, finding).map(|one| format!("found on: {one}"));
    let rests = rests_on(sheet.results, words, finding).map(|one| format!("rests on: {one}"));
    let lines = found.into_iter().chain(rests);
    lines.map(|line| hang(&line, style.width, 2, 4)).collect()
}

/// Where a finding was found and on what it rests, a sentence each, beside what it says.
pub(super) fn qualifiers(found_on: Option<&str>, rests_on: Option<&str>) -> Vec<String> {
    let found_on = found_on.map(|board| format!("It was found on {board}."));
    let rests_on = rests_on.map(|contracts| format!("It rests on {contracts}."));
    found_on.into_iter().chain(rests_on).collect()
}

/// Where the board of a finding comes from, if it is in no scope. Every format tells it in these words.
pub(super) fn found_on(words: Words<'_>, finding: &Finding) -> Option<String> {
    Some(match finding.outside? {
        Outside::Suggested => {
            "a board that the prover suggested, outside of the explored scope".to_owned()
        }
        Outside::Written(board) => {
            let board = &words.program.boards[board];
            let place = words.place(board.span);
            format!(
                "the board \"{}\" that this file writes down ({place})",
                plain(&board.name)
            )
        }
    })
}

/// The command that shows a finding again, if it has a witness and there is one.
pub(super) fn replay(sheet: Sheet<'_>, finding: &Finding) -> Option<String> {
    finding.witness.as_ref()?;
    if let Some(file) = saved(sheet, finding) {
        return Some(format!("endstep replay {}", shell_word(&file)));
    }
    let checked = finding.scope.is_some() || finding.outside.is_some();
    if !checked && !matches!(finding.detail, Detail::Example { .. }) {
        // It was sampled, and no check need come to it.
        return None;
    }
    let print = short_print(sheet.program, finding);
    let more = explored_by_option(sheet, finding);
    let specification = sheet.reread?;
    Some(format!("endstep replay {specification} {print}{more}"))
}

/// The options by which other boards were looked at than the specification asks for, or fewer readings.
fn explored_by_option(sheet: Sheet<'_>, finding: &Finding) -> String {
    let scope = finding.scope.and_then(|at| sheet.results.scopes.get(at));
    let of_boards = |one: &&Scope| one.subject.board(sheet.program).is_none();
    let Some(scope) = scope.filter(of_boards) else {
        return String::new();
    };
    let sorts = &sheet.program.sorts;
    let sizes = scope.sizes.iter();
    let verify = match scope.subject {
        ScopeOf::Verify(at) => sheet.program.verifies.get(at),
        ScopeOf::Sequence(_) | ScopeOf::Example(_) | ScopeOf::On(..) => None,
    };
    let sizes = sizes.filter(|(sort, _, most)| {
        let mut told = verify.iter().flat_map(|one| &one.sizes);
        let told = told.find(|(of, _)| of == sort);
        let asked = told.map_or(sorts[*sort].explore.1, |(_, most)| *most);
        *most > asked || scope.partial && *most < asked
    });
    let sizes = sizes.map(|(sort, _, most)| format!(" --scope {}={most}", sorts[*sort].name));
    let values = scope.values.iter().map(|(id, values)| {
        let field = &sheet.program.fields[*id];
        let values = values.iter();
        let values = values.map(|value| occurs::value_name(sheet.program, field.ty, *value));
        let values: Vec<String> = values.collect();
        let name = format!("{}.{}", sorts[field.sort].name, field.name);
        format!(" --scope {name}={}", values.join(","))
    });
    let readings = scope.fixed.iter().map(|(id, at)| {
        let reading = &sheet.program.readings[*id];
        let alternative = &reading.alternatives[usize::from(*at)].name;
        let taken = format!("{}={alternative}", reading.name);
        format!(" --reading {}", shell_word(&taken))
    });
    sizes.chain(values).chain(readings).collect()
}

/// The facts as lines.
fn fact_lines(sheet: Sheet<'_>, words: Words<'_>, style: Style, finding: &Finding) -> String {
    let line = |name: &str, text: &str| hang(&format!("{name}: {text}"), style.width, 2, 4);
    // The first one is in the heading above.
    let clauses = finding.clauses.iter().skip(1);
    let clauses: String = clauses
        .map(|&clause| line("clause", &words.clause(clause)))
        .collect();
    let facts = facts(sheet, words, finding).into_iter();
    clauses
        + &facts
            .map(|(name, text)| line(name, &text))
            .collect::<String>()
}

/// Where it stands, on how many boards and under which readings it occurs: names and what they are.
pub(super) fn facts(
    sheet: Sheet<'_>,
    words: Words<'_>,
    finding: &Finding,
) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    if let Some(&span) = finding.spans.first() {
        facts.push(("at", words.place(span)));
    }
    let scope = finding.scope.and_then(|at| sheet.results.scopes.get(at));
    if let Some(extent) = extent(sheet, words, finding) {
        facts.push(("occurs on", extent.boards));
        facts.push(("which ones", extent.which));
    }
    let found_on = found_on(words, finding);
    facts.extend(found_on.map(|board| ("found on", board)));
    let is_asked_of_one = scope.is_some_and(|scope| matches!(scope.subject, ScopeOf::On(..)));
    if is_asked_of_one {
        let decisive = decisive::described(words, &names(finding), finding);
        facts.push(("other values", decisive));
    } else if finding.witness.is_some() && (scope.is_some() || finding.outside.is_some()) {
        let smallest = match finding.minimality {
            // A witness of a stronger basis comes before one on a smaller board.
            Minimality::Exact if has_weaker(sheet.program, finding.basis) => {
                "no smaller board in scope shows it without rules of a weaker basis"
            }
            Minimality::Exact => "no smaller board in scope shows it",
            Minimality::Plainest => {
                "smaller boards show it, too, but on a weaker basis or less plainly"
            }
            Minimality::BestEffort if finding.outside.is_some() => {
                "whether a smaller board shows it was not looked at"
            }
            Minimality::BestEffort => "not all smaller boards were tried: one of them may show it",
        };
        facts.push(("size", smallest.to_owned()));
        let decisive = decisive::described(words, &names(finding), finding);
        facts.push(("other values", decisive));
        facts.push(("larger boards", wider(words, &finding.wider)));
    }
    let rests_on = rests_on(sheet.results, words, finding);
    facts.extend(rests_on.map(|contracts| ("rests on", contracts)));
    facts.extend(formally(words, finding));
    facts.push(("suggestion", suggestion(sheet, words, finding)));
    facts.retain(|(_, text)| !text.is_empty());
    facts
}

/// On which legal boards a finding occurs. Every format tells it in these words.
pub(super) struct Extent {
    /// On how many, and under which readings: `2 of 3 legal boards, only if r = two`.
    pub boards: String,
    /// What tells them from others, if there is anything to be said: `just those on which n is 3`.
    pub which: String,
}

/// On which boards of its scope a finding occurs; nothing of what is in none, or was not seen on a board.
pub(super) fn extent(sheet: Sheet<'_>, words: Words<'_>, finding: &Finding) -> Option<Extent> {
    let scope = sheet.results.scopes.get(finding.scope?)?;
    finding.witness.as_ref()?;
    let compares = matches!(
        finding.detail,
        Detail::Reading { .. } | Detail::ReadingPower { .. }
    );
    let under = match compares {
        true => under_others(words, finding, scope),
        false => match under(words, finding, scope) {
            under if finding.is_tried_under_all() || under != "under every reading" => under,
            _ => "under every reading that was tried".to_owned(),
        },
    };
    let under = match under.is_empty() {
        true => String::new(),
        false => format!(", {under}"),
    };
    let not = uncompared(finding, scope);
    let boards = on_how_many(sheet, words, finding, scope);
    let which = finding.occurs.as_ref();
    let which = which.map_or_else(String::new, |which| occurs::described(words.program, which));
    Some(Extent {
        boards: match not {
            0 => boards + &under,
            not => format!(
                "{boards}{under}; on {} the two were not compared throughout",
                digits(not)
            ),
        },
        which: of_known(finding, scope, which),
    })
}

/// On how many legal boards of a scope the two ways to read a sentence that a finding is about were not compared throughout.
fn uncompared(finding: &Finding, scope: &Scope) -> u64 {
    let (reading, two) = match finding.detail {
        Detail::Reading {
            reading,
            first,
            second,
            ..
        } => (reading, (first, second)),
        Detail::ReadingPower {
            reading,
            able,
            unable,
            ..
        } => (reading, (able, unable)),
        _ => return 0,
    };
    scope.uncompared(reading, two)
}

/// A description of the boards on which it was seen.
pub(super) fn of_known(finding: &Finding, scope: &Scope, which: String) -> String {
    match is_known(scope, finding) {
        _ if which.is_empty() => which,
        true if scope.leaves_boards_out() => format!("of those tried, {which}"),
        true if uncompared(finding, scope) > 0 => format!("{which}, as far as they were compared"),
        true => which,
        false => format!("{which}, as far as it was seen: some boards were given up"),
    }
}

/// On how many legal boards of a scope it occurs.
fn on_how_many(sheet: Sheet<'_>, words: Words<'_>, finding: &Finding, scope: &Scope) -> String {
    if scope.legal == 0 {
        let as_read = match finding.fixed.is_empty() {
            true => "",
            false => " under the readings that were tried",
        };
        return format!("the board of the example, which is not legal{as_read}");
    }
    // It may be legal under some readings only, and is tried under all that the example leaves open.
    if matches!(scope.subject, ScopeOf::Example(_)) {
        return "the board of the example".to_owned();
    }
    if let ScopeOf::On(board, _) = scope.subject {
        return words.board(board);
    }
    let boards = digits(finding.boards);
    let mut of = one_of(sheet, words, scope);
    if of.is_empty() && !finding.elsewhere.is_empty() {
        of = format!(" in the scope of {}", scope_subject(words, scope));
    }
    if finding.boards == scope.legal {
        // Boards that the file writes down are tried as well, and not counted.
        let of_scope = if scope.written > 0 { " in scope" } else { "" };
        return format!("every legal board{of_scope} that was tried ({boards}){of}");
    }
    format!("{}{of}", of_how_many(finding, scope))
}

/// `at least 3 of 12 legal boards that were tried`.
pub(super) fn of_how_many(finding: &Finding, scope: &Scope) -> String {
    let legal = count(scope.legal, "legal board", "legal boards");
    let least = if is_known(scope, finding) {
        ""
    } else {
        "at least "
    };
    let tried = match scope.limitations.is_empty() {
        true => "",
        false => " that were tried",
    };
    format!("{least}{} of {legal}{tried}", digits(finding.boards))
}

/// Under which readings it occurs on how many of its boards. Of those that an example fixes no others were
/// tried.
fn under(words: Words<'_>, finding: &Finding, scope: &Scope) -> String {
    let example = match &finding.detail {
        Detail::Example { example, .. } => words.program.examples.get(*example),
        _ => None,
    };
    let fixed = example.map(|one| one.readings.iter().copied().collect());
    let Some(fixed) = fixed.filter(|fixed: &Readings| !fixed.is_empty()) else {
        return under_open(words, (finding, finding.readings_in_scope()), scope);
    };
    let given = format!("under {}, which the example fixes", words.readings(&fixed));
    match combinations(words.program, finding) {
        open if open.is_empty() => given,
        open => {
            let open = Under::Listed(open);
            format!("{given}, {}", under_open(words, (finding, &open), scope))
        }
    }
}

/// Under which other readings two alternatives play differently; empty if under all of them, or if that is not
/// known.
fn under_others(words: Words<'_>, finding: &Finding, scope: &Scope) -> String {
    let only = match finding.readings_in_scope() {
        Under::All => false,
        Under::Listed(listed) => !listed.iter().any(Readings::is_empty),
    };
    if only {
        return under_open(words, (finding, finding.readings_in_scope()), scope);
    }
    if !is_known(scope, finding) || finding.boards_each == finding.boards {
        return String::new();
    }
    format!(
        "on {} of them whatever the other readings are{}{}",
        on_each(finding),
        of_those_tried(finding),
        by_readings(words, finding)
    )
}

/// The same of readings that nothing fixes.
fn under_open(words: Words<'_>, (finding, readings): (&Finding, &Under), scope: &Scope) -> String {
    let each = finding.boards_each;
    let under = words.under(readings);
    // Of boards that were given up it is not known under which readings it occurs on them.
    if !is_known(scope, finding) {
        return match readings {
            Under::All if each < finding.boards && !under.is_empty() => at_least_on_each(finding),
            _ => found(under),
        };
    }
    let in_part = scope.leaves_boards_out() || scope.restricted > 0;
    let under = match in_part {
        true => found(under),
        false => under,
    };
    if each == finding.boards || under.is_empty() {
        return under;
    }
    let each = on_each(finding);
    let tried = of_those_tried(finding);
    let told = match readings {
        Under::All => format!("under some reading, on {each} of them under every reading{tried}"),
        Under::Listed(listed) if listed.len() == 1 => {
            format!("{under}, on {each} of them whatever the other readings are{tried}")
        }
        Under::Listed(_) => format!("{under}; on {each} of them under each of these"),
    };
    told + &by_readings(words, finding)
}

/// Whether a specification has rules of a weaker basis than this.
fn has_weaker(program: &Program, than: BasisKind) -> bool {
    let steps = program.steps.values().iter().map(|one| one.basis.kind);
    let triggers = program.triggers.values().iter().map(|one| one.basis.kind);
    steps.chain(triggers).any(|one| one > than)
}

/// Which of several scopes of one sequence it is; empty if there is one.
fn one_of(sheet: Sheet<'_>, words: Words<'_>, scope: &Scope) -> String {
    let subject = scope_subject(words, scope);
    let scopes = sheet.results.scopes.iter();
    let all: Vec<&Scope> = scopes
        .filter(|one| scope_subject(words, one) == subject)
        .collect();
    let at = all.iter().position(|one| *one == scope);
    match (at, all.len()) {
        (Some(at), number) if number > 1 => {
            format!(" in the {} of {number} scopes of {subject}", nth(at))
        }
        _ => String::new(),
    }
}

fn nth(at: usize) -> String {
    match ["first", "second", "third", "fourth", "fifth", "sixth"].get(at) {
        Some(word) => (*word).to_owned(),
        None => format!("{}th", at + 1),
    }
}

/// To which larger boards it extends; empty if that is not known.
fn wider(words: Words<'_>, all: &[Standby]) -> String {
    let program = words.program;
    let told = all.iter().map(|one| {
        let mut text = program.sorts[one.sort].name.clone();
        if let Some(zone) = one.zone {
            text.push_str(&format!(" in {}", beside_others(&program.zones[zone].name)));
        }
        let only = one.only.iter().map(|(span, holds)| {
            let with = if *holds {
                "only those with"
            } else {
                "none with"
            };
            format!("{with} `{}`", words.quote(*span))
        });
        let mut only: Vec<String> = only.collect();
        // The same can be asked in several places.
        only.sort();
        only.dedup();
        if !only.is_empty() {
            text.push_str(&format!(", but {}", list(&only, "and")));
        }
        text
    });
    let told: Vec<String> = told.collect();
    match told.is_empty() {
        true => String::new(),
        false => {
            // A condition of legality can say how many there may be.
            let legal = match words.program.legals.is_empty() {
                true => "",
                false => ", as long as the board is legal",
            };
            let told = told.join("; ");
            format!("the same, however many more of these there are{legal}: {told}")
        }
    }
}

/// What could be changed; empty if that was not asked or nothing was found.
fn suggestion(sheet: Sheet<'_>, words: Words<'_>, finding: &Finding) -> String {
    let is_it = |at: usize| sheet.results.findings.get(at) == Some(finding);
    let mut repairs = sheet.results.repairs.iter();
    let mut untried = sheet.results.untried.iter();
    match (
        repairs.find(|(at, _)| is_it(*at)),
        untried.find(|(at, _)| is_it(*at)),
    ) {
        (Some((_, repair)), _) => words.repair(repair),
        (None, Some((_, left))) => untried_changes(*left),
        (None, None) => String::new(),
    }
}

fn untried_changes(left: usize) -> String {
    let changes = count(left as u64, "change was", "changes were");
    format!("none known: {changes} not tried, because new checks would have taken too many steps")
}

/// The board, the traces and the outcomes of a witness.
pub(super) fn shown(words: Words<'_>, style: Style, witness: &Witness) -> String {
    let title = |text: &str| format!("\n  {}\n", style.paint(Tone::Strong, text));
    let Some(exhibit) = Exhibit::of(words, witness) else {
        return String::new();
    };
    let mut out = title("The board");
    out.push_str(&exhibit.board.telling().text(4, style.width));
    if !exhibit.readings.is_empty() {
        let readings = format!("readings: {}", exhibit.readings);
        out.push_str(&hang(&readings, style.width, 4, 6));
    }
    for run in &exhibit.runs {
        out.push_str(&title(&run.title));
        let lines = run.lines.iter();
        out.extend(lines.map(|line| trace::show(line, style.width)));
        out.push_str(&hang(&format!("=> {}", run.end), style.width, 4, 7));
    }
    if !exhibit.differences.is_empty() {
        let [first, second] = exhibit.columns;
        let mut all = vec![[String::new(), first, second]];
        all.extend(exhibit.differences);
        let all: Vec<Vec<String>> = all.into_iter().map(|row| row.to_vec()).collect();
        out.push_str(&title(DIFFERENCES));
        out.push_str(&compared_ends(&all, style.width));
    }
    out.push('\n');
    out
}

/// Where two ends differ: a table, or a list where it would be wider than the page.
fn compared_ends(rows: &[Vec<String>], width: usize) -> String {
    if table_width(rows) + 4 <= width {
        return table(rows, 4);
    }
    let mut out = String::new();
    let Some((head, body)) = rows.split_first() else {
        return out;
    };
    for row in body {
        for (at, (name, cell)) in head.iter().zip(row).enumerate() {
            out.push_str(&match at {
                0 => format!("    {cell}\n"),
                _ => hang(&format!("{name}: {cell}"), width, 6, 8),
            });
        }
    }
    out
}

/// The command that shows a finding again, if its witness was saved.
pub(super) fn saved(sheet: Sheet<'_>, finding: &Finding) -> Option<String> {
    let folder = sheet.saved?;
    let print = short_print(sheet.program, finding);
    Some(format!("{folder}/{}-{print}.json", finding.code.id()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_that_fit_no_table_are_listed() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let rows = [
            row(["", "first", "second"]),
            row(["outcome", "it ends", "it never ends"]),
        ];
        let table = "             first    second\n    outcome  it ends  it never ends\n";
        assert_eq!(compared_ends(&rows, 40), table);
        let list = "    outcome\n      first: it ends\n      second: it never\n        ends\n";
        assert_eq!(compared_ends(&rows, 22), list);
    }
}
