//! What the server knows, and what it does when something changes.
//!
//! ```text
//! a key is pressed ──▶ the text changes, what was found is forgotten, a check that is under way is stopped
//! nothing waits    ──▶ specifications that changed are read, and what is wrong with them is told
//! the text rests   ──▶ one specification at a time is looked at, on a thread of its own; what was found is told
//! ```

use super::complaints::{self, Complaints};
use super::documents::{Document, Documents, known_as};
use super::lines::Encoding;
use super::looked::{self, Looked, Order};
use super::places::path_of;
use super::settings::{Settings, When};
use super::specification::{Specification, uri};
use super::workspace::Workspace;
use crate::cli::include::Roots;
use crate::cli::input::ENDING;
use crate::cli::stack::STACK_BYTES;
use endstep_verdicts::analysis::{Memory, Stop};
use lsp_server::{Message, Notification, Request, RequestId};
use lsp_types::notification::Notification as _;
use lsp_types::request::{self, Request as _};
use lsp_types::{
    Diagnostic, MessageType, PublishDiagnosticsParams, ShowMessageParams, TextDocumentItem, Uri,
    VersionedTextDocumentIdentifier, WorkspaceFoldersChangeEvent, notification,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

/// So long a text rests before it is looked at.
const REST: Duration = Duration::from_millis(300);

/// What happens.
#[derive(Debug)]
pub(super) enum Event {
    /// The editor says something.
    Message(Message),
    /// The editor is gone.
    Closed,
    /// The smallest boards of a specification were looked at.
    Glanced(PathBuf, u64, Box<Looked>),
    /// A specification was looked at.
    Looked(PathBuf, u64, Result<Box<Looked>, String>),
    /// Something of a specification was looked at because somebody asked for it.
    Answered(RequestId, Question, Result<Box<Looked>, String>),
}

/// What somebody asks of a specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Question {
    /// How a claim, question or example of this name comes out.
    Verdict(String),
    /// What would mend the finding with this code and fingerprint.
    Repair(String, String),
}

/// A specification that is known.
#[derive(Debug)]
pub(super) struct Known {
    pub specification: Arc<Specification>,
    /// Which of its versions this is.
    pub generation: u64,
    /// What was found in this version, or in none.
    pub looked: Option<Arc<Looked>>,
}

/// A check that is under way.
#[derive(Debug)]
struct Busy {
    root: PathBuf,
    generation: u64,
    stop: Stop,
}

/// What the editor knows a check by.
fn token(generation: u64) -> String {
    format!("check {generation}")
}

/// The server.
pub(super) struct Server {
    pub documents: Documents,
    pub workspace: Workspace,
    pub encoding: Encoding,
    pub settings: Settings,
    /// Whether the editor can fill in places of a form.
    pub snippets: bool,
    /// Whether the editor can be told that its lenses are out of date.
    pub refreshes_lenses: bool,
    /// Whether it can be told so of its hints.
    pub refreshes_hints: bool,
    /// Whether the editor can be asked to tell of files that change.
    pub watches: bool,
    /// Whether the editor shows that something is under way.
    pub shows_progress: bool,
    pub roots: Roots,
    memory: Memory,
    pub known: BTreeMap<PathBuf, Known>,
    /// Specifications that have to be read.
    changed: BTreeSet<PathBuf>,
    /// When specifications are to be looked at.
    due: BTreeMap<PathBuf, Instant>,
    busy: Option<Busy>,
    /// Single questions that are looked at.
    asked: BTreeMap<RequestId, Busy>,
    /// What the editor was told, by file and specification.
    told: BTreeMap<PathBuf, BTreeMap<PathBuf, Vec<Diagnostic>>>,
    generation: u64,
    requests: i32,
    sender: Sender<Event>,
    /// What is to be sent.
    pub out: Vec<Message>,
}

impl Server {
    pub(super) fn new(roots: Roots, memory: Memory, sender: Sender<Event>) -> Self {
        Self {
            documents: Documents::default(),
            workspace: Workspace::default(),
            encoding: Encoding::default(),
            settings: Settings::default(),
            snippets: false,
            refreshes_lenses: false,
            refreshes_hints: false,
            watches: false,
            shows_progress: false,
            roots,
            memory,
            known: BTreeMap::new(),
            changed: BTreeSet::new(),
            due: BTreeMap::new(),
            busy: None,
            asked: BTreeMap::new(),
            told: BTreeMap::new(),
            generation: 0,
            requests: 0,
            sender,
            out: Vec::new(),
        }
    }

    // What the editor says of texts.

    pub(super) fn opened(&mut self, item: TextDocumentItem) {
        let document = Document::new(item.uri, item.version, &item.text);
        let path = self.documents.open(document);
        self.text_changed(&path);
    }

