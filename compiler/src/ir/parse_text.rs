//! Reads the textual form of a graph. Only the form is checked: what the words say is the verifier's business.

use super::text::WORDS;
use super::{Dim, DimDef, Graph, Input, NodeDef, Op, Output, ParamDef, Part, Shape, Source, Ty};
use crate::schema::DomainId;
use cranelift_entity::EntityRef;
use q::fun::Class;
use q::path::Path;
use q::{Kind, Prim, Sym};

/// What is wrong with a text, and in which line, from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct TextError {
    /// The line, from 1.
    pub line: usize,
    /// What was expected.
    pub message: String,
}

/// The graph that `text` shows. Empty lines are skipped.
pub fn parse_graph(text: &str) -> Result<Graph, TextError> {
    let mut graph = Graph::default();
    for (i, line) in text.lines().enumerate() {
        let mut line = Line { rest: line.trim() };
        if !line.rest.is_empty() {
            let whole = statement(&mut line, &mut graph).and_then(|()| line.end());
            whole.map_err(|message| TextError { line: i + 1, message })?;
        }
    }
    Ok(graph)
}

type Parse<T> = Result<T, String>;

fn statement(line: &mut Line, graph: &mut Graph) -> Parse<()> {
    if line.word("out") {
        graph.shape = Some(shape(line)?);
        while !line.rest.is_empty() {
            if !graph.outputs.is_empty() {
                line.expect(",")?;
            }
            let name = line.name()?;
            line.expect("=")?;
            let node = line.entity("n")?;
            let nested = if line.word("of") { Some(line.number()?) } else { None };
            let check = line.word("check");
            let taken = if line.word("take") { Some(line.entity("p")?) } else { None };
            graph.outputs.push(Output { name, node, nested, taken, check });
        }
        return Ok(());
    }
    if line.word("step") {
        graph.steps.push(Graph::default());
        return Ok(());
    }
    if line.eat("|") {
        let step = graph.steps.last_mut().ok_or("no step is begun")?;
        return statement(line, step);
    }
    if line.word("compensated") {
        graph.compensated = true;
        return Ok(());
    }
    match line.rest.chars().next() {
        Some('c') => {
            line.next_id("c", graph.inputs.len())?;
            line.expect("=")?;
            let input = input(line, graph.inputs.len())?;
            graph.inputs.push(input);
        }
        Some('p') => {
            line.next_id("p", graph.params.len())?;
            line.expect("=")?;
            let source = source(line)?;
            line.expect(":")?;
            graph.params.push(ParamDef { kind: line.kind()?, source });
        }
        Some('d') => {
            line.next_id("d", graph.dims.len())?;
            line.expect("=")?;
            let dim = dim(line)?;
            graph.dims.push(dim);
        }
        Some('n') => node(line, graph)?,
        Some('s') => {
            let d = line.domain()?;
            line.expect("=")?;
            let parts = parts(line)?;
            if graph.domains.insert(d, parts).is_some() {
                return Err(format!("{d} is a domain already"));
            }
        }
        _ => return Err("expected c, p, s, d, n and a number, or out".into()),
    }
    Ok(())
}

fn input(line: &mut Line, at: usize) -> Parse<Input> {
    let name = line.name()?;
    let index = if line.word("at") { line.number()? } else { at };
    line.expect(":")?;
    let (kind, domain) = typed(line)?;
    let width = if line.eat("/") { line.number()? } else { kind.width() };
    let width = u8::try_from(width).map_err(|_| "a width is a few bytes".to_string())?;
    let counts = line.word("counts");
    Ok(Input { index, name, kind, width, domain, counts })
}

fn parts(line: &mut Line) -> Parse<Vec<Part>> {
    let mut parts = vec![];
    loop {
        parts.push(match line.rest.starts_with('s') {
            true => Part::Domain(line.domain()?),
            false => Part::Symbol(line.entity("p")?),
        });
        if !line.eat(",") {
            return Ok(parts);
        }
    }
}

fn typed(line: &mut Line) -> Parse<(Kind, Option<DomainId>)> {
    let kind = line.kind()?;
    if !line.eat("<") {
        return Ok((kind, None));
    }
    let domain = line.domain()?;
    line.expect(">")?;
    Ok((kind, Some(domain)))
}

fn dim(line: &mut Line) -> Parse<DimDef> {
    match line.token()? {
        "one" => Ok(DimDef::One),
        "rows" => Ok(DimDef::Rows),
        "kept" => {
            let of = line.entity("d")?;
            line.expect(",")?;
            Ok(DimDef::Kept { of, mask: line.entity("n")? })
        }
        "groups" => {
            let of = line.entity("d")?;
            let mut keys = vec![];
            while line.eat(",") {
                keys.push(line.entity("n")?);
            }
            Ok(DimDef::Groups { of, keys })
        }
        "lists" => {
            let groups = line.entity("d")?;
            line.expect(",")?;
            Ok(DimDef::Lists { groups, of: line.entity("d")? })
        }
        "given" => Ok(DimDef::Given(line.entity("p")?)),
        other => Err(format!("unknown dim {other}")),
    }
}

