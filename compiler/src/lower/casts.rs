//! `$` with a literal on its left, and the dotted parts of temporals, which are casts.

use super::Lower;
use crate::error::Result;
use crate::ir::{Dim, Node};
use q::value::{Atom, Raw};
use q::{Kind, Prim, Sym, Value};

impl Lower<'_> {
    /// `target$x`: a type's letter, name or number.
    pub(super) fn cast(&mut self, target: &Value, x: Node) -> Result<Node> {
        let kind = match target {
            Value::Atom(Atom { kind: Kind::Sym, raw: Raw::S(name), .. }) => {
                return self.cast_to(x, name.text());
            }
            Value::Atom(Atom { kind: Kind::Char, raw: Raw::B(letter), .. }) => match *letter as char {
                '*' => return Ok(x),
                letter if letter.is_ascii_uppercase() => return self.b.not_yet("parsing of text with $"),
                letter => Kind::from_letter(letter),
            },
            Value::Atom(Atom { kind: Kind::Short, raw: Raw::H(code), .. }) => match i8::try_from(*code) {
                Ok(0) => return Ok(x),
                Ok(..0) => return self.b.not_yet("parsing of text with $"),
                code => code.ok().and_then(Kind::from_code),
            },
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
            (Kind::Enum, Kind::Sym) => self.b.plain(x),
            (_, Kind::Sym | Kind::Enum) => self.b.not_yet("a cast to symbols"),
            _ => self.b.cast(x, kind),
        }
    }

    /// `x.name`: a temporal in another unit, or a part of it.
    pub(super) fn dotted(&mut self, x: Node, name: &str) -> Result<Node> {
        match Kind::from_name(name) {
            Some(kind) if kind.is_temporal() && self.b.graph.ty(x).kind.is_temporal() => self.b.cast(x, kind),
            _ => self.part(x, name),
        }
    }

    /// `` `name$x``: a type's name, or a part of a temporal.
    fn cast_to(&mut self, x: Node, name: &str) -> Result<Node> {
        match Kind::from_name(name) {
            Some(kind) => self.cast_kind(x, kind),
            None if name.is_empty() && self.b.graph.ty(x).kind == Kind::Enum => {
                self.b.signal("type", "the symbols of an enumeration are its value")
            }
            None if name.is_empty() => self.cast_kind(x, Kind::Sym),
            None if let Some(&to) = self.schema.enums.get(&Sym::new(name)) => {
                let indices = self.b.enumerated(x, to)?;
                let code = self.b.cast(indices, Kind::Long)?;
                let wrong = self.number(Prim::Eq, code, -1)?;
                self.refuse_where("cast", wrong)?;
                Ok(indices)
            }
            None if matches!(self.b.graph.ty(x).kind, Kind::Sym | Kind::Enum) => {
                self.b.signal(name, "no such enumeration")
            }
            None => self.part(x, name),
        }
    }

    /// Signals `name` where `wrong` holds of any item.
    pub(super) fn refuse_where(&mut self, name: &str, wrong: Node) -> Result<()> {
        let wrong = match self.b.graph.ty(wrong).dim {
            Dim::ONE => wrong,
            _ => self.b.agg1(Prim::Any, wrong, Dim::ONE)?,
        };
        self.b.check(name, wrong);
        Ok(())
    }

    /// A part of a temporal. Infinite times have infinite parts.
    fn part(&mut self, x: Node, name: &str) -> Result<Node> {
        use Prim::{Add, Div, Mod, Sub};
        const SECOND: i64 = 1_000_000_000;
        let kind = self.b.graph.ty(x).kind;
        if !kind.is_temporal() {
            return self.b.signal("type", format!("{name} is a part of times"));
        }
        // A time has no month: its `mm` is its minutes.
        let time = matches!(kind, Kind::Timespan | Kind::Minute | Kind::Second | Kind::Time);
        let name = if time && name == "mm" { "uu" } else { name };
        match name {
            "hh" | "uu" | "ss" => {
                let span = self.b.cast(x, Kind::Timespan)?;
                let ns = self.b.cast(span, Kind::Long)?;
                let units = match name {
                    "hh" => self.number(Div, ns, 3600 * SECOND)?,
                    "uu" => self.number(Div, ns, 60 * SECOND)?,
                    _ => self.number(Div, ns, SECOND)?,
                };
                let part = if name == "hh" { units } else { self.number(Mod, units, 60)? };
                let part = self.b.cast(part, Kind::Int)?;
                self.unless_infinite(ns, i64::MAX, part)
            }
            "year" | "mm" | "dd" | "week" => {
                let date = self.b.cast(x, Kind::Date)?;
                let day = self.b.cast(date, Kind::Int)?;
                let month = self.b.cast(date, Kind::Month)?;
                let part = match name {
                    "year" => {
                        let month = self.b.cast(month, Kind::Int)?;
                        let year = self.number(Div, month, 12)?;
                        self.number(Add, year, 2000)?
                    }
                    "mm" => {
                        let month = self.b.cast(month, Kind::Int)?;
                        let month = self.number(Mod, month, 12)?;
                        self.number(Add, month, 1)?
                    }
                    "dd" => {
                        let first = self.b.cast(month, Kind::Date)?;
                        let days = self.b.map2(Sub, date, first)?;
                        self.number(Add, days, 1)?
                    }
                    _ => {
                        // 2000.01.01 was a Saturday, so the Mondays are the days that are 2 modulo 7.
                        let since = self.number(Sub, day, 2)?;
                        let since = self.number(Mod, since, 7)?;
                        self.b.map2(Sub, day, since)?
                    }
                };
                let part = self.unless_infinite(day, i32::MAX as i64, part)?;
                if name == "week" { self.b.cast(part, Kind::Date) } else { Ok(part) }
            }
            _ => self.b.signal(name, "no such type or part of a time"),
        }
    }

    /// The int `part`, but an infinite int where `x` is `infinity` or its negative.
    fn unless_infinite(&mut self, x: Node, infinity: i64, part: Node) -> Result<Node> {
        let kind = self.b.graph.ty(x).kind;
        let mut part = part;
        for sign in [1, -1] {
            let end = self.b.constant(kind, sign * infinity);
            let infinite = self.b.map2(Prim::Eq, x, end)?;
            let value = self.b.constant(Kind::Int, sign * i32::MAX as i64);
            part = self.b.cond(infinite, value, part)?;
        }
        Ok(part)
    }

    /// `p` of whole numbers or times and the constant `y`, of their type.
    pub(super) fn number(&mut self, p: Prim, x: Node, y: i64) -> Result<Node> {
        let y = self.b.constant(self.b.graph.ty(x).kind, y);
        self.b.map2(p, x, y)
    }
}
