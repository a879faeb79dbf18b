//! A specification as the editor has it: read up to its typed program, with what its names mean.

use super::documents::{Documents, known_as};
use super::lines::{Encoding, Lines};
use super::places::uri_of;
use crate::cli::include::{Disk, Roots};
use crate::cli::input::{self, Input, Unreadable};
use crate::driver::{Compiled, Reader, compile_names};
use endstep_language::diag::Diagnostic;
use endstep_language::resolve::Uses;
use endstep_language::source::{SourceId, SourceMap, Span};
use endstep_language::typing::program::Program;
use lsp_types::{Position, Range, Uri};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A specification that was read.
#[derive(Debug)]
pub(super) struct Specification {
    /// Its file.
    pub root: PathBuf,
    /// Its text and that of what it includes.
    pub sources: SourceMap,
    /// Its meaning; none if something is in error.
    pub program: Option<Arc<Program>>,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
    /// What its names mean.
    pub uses: Uses,
    /// Its files.
    files: BTreeMap<PathBuf, Part>,
}

/// A file of a specification.
#[derive(Debug)]
struct Part {
    source: SourceId,
    lines: Lines,
}

/// Other texts than those of the editor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instead<'a> {
    /// The texts, by path.
    pub texts: &'a BTreeMap<PathBuf, String>,
    /// A name that stands where names are wanted.
    pub probe: Option<&'a str>,
}

/// Texts as they are in the editor, and on the disk where they are not open.
struct Texts<'a> {
    documents: &'a Documents,
    instead: Option<Instead<'a>>,
}

impl Texts<'_> {
    fn get(&self, path: &Path) -> Option<Vec<u8>> {
        let other = self.instead.and_then(|instead| instead.texts.get(path));
        let open = || self.documents.get(path).map(|document| &document.text);
        Some(other.or_else(open)?.as_bytes().to_vec())
    }
}

/// Reads included files.
struct Overlay<'a> {
    disk: Disk,
    texts: Texts<'a>,
}

impl Reader for Overlay<'_> {
    fn name(&mut self, path: &str, from: &str) -> Option<String> {
        self.disk.name(path, from)
    }

    fn read(&mut self, path: &str, from: &str) -> Result<(String, Vec<u8>), String> {
        let (place, name) = self.disk.find(path, from)?;
        if let Some(bytes) = self.texts.get(&place) {
            return Ok((name, bytes));
        }
        let found = input::one(&place).map_err(|Unreadable(why)| why)?;
        Ok((name, found.bytes))
    }
}

impl Specification {
    /// Reads a specification; its file is open, or on the disk. With a probe, what could stand there
    /// is found.
    pub(super) fn read(
        root: &Path,
        documents: &Documents,
        roots: &Roots,
        instead: Option<Instead<'_>>,
    ) -> Self {
        let mut sources = SourceMap::new();
        let mut uses = match instead.and_then(|instead| instead.probe) {
            Some(probe) => Uses::probing(probe),
            None => Uses::default(),
        };
        let texts = Texts { documents, instead };
        let compiled = match own(root, &texts) {
            // It is gone.
            Err(Unreadable(_)) => Compiled::default(),
            Ok(input) => match sources.load(input.name.as_str(), &input.bytes) {
                Err(error) => Compiled {
                    program: None,
                    diagnostics: vec![Diagnostic::from(error)],
                },
                Ok(id) => {
                    let disk = Disk::with(&input, roots);
                    let mut reader = Overlay { disk, texts };
                    compile_names(id, &mut sources, &mut reader, &mut uses)
                }
            },
        };
        let files = sources.files().map(|(source, file)| {
            let lines = Lines::of(file.text());
            (known_as(Path::new(file.name())), Part { source, lines })
        });
        Self {
            root: root.to_owned(),
            files: files.collect(),
            program: compiled.program.map(Arc::new),
            diagnostics: compiled.diagnostics,
            uses,
            sources,
        }
    }

    /// The paths of its files.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.keys().map(PathBuf::as_path)
    }

    /// The source at a path.
    pub(super) fn source(&self, path: &Path) -> Option<SourceId> {
        self.files.get(path).map(|part| part.source)
    }

    /// The path of a source.
    pub(super) fn path(&self, source: SourceId) -> Option<&Path> {
        let mut files = self.files.iter();
        let (path, _) = files.find(|(_, part)| part.source == source)?;
        Some(path)
    }

    /// The text of a file, with its lines.
    pub(super) fn text(&self, path: &Path) -> Option<(&str, &Lines)> {
        let part = self.files.get(path)?;
        Some((self.sources.file(part.source).text(), &part.lines))
    }

    /// The place of a position, as an empty range.
    pub(super) fn place(&self, path: &Path, at: Position, encoding: Encoding) -> Option<Span> {
        let (text, lines) = self.text(path)?;
        let offset = lines.offset(text, at, encoding);
        let offset = u32::try_from(offset).ok()?;
        Some(Span::point(self.source(path)?, offset))
    }

    /// Where a range is, with an editor.
    pub(super) fn range(&self, span: Span, encoding: Encoding) -> Option<(&Path, Range)> {
        let path = self.path(span.source)?;
        let (text, lines) = self.text(path)?;
        Some((path, lines.range(text, span.range(), encoding)))
    }
}

/// What the editor calls a file.
pub(super) fn uri(path: &Path, documents: &Documents) -> Option<Uri> {
    match documents.get(path) {
        Some(document) => Some(document.uri.clone()),
        None => uri_of(path),
    }
}

/// The text of the specification's own file.
fn own(root: &Path, texts: &Texts<'_>) -> Result<Input, Unreadable> {
    match texts.get(root) {
        Some(bytes) => Ok(Input {
            name: root.display().to_string(),
            bytes,
            path: Some(root.to_owned()),
        }),
        None => input::one(root),
    }
}
