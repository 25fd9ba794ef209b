//! Prints a graph in its textual form; `parse_text` reads it back.

use super::{Dim, DimDef, Graph, Input, Node, Op, Part, Shape, Source, Ty};
use crate::schema::DomainId;
use q::{Kind, Sym};
use std::fmt::{self, Display, Formatter, Write};

/// The word that the textual form has for each operation without a primitive or an index.
pub(super) const WORDS: [(&str, Op); 12] = [
    ("0N", Op::Null),
    ("row", Op::Row),
    ("cast", Op::Cast),
    ("cond", Op::Cond),
    ("keep", Op::Keep),
    ("spread", Op::Spread),
    ("place", Op::Place),
    ("list", Op::List),
    ("member", Op::Member),
    ("lookup", Op::Lookup),
    ("bin", Op::Bin),
    ("binr", Op::Binr),
];

impl Display for Graph {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.compensated {
            writeln!(f, "compensated")?;
        }
        for step in &self.steps {
            writeln!(f, "step")?;
            step.to_string().lines().try_for_each(|line| writeln!(f, "| {line}"))?;
        }
        for (c, input) in &self.inputs {
            writeln!(f, "{c} = {input}")?;
        }
        for (p, def) in &self.params {
            writeln!(f, "{p} = {}: {}", def.source, Type(def.kind, None))?;
        }
        for (d, parts) in &self.domains {
            write!(f, "{d} =")?;
            for (i, part) in parts.iter().enumerate() {
                write!(f, "{} {part}", if i > 0 { "," } else { "" })?;
            }
            writeln!(f)?;
        }
        let mut dims = self.dims.iter().skip(1).peekable();
        for (n, def) in &self.nodes {
            // A dim stands before the first node over it, so after the nodes that define it.
            // So does the dim of a scan's lists.
            let last = def.op.lists().map_or(def.ty.dim, |lists| lists.max(def.ty.dim));
            while let Some((d, dim)) = dims.next_if(|(d, _)| *d <= last) {
                writeln!(f, "{d} = {dim}")?;
            }
            write!(f, "{n}: {} = {}", def.ty, def.op)?;
            list(f, &def.args)?;
            match self.places.get(&n) {
                Some(place) => writeln!(f, "  ; {place}")?,
                None => writeln!(f)?,
            }
        }
        for (d, dim) in dims {
            writeln!(f, "{d} = {dim}")?;
        }
        let Some(shape) = self.shape else { return Ok(()) };
        write!(f, "out {shape}")?;
        for (i, out) in self.outputs.iter().enumerate() {
            write!(f, "{} {} = {}", if i > 0 { "," } else { "" }, Name(out.name), out.node)?;
            if let Some(column) = out.nested {
                write!(f, " of {column}")?;
            }
            if out.check {
                f.write_str(" check")?;
            }
            if let Some(count) = out.taken {
                write!(f, " take {count}")?;
            }
        }
        writeln!(f)
    }
}

fn list(f: &mut Formatter<'_>, nodes: &[Node]) -> fmt::Result {
    for (i, n) in nodes.iter().enumerate() {
        write!(f, "{} {n}", if i > 0 { "," } else { "" })?;
    }
    Ok(())
}

/// A kind and, for symbols and enums, the domain of their codes.
struct Type(Kind, Option<DomainId>);

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())?;
        match self.1 {
            Some(domain) => write!(f, "<{domain}>"),
            None => Ok(()),
        }
    }
}

impl Display for Ty {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Type(self.kind, self.domain).fmt(f)?;
        if self.dim == Dim::ONE { Ok(()) } else { write!(f, "[{}]", self.dim) }
    }
}

impl Display for DomainId {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.0)
    }
}

impl Display for Part {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Part::Domain(d) => d.fmt(f),
            Part::Symbol(p) => p.fmt(f),
        }
    }
}

