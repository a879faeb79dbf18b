//! Where the questions behind proofs are written.

use super::exit::Exit;
use super::input::Input;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// For each specification a folder: the one that is asked for, or, for several, one for each in it.
pub(super) fn folders(
    root: Option<&Path>,
    inputs: &[Input],
) -> Result<Vec<Option<PathBuf>>, (String, Exit)> {
    let Some(root) = root else {
        return Ok(vec![None; inputs.len()]);
    };
    if let [_] = inputs {
        return Ok(vec![Some(root.to_owned())]);
    }
    let mut taken: BTreeMap<PathBuf, &str> = BTreeMap::new();
    let mut all = Vec::new();
    for input in inputs {
        let stem = input.path.as_deref().and_then(Path::file_stem);
        let folder = root.join(stem.unwrap_or("standard-input".as_ref()));
        if let Some(other) = taken.insert(folder.clone(), &input.name) {
            let (name, folder) = (&input.name, folder.display());
            let why =
                format!("the certificates of `{other}` and `{name}` would both be in `{folder}`");
            return Err((why, Exit::Usage));
        }
        all.push(Some(folder));
    }
    Ok(all)
}
