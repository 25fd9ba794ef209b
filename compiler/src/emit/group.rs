//! What a Group's kernel gives to `group.cuh`: its accumulators, and each row's key in every form.

use super::Slot;
use super::kernel::{Launch, Writer, launch, name};
use super::packs::Packs;
use super::rows::{Held, Rows, value, value_type};
use crate::ir::{Graph, Node, Op, Param};
use crate::plan::{Card, KernelDef, cards};
use q::{Prim, Store};
use std::fmt::Write;

impl Writer<'_> {
    /// The struct of the accumulators, and the methods that group, add and end.
    pub fn group(&self, packs: &Packs, code: &mut String) {
        self.accumulators(code);
        let first = |&n: &Node| {
            let item = matches!(self.graph.picked(n), Some((Prim::First, _, None)));
            item || matches!(self.graph.nodes[n].op, Op::Key(_))
        };
        // The table of groups takes it too.
        let first = !self.def.numbered || self.def.results.iter().any(first);
        let _ = writeln!(code, "    typedef {}<Acc> Part;", if first { "Cell" } else { "Rowless" });
        let _ = writeln!(code, "    static const bool NUMBERED = {};", self.def.numbered);
        let moved = packs.first.union(&packs.more).copied().collect();
        self.pack(&moved, code);
        let _ = writeln!(code, "    static const bool IDS = {};", self.def.group_ids);
        self.packed("In", &packs.first, "PACK", code);
        self.packed("More", &packs.more, "PACK", code);
        self.loads("load", &packs.first, code);
        self.loads("more", &packs.more, code);
        if self.def.numbered {
            let id = format!("in.{}[u]", name(Slot::Ids(self.def.into)));
            self.method("bool pass(i64 i, const In &in, i32 u)", code, |_, out| {
                let _ = writeln!(out, "        return {id} >= 0;");
            });
            self.method("i32 dense(i64 i, const In &in, i32 u)", code, |_, out| {
                let _ = writeln!(out, "        return {id};");
            });
        } else {
            self.pass(packs.before(), code);
            self.key(packs.before(), code);
            self.dense(packs.before(), code);
        }
        let each = "void each(Acc &acc, i64 i, const In &in, const More &more, i32 u)";
        self.method(each, code, |s, out| {
            s.adds(&mut Rows::of_row(s.graph, s.def, packs.after()), out);
        });
        self.method("void each(Acc &acc, i64 i)", code, |s, out| {
            s.adds(&mut Rows::of_row(s.graph, s.def, Held::new()), out);
        });
        self.method("void end(const Acc &acc, i64 i, i32 g)", code, |s, out| {
            s.group_keys(out);
            s.ends("[g]", out);
        });
    }

    /// The keys of the group and the first items, from its first row.
    fn group_keys(&self, out: &mut String) {
        let mut rows = Rows::of_row(self.graph, self.def, Held::new());
        for &n in &self.def.results {
            let item = match (self.graph.nodes[n].op, self.graph.picked(n)) {
                (Op::Key(k), _) => self.def.keys.get(k as usize).copied(),
                (_, Some((Prim::First, item, None))) => Some(item),
                _ => None,
            };
            if let Some(item) = item {
                rows.need(&[item], out);
                let (ty, item) = (value_type(self.graph, n), value(self.graph, item));
                let _ = writeln!(out, "        {ty} v{} = {item};", n.as_u32());
            }
        }
    }

    /// Packs the keys, major first, into words that compare as the keys do: of a pack's row, and of any row.
    fn key(&self, held: Held, code: &mut String) {
        let words = words(self.graph, self.def);
        let _ = writeln!(code, "    static const i32 WORDS = {};", words.len().max(1));
        let ways = [("i64 i, const In &in, i32 u, u64 *w", held), ("i64 i, u64 *w", Held::new())];
        for (parameters, held) in ways {
            self.method(&format!("void key({parameters})"), code, |s, out| {
                Rows::of_row(s.graph, s.def, held).need(&s.def.keys, out);
                for (i, (word, _)) in words.iter().enumerate() {
                    let _ = writeln!(out, "        w[{i}] = {word};");
                }
                if words.is_empty() {
                    out.push_str("        w[0] = 0;\n");
                }
            });
        }
    }

    /// The place of a row's key among all that can be, keys of few bits and symbols in a mixed radix; nothing where
    /// they cannot be counted.
    fn dense(&self, held: Held, code: &mut String) {
        let Some(cards) = cards(self.graph, self.def) else { return };
        self.method("i32 dense(i64 i, const In &in, i32 u)", code, |s, out| {
            Rows::of_row(s.graph, s.def, held).need(&s.def.keys, out);
            out.push_str("        i64 at = 0;\n");
            for (&n, card) in s.def.keys.iter().zip(cards) {
                let v = value(s.graph, n);
                let _ = match card {
                    Card::Of(values) => writeln!(out, "        at = at * {values} + {v};"),
                    // The place after the last code is that of codes that the domain lacks.
                    Card::Domain(p) => {
                        let m = p.as_u32();
                        writeln!(out, "        at = at * (m{m} + 1) + ({v} >= 0 && {v} < m{m} ? {v} : m{m});")
                    }
                };
            }
            out.push_str("        return (i32)at;\n");
        });
    }

    /// The entries in launch order.
    pub fn grouped(&self) -> Vec<Launch> {
        let k = self.kernel;
        let (part, read) = (format!("K{}::Part *", k.as_u32()), format!("const K{}::Part *", k.as_u32()));
        let often = |name: &str, call, work: &[_]| launch(format!("{k}_{name}"), call, work);
        let rare = |name: &str, call, work: &[_]| Launch { rare: true, ..often(name, call, work) };
        let chunks = [("i64 ", "rows"), (part.as_str(), "parts"), ("u32 *", "used")];
        let end = [(read.as_str(), "parts"), ("const u32 *", "used"), ("i32 ", "chunks"), ("i32 ", "slots")];
        let listed = [("const i32 *", "list"), ("i32 ", "groups")];
        let fold = [("const i64 *", "starts"), ("Rows ", "rows"), ("i32 ", "groups"), ("i32 ", "bits")];
        let fold = rare("fold", "group_fold(k, starts, rows, groups, bits)", &fold);
        if self.def.numbered {
            let call = "group_tables<true>(k, {0, slots - 1, 0, 0, 0, 0}, rows, parts, used, 0)";
            let tables = often("tables", call, &[&[("u32 ", "slots")], &chunks[..]].concat());
            let call = "group_end(k, parts, used, chunks, slots, 0, 0, groups)";
            return vec![tables, often("end", call, &[&end[..], &listed[1..]].concat()), fold];
        }
        let tables = [&TABLE[..], &chunks, &[("u16 *", "ids")]].concat();
        let tabled = |way| format!("group_tables<{way}>(k, {GROUPS}, rows, parts, used, ids)");
        let (hashed, placed) = (&tabled(false), &tabled(true));
        let mut all = match cards(self.graph, self.def) {
            Some(_) => vec![often("tables", placed, &tables), rare("hashed", hashed, &tables)],
            None => vec![often("tables", hashed, &tables)],
        };
        let keys = [&[("const i64 *", "table")], &listed[..], &[("u64 *", "keys")]].concat();
        let keys = often("keys", "group_keys(k, table, list, groups, keys)", &keys);
        let end = [&end[..], &listed, &[("const i32 *", "place")]].concat();
        let end = often("end", "group_end(k, parts, used, chunks, slots, list, place, groups)", &end);
        let find = [&TABLE[..], &[("i32 *", "ids")]].concat();
        let find = rare("find", &format!("group_find(k, {GROUPS}, ids)"), &find);
        all.extend([keys, end, find, fold]);
        all
    }
}

