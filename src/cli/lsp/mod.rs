//! `endstep lsp`: a language server, over standard input and output.
//!
//! One thread hears what the editor says, one answers it, and others look at specifications ([`server`]). Everything that is
//! shown is made from what [`Specification`](specification::Specification) (the text, read up to its typed program) and
//! [`Looked`](looked::Looked) (the report of a check) know.
//!
//! *Guarantees.* An answer is about the texts that the editor had sent before it asked. What was found in a text is forgotten
//! with the first change of it. A fault of ours in a request is an error for that request, and the server goes on.

mod actions;
mod answer;
mod blocks;
mod boards;
mod commands;
mod complaints;
mod complete;
mod documents;
mod hover;
mod inside;
mod layout;
mod lens;
mod lines;
mod looked;
mod names;
mod open_order;
mod places;
mod requests;
mod server;
mod settings;
mod specification;
mod symbols;
mod tokens;
mod view;
mod views;
mod wire;
mod words;
mod workspace;

use super::cache::Cache;
use super::exit::Exit;
use super::include::Roots;
use super::input::Unreadable;
use super::plain::err;
use super::specification::fail;
use clap::Args;
use lines::Encoding;
use lsp_server::{ErrorCode, Message, Request, Response};
use lsp_types::notification::Notification as _;
use lsp_types::request::Request as _;
use lsp_types::{
    CodeActionProviderCapability, CodeLensOptions, CompletionOptions, ExecuteCommandOptions,
    FileSystemWatcher, FoldingRangeProviderCapability, GlobPattern, HoverProviderCapability,
    InitializeParams, OneOf, RenameOptions, SemanticTokensFullOptions, SemanticTokensOptions,
    ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    WorkspaceFoldersServerCapabilities, WorkspaceServerCapabilities, notification, request,
};
use places::path_of;
use serde_json::{Value, json};
use server::{Event, Server};
use settings::Settings;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;

/// Serve editors: errors, findings, names and boards where you type
///
/// Speaks the Language Server Protocol on standard input and output. `editors/` says how Visual Studio Code, Neovim, Emacs
/// and Helix start it.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  endstep lsp
  endstep lsp --include-root ../shared")]
pub(super) struct Arguments {
    /// What many editors say; it is so in any case
    #[arg(long, hide = true)]
    stdio: bool,
    #[command(flatten)]
    cache: Cache,
    #[command(flatten)]
    roots: Roots,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<Exit> {
    let memory = match arguments.cache.memory() {
        Ok(memory) => memory,
        Err(Unreadable(why)) => return fail(&why, Exit::Unreadable),
    };
    let (sender, events) = mpsc::channel();
    let heard = sender.clone();
    thread::Builder::new().spawn(move || listen(&heard))?;
    let mut server = Server::new(arguments.roots.clone(), memory, sender);
    serve(&mut server, &events, out)
}

/// Hears what the editor says.
fn listen(events: &Sender<Event>) {
    let mut input = io::stdin().lock();
    loop {
        let event = match wire::read(&mut input) {
            Ok(Some(message)) => Event::Message(message),
            Ok(None) => Event::Closed,
            Err(error) => {
                // Nobody can be told that standard error is closed.
                let _ = writeln!(err(), "error: cannot read what the editor says: {error}");
                Event::Closed
            }
        };
        let is_last = matches!(event, Event::Closed);
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}

/// How far an editor and the server have come with each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// Nothing was said yet.
    Before,
    Open,
    /// The editor is about to leave.
    Leaving,
}

/// Answers what the editor says, until it leaves.
fn serve(server: &mut Server, events: &Receiver<Event>, out: &mut dyn Write) -> io::Result<Exit> {
    let mut phase = Phase::Before;
    loop {
        // What waits is heard first: of many changes only the last one is read.
        let event = match events.try_recv() {
            Ok(event) => Some(event),
            Err(_) => {
                server.settle();
                wire::send(server, out)?;
                waited(server, events)
            }
        };
        match event {
            None => server.work(),
            Some(Event::Closed) => return Ok(left(phase)),
            Some(Event::Glanced(root, generation, looked)) => {
                server.glanced(&root, generation, looked);
            }
            Some(Event::Looked(root, generation, looked)) => {
                server.looked(&root, generation, looked)
            }
            Some(Event::Answered(id, question, looked)) => {
                commands::answered(server, id, &question, looked);
            }
            Some(Event::Message(Message::Notification(note)))
                if note.method == notification::Exit::METHOD =>
            {
                return Ok(left(phase));
            }
            Some(Event::Message(message)) => phase = hear(server, message, phase),
        }
        wire::send(server, out)?;
    }
}

/// The next event; nothing if it is time to look at something.
fn waited(server: &Server, events: &Receiver<Event>) -> Option<Event> {
    match server.patience() {
        // A sender is the server's own, so this ends only with an event.
        None => Some(events.recv().unwrap_or(Event::Closed)),
        Some(patience) => match events.recv_timeout(patience) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Event::Closed),
        },
    }
}

/// The exit code that the protocol asks for.
fn left(phase: Phase) -> Exit {
    match phase {
        Phase::Leaving => Exit::Ok,
        Phase::Before | Phase::Open => Exit::Findings,
    }
}

