//! The formats in which results of a check are shown, and reports written in them.

use super::plain;
use clap::ValueEnum;
use endstep_language::diag::Severity;
use endstep_report::report::exchange::{Record, csv, github, junit, sarif};
use serde::Deserialize;
use serde_json::Value;
use std::io::{self, Write};

/// How the results of a check are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Shape {
    /// For people
    Text,
    /// For programs; docs/json.md describes it
    Json,
    /// For viewers of code scans: SARIF 2.1.0
    Sarif,
    /// For boards of test results: JUnit XML
    Junit,
    /// Annotations in GitHub Actions
    Github,
    /// For spreadsheets: comma-separated values
    Csv,
}

/// How bad something is; docs/cli.md defines it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Level {
    Error,
    Warning,
    Note,
}

impl From<Level> for Severity {
    fn from(level: Level) -> Self {
        match level {
            Level::Error => Self::Error,
            Level::Warning => Self::Warning,
            Level::Note => Self::Note,
        }
    }
}

/// Writes a report for programs. There is no text in it; as text it is shown as JSON.
pub(super) fn write(shape: Shape, report: Value, out: &mut dyn Write) -> io::Result<()> {
    if matches!(shape, Shape::Text | Shape::Json) {
        return out.write_all(plain::json(&report)?.as_bytes());
    }
    let record: Record = serde_json::from_value(report)?;
    match shape {
        Shape::Sarif => out.write_all(plain::json(&sarif(&record))?.as_bytes()),
        Shape::Junit => out.write_all(junit(&record).as_bytes()),
        Shape::Csv => out.write_all(csv(&record).as_bytes()),
        _ => out.write_all(github(record).as_bytes()),
    }
}

/// How the results of other commands are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Format {
    /// For people
    Text,
    /// For programs; docs/json.md describes it
    Json,
}
