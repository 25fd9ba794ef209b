//! The patterns of `like` and `ss`: `?` any byte, `[abc]` `[a-c]` `[^abc]` a class, `*` (in `like`) any run.

use crate::error::{Result, length_error, nyi};

/// A pattern taken apart once, for all the texts it is held against.
pub struct Pattern(Vec<Part>);

/// What stands for one byte of the text, or for a run of them.
enum Part {
    Byte(u8),
    Any,
    Class(Box<[bool; 256]>),
    Run,
}

impl Pattern {
    /// The pattern of `like`. `'length` if a class does not end. `'nyi`, as in q, if a star follows another
    /// and is not the last: `"a*"`, `"*a"`, `"*a*"` and `"a*b*"` are answered, `"*a*b"` is not.
    pub fn like(pattern: &[u8]) -> Result<Pattern> {
        let parts = compile(pattern, true)?;
        let mut after = parts.iter().skip_while(|p| !matches!(p, Part::Run)).skip(1).peekable();
        while let Some(part) = after.next() {
            if matches!(part, Part::Run) && after.peek().is_some() {
                return nyi("a pattern with a star between others");
            }
        }
        Ok(Pattern(parts))
    }

    /// The pattern of `ss`, each part of which is one byte. `'length` if it is empty, has a star or a class
    /// that does not end.
    pub fn ss(pattern: &[u8]) -> Result<Pattern> {
        let parts = compile(pattern, false)?;
        if parts.is_empty() || parts.iter().any(|p| matches!(p, Part::Byte(b'*'))) {
            return length_error();
        }
        Ok(Pattern(parts))
    }

    /// True if the whole of `text` fits. Greedy with one point of return, so never worse than the product of
    /// the lengths.
    pub fn fits(&self, text: &[u8]) -> bool {
        let (mut p, mut t) = (0, 0);
        let mut back: Option<(usize, usize)> = None;
        loop {
            match self.0.get(p) {
                Some(Part::Run) => {
                    back = Some((p + 1, t));
                    p += 1;
                    continue;
                }
                Some(part) if t < text.len() && one(part, text[t]) => {
                    (p, t) = (p + 1, t + 1);
                    continue;
                }
                None if t == text.len() => return true,
                _ => {}
            }
            match back {
                Some((after, from)) if from < text.len() => {
                    back = Some((after, from + 1));
                    (p, t) = (after, from + 1);
                }
                _ => return false,
            }
        }
    }

    /// Where a pattern of `ss` occurs in the text: byte ranges that do not overlap.
    pub fn search(&self, text: &[u8]) -> Vec<(usize, usize)> {
        let n = self.0.len();
        let (mut found, mut at) = (vec![], 0);
        while at + n <= text.len() {
            if self.0.iter().zip(&text[at..]).all(|(p, b)| one(p, *b)) {
                found.push((at, at + n));
                at += n;
            } else {
                at += 1;
            }
        }
        found
    }
}

fn compile(pattern: &[u8], runs: bool) -> Result<Vec<Part>> {
    let mut out = vec![];
    let mut rest = pattern;
    while let [b, tail @ ..] = rest {
        rest = tail;
        out.push(match b {
            b'?' => Part::Any,
            b'*' if runs => Part::Run,
            b'[' => {
                // A bracket first in the class is a member.
                let end =
                    tail.iter().enumerate().position(|(i, b)| *b == b']' && i > usize::from(tail[0] == b'^'));
                let Some(end) = end else { return length_error() };
                rest = &tail[end + 1..];
                class(&tail[..end])
            }
            b => Part::Byte(*b),
        });
    }
    Ok(out)
}

fn class(body: &[u8]) -> Part {
    let (negated, mut body) = match body {
        [b'^', rest @ ..] => (true, rest),
        body => (false, body),
    };
    let mut set = Box::new([negated; 256]);
    while let [from, rest @ ..] = body {
        body = rest;
        let mut to = *from;
        if let [b'-', end, rest @ ..] = body {
            to = *end;
            body = rest;
        }
        for b in *from..=to {
            set[b as usize] = !negated;
        }
    }
    Part::Class(set)
}

/// Whether one byte fits a part that stands for one.
fn one(part: &Part, b: u8) -> bool {
    match part {
        Part::Byte(p) => *p == b,
        Part::Any => true,
        Part::Class(set) => set[b as usize],
        Part::Run => false,
    }
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn patterns() {
        for (text, pattern, fits) in [
            ("quick", "qu?ck", Ok(true)),
            ("brown", "br[ao]wn", Ok(true)),
            ("brewn", "br[ao]wn", Ok(false)),
            ("brewn", "br[^ao]wn", Ok(true)),
            ("quickly", "quick*", Ok(true)),
            ("", "*", Ok(true)),
            ("", "", Ok(true)),
            ("a", "", Ok(false)),
            ("", "?", Ok(false)),
            ("abcabd", "*ab[c-e]", Ok(true)),
            ("abcab", "*ab[c-e]", Ok(false)),
            ("a*c", "a[*]c", Ok(true)),
            ("abc", "a[*]c", Ok(false)),
            ("a]c", "a[]]c", Ok(true)),
            ("a^c", "a[^]c", Err("length")),
            ("x-", "x[a-]", Ok(true)),
            ("aaab", "a*a*", Ok(true)),
            ("abab", "*ba*", Ok(true)),
            ("aab", "a[*]*b", Ok(false)),
            ("aaab", "*a*b", Err("nyi")),
            ("aaab", "a*a*b", Err("nyi")),
            ("aaab", "**", Ok(true)),
            ("a[", "a[", Err("length")),
        ] {
            let got = Pattern::like(pattern.as_bytes()).map(|p| p.fits(text.as_bytes()));
            assert_eq!(got.as_ref().map_err(|e| &*e.name), fits.as_ref().map_err(|e| *e), "{text} {pattern}");
        }
    }
}
