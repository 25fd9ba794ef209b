//! What a Scan's kernel gives to `places.cuh`, and the entries of all ways to a Scan's results.

use super::Slot;
use super::kernel::{Launch, Writer, launch, name};
use super::rows::{element_type, value, value_type};
use crate::ir::{Dim, Node};
use crate::plan::{Kernel, Way};
use q::{Kind, Prim, Store};
use std::fmt::Write;

/// The lists, as entries of `places.cuh` take them.
const PLACES: [(&str, &str); 4] =
    [("Numbers ", "sorted"), ("Rows ", "rows"), ("const i64 *", "starts"), ("i64 ", "lists")];

impl Writer<'_> {
    /// The method that computes and writes what a block's rows have from items near them. Windows of the same items
    /// stand together, since these are loaded once for them.
    pub fn near(&self, code: &mut String) {
        let args = |n: Node| &self.graph.nodes[n].args;
        let mut near = self.ways(|way| way == Way::Near);
        near.retain(|(n, _)| self.def.writes.contains(n));
        near.sort_by_key(|&(n, p)| window(p).then(|| (args(n)[0], value(self.graph, args(n)[1]))));
        if near.is_empty() {
            return;
        }
        self.method("void near(const Places &l, i64 base, u64 *room)", code, |s, out| {
            out.push_str("        i64 p = base + threadIdx.x;\n        bool is = p < n;\n");
            out.push_str("        Near w = ::near(l, is ? p : n - 1, n);\n        i64 i = w.row(w.place);\n");
            let mut loaded = String::new();
            for (n, p) in near {
                if window(p) {
                    let (x, n) = (name(Slot::Load(args(n)[0])), value(s.graph, args(n)[1]));
                    let items = format!("items(room, l, base, n, {x}, {n})");
                    if loaded != items {
                        let _ = writeln!(out, "        auto {} = {items};", s.items_of(&x, &n));
                        loaded = items;
                    }
                }
                let item = s.moved_item(n, p, out);
                let _ = writeln!(out, "        if (is) {}[i] = {item};", name(Slot::Write(n)));
            }
        });
    }

    /// What the items of windows of `n` are called.
    fn items_of(&self, x: &str, n: &str) -> String {
        format!("{x}_{n}")
    }

    /// The expression of a row's result; statements that it needs go to `out`.
    fn moved_item(&self, node: Node, p: Prim, out: &mut String) -> String {
        let args = &self.graph.nodes[node].args;
        let (x, kind, ty) =
            (name(Slot::Load(args[0])), self.graph.ty(args[0]).kind, value_type(self.graph, args[0]));
        if !window(p) {
            return match p {
                Prim::Reverse => format!("{x}[w.opposite()]"),
                _ => {
                    let (to, n, none) =
                        (node.as_u32(), value(self.graph, args[1]), value(self.graph, args[2]));
                    let _ = writeln!(out, "        i64 r{to} = w.shifted({n});");
                    format!("r{to} < 0 ? ({ty}){none} : ({ty}){x}[r{to}]")
                }
            };
        }
        let n = value(self.graph, args[1]);
        let items = self.items_of(&x, &n);
        match p {
            Prim::Mcount if kind == Kind::Char => format!("mcount_c(w, {items}, {n})"),
            Prim::Mcount => format!("mcount<{ty}>(w, {items}, {n})"),
            Prim::Mmin => format!("mmin(w, {items}, {n})"),
            Prim::Mmax => {
                format!("mmax<{}>(w, {items}, {n}, {})", element_type(self.graph, args[0]), low(kind.store()))
            }
            _ => format!("{}_{}(w, {items}, {n})", p.row().stem, kind.store().letter()),
        }
    }

    /// The entries of a Scan in launch order: the one that numbers the rows that pass, if lists are made of them, that
    /// of the accumulators, that of what lies near, and then one for each other result, two for a linked one.
    pub fn scan_launches(&self, k: Kernel, part: &str) -> Vec<Launch> {
        let has = |way| !self.ways(|w| w == way).is_empty();
        let mut all: Vec<Launch> = Vec::new();
        if self.def.numbers(self.graph) {
            all.push(launch(format!("{k}_mark"), "scan_mark(k, numbers)", &[("Numbers ", "numbers")]));
        }
        if has(Way::Running) {
            let call = "scan(k, {sorted, rows, groups, wrong}, ticket, state, done, own, spans)";
            let work = [
                ("Numbers ", "sorted"),
                ("Rows ", "rows"),
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
            let work = [&PLACES[..], &[("Rows ", "ranked")]].concat();
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
        for (n, _) in self.ways(|way| way == Way::Stepped) {
            let (ty, out) = (value_type(self.graph, n), member(Slot::Write(n)));
            let step =
                format!("[&]({ty} at, i64 i, bool begins) {{ return k.step{}(at, i, begins); }}", n.as_u32());
            let call = format!("steps(k.n, {lists}, {out}, {step})");
            all.push(launch(format!("{k}_{n}"), &call, &PLACES));
        }
        all
    }
}

/// Is it computed from the last items?
fn window(p: Prim) -> bool {
    matches!(p, Prim::Msum | Prim::Mavg | Prim::Mdev | Prim::Mcount | Prim::Mmin | Prim::Mmax)
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
