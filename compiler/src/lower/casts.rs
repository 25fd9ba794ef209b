//! `$` with a literal on its left, and the dotted parts of temporals, which are casts.

use super::Lower;
use crate::error::Result;
use crate::ir::Node;
use q::value::{Atom, Raw};
use q::{Kind, Prim, Value};

impl Lower<'_> {
    /// `target$x`: a type's letter, name or (negative) number.
    pub(super) fn cast(&mut self, target: &Value, x: Node) -> Result<Node> {
        let kind = match target {
            Value::Atom(Atom { kind: Kind::Sym, raw: Raw::S(name), .. }) => {
                return self.cast_to(x, name.text());
            }
            Value::Atom(Atom { kind: Kind::Char, raw: Raw::B(letter), .. }) => match *letter as char {
                letter if letter.is_ascii_uppercase() => return self.b.not_yet("parsing of text with $"),
                letter => Kind::from_letter(letter),
            },
            Value::Atom(Atom { kind: Kind::Short, raw: Raw::H(code), .. }) => {
                i8::try_from(code.unsigned_abs()).ok().and_then(Kind::from_code)
            }
            _ => return self.b.not_yet("$ with this on its left"),
        };
        match kind {
            Some(kind) => self.cast_kind(x, kind),
            None => self.b.signal("type", "no such type"),
        }
    }

    fn cast_kind(&mut self, x: Node, kind: Kind) -> Result<Node> {
        match (self.b.graph.ty(x).kind, kind) {
            (had, kind) if had == kind => Ok(x),
            (Kind::Enum, Kind::Sym) | (_, Kind::Sym | Kind::Enum) => self.b.not_yet("a cast to symbols"),
            _ => self.b.cast(x, kind),
        }
    }

    /// `` `name$x`` and `x.name`: a type's name, or a part of a temporal.
    pub(super) fn cast_to(&mut self, x: Node, name: &str) -> Result<Node> {
        match Kind::from_name(name) {
            Some(kind) => self.cast_kind(x, kind),
            None => self.part(x, name),
        }
    }

    /// A part of a temporal: the cast to the unit around it, and what is left of that.
    fn part(&mut self, x: Node, name: &str) -> Result<Node> {
        use Prim::{Add, Div, Mod, Sub};
        match name {
            "hh" => {
                let x = self.unit(x, Kind::Minute)?;
                self.number(Div, x, 60)
            }
            "uu" => {
                let x = self.unit(x, Kind::Minute)?;
                self.number(Mod, x, 60)
            }
            "ss" => {
                let x = self.unit(x, Kind::Second)?;
                self.number(Mod, x, 60)
            }
            "year" => {
                let x = self.unit(x, Kind::Month)?;
                let x = self.number(Div, x, 12)?;
                self.number(Add, x, 2000)
            }
            "mm" => {
                let x = self.unit(x, Kind::Month)?;
                let x = self.number(Mod, x, 12)?;
                self.number(Add, x, 1)
            }
            "dd" => {
                let day = self.b.cast(x, Kind::Date)?;
                let month = self.b.cast(day, Kind::Month)?;
                let first = self.b.cast(month, Kind::Date)?;
                let days = self.b.map2(Sub, day, first)?;
                self.number(Add, days, 1)
            }
            "week" => {
                // 2000.01.01 was a Saturday, so the Mondays are the days that are 2 modulo 7.
                let day = self.unit(x, Kind::Date)?;
                let since = self.number(Sub, day, 2)?;
                let since = self.number(Mod, since, 7)?;
                let day = self.b.map2(Sub, day, since)?;
                self.b.cast(day, Kind::Date)
            }
            _ => self.b.signal(name, "no such type or part of a time"),
        }
    }

    /// `x` in `unit`, as an int.
    fn unit(&mut self, x: Node, unit: Kind) -> Result<Node> {
        let x = self.b.cast(x, unit)?;
        self.b.cast(x, Kind::Int)
    }

    fn number(&mut self, p: Prim, x: Node, y: i64) -> Result<Node> {
        let y = self.b.constant(Kind::Int, y);
        self.b.map2(p, x, y)
    }
}