/// What a table of groups is handed to an entry by.
pub const TABLE: [(&str, &str); 6] = [
    ("i64 *", "table"),
    ("u64 ", "mask"),
    ("u32 ", "most"),
    ("u32 *", "found"),
    ("u32 *", "full"),
    ("i32 *", "list"),
];

/// The table of groups, made of them.
pub const GROUPS: &str = "{table, mask, most, found, full, list}";

/// The words of a group's key, each with the bits that it uses.
pub fn words(graph: &Graph, def: &KernelDef) -> Vec<(String, u32)> {
    packed(def.keys.iter().zip(&def.ranks).map(|(&n, ranks)| key(graph, n, *ranks)))
}

/// Packs keys, each of some parts of so many bits, into words.
pub fn packed(keys: impl Iterator<Item = (Vec<String>, u32)>) -> Vec<(String, u32)> {
    let mut words: Vec<(String, u32)> = Vec::new();
    for (parts, bits) in keys {
        for part in parts {
            match words.last_mut().filter(|(_, used)| used + bits <= 64) {
                Some((word, used)) => {
                    *word = format!("({word}) << {bits} | {part}");
                    *used += bits;
                }
                None => words.push((part, bits)),
            }
        }
    }
    words
}

/// The parts of a node's key, equal where its values are, and the bits of each; it orders as symbols do where their
/// ranks are given.
pub fn key(graph: &Graph, node: Node, ranks: Option<Param>) -> (Vec<String>, u32) {
    let (v, store) = (value(graph, node), graph.nodes[node].ty.kind.store());
    match (ranks, store) {
        (Some(p), _) => (vec![format!("key_i(lookup({v}, t{0}, m{0}, NULL_I))", p.as_u32())], 32),
        (_, Store::G) => (vec![format!("swap({v}.lo)"), format!("swap({v}.hi)")], 64),
        (_, Store::S) => (vec![format!("(u64){v}")], 32),
        (_, store) => (vec![format!("key_{}({v})", store.letter())], 8 * n_bytes(store)),
    }
}

/// Bytes that a stored element takes.
fn n_bytes(store: Store) -> u32 {
    match store {
        Store::B => 1,
        Store::H => 2,
        Store::I | Store::E | Store::S => 4,
        Store::J | Store::F => 8,
        Store::G => 16,
    }
}
