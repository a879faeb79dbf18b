//! Requests and notifications of an editor, and what answers them.

use super::answer::{Answer, Outcome, Refused, now, params};
use super::commands::command;
use super::lens;
use super::names::{self, Edits};
use super::server::Server;
use super::settings::{Settings, When};
use super::specification::{Specification, uri};
use super::view::View;
use super::{actions, complete, hover, layout, symbols, tokens};
use endstep_language::resolve::Use;
use endstep_language::source::Span;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{self, Notification as _};
use lsp_types::request::{self, Request as _};
use lsp_types::{
    CompletionResponse, DocumentSymbolResponse, GotoDefinitionResponse, Location, MessageType,
    Position, PrepareRenameResponse, SemanticTokens, TextEdit, Uri, WorkspaceEdit,
    WorkspaceSymbolResponse,
};
use serde_json::Value;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

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