fn source(line: &mut Line) -> Parse<Source> {
    let word = line.token()?;
    match word {
        "literal" => Ok(Source::Literal(line.number()?)),
        "variable" => Ok(Source::Variable(line.name()?)),
        "constant" => Ok(Source::Constant(line.number()?)),
        "ranks" => Ok(Source::Ranks(line.domain()?)),
        "bounds" | "rightbounds" => {
            let p = line.entity("p")?;
            line.expect(",")?;
            Ok(Source::Bounds(p, line.domain()?, word == "rightbounds"))
        }
        "sorted" => Ok(Source::Sorted(line.domain()?)),
        "remap" => {
            let a = line.domain()?;
            line.expect(",")?;
            Ok(Source::Remap(a, line.domain()?))
        }
        "set" | "places" => {
            let p = line.entity("p")?;
            let domain = if line.eat(",") { Some(line.domain()?) } else { None };
            Ok(if word == "set" { Source::Set(p, domain) } else { Source::Places(p, domain) })
        }
        "keys" => Ok(Source::Keys(line.entity("p")?)),
        "count" => Ok(Source::Count(line.entity("p")?)),
        "item" | "cast" | "code" | "codes" | "below" | "notabove" | "like" => {
            let p = line.entity("p")?;
            line.expect(",")?;
            Ok(match word {
                "item" => Source::Item(p, line.number()?),
                "cast" => Source::Cast(p, line.kind()?),
                "code" => Source::Code(p, line.domain()?),
                "codes" => Source::Codes(p, line.domain()?),
                "like" => Source::Like(p, line.domain()?),
                "below" => Source::Below(p, line.domain()?),
                _ => Source::NotAbove(p, line.domain()?),
            })
        }
        other => Err(format!("unknown source {other}")),
    }
}

fn node(line: &mut Line, graph: &mut Graph) -> Parse<()> {
    line.next_id("n", graph.nodes.len())?;
    line.expect(":")?;
    let (kind, domain) = typed(line)?;
    let mut dim = Dim::ONE;
    if line.eat("[") {
        dim = line.entity("d")?;
        line.expect("]")?;
    }
    line.expect("=")?;
    let op = op(line)?;
    let mut args = vec![];
    while line.rest.starts_with('n') {
        args.push(line.entity("n")?);
        if !line.eat(",") {
            break;
        }
    }
    let n = graph.nodes.push(NodeDef { op, args, ty: Ty { kind, dim, domain } });
    if line.eat(";") {
        let mut place = vec![];
        while !line.rest.is_empty() {
            place.push(line.number()?);
        }
        graph.places.insert(n, Path(place));
    }
    Ok(())
}

fn op(line: &mut Line) -> Parse<Op> {
    let word = line.token()?;
    if let Some((_, op)) = WORDS.iter().find(|(w, _)| *w == word) {
        return Ok(*op);
    }
    match word {
        "col" => return Ok(Op::Col(line.entity("c")?)),
        "scan" => {
            let stem = line.token()?;
            let prim = Prim::from_stem(stem).ok_or(format!("unknown function {stem}"))?;
            return Ok(Op::Scan(prim, line.entity("d")?));
        }
        "steps" => {
            let step = line.number()?;
            return Ok(Op::Steps(step, line.entity("d")?));
        }
        "argument" => return Ok(Op::Argument(line.number()?)),
        "param" => return Ok(Op::Param(line.entity("p")?)),
        "key" => return Ok(Op::Key(line.number()?)),
        _ => {}
    }
    match Prim::from_stem(word).map(|p| (p, p.row().class)) {
        Some((p, Class::Map)) => Ok(Op::Map(p)),
        Some((p, Class::Agg)) => Ok(Op::Agg(p)),
        _ => Err(format!("unknown operation {word}")),
    }
}

fn shape(line: &mut Line) -> Parse<Shape> {
    match line.token()? {
        "table" => Ok(Shape::Table),
        "keyed" => Ok(Shape::Keyed(line.number()?)),
        "single" => Ok(Shape::Single),
        "dict" => Ok(Shape::Dict),
        "map" => Ok(Shape::Map),
        "rows" => Ok(Shape::Rows),
        "ofrows" => Ok(Shape::OfRows(line.number()?)),
        other => Err(format!("unknown shape {other}")),
    }
}

/// What is left of a line.
struct Line<'a> {
    rest: &'a str,
}

