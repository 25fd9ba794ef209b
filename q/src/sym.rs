//! Interned names. A q symbol is a string of bytes; here each byte is one Latin-1 character, so that
//! comparing the text compares the bytes.

use bytemuck::{Pod, Zeroable};
use std::fmt;
use std::sync::{LazyLock, RwLock};
use string_interner::{StringInterner, Symbol, backend::BucketBackend, symbol::SymbolU32};

/// A name in the process-wide interner; equal names have equal ids. Zero is the null symbol.
///
/// There is no `Ord`: ids come in the order of interning. Compare [`Sym::text`] for q's order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Pod, Zeroable)]
#[repr(transparent)]
pub struct Sym(u32);

struct Table {
    ids: StringInterner<BucketBackend<SymbolU32>, rustc_hash::FxBuildHasher>,
    /// The text of every id. Names are never freed, as in q, so they can be handed out without the lock.
    names: Vec<&'static str>,
}

static TABLE: LazyLock<RwLock<Table>> = LazyLock::new(|| {
    let mut ids = StringInterner::with_hasher(rustc_hash::FxBuildHasher);
    ids.get_or_intern_static("");
    RwLock::new(Table { ids, names: vec![""] })
});

impl Sym {
    /// The null symbol, `` ` ``.
    pub const NULL: Sym = Sym(0);

    /// The symbol whose Latin-1 text is `text`.
    pub fn new(text: &str) -> Sym {
        let table = TABLE.read().unwrap_or_else(|e| e.into_inner());
        if let Some(id) = table.ids.get(text) {
            return Sym(id.to_usize() as u32);
        }
        drop(table);
        let mut table = TABLE.write().unwrap_or_else(|e| e.into_inner());
        if let Some(id) = table.ids.get(text) {
            return Sym(id.to_usize() as u32);
        }
        let text: &'static str = Box::leak(text.into());
        table.names.push(text);
        Sym(table.ids.get_or_intern_static(text).to_usize() as u32)
    }

    /// The symbol whose bytes are `bytes`.
    pub fn from_bytes(bytes: &[u8]) -> Sym {
        match std::str::from_utf8(bytes) {
            Ok(text) if bytes.is_ascii() => Sym::new(text),
            _ => Sym::new(&bytes.iter().map(|&b| b as char).collect::<String>()),
        }
    }

    /// The text, one character a byte. Its order is q's order of symbols.
    pub fn text(self) -> &'static str {
        TABLE.read().unwrap_or_else(|e| e.into_inner()).names[self.0 as usize]
    }

    /// The bytes that q would see.
    pub fn bytes(self) -> Vec<u8> {
        self.text().chars().map(|c| c as u8).collect()
    }

    /// How many names there are, and the bytes of their texts.
    pub fn all() -> (usize, usize) {
        let table = TABLE.read().unwrap_or_else(|e| e.into_inner());
        (table.names.len(), table.names.iter().map(|n| n.len()).sum())
    }

    /// The id: dense, in the order of interning.
    pub fn id(self) -> u32 {
        self.0
    }

    /// True for `` ` ``.
    pub fn is_null(self) -> bool {
        self.0 == 0
    }
}

impl From<&str> for Sym {
    fn from(text: &str) -> Sym {
        Sym::new(text)
    }
}

impl fmt::Debug for Sym {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}", self.text())
    }
}

impl fmt::Display for Sym {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_are_one() {
        assert_eq!(Sym::new("abc"), Sym::from_bytes(b"abc"));
        assert_eq!(Sym::new(""), Sym::NULL);
        assert_eq!(Sym::from_bytes(&[0xe9]).bytes(), [0xe9]);
        assert!(Sym::from_bytes(&[0xff]).text() > Sym::new("z").text());
    }
}
