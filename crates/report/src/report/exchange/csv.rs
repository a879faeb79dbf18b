//! The report as a table for spreadsheets: comma-separated values with a heading, quoted as RFC 4180 says.
//!
//! ```text
//! specification,kind,code,title,severity,status,…
//! game.endstep,finding,F0301,the document does not say what happens,warning,new,…
//! ```
//!
//! Each row is a diagnostic, a finding, an expected finding that is gone, an `accept` that covers nothing, a
//! question that is open, or what options left out; what a kind does not have is empty.

use super::record::{Checked, Fault, Found, Place, Record, Status};
use crate::report::words::severity;

/// The heading.
const COLUMNS: [&str; 17] = [
    "specification",
    "kind",
    "code",
    "title",
    "severity",
    "status",
    "reason",
    "verdict",
    "origin",
    "basis",
    "subject",
    "clauses",
    "file",
    "line",
    "boards",
    "fingerprint",
    "text",
];

/// A row: what some columns hold.
type Row = Vec<(&'static str, String)>;

/// The report as a table.
pub fn csv(record: &Record) -> String {
    let rows = record.specifications.iter().flat_map(rows);
    let heading = COLUMNS.map(str::to_owned).to_vec();
    let cells = rows.map(|row: Row| {
        let cell = |column: &&str| {
            let mut row = row.iter();
            let found = row.find(|(name, _)| name == column);
            found.map_or_else(String::new, |(_, text)| text.clone())
        };
        COLUMNS.iter().map(cell).collect::<Vec<_>>()
    });
    let lines = std::iter::once(heading).chain(cells);
    lines.map(|cells| line(&cells)).collect()
}

/// Cells as a line: those with commas, quotation marks or more than one line stand between quotation marks.
fn line(cells: &[String]) -> String {
    let cell = |text: &String| match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.clone(),
    };
    let cells: Vec<String> = cells.iter().map(cell).collect();
    format!("{}\n", cells.join(","))
}

fn rows(one: &Checked) -> Vec<Row> {
    let faults = one.diagnostics.iter().map(fault);
    let findings = one.findings.iter().map(finding);
    let gone = one.vanished.iter();
    let gone = gone.map(|gone| vec![("kind", "gone".to_owned()), ("text", gone.told())]);
    let unused = one.unused_accepts.iter().map(|unused| {
        let mut row = vec![
            ("kind", "unused accept".to_owned()),
            ("text", unused.told()),
        ];
        row.extend(place(unused.place.as_ref()));
        row
    });
    let open = one.answers.iter().filter(|answer| answer.is_unknown());
    let open = open.map(|answer| {
        let mut row = vec![
            ("kind", "open question".to_owned()),
            ("verdict", answer.verdict.clone()),
            ("text", answer.told()),
        ];
        row.extend(place(answer.place.as_ref()));
        row
    });
    let left_out = one.restricted().into_iter().chain(one.unfound_told());
    let left_out = left_out.map(|text| vec![("kind", "left out".to_owned()), ("text", text)]);
    let rows = faults.chain(findings).chain(gone).chain(unused);
    let rows = rows.chain(open).chain(left_out);
    let named = rows.map(|mut row: Row| {
        row.push(("specification", one.name.clone()));
        row
    });
    named.collect()
}

fn fault(fault: &Fault) -> Row {
    let mut row = vec![
        ("kind", "diagnostic".to_owned()),
        ("code", fault.code.to_string()),
        ("title", fault.message.clone()),
        ("severity", severity(fault.severity).to_owned()),
        ("text", fault.told()),
    ];
    let at = fault.primary().and_then(|label| label.place());
    row.extend(place(at.as_ref()));
    row
}

fn finding(found: &Found) -> Row {
    let status = match found.status {
        Status::New => "new",
        Status::Expected => "expected",
        Status::Accepted => "accepted",
    };
    let clauses: Vec<&str> = found.clauses.iter().map(|one| one.id.as_str()).collect();
    let mut row = vec![
        ("kind", "finding".to_owned()),
        ("code", found.code.clone()),
        ("title", found.title.clone()),
        ("severity", severity(found.severity).to_owned()),
        ("status", status.to_owned()),
        ("reason", found.reason.clone().unwrap_or_default()),
        ("verdict", found.verdict.clone()),
        ("origin", found.origin.clone()),
        ("basis", found.basis.clone()),
        ("subject", found.subject.clone()),
        ("clauses", clauses.join(" ")),
        ("boards", found.occurs_on.clone().unwrap_or_default()),
        ("fingerprint", found.fingerprint.clone()),
        ("text", found.text.clone()),
    ];
    row.extend(place(found.place()));
    row
}

fn place(place: Option<&Place>) -> Row {
    let place = place.map(|at| [("file", at.file.clone()), ("line", at.line.to_string())]);
    place.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_between_quotation_marks_where_they_must() {
        let cells = ["a", "b,c", "say \"x\"", "two\nlines", ""].map(str::to_owned);
        assert_eq!(
            line(&cells),
            "a,\"b,c\",\"say \"\"x\"\"\",\"two\nlines\",\n"
        );
    }
}
