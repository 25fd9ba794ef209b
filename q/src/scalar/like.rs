//! The pattern of `like`: `?` any byte, `*` any run, `[a-c]` one of a set, `[^a-c]` one outside it.

/// True if the whole of `text` fits `pattern`.
pub fn like(text: &[u8], pattern: &[u8]) -> bool {
    let (mut t, mut p) = (0, 0);
    // Where to go on when what follows the last star does not fit: one byte more goes to the star.
    let mut star: Option<(usize, usize)> = None;
    loop {
        let step = match pattern.get(p) {
            Some(b'*') => {
                star = Some((t, p + 1));
                p += 1;
                continue;
            }
            Some(_) if t < text.len() => one(text[t], &pattern[p..]),
            None if t == text.len() => return true,
            _ => None,
        };
        match (step, star) {
            (Some(used), _) => {
                t += 1;
                p += used;
            }
            (None, Some((from, after))) if from < text.len() => {
                star = Some((from + 1, after));
                (t, p) = (from + 1, after);
            }
            _ => return false,
        }
    }
}

/// The bytes of `pattern`'s first part, if that part fits `c`.
fn one(c: u8, pattern: &[u8]) -> Option<usize> {
    match pattern[0] {
        b'?' => Some(1),
        b'[' => {
            let (fits, used) = set(c, pattern)?;
            fits.then_some(used)
        }
        x => (x == c).then_some(1),
    }
}

/// Whether `c` is in the set that `pattern` begins with, and the set's bytes; none if it does not end. A
/// bracket or a caret stands for itself right after the opening, a dash at either end.
fn set(c: u8, pattern: &[u8]) -> Option<(bool, usize)> {
    let not = pattern.get(1) == Some(&b'^') && pattern.get(2) != Some(&b']');
    let start = 1 + not as usize;
    let end = start + 1 + pattern.get(start + 1..)?.iter().position(|&x| x == b']')?;
    let (mut i, mut fits) = (start, false);
    while i < end {
        if i + 2 < end && pattern[i + 1] == b'-' {
            fits |= (pattern[i]..=pattern[i + 2]).contains(&c);
            i += 3;
        } else {
            fits |= pattern[i] == c;
            i += 1;
        }
    }
    Some((fits != not, end + 1))
}

#[cfg(test)]
mod tests {
    use super::like;

    #[test]
    fn patterns() {
        for (text, pattern, fits) in [
            ("quick", "qu?ck", true),
            ("brown", "br[ao]wn", true),
            ("brewn", "br[ao]wn", false),
            ("brewn", "br[^ao]wn", true),
            ("quickly", "quick*", true),
            ("", "*", true),
            ("", "", true),
            ("a", "", false),
            ("", "?", false),
            ("abcabd", "*ab[c-e]", true),
            ("abcab", "*ab[c-e]", false),
            ("a*c", "a[*]c", true),
            ("abc", "a[*]c", false),
            ("a]c", "a[]]c", true),
            ("a^c", "a[^]c", true),
            ("x-", "x[a-]", true),
            ("aaaaaaaaab", "*a*a*a*b", true),
            ("aaaaaaaaa", "*a*a*a*b", false),
            ("a[", "a[", false),
        ] {
            assert_eq!(like(text.as_bytes(), pattern.as_bytes()), fits, "{text} {pattern}");
        }
    }
}
