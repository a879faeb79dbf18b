//! The report as workflow commands of GitHub Actions, which shows them beside the lines of a change.
//!
//! ```text
//! ::error file=game.endstep,line=14,col=5,endLine=14,endColumn=52,title=F0610 …::The document says …
//! ```
//!
//! What fails is an error, another warning a warning, another note a notice; what is expected or accepted
//! is left out. GitHub shows ten of each kind for a step and drops the rest, so the rest is written as
//! ordinary lines, which stand in the log. An ordinary line at the end says how many there were.

use super::record::{Checked, Place, Record, Status};
use endstep_language::diag::Severity;

/// So many annotations of a kind GitHub shows for one step.
const MOST: usize = 10;

/// One annotation.
struct Annotation {
    kind: &'static str,
    place: Option<Place>,
    title: String,
    text: String,
}

/// The report as workflow commands, one a line.
pub fn github(record: Record) -> String {
    let exit = record.exit;
    let all = annotations(record);
    let mut out = String::new();
    let mut line = String::new();
    for (kind, what) in [
        ("error", "error"),
        ("warning", "warning"),
        ("notice", "notice"),
    ] {
        let of_kind: Vec<_> = all.iter().filter(|one| one.kind == kind).collect();
        for (at, annotation) in of_kind.iter().enumerate() {
            match at < MOST {
                true => out.push_str(&command(annotation)),
                false => out.push_str(&plain(annotation)),
            }
        }
        let ending = if of_kind.len() == 1 { "" } else { "s" };
        line.push_str(&format!("{} {what}{ending}, ", of_kind.len()));
        if of_kind.len() > MOST {
            let more = of_kind.len() - MOST;
            out.push_str(&format!(
                "{more} more of kind {what} than GitHub shows stand above\n"
            ));
        }
    }
    out.push_str(&format!("endstep: {line}exit code {exit}\n"));
    out
}

fn annotations(record: Record) -> Vec<Annotation> {
    let policy = record.policy;
    let kind = |fails: bool, severity: Severity| match (fails, severity) {
        (true, _) | (_, Severity::Error) => "error",
        (false, Severity::Warning) => "warning",
        (false, Severity::Note) => "notice",
    };
    let mut all = Vec::new();
    for one in record.specifications {
        let aside = aside(&one);
        let name = one.name;
        for fault in one.diagnostics {
            all.push(Annotation {
                kind: kind(false, fault.severity),
                place: fault.primary().and_then(|label| label.place()),
                title: format!("{} {}", fault.code, fault.message),
                text: fault.told(),
            });
        }
        let new = one.findings.into_iter();
        for mut found in new.filter(|found| found.status == Status::New) {
            let text = format!("{}\nfingerprint: {}", found.told(), found.fingerprint);
            all.push(Annotation {
                kind: kind(found.fails(policy), found.severity),
                title: format!("{} {}", found.code, found.title),
                text,
                place: found.places.drain(..).flatten().next(),
            });
        }
        for gone in one.vanished {
            all.push(Annotation {
                kind: kind(policy.vanished_fails, Severity::Warning),
                place: None,
                title: "a known finding is gone".to_owned(),
                text: format!("{name}: {}", gone.told()),
            });
        }
        for unused in one.unused_accepts {
            all.push(Annotation {
                kind: "error",
                title: "an accept covers nothing".to_owned(),
                text: unused.told(),
                place: unused.place,
            });
        }
        all.extend(aside);
        for answer in one
            .answers
            .into_iter()
            .filter(super::record::Answered::is_unknown)
        {
            all.push(Annotation {
                kind: "warning",
                title: "a question is open".to_owned(),
                text: answer.told(),
                place: answer.place,
            });
        }
    }
    all
}

/// What was not found, and may be there, and which options left something out.
fn aside(one: &Checked) -> Vec<Annotation> {
    let notice = |title: &str, text: String| Annotation {
        kind: "notice",
        place: None,
        title: title.to_owned(),
        text: format!("{}: {text}", one.name),
    };
    let unfound = one.unfound_told().into_iter();
    let unfound =
        unfound.map(|one| notice("not found, but not everything could be looked at", one));
    let restricted = one.restricted().into_iter();
    let restricted = restricted.map(|one| notice("not everything was looked at or shown", one));
    unfound.chain(restricted).collect()
}

fn command(annotation: &Annotation) -> String {
    let Annotation {
        kind,
        place,
        title,
        text,
    } = annotation;
    let mut properties = Vec::new();
    if let Some(at) = place {
        properties.push(format!("file={}", property(&at.file)));
        properties.push(format!("line={}", at.line));
        // Columns are only shown where all of it stands in one line.
        if at.line == at.end_line {
            properties.push(format!("col={},endColumn={}", at.column, at.end_column));
        }
        properties.push(format!("endLine={}", at.end_line));
    }
    properties.push(format!("title={}", property(title)));
    format!("::{kind} {}::{}\n", properties.join(","), message(text))
}

/// What GitHub would not show, for the log; no line of it can be taken for a command.
fn plain(annotation: &Annotation) -> String {
    let Annotation {
        kind,
        place,
        title,
        text,
    } = annotation;
    let at = place.as_ref().map_or_else(String::new, |at| {
        format!("{}:{}:{}: ", at.file, at.line, at.column)
    });
    let text = text.replace('\n', " ");
    format!("{kind}: {at}{title}: {text}\n").replace("::", ": :")
}

/// The text of a command.
fn message(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// The value of a property of a command.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_meaning_in_commands_is_escaped() {
        assert_eq!(message("100%\r\nx: y, z"), "100%25%0D%0Ax: y, z");
        assert_eq!(property("100%\nx: y, z"), "100%25%0Ax%3A y%2C z");
    }
}
