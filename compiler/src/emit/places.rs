//! What a Scan's kernel gives to `places.cuh`, and the entries of all ways to a Scan's results.

use super::Slot;
use super::kernel::{Launch, Writer, launch, name};
use super::rows::{value, value_type};
use crate::ir::{Dim, Node};
use crate::plan::{Kernel, Way};
use q::{Kind, Prim, Store};
use std::fmt::Write;

/// The lists, as entries of `places.cuh` take them.
const PLACES: [(&str, &str); 4] =
    [("const u32 *", "sorted"), ("const i64 *", "rows"), ("const i64 *", "starts"), ("i64 ", "lists")];

impl Writer<'_> {
    /// The method that computes and writes what a row has from items near it.
    pub fn near(&self, code: &mut String) {
        let near = self.ways(|way| way == Way::Near);
        if near.is_empty() {
            return;
        }
        self.method("void near(const Near &w, i64 p, i64 i)", code, |s, out| {
            for (n, p) in near.into_iter().filter(|(n, _)| s.def.writes.contains(n)) {
                let item = s.moved_item(n, p, out);
                let _ = writeln!(out, "        {}[i] = {item};", name(Slot::Write(n)));
            }
        });
    }

    /// The expression of a row's result; statements that it needs go to `out`.
    fn moved_item(&self, node: Node, p: Prim, out: &mut String) -> String {
        let args = &self.graph.nodes[node].args;
        let (x, kind, ty) =
            (name(Slot::Load(args[0])), self.graph.ty(args[0]).kind, value_type(self.graph, args[0]));
        let n = || value(self.graph, args[1]);
        let stem = p.row().stem;
        match p {
            Prim::Reverse => format!("{x}[w.opposite()]"),
            Prim::Xprev => {
                let (to, none) = (node.as_u32(), value(self.graph, args[2]));
                let _ = writeln!(out, "        i64 r{to} = w.shifted({});", n());
                format!("r{to} < 0 ? ({ty}){none} : ({ty}){x}[r{to}]")
            }
            Prim::Mcount if kind == Kind::Char => format!("mcount_c(w, {x}, {})", n()),
            Prim::Mcount => format!("mcount<{ty}>(w, {x}, {})", n()),
            Prim::Mmin => format!("mmin(w, {x}, {})", n()),
            Prim::Mmax => format!("mmax<{ty}>(w, {x}, {}, {})", n(), low(kind.store())),
            _ => format!("{stem}_{}(w, {x}, {})", kind.store().letter(), n()),
        }
    }

    /// The entries of a Scan in launch order: the one that numbers the rows that pass, if lists are made of them, that
    /// of the accumulators, that of what lies near, and then one for each other result, two for a linked one.
    pub fn scan_launches(&self, k: Kernel, part: &str) -> Vec<Launch> {
        let has = |way| !self.ways(|w| w == way).is_empty();
        let mut all: Vec<Launch> = Vec::new();
        if self.def.numbers(self.graph) {
            all.push(launch(format!("{k}_mark"), "scan_mark(k, numbers)", &[("u32 *", "numbers")]));
        }
        if has(Way::Running) {
            let call = "scan(k, {sorted, rows, groups, wrong}, ticket, state, done, own, spans)";
            let work = [
                ("const u32 *", "sorted"),
                ("const i64 *", "rows"),
                ("u32 ", "groups"),
                ("u32 *", "wrong"),
                ("u32 *", "ticket"),
                ("u64 *", "state"),
                ("u64 *", "done"),
                (part, "own"),
                (part, "spans"),
            ];
            all.push(launch(format!("{k}"), call, &work));
        }
        let lists = "{sorted, rows, starts, lists}";
        if has(Way::Near) {
            all.push(launch(format!("{k}_places"), &format!("places(k, {lists})"), &PLACES));
        }
        for (n, p) in self.ways(|way| way == Way::Sorted) {
            let args = &self.graph.nodes[n].args;
            let out = member(Slot::Write(n));
            let call = match p {
                Prim::Rank => format!("ranks(k.n, {lists}, ranked, {out})"),
                _ => {
                    format!("ranked_items(k.n, {lists}, ranked, {}, {out})", member(Slot::Load(args[1])))
                }
            };
            let work = [&PLACES[..], &[("const i64 *", "ranked")]].concat();
            all.push(launch(format!("{k}_{n}"), &call, &work));
        }
        for (n, _) in self.ways(|way| way == Way::Linked) {
            let args = &self.graph.nodes[n].args;
            let (x, out) = (member(Slot::Load(args[0])), member(Slot::Write(n)));
            let share = match self.graph.ty(args[1]).dim {
                Dim::ONE => match value(self.graph, args[1]) {
                    v if v.starts_with('v') => format!("0, k.{v}"),
                    none => format!("0, {none}"),
                },
                _ => format!("{}, 0.0", member(Slot::Load(args[1]))),
            };
            for (entry, ends) in [("link", "f64 *"), ("mend", "const f64 *")] {
                let call = format!("{entry}(k.n, {lists}, Ema{{{x}, {share}}}, {out}, from, to)");
                let work = [&PLACES[..], &[(ends, "from"), ("f64 *", "to")]].concat();
                all.push(launch(format!("{k}_{n}_{entry}"), &call, &work));
            }
        }
        all
    }
}

/// An argument of the kernel, in its entry.
fn member(slot: Slot) -> String {
    format!("k.{}", name(slot))
}

/// What no item is less than, nulls left out.
fn low(store: Store) -> &'static str {
    match store {
        Store::H => "-MAX_H",
        Store::I => "-MAX_I",
        Store::J => "-MAX_J",
        Store::E => "-INF_E",
        Store::F => "-INF_F",
        _ => "0",
    }
}