impl Display for Input {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}: {}", Name(self.name), self.index, Type(self.kind, self.domain))?;
        if self.width as usize != self.kind.width() {
            write!(f, "/{}", self.width)?;
        }
        f.write_str(if self.counts { " counts" } else { "" })
    }
}

impl Display for DimDef {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            DimDef::One => f.write_str("one"),
            DimDef::Rows => f.write_str("rows"),
            DimDef::Kept { of, mask } => write!(f, "kept {of}, {mask}"),
            DimDef::Groups { of, keys } => {
                write!(f, "groups {of}")?;
                keys.iter().try_for_each(|k| write!(f, ", {k}"))
            }
            DimDef::Lists { groups, of } => write!(f, "lists {groups}, {of}"),
            DimDef::Given(p) => write!(f, "given {p}"),
        }
    }
}

impl Display for Source {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Source::Literal(i) => write!(f, "literal {i}"),
            Source::Variable(name) => write!(f, "variable {}", Name(name)),
            Source::Constant(x) => write!(f, "constant {x}"),
            Source::Item(p, i) => write!(f, "item {p}, {i}"),
            Source::Cast(p, kind) => write!(f, "cast {p}, {}", kind.name()),
            Source::Code(p, d) => write!(f, "code {p}, {d}"),
            Source::Below(p, d) => write!(f, "below {p}, {d}"),
            Source::NotAbove(p, d) => write!(f, "notabove {p}, {d}"),
            Source::Ranks(d) => write!(f, "ranks {d}"),
            Source::Bounds(p, d, false) => write!(f, "bounds {p}, {d}"),
            Source::Bounds(p, d, true) => write!(f, "rightbounds {p}, {d}"),
            Source::Sorted(d) => write!(f, "sorted {d}"),
            Source::Remap(a, b) => write!(f, "remap {a}, {b}"),
            Source::Like(p, d) => write!(f, "like {p}, {d}"),
            Source::Keys(p) => write!(f, "keys {p}"),
            Source::Count(p) => write!(f, "count {p}"),
            Source::Codes(p, d) => write!(f, "codes {p}, {d}"),
            Source::Places(p, None) => write!(f, "places {p}"),
            Source::Places(p, Some(d)) => write!(f, "places {p}, {d}"),
            Source::Set(p, None) => write!(f, "set {p}"),
            Source::Set(p, Some(d)) => write!(f, "set {p}, {d}"),
        }
    }
}

impl Display for Op {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Op::Col(c) => write!(f, "col {c}"),
            Op::Param(p) => write!(f, "param {p}"),
            Op::Key(i) => write!(f, "key {i}"),
            Op::Steps(step, lists) => write!(f, "steps {step} {lists}"),
            Op::Argument(i) => write!(f, "argument {i}"),
            Op::Scan(p, lists) => write!(f, "scan {} {lists}", p.row().stem),
            Op::Map(p) | Op::Agg(p) => f.write_str(p.row().stem),
            op => f.write_str(WORDS.iter().find(|(_, o)| o == op).map_or("?", |(word, _)| word)),
        }
    }
}

impl Display for Shape {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Table => f.write_str("table"),
            Shape::Keyed(n) => write!(f, "keyed {n}"),
            Shape::Single => f.write_str("single"),
            Shape::Dict => f.write_str("dict"),
            Shape::Map => f.write_str("map"),
            Shape::Rows => f.write_str("rows"),
            Shape::OfRows(keys) => write!(f, "ofrows {keys}"),
        }
    }
}

/// A q name: bare where it is a word, else in quotes.
pub struct Name(pub Sym);

impl Display for Name {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = self.0.text();
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        if text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '.') && text.chars().all(word) {
            return f.write_str(text);
        }
        f.write_char('"')?;
        for c in text.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                ' '..='~' => f.write_char(c)?,
                // Each character of a name stands for one byte.
                _ => write!(f, "\\{:03o}", c as u32)?,
            }
        }
        f.write_char('"')
    }
}
