//! Requests and notifications of an editor, and what answers them.

use super::lens;
use super::looked::Looked;
use super::names::{self, Edits};
use super::server::{Question, Server};
use super::settings::{Settings, When};
use super::specification::{Specification, uri};
use super::view::View;
use super::{actions, boards, complete, hover, layout, symbols, tokens};
use crate::cli::expected;
use crate::cli::input::Unreadable;
use endstep_language::diag::Severity;
use endstep_language::resolve::{NameKind, Use};
use endstep_language::source::Span;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{self, Notification as _};
use lsp_types::request::{self, Request as _};
use lsp_types::{
    CompletionResponse, DocumentSymbolResponse, GotoDefinitionResponse, Location, MessageType,
    Position, PrepareRenameResponse, SemanticTokens, TextEdit, Uri, WorkspaceEdit,
    WorkspaceSymbolResponse,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

/// Why a request has no result.
#[derive(Debug)]
pub(super) struct Refused(ErrorCode, String);

impl Refused {
    fn failed(why: impl Into<String>) -> Self {
        Self(ErrorCode::RequestFailed, why.into())
    }
}

/// What becomes of a request.
enum Outcome {
    /// This is the result.
    Now(Value),
    /// The result comes when it is known.
    Later,
}

type Answer = Result<Outcome, Refused>;

fn now(result: impl Serialize) -> Answer {
    let value = serde_json::to_value(result);
    let why = |error: serde_json::Error| Refused(ErrorCode::InternalError, error.to_string());
    value.map(Outcome::Now).map_err(why)
}

fn params<T: DeserializeOwned>(value: Value) -> Result<T, Refused> {
    serde_json::from_value(value)
        .map_err(|error| Refused(ErrorCode::InvalidParams, error.to_string()))
}

/// Answers a request.
pub(super) fn request(server: &mut Server, request: Request) {
    // What is asked is asked of the texts as they are now.
    server.settle();
    let Request { id, method, params } = request;
    let answer = catch_unwind(AssertUnwindSafe(|| answer(server, &id, &method, params)));
    let failed = || {
        Err(Refused(
            ErrorCode::InternalError,
            "the server made a mistake; please report it".to_owned(),
        ))
    };
    let response = match answer.unwrap_or_else(|_| failed()) {
        Ok(Outcome::Now(result)) => Response::new_ok(id, result),
        Ok(Outcome::Later) => return,
        Err(Refused(code, why)) => Response::new_err(id, code as i32, why),
    };
    server.out.push(Message::Response(response));
}

/// A file as part of the first specification to which it belongs.
fn viewed<T>(server: &Server, uri: &Uri, of: impl Fn(View<'_>) -> T) -> Option<T> {
    let (path, specification, looked) = server.views(uri).into_iter().next()?;
    Some(of(server.view(&path, &specification, looked.as_deref())))
}

fn answer(server: &mut Server, id: &RequestId, method: &str, value: Value) -> Answer {
    match method {
        request::GotoDefinition::METHOD => definition(server, value),
        request::References::METHOD => references(server, value),
        request::DocumentHighlightRequest::METHOD => highlights(server, value),
        request::PrepareRenameRequest::METHOD => prepare_rename(server, value),
        request::Rename::METHOD => rename(server, value),
        request::HoverRequest::METHOD => hovered(server, value),
        request::Completion::METHOD => completion(server, value),
        request::DocumentSymbolRequest::METHOD => document_symbols(server, value),
        request::WorkspaceSymbolRequest::METHOD => workspace_symbols(server, value),
        request::FoldingRangeRequest::METHOD => folds(server, value),
        request::SemanticTokensFullRequest::METHOD => semantic_tokens(server, value),
        request::Formatting::METHOD => formatting(server, value),
        request::CodeActionRequest::METHOD => code_actions(server, value),
        request::CodeLensRequest::METHOD => code_lenses(server, value),
        request::InlayHintRequest::METHOD => hints(server, value),
        request::ExecuteCommand::METHOD => command(server, id, value),
        _ => Err(Refused(
            ErrorCode::MethodNotFound,
            format!("there is no `{method}`"),
        )),
    }
}

fn definition(server: &Server, value: Value) -> Answer {
    let asked: lsp_types::GotoDefinitionParams = params(value)?;
    let asked = asked.text_document_position_params;
    let found = viewed(server, &asked.text_document.uri, |view| {
        names::definition(view, asked.position)
    });
    now(found.flatten().map(GotoDefinitionResponse::Scalar))
}

/// The name at a position, in each specification that has its declaration.
fn meant(server: &Server, uri: &Uri, at: Position) -> Vec<(Arc<Specification>, Use)> {
    let mut all: Vec<(Arc<Specification>, Use)> = Vec::new();
    for (path, specification, _) in server.views(uri) {
        let view = server.view(&path, &specification, None);
        let Some(name) = view.name(at) else {
            continue;
        };
        let Some(home) = specification.path(name.declared.source) else {
            continue;
        };
        for other in server.with(home) {
            let known = all.iter().any(|(one, _)| one.root == other.root);
            let place = other.source(home).map(|source| Span {
                source,
                ..name.declared
            });
            let found = place.and_then(|place| other.uses.at(place).copied());
            all.extend(found.filter(|_| !known).map(|found| (other, found)));
        }
    }
    all
}

fn references(server: &Server, value: Value) -> Answer {
    let asked: lsp_types::ReferenceParams = params(value)?;
    let at = &asked.text_document_position;
    let mut all: Vec<Location> = Vec::new();
    for (specification, name) in meant(server, &at.text_document.uri, at.position) {
        let view = server.view(&specification.root, &specification, None);
        for one in names::references(view, name, asked.context.include_declaration) {
            if !all.contains(&one) {
                all.push(one);
            }
        }
    }
    now(all)
}

fn highlights(server: &Server, value: Value) -> Answer {
    let asked: lsp_types::DocumentHighlightParams = params(value)?;
    let asked = asked.text_document_position_params;
    now(viewed(server, &asked.text_document.uri, |view| {
        names::highlights(view, asked.position)
    }))
}

fn prepare_rename(server: &Server, value: Value) -> Answer {
    let asked: lsp_types::TextDocumentPositionParams = params(value)?;
    let found = viewed(server, &asked.text_document.uri, |view| {
        names::renamed(view, asked.position)
    });
    now(found.flatten().map(
        |(range, placeholder)| PrepareRenameResponse::RangeWithPlaceholder { range, placeholder },
    ))
}

fn rename(server: &Server, value: Value) -> Answer {
    let asked: lsp_types::RenameParams = params(value)?;
    let at = &asked.text_document_position;
    let names = meant(server, &at.text_document.uri, at.position);
    let mut all = Edits::new();
    for (specification, name) in &names {
        for (path, places) in names::places(specification, name.declared) {
            all.entry(path).or_default().extend(places);
        }
    }
    let Some((_, first)) = names.first() else {
        return Err(Refused::failed("there is no name here that is known"));
    };
    for (specification, _) in &names {
        let view = server.view(&specification.root, specification, None);
        if let Some(why) = names::objection(view, first.kind, &all, &asked.new_name) {
            return Err(Refused::failed(why));
        }
    }
    let texts: Vec<&Specification> = names.iter().map(|(one, _)| &**one).collect();
    now(edits(server, &texts, &all, &asked.new_name))
}

/// Changes as the protocol has them.
#[allow(
    clippy::mutable_key_type,
    reason = "the protocol's type; a URI is never changed"
)]
fn edits(
    server: &Server,
    texts: &[&Specification],
    all: &Edits,
    name: &str,
) -> Option<WorkspaceEdit> {
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for (path, places) in all {
        let (text, lines) = texts.iter().find_map(|one| one.text(path))?;
        let edits = places.iter().map(|&(start, end)| TextEdit {
            range: lines.range(text, start..end, server.encoding),
            new_text: name.to_owned(),
        });
        changes.insert(uri(path, &server.documents)?, edits.collect());
    }
    Some(WorkspaceEdit {
        changes: Some(changes),
        ..WorkspaceEdit::default()
    })
}