    pub(super) fn edited(
        &mut self,
        of: &VersionedTextDocumentIdentifier,
        changes: Vec<lsp_types::TextDocumentContentChangeEvent>,
    ) {
        let path = known_as(&path_of(&of.uri));
        if let Some(document) = self.documents.get_mut(&path) {
            document.change(of.version, changes, self.encoding);
            self.text_changed(&path);
        }
    }

    pub(super) fn closed(&mut self, uri: &Uri) {
        let path = self.documents.close(uri);
        self.text_changed(&path);
        // Nothing is said of what nobody looks at.
        let open: BTreeSet<PathBuf> = self
            .documents
            .paths()
            .flat_map(|path| self.workspace.roots(path))
            .collect();
        let gone: Vec<PathBuf> = self
            .known
            .keys()
            .filter(|root| !open.contains(*root))
            .cloned()
            .collect();
        for root in gone {
            self.forget(&root);
        }
    }

    /// A text is another one, here or on the disk.
    pub(super) fn text_changed(&mut self, path: &Path) {
        let before = self.workspace.roots(path);
        self.workspace.look(path, &self.documents);
        let after = self.workspace.roots(path);
        for root in before.difference(&after) {
            self.forget(root);
        }
        // What is beside it may be read by others, too.
        let readers = self.known.iter();
        let readers =
            readers.filter(|(_, known)| known.specification.paths().any(|one| one == path));
        let readers: Vec<PathBuf> = readers.map(|(root, _)| root.clone()).collect();
        for root in after.into_iter().chain(readers) {
            self.is_out_of_date(root);
        }
    }

    fn is_out_of_date(&mut self, root: PathBuf) {
        self.stop(&root);
        let open = self.documents.paths();
        let mut open = open.map(|path| self.workspace.roots(path));
        if open.any(|roots| roots.contains(&root)) {
            self.due.remove(&root);
            self.changed.insert(root);
        }
    }

    /// A text was saved, and saved texts are looked at.
    pub(super) fn saved(&mut self, uri: &Uri) {
        let path = known_as(&path_of(uri));
        self.wanted(&path);
    }

    /// A file on the disk is another one: a specification, or what is said of one.
    pub(super) fn on_disk(&mut self, uri: &Uri) {
        let path = known_as(&path_of(uri));
        match path.extension().is_some_and(|end| end == ENDING) {
            // What is open goes before what is on the disk.
            true if self.documents.get(&path).is_some() => {}
            true => self.text_changed(&path),
            false => self.all_changed(),
        }
    }

    /// Folders are open from now on.
    pub(super) fn open_folders(&mut self, folders: &[PathBuf]) {
        self.workspace.open(folders, &self.documents);
    }

    /// Folders were opened and closed.
    pub(super) fn folders(&mut self, event: &WorkspaceFoldersChangeEvent) {
        let paths = |all: &[lsp_types::WorkspaceFolder]| -> Vec<PathBuf> {
            all.iter().map(|one| path_of(&one.uri)).collect()
        };
        self.workspace.close(&paths(&event.removed));
        self.open_folders(&paths(&event.added));
        self.all_changed();
    }

    /// Everything is to be read again.
    pub(super) fn all_changed(&mut self) {
        let open: Vec<PathBuf> = self.documents.paths().map(Path::to_owned).collect();
        for path in open {
            self.text_changed(&path);
        }
    }

    fn stop(&mut self, root: &Path) {
        let all = self.busy.iter().chain(self.asked.values());
        all.filter(|busy| busy.root == root)
            .for_each(|busy| busy.stop.stop());
    }

    fn forget(&mut self, root: &Path) {
        self.stop(root);
        self.known.remove(root);
        self.changed.remove(root);
        self.due.remove(root);
        self.tell(root, Complaints::new());
    }

    // What follows.

    /// Reads what changed.
    pub(super) fn settle(&mut self) {
        while let Some(root) = self.changed.pop_first() {
            self.generation += 1;
            let read = || Specification::read(&root, &self.documents, &self.roots, None);
            let Ok(specification) = catch_unwind(AssertUnwindSafe(read)) else {
                // The hook has said so; what was told of it is no longer so.
                self.forget(&root);
                continue;
            };
            let sound = specification.program.is_some();
            let known = Known {
                specification: Arc::new(specification),
                generation: self.generation,
                looked: None,
            };
            self.known.insert(root.clone(), known);
            if sound && self.settings.check == When::Rest {
                self.due.insert(root.clone(), Instant::now() + REST);
            }
            self.publish(&root);
        }
    }

