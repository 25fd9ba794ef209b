//! PTX text to routines of statements, labels and scopes.

use super::ParseError;

/// A piece of a routine's body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// A statement without its semicolon: its text, its line, and the line of the CUDA text.
    Statement(String, u32, u32),
    /// A label.
    Label(String),
    /// A scope opens.
    Open,
    /// A scope closes.
    Close,
}

/// A parameter or result: its name and its bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Its bytes.
    pub bytes: usize,
}

/// A kernel or device function.
#[derive(Clone, Debug, Default)]
pub struct Routine {
    /// Its name.
    pub name: String,
    /// A kernel.
    pub entry: bool,
    /// What a function gives back.
    pub results: Vec<Param>,
    /// What it takes.
    pub params: Vec<Param>,
    /// What it does.
    pub body: Vec<Piece>,
}

/// A text cut into its parts.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Kernels and functions.
    pub routines: Vec<Routine>,
    /// Names and contents of the tables.
    pub globals: Vec<(String, Vec<u8>)>,
    /// Declarations of arrays in shared memory that several kernels use.
    pub shared: Vec<String>,
}

/// More bytes than any array of a kernel has.
const LARGEST: usize = 1 << 24;

/// Directives that end with their line.
const LINES: [&str; 4] = [".version", ".target", ".address_size", ".file"];

/// Cuts a text.
pub fn cut(text: &str) -> Result<Module, ParseError> {
    let mut module = Module::default();
    let mut cutter = Cutter::default();
    let mut section = false;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split("//").next().unwrap_or("").trim();
        cutter.line = number;
        if section || line.starts_with(".section") {
            section = line != "}";
            continue;
        }
        if cutter.current.trim().is_empty() {
            if LINES.iter().any(|d| line.starts_with(d)) {
                continue;
            }
            if let Some(place) =
                line.strip_prefix(".loc").filter(|place| place.starts_with(char::is_whitespace))
            {
                cutter.source = place.split_whitespace().nth(1).and_then(|w| w.parse().ok()).unwrap_or(0);
                continue;
            }
        }
        for c in line.chars().chain(Some(' ')) {
            cutter.take(c, &mut module)?;
        }
    }
    match cutter.depth == 0 && cutter.current.trim().is_empty() {
        true => Ok(module),
        false => Err(cutter.error("the text ends in the middle of something")),
    }
}

#[derive(Default)]
struct Cutter {
    /// The statement so far.
    current: String,
    line: u32,
    source: u32,
    /// Scopes that are open.
    depth: usize,
    /// Braces that are open within the statement.
    braces: usize,
}

impl Cutter {
    fn error(&self, what: impl Into<String>) -> ParseError {
        ParseError { kernel: String::new(), line: self.line, what: what.into() }
    }

    fn take(&mut self, c: char, module: &mut Module) -> Result<(), ParseError> {
        let empty = self.current.trim().is_empty();
        let body = |module: &mut Module, piece| {
            if let Some(r) = module.routines.last_mut() {
                r.body.push(piece);
            }
        };
        match c {
            '{' if self.depth == 0 && is_header(&self.current) => {
                module.routines.push(header(&self.current).map_err(|e| self.error(e))?);
                self.current.clear();
                (self.depth, self.source) = (1, 0);
            }
            '{' if empty && self.depth > 0 => {
                self.depth += 1;
                body(module, Piece::Open);
            }
            '}' if empty && self.braces == 0 => {
                self.depth = self.depth.checked_sub(1).ok_or_else(|| self.error("a brace closes nothing"))?;
                if self.depth > 0 {
                    body(module, Piece::Close);
                }
            }
            // A label, and not the `::` of a qualifier.
            ':' if self.depth > 0 && is_label(&self.current) => {
                body(module, Piece::Label(self.current.trim().to_string()));
                self.current.clear();
            }
            ';' => {
                let text = std::mem::take(&mut self.current).trim().to_string();
                if self.depth > 0 {
                    body(module, Piece::Statement(text, self.line, self.source));
                } else if text.contains(".shared ") {
                    module.shared.push(text);
                } else if let Some(global) = global(&text) {
                    module.globals.push(global.map_err(|e| self.error(e))?);
                }
            }
            c => {
                match c {
                    '{' => self.braces += 1,
                    '}' => self.braces = self.braces.saturating_sub(1),
                    _ => {}
                }
                self.current.push(c);
            }
        }
        Ok(())
    }
}

