//! Loads the files that a specification includes, each once.

use endstep_language::diag::Diagnostic;
use endstep_language::resolve;
use endstep_language::source::{SourceId, SourceMap};
use endstep_language::syntax::ast::{File, Item, ItemKind};
use endstep_language::syntax::{MAX_TOKENS, parse, parse_within};
use std::collections::BTreeMap;

/// After so many complaints about texts, those about further ones are left out.
const MAX_COMPLAINTS: usize = 1000;

/// Where the bytes of included files come from.
pub trait Reader {
    /// The name and the bytes of the file that `path`, written in the source called
    /// `from`, means. A file has the same name however it is reached.
    ///
    /// # Errors
    ///
    /// Why it cannot be read, for a message.
    fn read(&mut self, path: &str, from: &str) -> Result<(String, Vec<u8>), String>;

    /// The name that [`read`](Self::read) would give, where it can be told without reading. What has
    /// been read is then not read again, however often it is included.
    fn name(&mut self, path: &str, from: &str) -> Option<String> {
        let _ = (path, from);
        None
    }
}

/// Gives the sources of a map to the resolver, and adds those that are included.
pub(super) struct Loader<'a> {
    sources: &'a mut SourceMap,
    reader: &'a mut dyn Reader,
    /// What became of the files that were read.
    by_name: BTreeMap<String, Result<SourceId, String>>,
    /// How many tokens may still be read.
    tokens: usize,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Loader<'a> {
    pub(super) fn new(sources: &'a mut SourceMap, reader: &'a mut dyn Reader) -> Self {
        let files = sources.files();
        let by_name = files
            .map(|(id, file)| (file.name().to_owned(), Ok(id)))
            .collect();
        Self {
            sources,
            reader,
            by_name,
            tokens: MAX_TOKENS,
            diagnostics: Vec::new(),
        }
    }

    /// What was wrong with the texts that were parsed.
    pub(super) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.diagnostics
    }
}

impl resolve::Loader for Loader<'_> {
    fn load(&mut self, path: &str, from: SourceId) -> Result<SourceId, String> {
        let from = self.sources.file(from).name().to_owned();
        let named = self.reader.name(path, &from);
        if let Some(known) = named.and_then(|name| self.by_name.get(&name)) {
            return known.clone();
        }
        let (name, bytes) = self.reader.read(path, &from)?;
        if let Some(known) = self.by_name.get(&name) {
            return known.clone();
        }
        let loaded = self.sources.load(&name, &bytes);
        let loaded = loaded.map_err(|error| error.to_string());
        self.by_name.insert(name, loaded.clone());
        loaded
    }

    fn parse(&mut self, source: SourceId) -> File {
        let text = self.sources.file(source).text();
        let parsed = parse_within(source, text, self.tokens);
        self.tokens = self.tokens.saturating_sub(parsed.tokens);
        let room = MAX_COMPLAINTS.saturating_sub(self.diagnostics.len());
        self.diagnostics
            .extend(parsed.diagnostics.into_iter().take(room));
        parsed.file
    }
}

/// The paths that a text includes, as written; what cannot be understood is skipped.
pub fn included(source: SourceId, text: &str) -> Vec<String> {
    let parsed = parse(source, text);
    let mut found = Vec::new();
    let mut left: Vec<&Item> = parsed.file.items.iter().collect();
    while let Some(item) = left.pop() {
        match &item.kind {
            ItemKind::Include(path) => found.push(path.text.clone()),
            ItemKind::Document(_, items, _) | ItemKind::Clause(_, items, _) => left.extend(items),
            _ => {}
        }
    }
    found
}