    /// Looks at a specification as soon as nothing else is looked at.
    pub(super) fn wanted(&mut self, path: &Path) {
        for root in self.workspace.roots(path) {
            let sound = self
                .known
                .get(&root)
                .is_some_and(|one| one.specification.program.is_some());
            if sound {
                self.due.insert(root, Instant::now());
            }
        }
    }

    /// Looks at all specifications with a file that is open.
    pub(super) fn all_wanted(&mut self) {
        let open: Vec<PathBuf> = self.documents.paths().map(Path::to_owned).collect();
        open.iter().for_each(|path| self.wanted(path));
    }

    /// How long nothing is to be done; for ever if nothing is due.
    pub(super) fn patience(&self) -> Option<Duration> {
        if self.busy.is_some() {
            return None;
        }
        let next = self.due.values().min()?;
        Some(next.saturating_duration_since(Instant::now()))
    }

    /// Looks at what is due, one specification at a time.
    pub(super) fn work(&mut self) {
        if self.busy.is_some() {
            return;
        }
        let now = Instant::now();
        let due = self.due.iter().filter(|(_, at)| **at <= now);
        let Some(root) = due.min_by_key(|(_, at)| **at).map(|(root, _)| root.clone()) else {
            return;
        };
        self.due.remove(&root);
        let Some(order) = self.order(&root) else {
            return;
        };
        let generation = order.generation;
        let name = root
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        let done = move |looked| Event::Looked(root, generation, looked);
        self.busy = self.begin(order, done);
        if self.busy.is_some() && self.shows_progress {
            let token = json!({ "token": token(generation) });
            self.request(request::WorkDoneProgressCreate::METHOD, token);
            let title = format!("Checking {}", name.unwrap_or_default());
            self.progress(generation, json!({ "kind": "begin", "title": title }));
        }
    }

    /// Tells how far a check is.
    fn progress(&mut self, generation: u64, value: Value) {
        let params = json!({ "token": token(generation), "value": value });
        let note = Notification::new(notification::Progress::METHOD.to_owned(), params);
        self.out.push(Message::Notification(note));
    }

    /// Looks at something, on a thread of its own.
    fn begin(
        &self,
        order: Order,
        done: impl FnOnce(Result<Box<Looked>, String>) -> Event + Send + 'static,
    ) -> Option<Busy> {
        let busy = Busy {
            root: order.root.clone(),
            generation: order.generation,
            stop: order.stop.clone(),
        };
        let sender = self.sender.clone();
        let work = move || {
            let look = |whole| {
                let looked = catch_unwind(AssertUnwindSafe(|| looked::look(&order, whole)));
                let failed = || Err("the check failed; please report it".to_owned());
                looked.unwrap_or_else(|_| failed()).map(Box::new)
            };
            // Nobody waits for it if the server has ended.
            if order.only.is_empty()
                && let Ok(first) = look(false)
            {
                let root = order.root.clone();
                let _ = sender.send(Event::Glanced(root, order.generation, first));
            }
            let _ = sender.send(done(look(true)));
        };
        let worker = thread::Builder::new().stack_size(STACK_BYTES);
        worker.spawn(work).is_ok().then_some(busy)
    }

    /// Looks at one question of a specification; the answer comes later. Whether it can be looked at.
    pub(super) fn ask(&mut self, id: &RequestId, root: &Path, question: Question) -> bool {
        let Some(mut order) = self.order(root) else {
            return false;
        };
        match &question {
            Question::Verdict(name) => order.only.push(name.clone()),
            Question::Repair(code, _) => {
                order.only.push(code.clone());
                order.repairs = true;
            }
        }
        let request = id.clone();
        let done = move |looked| Event::Answered(request, question, looked);
        let busy = self.begin(order, done);
        let began = busy.is_some();
        self.asked.extend(busy.map(|busy| (id.clone(), busy)));
        began
    }

    /// A question was looked at; whether that still counts.
    pub(super) fn answered(&mut self, id: &RequestId) -> bool {
        let busy = self.asked.remove(id);
        busy.is_some_and(|busy| !busy.stop.is_wanted())
    }

    /// What is to be looked at of a specification.
    fn order(&self, root: &Path) -> Option<Order> {
        let known = self.known.get(root)?;
        Some(Order {
            root: root.to_owned(),
            name: root.display().to_string(),
            generation: known.generation,
            program: known.specification.program.clone()?,
            sources: known.specification.sources.clone(),
            diagnostics: known.specification.diagnostics.clone(),
            folder: self.workspace.folder(root).map(Path::to_owned),
            only: Vec::new(),
            repairs: false,
            stop: Stop::default(),
            memory: self.memory.clone(),
        })
    }