fn hovered(server: &Server, value: Value) -> Answer {
    let asked: lsp_types::HoverParams = params(value)?;
    let asked = asked.text_document_position_params;
    now(viewed(server, &asked.text_document.uri, |view| {
        hover::hover(view, asked.position)
    })
    .flatten())
}

fn completion(server: &Server, value: Value) -> Answer {
    let asked: lsp_types::CompletionParams = params(value)?;
    let at = asked.text_document_position;
    let items = viewed(server, &at.text_document.uri, |view| {
        complete::at(view, at.position, server.snippets)
    });
    now(items.map(CompletionResponse::Array))
}

fn document_symbols(server: &Server, value: Value) -> Answer {
    let asked: lsp_types::DocumentSymbolParams = params(value)?;
    let symbols = viewed(server, &asked.text_document.uri, |view| {
        let (text, lines) = view.specification.text(view.path)?;
        Some(symbols::of_text(text, lines, server.encoding))
    });
    now(symbols.flatten().map(DocumentSymbolResponse::Nested))
}

fn workspace_symbols(server: &mut Server, value: Value) -> Answer {
    let asked: lsp_types::WorkspaceSymbolParams = params(value)?;
    let mut all = Vec::new();
    for specification in server.all_specifications() {
        let root = specification.root.clone();
        let view = server.view(&root, &specification, None);
        for one in symbols::of_workspace(view, &asked.query) {
            if !all.contains(&one) {
                all.push(one);
            }
        }
    }
    now(WorkspaceSymbolResponse::Nested(all))
}

