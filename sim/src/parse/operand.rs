//! Operands: immediates, lists in braces, and types.

use crate::ptx::Ty;

/// The type of a suffix.
pub fn ty(text: &str) -> Option<Ty> {
    Ty::parse(text)
}

/// The bits of an immediate: `5`, `-5`, `0x1F`, `0fXXXXXXXX` of a float, `0dXXXXXXXXXXXXXXXX` of a double.
pub fn immediate(text: &str) -> Option<u64> {
    let hex = |prefixes: [&str; 2]| prefixes.iter().find_map(|p| text.strip_prefix(p));
    if let Some(digits) = hex(["0d", "0D"]).or(hex(["0f", "0F"])).or(hex(["0x", "0X"])) {
        return u64::from_str_radix(digits.trim_end_matches('U'), 16).ok();
    }
    let text = text.trim_end_matches('U');
    text.parse::<i64>().map(|x| x as u64).or_else(|_| text.parse::<u64>()).ok()
}

/// The operands of a statement, cut at commas outside brackets.
pub fn split(text: &str) -> Vec<String> {
    let (mut out, mut current, mut depth) = (Vec::new(), String::new(), 0);
    for c in text.chars() {
        match c {
            ',' if depth == 0 => out.push(std::mem::take(&mut current).trim().to_string()),
            _ => {
                match c {
                    '{' | '[' | '(' => depth += 1,
                    '}' | ']' | ')' => depth -= 1,
                    _ => {}
                }
                current.push(c);
            }
        }
    }
    if !current.trim().is_empty() {
        out.push(current.trim().to_string());
    }
    out
}

/// The members of `{a, b}` or `(a, b)`, or the one operand that is none.
pub fn members(text: &str) -> Vec<String> {
    let inner = text.trim().trim_start_matches(['{', '(']).trim_end_matches(['}', ')']);
    inner.split(',').map(|m| m.trim().to_string()).filter(|m| !m.is_empty()).collect()
}