    /// The smallest boards of a specification were looked at; the others still are.
    pub(super) fn glanced(&mut self, root: &Path, generation: u64, looked: Box<Looked>) {
        let mut busy = self.busy.iter();
        let is_it = |busy: &&Busy| busy.root == root && busy.generation == generation;
        if busy.any(|busy| is_it(&busy) && !busy.stop.is_wanted()) {
            if self.shows_progress {
                let message = "the smallest boards are done";
                self.progress(generation, json!({ "kind": "report", "message": message }));
            }
            self.found(root, generation, looked);
        }
    }

    /// A specification was looked at.
    pub(super) fn looked(
        &mut self,
        root: &Path,
        generation: u64,
        looked: Result<Box<Looked>, String>,
    ) {
        let is_it = |busy: &mut Busy| busy.root == root && busy.generation == generation;
        let busy = self.busy.take_if(is_it);
        if busy.is_some() && self.shows_progress {
            self.progress(generation, json!({ "kind": "end" }));
        }
        // What was stopped is not all.
        if busy.is_none_or(|busy| busy.stop.is_wanted()) {
            return;
        }
        match looked {
            Ok(looked) => self.found(root, generation, looked),
            Err(why) => self.show(MessageType::WARNING, why),
        }
    }

    /// Something was found in a specification, unless it is another one now.
    fn found(&mut self, root: &Path, generation: u64, looked: Box<Looked>) {
        let Some(known) = self.known.get_mut(root) else {
            return;
        };
        if known.generation == generation && !self.changed.contains(root) {
            known.looked = Some(Arc::from(looked));
            self.publish(root);
            self.refresh();
        }
    }

    // What the editor is told.

    /// Tells what is wrong with a specification, and what was found in it.
    fn publish(&mut self, root: &Path) {
        let Some(known) = self.known.get(root) else {
            return;
        };
        let (specification, looked) = (known.specification.clone(), known.looked.clone());
        let of = || complaints::of(self.view(root, &specification, looked.as_deref()));
        if let Ok(complaints) = catch_unwind(AssertUnwindSafe(of)) {
            self.tell(root, complaints);
        }
    }

    /// Tells what is wrong with the files of a specification; files that are no longer named have nothing.
    fn tell(&mut self, root: &Path, complaints: Complaints) {
        let mut touched: BTreeSet<PathBuf> = complaints.keys().cloned().collect();
        for (path, told) in &mut self.told {
            if told.remove(root).is_some_and(|told| !told.is_empty()) {
                touched.insert(path.clone());
            }
        }
        for (path, own) in complaints {
            self.told
                .entry(path)
                .or_default()
                .insert(root.to_owned(), own);
        }
        self.told.retain(|_, told| !told.is_empty());
        for path in touched {
            self.tell_of(&path);
        }
    }

    fn tell_of(&mut self, path: &Path) {
        let Some(uri) = uri(path, &self.documents) else {
            return;
        };
        let mut diagnostics: Vec<Diagnostic> = Vec::new();
        for one in self
            .told
            .get(path)
            .into_iter()
            .flat_map(BTreeMap::values)
            .flatten()
        {
            if !diagnostics.contains(one) {
                diagnostics.push(one.clone());
            }
        }
        let version = self.documents.get(path).map(|document| document.version);
        let params = PublishDiagnosticsParams {
            uri,
            diagnostics,
            version,
        };
        self.notify::<notification::PublishDiagnostics>(params);
    }

    /// Lenses and hints are other ones now.
    fn refresh(&mut self) {
        if self.refreshes_lenses {
            self.request(request::CodeLensRefresh::METHOD, Value::Null);
        }
        if self.refreshes_hints {
            self.request(request::InlayHintRefreshRequest::METHOD, Value::Null);
        }
        let whole = |known: &Known| known.looked.as_ref().is_some_and(|looked| looked.whole);
        let known = self.known.iter().filter(|(_, known)| whole(known));
        let uris = known.filter_map(|(root, _)| uri(root, &self.documents));
        let uris: Vec<Uri> = uris.collect();
        if uris.is_empty() {
            return;
        }
        let params = json!({ "uris": uris });
        let note = Notification::new("endstep/looked".to_owned(), params);
        self.out.push(Message::Notification(note));
    }

    pub(super) fn request(&mut self, method: &str, params: Value) {
        self.requests += 1;
        let id = RequestId::from(self.requests);
        let request = Request::new(id, method.to_owned(), params);
        self.out.push(Message::Request(request));
    }

    pub(super) fn notify<N: notification::Notification>(&mut self, params: N::Params) {
        let note = Notification::new(N::METHOD.to_owned(), params);
        self.out.push(Message::Notification(note));
    }

    /// Shows a message.
    pub(super) fn show(&mut self, typ: MessageType, message: String) {
        self.notify::<notification::ShowMessage>(ShowMessageParams { typ, message });
    }
}
