//! Text → tokens with their places.
//!
//! The lexer knows q's three rules of adjacency: a minus that touches a digit and follows no noun begins a
//! number, a slash after a blank begins a comment, and an iterator touches what it modifies.

mod number;
pub mod script;

use crate::error::{Error, Frame, Result, Source};
use crate::fun::{FUNS, Prim};
use crate::kind::Kind;
use crate::literal::hex;
use crate::path::Span;
use crate::sym::Sym;
use crate::value::{Iter, Value};
use std::ops::Range;
use std::sync::Arc;

/// What a token is.
#[derive(Clone, Debug)]
pub enum Lexeme {
    /// A literal that is no symbol: its value.
    Literal(Value),
    /// `` `a`b ``: one or more symbols.
    Syms(Vec<Sym>),
    /// A name or a reserved word.
    Name(Sym),
    /// `+` `<>` `0:`: an operator.
    Op(Prim),
    /// `+:` `0::`: an operator and a colon, by the operator.
    OpColon(Prim),
    /// `:`
    Colon,
    /// `::`
    Colons,
    /// `'` `/` `\` `':` `/:` `\:`
    Iter(Iter),
    /// One of `( ) [ ] { } ;`
    Punct(u8),
}

/// A token.
#[derive(Clone, Debug)]
pub struct Token {
    /// What it is.
    pub lexeme: Lexeme,
    /// Its first byte in the source.
    pub from: u32,
    /// The byte after its last.
    pub to: u32,
    /// No blank before it.
    pub glued: bool,
}

impl Token {
    /// Its place.
    pub fn span(&self) -> Span {
        Span { from: self.from, to: self.to, at: self.from }
    }

    /// True for the bracket, parenthesis, brace or semicolon `c`.
    pub fn is(&self, c: u8) -> bool {
        matches!(self.lexeme, Lexeme::Punct(p) if p == c)
    }
}

/// A signal at a place of a source.
pub fn error_at(source: &Arc<Source>, name: impl Into<std::borrow::Cow<'static, str>>, span: Span) -> Error {
    let mut error = Error::new(name);
    error.trace.push(Frame { source: source.clone(), span });
    error
}

/// The tokens of the bytes `range` of `source`. Signals what q does: the token that is none, or `"` for a
/// string without end.
pub fn tokens(source: &Arc<Source>, range: Range<usize>) -> Result<Vec<Token>> {
    let mut lexer = Lexer { source, text: &source.text[..range.end], at: range.start, start: range.start };
    let mut out = Vec::new();
    loop {
        let glued = !lexer.skip_blanks();
        let from = lexer.at;
        let Some(lexeme) = lexer.next()? else { return Ok(out) };
        out.push(Token { lexeme, from: from as u32, to: lexer.at as u32, glued });
    }
}

/// The signs of the binary primitives, by K code.
const SIGNS: &[u8; 20] = b":+-*%&|^=<>$,#_~!?@.";

struct Lexer<'a> {
    source: &'a Arc<Source>,
    /// The source up to the end of the range.
    text: &'a [u8],
    /// The next byte.
    at: usize,
    /// Where the range begins.
    start: usize,
}

fn is_blank(c: u8) -> bool {
    matches!(c, b' ' | b'\t' | b'\n' | b'\r')
}

/// How many bytes of blanks `text` begins with. The no-break space of pages that q is copied from is one, as
/// UTF-8 writes it; in a string it stays.
fn blanks(text: &[u8]) -> usize {
    let mut n = 0;
    loop {
        match &text[n..] {
            [c, ..] if is_blank(*c) => n += 1,
            [0xc2, 0xa0, ..] => n += 2,
            _ => return n,
        }
    }
}

fn is_name(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_'
}

