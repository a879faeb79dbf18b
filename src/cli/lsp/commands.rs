//! Commands: what can be asked for at a line, and what shows the answer.

use super::answer::{Answer, Outcome, Refused, now, params};
use super::boards;
use super::lens;
use super::looked::Looked;
use super::server::{Question, Server};
use super::specification::Specification;
use crate::cli::expected;
use crate::cli::input::Unreadable;
use endstep_language::diag::Severity;
use endstep_language::resolve::NameKind;
use lsp_server::{ErrorCode, Message, RequestId, Response};
use lsp_types::{MessageType, Uri};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Carries out a command.
pub(super) fn command(server: &mut Server, id: &RequestId, value: Value) -> Answer {
    let asked: lsp_types::ExecuteCommandParams = params(value)?;
    let wrong = |why: String| Refused(ErrorCode::InvalidParams, why);
    let mut arguments = asked.arguments.into_iter();
    let command = asked.command.as_str();
    let Some(uri) = arguments.next() else {
        if command != lens::CHECK {
            return Err(wrong(format!("`{command}` needs the URI of a file")));
        }
        server.all_wanted();
        return now(Value::Null);
    };
    let uri: Uri = params(uri)?;
    let Some((path, specification, looked)) = server.views(&uri).into_iter().next() else {
        let why = "this file is part of no specification that is open";
        return Err(Refused::failed(why));
    };
    let of = Of {
        specification: &specification,
        looked: looked.as_deref(),
    };
    match command {
        lens::CHECK => {
            server.wanted(&path);
            now(Value::Null)
        }
        lens::REPORT => now(of.looked.map(|looked| &looked.report)),
        lens::PAGE => now(of.looked.map(|looked| json!({ "text": looked.page() }))),
        other => {
            let unknown = || wrong(format!("there is no command `{other}`"));
            let act = Act::called(other).ok_or_else(unknown)?;
            let what = arguments.next();
            let what = what.as_ref().and_then(Value::as_str);
            let needed = || wrong(format!("`{other}` needs a second argument"));
            act_on(server, id, act, of, what.ok_or_else(needed)?)
        }
    }
}

/// What can be done with something that has a name or a fingerprint.
#[derive(Clone, Copy)]
enum Act {
    CheckOne,
    Repair,
    Replay,
    Board,
    Expect,
}

impl Act {
    /// The one that a command is.
    fn called(command: &str) -> Option<Self> {
        let all = [
            (lens::CHECK_ONE, Self::CheckOne),
            (lens::REPAIR, Self::Repair),
            (lens::REPLAY, Self::Replay),
            (lens::BOARD, Self::Board),
            (lens::EXPECT, Self::Expect),
        ];
        let mut all = all.into_iter();
        all.find(|(name, _)| *name == command).map(|(_, act)| act)
    }
}

/// Of what a command is.
#[derive(Clone, Copy)]
struct Of<'a> {
    specification: &'a Specification,
    looked: Option<&'a Looked>,
}

/// Carries out a command about something that has a name or a fingerprint.
fn act_on(server: &mut Server, id: &RequestId, act: Act, of: Of<'_>, what: &str) -> Answer {
    let missing = || gone(of.specification, of.looked);
    let finding = of.looked.and_then(|looked| looked.finding(what));
    match act {
        Act::CheckOne => {
            can_be_asked(of.specification, what)?;
            let question = Question::Verdict(what.to_owned());
            later(server, id, of.specification, question)
        }
        Act::Board => {
            let text = boards::drawn(of.specification, what);
            let none = || Refused::failed("there is no such board now");
            shown(server, &text.ok_or_else(none)?)
        }
        Act::Repair => {
            let finding = finding.ok_or_else(missing)?;
            let question = Question::Repair(finding.code.clone(), finding.fingerprint.clone());
            later(server, id, of.specification, question)
        }
        Act::Replay => {
            let text = of.looked.and_then(|looked| looked.played(what));
            shown(server, &text.ok_or_else(missing)?)
        }
        Act::Expect => {
            let looked = of.looked.ok_or_else(missing)?;
            let text = expect(of.specification, looked, what)?;
            // It is the same finding, and stands otherwise.
            server.all_changed();
            shown(server, &text)
        }
    }
}