fn is_label(text: &str) -> bool {
    let text = text.trim();
    text.starts_with('$') && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$'))
}

fn is_header(text: &str) -> bool {
    text.split_whitespace().any(|w| w == ".entry" || w == ".func")
}

/// A routine without its body: `.visible .entry name(params) …`, `.func (results) name(params)`.
fn header(text: &str) -> Result<Routine, String> {
    let (_, entry) = text.split_once(".entry").map_or((text, None), |(a, b)| (a, Some(b)));
    let rest = match entry {
        Some(rest) => rest.trim(),
        None => text.split_once(".func").map_or("", |(_, rest)| rest).trim(),
    };
    let (results, rest) = match rest.strip_prefix('(') {
        Some(rest) => rest.split_once(')').ok_or("the results of a function do not end")?,
        None => ("", rest),
    };
    let (name, params) = rest.split_once('(').unwrap_or((rest, ")"));
    let (params, _) = params.split_once(')').ok_or("the parameters do not end")?;
    let list = |text: &str| {
        let parts = text.split(',').map(str::trim).filter(|p| !p.is_empty());
        parts.map(param).collect::<Result<Vec<_>, _>>()
    };
    Ok(Routine {
        name: name.trim().to_string(),
        entry: entry.is_some(),
        results: list(results)?,
        params: list(params)?,
        body: Vec::new(),
    })
}

/// `.param .u64 name`, `.param .align 8 .b8 name[16]`.
pub fn param(text: &str) -> Result<Param, String> {
    let (name, _, bytes) = array(text).ok_or_else(|| format!("`{text}` is no parameter"))?;
    Ok(Param { name, bytes })
}

/// A declaration's name, alignment and bytes: `.shared .align 8 .b8 room[64]`.
pub fn array(text: &str) -> Option<(String, usize, usize)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let unit = words.iter().find_map(|w| super::operand::ty(w.strip_prefix('.')?))?.bytes() as usize;
    let align = words.iter().position(|w| *w == ".align").and_then(|i| words.get(i + 1)?.parse().ok());
    let name = words.last()?;
    let (name, count) = match name.split_once('[') {
        Some((name, count)) => (name, count.strip_suffix(']')?.parse::<usize>().ok()?),
        None => (*name, 1),
    };
    let (align, bytes) = (align.unwrap_or(unit).max(1), count.checked_mul(unit)?);
    (bytes <= LARGEST && align <= LARGEST).then(|| (name.to_string(), align, bytes))
}

/// A table of bytes at the top of the module: `.global .align 8 .b8 name[2] = {1, 2}`.
fn global(text: &str) -> Option<Result<(String, Vec<u8>), String>> {
    if !text.contains(".global ") && !text.contains(".const ") {
        return None;
    }
    let (declared, values) = text.split_once('=').unwrap_or((text, ""));
    let parse = || {
        let (name, _, bytes) = array(declared.trim()).ok_or("a table without a size")?;
        let unit = match declared.contains(".b8 ") {
            true => 1,
            false if values.is_empty() => 1,
            false => return Err("a table that is not of bytes".to_string()),
        };
        let mut contents = Vec::with_capacity(bytes * unit);
        for word in values.trim().trim_matches(['{', '}']).split(',').map(str::trim).filter(|w| !w.is_empty())
        {
            contents.push(word.parse::<u8>().map_err(|_| format!("`{word}` is no byte"))?);
        }
        contents.resize(bytes, 0);
        Ok((name, contents))
    };
    Some(parse())
}
