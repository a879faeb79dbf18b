//! Answers and findings for readers (text, pages, pictures) and for programs (JSON, SARIF, JUnit).

pub mod depend;
pub mod report;
