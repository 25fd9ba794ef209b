//! What a List's kernel gives to its template: `map.cuh` where all rows are one list, `compact.cuh` where some are,
//! and `list.cuh` where there is a list a group.

use super::kernel::Writer;
use super::packs::Packs;
use super::rows::Held;

impl Writer<'_> {
    /// The methods that pass, compute and write a row.
    pub fn list(&self, packs: &Packs, code: &mut String) {
        if self.def.lists.is_none() {
            return if self.def.masks.is_empty() { self.map(packs, code) } else { self.compact(packs, code) };
        }
        self.pack(&packs.first, code);
        self.packed("In", &packs.first, "PACK", code);
        self.loads("load", &packs.first, code);
        self.pass(packs.before(), code);
        self.method("void write(i64 i, i64 o)", code, |s, out| s.stored(Held::new(), "", "[o]", out));
    }
}