/// Why a finding is not there.
fn gone(specification: &Specification, looked: Option<&Looked>) -> Refused {
    Refused::failed(match (&specification.program, looked) {
        (None, _) => "the specification is in error",
        (Some(_), None) => "the specification is being checked; ask again in a moment",
        (Some(_), Some(_)) => "there is no such finding now",
    })
}

/// That a name is that of a claim, question or example.
fn can_be_asked(specification: &Specification, name: &str) -> Result<(), Refused> {
    let all = specification.uses.all().filter(|one| {
        one.is_declaration() && matches!(one.kind, NameKind::Claim | NameKind::Example)
    });
    let names: Vec<&str> = all.map(|one| specification.sources.text(one.at)).collect();
    match names.contains(&name) {
        true => Ok(()),
        false => Err(Refused::failed(format!(
            "found `{name}`, expected a claim, question or example: {}",
            names.join(", ")
        ))),
    }
}

/// The answer to a question comes when it is known.
fn later(
    server: &mut Server,
    id: &RequestId,
    specification: &Specification,
    question: Question,
) -> Answer {
    match server.ask(id, &specification.root, question) {
        true => Ok(Outcome::Later),
        false => Err(Refused::failed("the specification is in error")),
    }
}

/// A text as the result of a command, shown as a message if the editor does not show it by itself.
fn shown(server: &mut Server, text: &str) -> Answer {
    if !server.settings.shows_results {
        server.show(MessageType::INFO, text.to_owned());
    }
    now(json!({ "text": text }))
}

/// Writes that a finding is expected.
fn expect(specification: &Specification, looked: &Looked, print: &str) -> Result<String, Refused> {
    if looked
        .finding(print)
        .is_some_and(|one| one.severity == Severity::Note)
    {
        return Err(Refused::failed(
            "a note fails no check, and is not listed among what is expected",
        ));
    }
    let own = looked.to_expect(print);
    let own = own.ok_or_else(|| Refused::failed("there is no such finding now"))?;
    let added = expected::add(&specification.root, own);
    let path: PathBuf = added.map_err(|Unreadable(why)| Refused::failed(why))?;
    Ok(format!("It is expected from now on: {}", path.display()))
}

/// Answers who asked for one question.
pub(super) fn answered(
    server: &mut Server,
    id: RequestId,
    question: &Question,
    looked: Result<Box<Looked>, String>,
) {
    let counts = server.answered(&id);
    let response = match looked {
        _ if !counts => {
            let why = "the text has changed".to_owned();
            Response::new_err(id, ErrorCode::ContentModified as i32, why)
        }
        Err(why) => Response::new_err(id, ErrorCode::RequestFailed as i32, why),
        Ok(looked) => {
            let text = match question {
                Question::Verdict(name) => told(&looked, name),
                Question::Repair(_, print) => mended(&looked, print),
            };
            if !server.settings.shows_results {
                server.show(MessageType::INFO, text.clone());
            }
            Response::new_ok(id, json!({ "text": text, "report": looked.report }))
        }
    };
    server.out.push(Message::Response(response));
}

/// What would mend a finding.
fn mended(looked: &Looked, print: &str) -> String {
    let finding = looked.finding(print);
    let repair = finding.and_then(|finding| finding.repair.as_ref());
    repair.map_or_else(
        || "No small change was found after which this is gone.".to_owned(),
        |repair| looked.in_short(&as_sentence(&repair.text)),
    )
}

/// A text that begins as a sentence does.
fn as_sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// What is told of one question.
fn told(looked: &Looked, name: &str) -> String {
    let verdict = looked
        .verdict(name)
        .unwrap_or_else(|| "not looked at".to_owned());
    let mut told = vec![format!("{name}: {verdict}")];
    let own = looked.told.answers.iter().filter(|one| one.subject == name);
    for print in own.flat_map(|one| &one.findings) {
        told.extend(looked.played(print));
    }
    told.extend(looked.shown(name));
    told.join("\n\n")
}
