//! `use`: modules. A module is a script that sets `export`; its other names are its own.

use super::{Interp, list, string};
use crate::error::{Error, Result, type_error};
use crate::sym::Sym;
use crate::value::Value;
use std::path::{Path, PathBuf};

/// A module that was loaded, or is being loaded.
#[derive(Debug)]
pub(crate) struct Module {
    file: PathBuf,
    /// Its namespace, without the leading dot.
    space: Sym,
    /// What `use` gives; none while it is being loaded.
    export: Option<Value>,
}

/// `use `name`: a module of the host program, or one from the search path. A module is loaded once.
///
/// `a.b` is `a/b.q` or `a/b/init.q` in a folder of `.Q.m.SP`, and `a:b` the module `b` in the folder of `a`. A
/// module finds those beside it with a leading dot, `.b`, and those of each folder further up with one dot more.
pub fn use_module(q: &mut Interp, x: &Value) -> Result<Value> {
    let name = match x.as_sym() {
        Some(name) => name.text().to_string(),
        None => list::bytes(x).ok_or(Error::new("type"))?.iter().map(|&b| b as char).collect(),
    };
    let loaders = std::mem::take(&mut q.loaders);
    let found = loaders.iter().find_map(|load| load(q, &name));
    let added = std::mem::replace(&mut q.loaders, loaders);
    q.loaders.extend(added);
    if let Some(module) = found {
        return module;
    }
    let relative = name.trim_start_matches('.').replace(['.', ':'], "/");
    let dots = name.len() - name.trim_start_matches('.').len();
    let folders = if dots == 0 { search_path(q)? } else { vec![folder_of_caller(q, dots)?] };
    let files =
        folders.iter().flat_map(|f| [f.join(format!("{relative}.q")), f.join(&relative).join("init.q")]);
    match files.into_iter().find(|file| file.is_file()) {
        Some(file) if !relative.is_empty() => load(q, &name, &file),
        _ => Err(Error::new(name).detail("no such module on the search path, .Q.m.SP")),
    }
}

/// The folders in `.Q.m.SP`.
fn search_path(q: &Interp) -> Result<Vec<PathBuf>> {
    let Some(path) = q.global(Sym::new(".Q.m.SP")) else { return Ok(vec![]) };
    let folder = |x: &Value| match list::bytes(x) {
        Some(text) => Ok(PathBuf::from(text.iter().map(|&b| b as char).collect::<String>())),
        None => type_error(),
    };
    super::item::items(&path).iter().map(folder).collect()
}

/// The folder of the module that is being loaded or whose function runs, or one further up for each dot after
/// the first; for others the working directory.
fn folder_of_caller(q: &Interp, dots: usize) -> Result<PathBuf> {
    let space = q.frames.last().map(|f| f.space).unwrap_or_default();
    let caller = q.modules.iter().find(|m| m.space == space);
    let file = caller.map_or(Path::new("./"), |m| &m.file);
    let folder = if caller.is_some() { file.ancestors().nth(dots) } else { file.ancestors().nth(dots - 1) };
    Ok(folder.ok_or(Error::new("use").detail("no folder so far up"))?.to_path_buf())
}

fn load(q: &mut Interp, name: &str, file: &Path) -> Result<Value> {
    if let Some(module) = q.modules.iter().find(|m| m.file == file) {
        return module.export.clone().ok_or(Error::new("loop").detail("modules that use each other"));
    }
    let at = q.modules.len();
    let space = Sym::new(&format!("m{at}_{}", name.replace(['.', ':'], "_")));
    q.modules.push(Module { file: file.to_path_buf(), space, export: None });
    match exported(q, space, file) {
        Ok(export) => {
            q.modules[at].export = Some(export.clone());
            Ok(export)
        }
        Err(e) => {
            q.modules.truncate(at);
            Err(e)
        }
    }
}

/// Runs the script in its own namespace and takes its `export`, which may be a function that makes it.
fn exported(q: &mut Interp, space: Sym, file: &Path) -> Result<Value> {
    let held = q.globals.current;
    q.enter(space);
    let loaded = q.load_file(&file.to_string_lossy());
    let export = q.global(Sym::new("export"));
    q.enter(held);
    loaded?;
    match export {
        Some(f @ Value::Fun(_)) => q.apply(&f, vec![Value::null()]),
        Some(v) => Ok(v),
        None => Err(Error::new("export").detail(format!("{} sets no export", file.display()))),
    }
}

/// `.Q.m.SP` at the start: the folders of `QPATH`, then `mod` of `QHOME` or of `~/.kx`.
pub(super) fn default_path() -> Value {
    let text = |name: &str| std::env::var(name).unwrap_or_default();
    let home = match (text("QHOME"), text("HOME")) {
        (home, _) if !home.is_empty() => Some(home),
        (_, home) if !home.is_empty() => Some(format!("{home}/.kx")),
        _ => None,
    };
    let folders = text("QPATH");
    let folders = folders.split(':').filter(|f| !f.is_empty()).map(str::to_string);
    let folders = folders.chain(home.map(|home| format!("{home}/mod")));
    Value::list(folders.map(|f| Value::chars(&string::latin(&f))).collect())
}