/// Heeds a message; how far we have come then.
fn hear(server: &mut Server, message: Message, phase: Phase) -> Phase {
    match message {
        Message::Request(request) if request.method == request::Initialize::METHOD => {
            return initialize(server, request, phase);
        }
        Message::Request(request)
            if phase == Phase::Open && request.method == request::Shutdown::METHOD =>
        {
            let response = Response::new_ok(request.id, Value::Null);
            server.out.push(Message::Response(response));
            return Phase::Leaving;
        }
        Message::Request(request) => match phase {
            Phase::Open => requests::request(server, request),
            Phase::Before | Phase::Leaving => {
                let (code, why) = match phase {
                    Phase::Before => (ErrorCode::ServerNotInitialized, "`initialize` comes first"),
                    _ => (ErrorCode::InvalidRequest, "the server is about to end"),
                };
                let response = Response::new_err(request.id, code as i32, why.to_owned());
                server.out.push(Message::Response(response));
            }
        },
        Message::Notification(note) if note.method == notification::Initialized::METHOD => {
            watch_files(server);
        }
        Message::Notification(note) if phase == Phase::Open => requests::notification(server, note),
        // What the editor answers is of no interest, and what comes too early is not heard.
        Message::Notification(_) | Message::Response(_) => {}
    }
    phase
}

fn initialize(server: &mut Server, request: Request, phase: Phase) -> Phase {
    let Request { id, params, .. } = request;
    let refused = |code: ErrorCode, why: String| {
        Message::Response(Response::new_err(id.clone(), code as i32, why))
    };
    if phase != Phase::Before {
        let why = "`initialize` was said before".to_owned();
        server.out.push(refused(ErrorCode::InvalidRequest, why));
        return phase;
    }
    let params: InitializeParams = match serde_json::from_value(params) {
        Ok(params) => params,
        Err(error) => {
            server
                .out
                .push(refused(ErrorCode::InvalidParams, error.to_string()));
            return phase;
        }
    };
    adapt(server, &params);
    let result = json!({
        "capabilities": capabilities(server.encoding),
        "serverInfo": { "name": "endstep", "version": env!("CARGO_PKG_VERSION") },
    });
    server
        .out
        .push(Message::Response(Response::new_ok(id, result)));
    Phase::Open
}

/// Takes over what an editor can do and wants.
fn adapt(server: &mut Server, params: &InitializeParams) {
    let general = params.capabilities.general.as_ref();
    let offered = general.and_then(|general| general.position_encodings.as_deref());
    server.encoding = Encoding::of(offered);
    let text = params.capabilities.text_document.as_ref();
    let completion = text.and_then(|text| text.completion.as_ref()?.completion_item.as_ref());
    server.snippets = completion.is_some_and(|one| one.snippet_support == Some(true));
    let workspace = params.capabilities.workspace.as_ref();
    let lenses = workspace.and_then(|one| one.code_lens.as_ref()?.refresh_support);
    let hints = workspace.and_then(|one| one.inlay_hint.as_ref()?.refresh_support);
    server.refreshes_lenses = lenses == Some(true);
    server.refreshes_hints = hints == Some(true);
    let window = params.capabilities.window.as_ref();
    server.shows_progress = window.and_then(|one| one.work_done_progress) == Some(true);
    let watched = workspace.and_then(|one| one.did_change_watched_files?.dynamic_registration);
    server.watches = watched == Some(true);
    match params
        .initialization_options
        .as_ref()
        .and_then(Settings::of)
    {
        Some(Ok(settings)) => server.settings = settings,
        Some(Err(why)) => server.show(lsp_types::MessageType::WARNING, format!("settings: {why}")),
        None => {}
    }
    server.open_folders(&folders(params));
}

/// The folders that are open.
fn folders(params: &InitializeParams) -> Vec<PathBuf> {
    let several = params.workspace_folders.as_deref().unwrap_or_default();
    let mut folders: Vec<PathBuf> = several.iter().map(|one| path_of(&one.uri)).collect();
    #[allow(deprecated, reason = "older editors say it so")]
    if let (true, Some(root)) = (folders.is_empty(), &params.root_uri) {
        folders.push(path_of(root));
    }
    folders
}

/// What the server can do.
fn capabilities(encoding: Encoding) -> ServerCapabilities {
    let tokens = SemanticTokensOptions {
        legend: tokens::legend(),
        full: Some(SemanticTokensFullOptions::Bool(true)),
        ..SemanticTokensOptions::default()
    };
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(true.into()),
        ..TextDocumentSyncOptions::default()
    };
    ServerCapabilities {
        position_encoding: Some(encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(vec![".".to_owned()]),
            ..CompletionOptions::default()
        }),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Simple(true)),
        code_lens_provider: Some(CodeLensOptions {
            resolve_provider: Some(false),
        }),
        document_formatting_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: lsp_types::WorkDoneProgressOptions::default(),
        })),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        semantic_tokens_provider: Some(tokens.into()),
        inlay_hint_provider: Some(OneOf::Left(true)),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: lens::COMMANDS.map(str::to_owned).to_vec(),
            ..ExecuteCommandOptions::default()
        }),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            file_operations: None,
        }),
        ..ServerCapabilities::default()
    }
}

/// Asks the editor to tell of files that change.
fn watch_files(server: &mut Server) {
    if !server.watches {
        return;
    }
    let watchers = ["**/*.endstep", "**/*.expected.json", "**/endstep.toml"];
    let watchers = watchers.map(|pattern| FileSystemWatcher {
        glob_pattern: GlobPattern::String(pattern.to_owned()),
        kind: None,
    });
    server.request(
        request::RegisterCapability::METHOD,
        json!({ "registrations": [{
            "id": "files",
            "method": notification::DidChangeWatchedFiles::METHOD,
            "registerOptions": { "watchers": watchers },
        }] }),
    );
}