impl Lexer<'_> {
    /// The byte `n` after the next; zero past the end.
    fn peek(&self, n: usize) -> u8 {
        self.text.get(self.at + n).copied().unwrap_or(0)
    }

    /// The byte before the next; a newline at the start.
    fn before(&self) -> u8 {
        if self.at > self.start { self.text[self.at - 1] } else { b'\n' }
    }

    /// Goes past the bytes that satisfy `of`.
    fn skip_while(&mut self, of: fn(u8) -> bool) {
        while self.text.get(self.at).is_some_and(|c| of(*c)) {
            self.at += 1;
        }
    }

    /// Goes past blanks and comments. True if there were any.
    fn skip_blanks(&mut self) -> bool {
        let from = self.at;
        loop {
            self.at += blanks(&self.text[self.at..]);
            let spaced = is_blank(self.before()) || self.text[self.start..self.at].ends_with(&[0xc2, 0xa0]);
            if self.peek(0) != b'/' || !spaced {
                return self.at > from || from == self.start;
            }
            let line_start = self.before() == b'\n' || self.at == self.start;
            let line = script::line_end(self.text, self.at);
            if line_start && self.text[self.at..line].trim_ascii() == b"/" {
                self.at = script::comment_end(self.text, self.at);
            } else {
                self.at = line;
            }
        }
    }

    /// A signal about the bytes from `from` to here.
    fn error(&self, name: impl Into<std::borrow::Cow<'static, str>>, from: usize) -> Error {
        error_at(self.source, name, Span { from: from as u32, to: self.at as u32, at: from as u32 })
    }

    /// The next token; none at the end.
    fn next(&mut self) -> Result<Option<Lexeme>> {
        let c = self.peek(0);
        if self.at == self.text.len() {
            return Ok(None);
        }
        if number::begins(self.text, self.start, self.at) {
            return self.number().map(Some);
        }
        let lexeme = match c {
            b'"' => self.string()?,
            b'`' => self.symbols(),
            b'a'..=b'z' | b'A'..=b'Z' => self.name(),
            b'.' if self.peek(1).is_ascii_alphabetic() => self.name(),
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b';' => self.take(1, Lexeme::Punct(c)),
            b':' if self.peek(1) == b':' => self.take(2, Lexeme::Colons),
            b':' => self.take(1, Lexeme::Colon),
            b'\'' | b'/' | b'\\' => self.iterator(c),
            _ => self.operator()?,
        };
        Ok(Some(lexeme))
    }

    fn take(&mut self, bytes: usize, lexeme: Lexeme) -> Lexeme {
        self.at += bytes;
        lexeme
    }

    fn iterator(&mut self, c: u8) -> Lexeme {
        let colon = self.peek(1) == b':';
        let iter = match (c, colon) {
            (b'\'', false) => Iter::Each,
            (b'\'', true) => Iter::Prior,
            (b'/', false) => Iter::Over,
            (b'/', true) => Iter::Right,
            (_, false) => Iter::Scan,
            (_, true) => Iter::Left,
        };
        self.take(1 + colon as usize, Lexeme::Iter(iter))
    }

    fn operator(&mut self) -> Result<Lexeme> {
        let c = self.peek(0);
        let compared = match (c, self.peek(1)) {
            (b'<', b'>') => Some(Prim::Ne),
            (b'<', b'=') => Some(Prim::Le),
            (b'>', b'=') => Some(Prim::Ge),
            _ => None,
        };
        if let Some(prim) = compared {
            return Ok(self.take(2, Lexeme::Op(prim)));
        }
        let from = self.at;
        self.at += 1;
        let Some(code) = SIGNS.iter().position(|sign| *sign == c) else {
            // Only bytes that no text of q has are left.
            return Err(self.error("char", from));
        };
        let prim = FUNS[Prim::Assign as usize + code].prim;
        let colon = self.peek(0) == b':';
        Ok(if colon { self.take(1, Lexeme::OpColon(prim)) } else { Lexeme::Op(prim) })
    }

    /// A name: parts that begin with a letter, of letters, digits and underscores, with dots between.
    fn name(&mut self) -> Lexeme {
        let from = self.at;
        loop {
            self.at += 1;
            self.skip_while(is_name);
            if self.peek(0) != b'.' || !self.peek(1).is_ascii_alphabetic() {
                return Lexeme::Name(Sym::from_bytes(&self.text[from..self.at]));
            }
        }
    }

    /// Symbols that touch. A symbol with a colon may hold a path.
    fn symbols(&mut self) -> Lexeme {
        let mut syms = Vec::new();
        while self.peek(0) == b'`' {
            self.at += 1;
            let from = self.at;
            self.skip_while(|c| is_name(c) || c == b'.' || c == b':');
            if self.text[from..self.at].contains(&b':') {
                self.skip_while(|c| is_name(c) || matches!(c, b'.' | b':' | b'/'));
            }
            syms.push(Sym::from_bytes(&self.text[from..self.at]));
        }
        Lexeme::Syms(syms)
    }

    /// A string: one character is a char atom, else a char vector.
    fn string(&mut self) -> Result<Lexeme> {
        let from = self.at;
        let mut bytes = Vec::new();
        self.at += 1;
        loop {
            let c = self.peek(0);
            if self.at == self.text.len() {
                return Err(self.error("\"", from));
            }
            self.at += 1;
            match c {
                b'"' => break,
                b'\\' => bytes.push(self.escape()),
                _ => bytes.push(c),
            }
        }
        Ok(Lexeme::Literal(chars(&bytes)))
    }

    /// The byte that an escape writes, after its backslash. A character that needs no escape is itself.
    fn escape(&mut self) -> u8 {
        let c = self.peek(0);
        self.at = self.text.len().min(self.at + 1);
        match c {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'0'..=b'3' if (0..2).all(|i| matches!(self.peek(i), b'0'..=b'7')) => {
                let byte = (c - b'0') << 6 | (self.peek(0) - b'0') << 3 | (self.peek(1) - b'0');
                self.at += 2;
                byte
            }
            _ => c,
        }
    }

    /// A number, a temporal, or several with blanks between, which make one vector.
    fn number(&mut self) -> Result<Lexeme> {
        let from = self.at;
        if let Some(prim) = number::io(&self.text[self.at..]) {
            self.at += 2;
            let colons = self.peek(0) == b':';
            return Ok(if colons { self.take(1, Lexeme::OpColon(prim)) } else { Lexeme::Op(prim) });
        }
        if self.text[from..].starts_with(b"0x") {
            self.at += 2;
            self.skip_while(|c| c.is_ascii_alphanumeric());
            let value = number::bytes(&self.text[from + 2..self.at]);
            return value.map(Lexeme::Literal).ok_or_else(|| self.number_error(from));
        }
        let mut items = Vec::new();
        loop {
            let end = number::extent(self.text, self.at);
            items.push(&self.text[self.at..end]);
            self.at = end;
            let next = end + blanks(&self.text[end..]);
            if next == end || !number::strands(items[items.len() - 1]) || !self.strand_at(next) {
                break;
            }
            self.at = next;
        }
        number::vector(&items).map(Lexeme::Literal).ok_or_else(|| self.number_error(from))
    }

    /// True if a number that can belong to a vector with blanks begins at `at`.
    fn strand_at(&self, at: usize) -> bool {
        number::begins(self.text, self.start, at)
            && number::io(&self.text[at..]).is_none()
            && number::strands(&self.text[at..number::extent(self.text, at)])
    }

    /// q names a bad number by its text.
    fn number_error(&self, from: usize) -> Error {
        self.error(String::from_utf8_lossy(&self.text[from..self.at]).into_owned(), from)
    }
}

/// A string literal's value: a char atom if it is one byte long.
pub fn chars(bytes: &[u8]) -> Value {
    match bytes {
        [c] => Value::atom(Kind::Char, *c),
        _ => Value::chars(bytes),
    }
}

/// The value of pairs of hexadecimal digits; a single digit is a byte too.
fn hex_pairs(text: &[u8]) -> Option<Vec<u8>> {
    let nibbles: Vec<u8> = text.iter().map(|c| hex(*c)).collect::<Option<_>>()?;
    match nibbles[..] {
        [lo] => Some(vec![lo]),
        _ if nibbles.len() % 2 == 1 => None,
        _ => Some(nibbles.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()),
    }
}