impl<'a> Line<'a> {
    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest[bytes..].trim_start();
    }

    fn eat(&mut self, mark: &str) -> bool {
        let here = self.rest.starts_with(mark);
        if here {
            self.skip(mark.len());
        }
        here
    }

    fn expect(&mut self, mark: &str) -> Parse<()> {
        if self.eat(mark) { Ok(()) } else { Err(format!("expected {mark} before {:?}", self.rest)) }
    }

    /// The next word or number: letters, digits, `_` and `.`, after a minus perhaps.
    fn token(&mut self) -> Parse<&'a str> {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let sign = usize::from(self.rest.starts_with('-'));
        let len = sign + self.rest[sign..].find(|c| !word(c)).unwrap_or(self.rest.len() - sign);
        if len == sign {
            return Err(format!("expected a word before {:?}", self.rest));
        }
        let token = &self.rest[..len];
        self.skip(len);
        Ok(token)
    }

    fn word(&mut self, word: &str) -> bool {
        let mut ahead = Line { rest: self.rest };
        let here = ahead.token() == Ok(word);
        if here {
            self.rest = ahead.rest;
        }
        here
    }

    fn number<T: std::str::FromStr>(&mut self) -> Parse<T> {
        let token = self.token()?;
        token.parse().map_err(|_| format!("expected a number, not {token}"))
    }

    fn index(&mut self, letter: &str) -> Parse<usize> {
        let token = self.token()?;
        let digits = token.strip_prefix(letter).and_then(|t| t.parse::<u32>().ok());
        // The entities' largest index is reserved.
        digits
            .filter(|&i| i != u32::MAX)
            .map(|i| i as usize)
            .ok_or(format!("expected {letter} and a number, not {token}"))
    }

    fn entity<T: EntityRef>(&mut self, letter: &str) -> Parse<T> {
        self.index(letter).map(T::new)
    }

    fn next_id(&mut self, letter: &str, next: usize) -> Parse<()> {
        if self.index(letter)? == next { Ok(()) } else { Err(format!("expected {letter}{next}")) }
    }

    fn domain(&mut self) -> Parse<DomainId> {
        self.index("s").map(|i| DomainId(i as u32))
    }

    fn kind(&mut self) -> Parse<Kind> {
        let token = self.token()?;
        Kind::from_name(token).ok_or(format!("unknown kind {token}"))
    }

    fn name(&mut self) -> Parse<Sym> {
        if !self.rest.starts_with('"') {
            return self.token().map(Sym::new);
        }
        let mut text = String::new();
        let mut chars = self.rest.char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.skip(at + 1);
                    return Ok(Sym::new(&text));
                }
                '\\' => match chars.next() {
                    Some((_, c @ ('"' | '\\'))) => text.push(c),
                    Some((at, _)) => {
                        let octal = self.rest.get(at..at + 3).and_then(|o| u8::from_str_radix(o, 8).ok());
                        text.push(octal.ok_or("expected three octal digits")? as char);
                        chars.nth(1);
                    }
                    None => break,
                },
                c if c.is_ascii() => text.push(c),
                c => return Err(format!("{c} must be written as octal digits")),
            }
        }
        Err("a name's quote is never closed".into())
    }

    fn end(&self) -> Parse<()> {
        if self.rest.is_empty() { Ok(()) } else { Err(format!("unexpected {:?}", self.rest)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
c0 = price at 3: float
c1 = \"a b\\\"\\351\" at 0: symbol<s0>/2
p0 = literal 0: float
p1 = set p0, s0: symbol
p2 = constant -2: int
s1 = s0, p0
s7 = p0, s1
d1 = rows
n0: float[d1] = col c0
n1: float = param p0
n2: boolean[d1] = gt n0, n1  ; 2 0 0
d2 = kept d1, n2
n3: float[d2] = keep n0
n4: float = sum n3  ; 4 0
n5: symbol<s0>[d1] = col c1
d3 = given p1
n6: symbol<s0>[d3] = param p1
n7: boolean[d1] = member n5, n6
n8: float = 0N
d4 = groups d1, n5
n9: symbol<s0>[d4] = key 0
n10: float[d1] = scan add d4 n0
d5 = lists d4, d1
n11: float[d5] = list n10
out keyed 1 \"\" = n9, price = n4
";

    #[test]
    fn text_round_trips() {
        let graph = parse_graph(TEXT).unwrap();
        assert_eq!(graph.inputs[super::super::Col::new(1)].name, Sym::new("a b\"\u{e9}"));
        assert_eq!(graph.to_string(), TEXT);
    }

    #[test]
    fn errors_name_the_line() {
        for (text, line) in
            [("d1 = rows\nd3 = rows", 2), ("n0: float = foo", 1), ("n0: float = til n1", 1), ("c0 = \"x", 1)]
        {
            assert_eq!(parse_graph(text).unwrap_err().line, line, "{text}");
        }
    }
}
