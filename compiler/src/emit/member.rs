//! What a Member's kernel gives to `member.cuh`: a struct for each result, made of the kernel's own.

use super::Slot;
use super::group::{GROUPS, TABLE, key, packed};
use super::kernel::{Launch, Writer, launch, name};
use super::rows::{Held, Rows, group_of};
use crate::ir::Node;
use std::collections::BTreeSet;
use std::fmt::Write;

impl Writer<'_> {
    /// The method that says whether a row is in a list.
    pub fn member(&self, code: &mut String) {
        self.pack(&BTreeSet::new(), code);
        self.method("bool in(i64 i)", code, |s, out| match s.def.lists {
            Some(groups) => {
                let _ = writeln!(out, "        return {} >= 0;", group_of(groups));
            }
            None => s.masks(Held::new(), out),
        });
    }

    /// The structs of the results.
    pub fn sets(&self, code: &mut String) {
        for &n in &self.def.results {
            let [x, set] = self.graph.nodes[n].args[..] else { continue };
            let words = self.words_of(set).len();
            let _ = writeln!(code, "struct {} : K{} {{", self.set(n), self.kernel.as_u32());
            let _ = writeln!(code, "    static const i32 WORDS = {words};");
            for (method, of) in [("key", set), ("item", x)] {
                self.method(&format!("void {method}(i64 i, u64 *w)"), code, |s, out| {
                    Rows::of_row(s.graph, s.def, Held::new()).need(&[of], out);
                    for (i, (word, _)) in s.words_of(of).iter().enumerate() {
                        let _ = writeln!(out, "        w[{i}] = {word};");
                    }
                });
            }
            self.method("void store(i64 i, bool found)", code, |_, out| {
                let _ = writeln!(out, "        {}[i] = found;", name(Slot::Write(n)));
            });
            code.push_str("};\n");
        }
    }

    /// The entries: for each result one that puts the items of its sets, and one that looks for its items.
    pub fn member_launches(&self) -> Vec<Launch> {
        let entries = |&n: &Node| {
            let entry = |what: &str| format!("{}_{}_{what}", self.kernel, n.as_u32());
            let put = launch(entry("put"), &format!("member_put(k, {GROUPS})"), &TABLE);
            let sought = [("const i64 *", "table"), ("u64 ", "mask")];
            let find = launch(entry("find"), "member_find(k, table, mask)", &sought);
            [put, find].map(|l| Launch { of: Some(self.set(n)), ..l })
        };
        self.def.results.iter().flat_map(entries).collect()
    }

    fn set(&self, result: Node) -> String {
        format!("K{}_{}", self.kernel.as_u32(), result.as_u32())
    }

    /// The words of the key of a list and an item of it.
    fn words_of(&self, item: Node) -> Vec<(String, u32)> {
        let list = self.def.lists.map(|d| (vec![format!("(u64){}", group_of(d))], 32));
        packed(list.into_iter().chain([key(self.graph, item, None)]))
    }
}
