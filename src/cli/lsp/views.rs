//! Files of specifications, as they are asked about.

use super::documents::known_as;
use super::looked::Looked;
use super::places::path_of;
use super::server::Server;
use super::specification::Specification;
use super::view::View;
use lsp_types::Uri;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// So long somebody waits for names of other files.
const MOMENT: Duration = Duration::from_millis(300);

/// Of so many files it is asked to which specifications they belong.
const MOST_FILES: usize = 500;

impl Server {
    /// What is known of a file: as part of each specification to which it belongs.
    pub(super) fn views(
        &self,
        uri: &Uri,
    ) -> Vec<(PathBuf, Arc<Specification>, Option<Arc<Looked>>)> {
        let path = known_as(&path_of(uri));
        let roots = self.workspace.roots(&path).into_iter();
        let known = roots.filter_map(|root| {
            let known = self.known.get(&root)?;
            let has = known.specification.paths().any(|one| one == path);
            has.then(|| {
                (
                    path.clone(),
                    known.specification.clone(),
                    known.looked.clone(),
                )
            })
        });
        known.collect()
    }

    /// All specifications: those that are known, and the others of the folders, which are read for this, as many as
    /// can be in a moment.
    pub(super) fn all_specifications(&self) -> Vec<Arc<Specification>> {
        let begin = Instant::now();
        let files = self.workspace.files();
        let roots: BTreeSet<PathBuf> = files
            .take(MOST_FILES)
            .flat_map(|path| self.workspace.roots(path))
            .collect();
        let others = roots.iter().filter(|root| !self.known.contains_key(*root));
        let others = others.take_while(|_| begin.elapsed() < MOMENT);
        let known = self.known.values().map(|one| one.specification.clone());
        known.chain(others.map(|root| self.read(root))).collect()
    }

    /// The specifications of which a file is part.
    pub(super) fn with(&self, path: &Path) -> Vec<Arc<Specification>> {
        let roots = self.workspace.roots(path).into_iter();
        let all = roots.map(|root| match self.known.get(&root) {
            Some(known) => known.specification.clone(),
            None => self.read(&root),
        });
        all.collect()
    }

    fn read(&self, root: &Path) -> Arc<Specification> {
        let read = Specification::read(root, &self.documents, &self.roots, None);
        Arc::new(read)
    }

    /// The view of a file in a specification.
    pub(super) fn view<'a>(
        &'a self,
        path: &'a Path,
        specification: &'a Specification,
        looked: Option<&'a Looked>,
    ) -> View<'a> {
        View {
            path,
            specification,
            looked,
            documents: &self.documents,
            roots: &self.roots,
            encoding: self.encoding,
        }
    }
}