fn folds(server: &Server, value: Value) -> Answer {
    let asked: lsp_types::FoldingRangeParams = params(value)?;
    let folds = viewed(server, &asked.text_document.uri, |view| {
        let (text, lines) = view.specification.text(view.path)?;
        Some(symbols::folds(text, lines))
    });
    now(folds.flatten())
}

fn semantic_tokens(server: &Server, value: Value) -> Answer {
    let asked: lsp_types::SemanticTokensParams = params(value)?;
    let data = viewed(server, &asked.text_document.uri, tokens::tokens);
    now(data.map(|data| SemanticTokens {
        result_id: None,
        data,
    }))
}

fn formatting(server: &Server, value: Value) -> Answer {
    let asked: lsp_types::DocumentFormattingParams = params(value)?;
    now(viewed(server, &asked.text_document.uri, layout::edits).flatten())
}

fn code_actions(server: &Server, value: Value) -> Answer {
    let asked: lsp_types::CodeActionParams = params(value)?;
    now(viewed(server, &asked.text_document.uri, |view| {
        actions::at(view, asked.range)
    }))
}

fn code_lenses(server: &Server, value: Value) -> Answer {
    let asked: lsp_types::CodeLensParams = params(value)?;
    if !server.settings.lenses {
        return now(Value::Null);
    }
    now(viewed(server, &asked.text_document.uri, lens::lenses))
}

fn hints(server: &Server, value: Value) -> Answer {
    let asked: lsp_types::InlayHintParams = params(value)?;
    if !server.settings.hints {
        return now(Value::Null);
    }
    now(viewed(server, &asked.text_document.uri, |view| {
        lens::hints(view, asked.range)
    }))
}

// Commands.

fn command(server: &mut Server, id: &RequestId, value: Value) -> Answer {
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

// Notifications.

/// Heeds a notification; what is not known is none of our business.
pub(super) fn notification(server: &mut Server, note: Notification) {
    let Notification { method, params } = note;
    // What cannot be understood cannot be answered either.
    let _ = heed(server, &method, params);
}

fn heed(server: &mut Server, method: &str, value: Value) -> Result<(), Refused> {
    match method {
        notification::DidOpenTextDocument::METHOD => {
            let told: lsp_types::DidOpenTextDocumentParams = params(value)?;
            server.opened(told.text_document);
        }
        notification::DidChangeTextDocument::METHOD => {
            let told: lsp_types::DidChangeTextDocumentParams = params(value)?;
            server.edited(&told.text_document, told.content_changes);
        }
        notification::DidCloseTextDocument::METHOD => {
            let told: lsp_types::DidCloseTextDocumentParams = params(value)?;
            server.closed(&told.text_document.uri);
        }
        notification::DidSaveTextDocument::METHOD => {
            let told: lsp_types::DidSaveTextDocumentParams = params(value)?;
            if server.settings.check == When::Save {
                server.settle();
                server.saved(&told.text_document.uri);
            }
        }
        notification::DidChangeWatchedFiles::METHOD => {
            let told: lsp_types::DidChangeWatchedFilesParams = params(value)?;
            for change in told.changes {
                server.on_disk(&change.uri);
            }
        }
        notification::DidChangeWorkspaceFolders::METHOD => {
            let told: lsp_types::DidChangeWorkspaceFoldersParams = params(value)?;
            server.folders(&told.event);
        }
        notification::DidChangeConfiguration::METHOD => {
            let told: lsp_types::DidChangeConfigurationParams = params(value)?;
            match Settings::of(&told.settings) {
                Some(Ok(settings)) => {
                    server.settings = settings;
                    server.all_changed();
                }
                Some(Err(why)) => server.show(MessageType::WARNING, format!("settings: {why}")),
                None => {}
            }
        }
        _ => {}
    }
    Ok(())
}
