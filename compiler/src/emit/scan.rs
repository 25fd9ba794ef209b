//! What a Scan's kernel gives to `scan.cuh`: its accumulators, and how each result is had from them.

use super::Slot;
use super::kernel::{Writer, name};
use super::packs::Packs;
use super::rows::{Rows, null, value, value_type};
use crate::ir::{Node, Op};
use crate::plan::Way;
use q::{Kind, Prim, Store};
use std::collections::BTreeSet;
use std::fmt::Write;

impl Writer<'_> {
    /// The results that come from accumulators.
    fn scans(&self) -> impl Iterator<Item = (Node, Prim)> {
        self.ways(|way| way == Way::Running).into_iter()
    }

    /// The results that are had in some way.
    pub fn ways(&self, which: impl Fn(Way) -> bool) -> Vec<(Node, Prim)> {
        let ways = self.def.ways(self.graph).into_iter();
        ways.filter(|w| which(w.2)).map(|(n, p, _)| (n, p)).collect()
    }

    /// The accumulator of a scan in `agg.cuh` or `running.cuh`; none where the place says all.
    fn running(&self, node: Node, p: Prim) -> Option<String> {
        let of = |stem: &str| {
            let kind = self.graph.ty(self.graph.nodes[node].args[0]).kind;
            format!("{stem}_{}", kind.store().letter())
        };
        match p {
            Prim::Add if of("") == "_i" => Some("run_add_i".into()),
            Prim::Add => Some(of("sum")),
            Prim::Mul => Some(of("prd")),
            Prim::Lesser => Some(of("run_lesser")),
            Prim::Greater => Some(of("run_greater")),
            Prim::Avgs => Some("avg_f".into()),
            Prim::Til | Prim::Ident => Some("run_til".into()),
            Prim::Differ => Some("run_row".into()),
            Prim::Fill => Some("run_filled".into()),
            _ => None,
        }
    }

    /// How rows are read and pass, and what the templates of the results' ways ask for.
    pub fn scan(&self, packs: &Packs, code: &mut String) {
        let out: BTreeSet<Slot> =
            self.scans().map(|(n, _)| n).filter(|n| self.def.writes.contains(n)).map(Slot::Write).collect();
        let moved = packs.first.union(&out).copied().collect();
        self.pack(&moved, code);
        self.packed("In", &packs.first, "PACK", code);
        self.loads("load", &packs.first, code);
        self.pass(packs.before(), code);
        if self.scans().next().is_some() {
            self.running_scans(packs, &out, code);
        }
        self.near(code);
        self.steps(code);
    }

    /// The struct of the accumulators and the methods that add a row and compute its results.
    fn running_scans(&self, packs: &Packs, out: &BTreeSet<Slot>, code: &mut String) {
        let (mut members, mut init, mut join) = (String::new(), String::new(), String::new());
        for (n, p) in self.scans() {
            if let Some(accumulator) = self.running(n, p) {
                let n = n.as_u32();
                let _ = writeln!(members, "        {accumulator} x{n};");
                let _ = write!(init, " x{n}.init();");
                let _ = write!(join, " x{n}.join(o.x{n});");
            }
        }
        if init.is_empty() {
            members.push_str("        u64 none;\n");
            init.push_str(" none = 0;");
        }
        let _ = write!(code, "    struct Acc {{\n{members}        Q void init() {{{init} }}\n");
        let _ = writeln!(code, "        Q void join(const Acc &o) {{{join} }}\n    }};");
        code.push_str("    typedef Run<Acc> Part;\n");
        let _ = writeln!(code, "    static const bool LISTED = {};", self.def.lists.is_some());
        let _ = writeln!(code, "    static const i32 TILE = {};", self.tile());
        self.packed("Out", out, "PACK", code);
        self.store(out, code);
        self.method("void item(Acc &acc, i64 i, const In &in, i32 u)", code, |s, out| {
            s.items(packs, out);
        });
        let result = "void result(Out &out, const Acc &before, const Acc &acc, const Lists &lists, i64 p, i64 i, \
                      const In &in, i32 u)";
        self.method(result, code, |s, out| s.results(packs, out));
    }

    /// Adds a row to each accumulator.
    fn items(&self, packs: &Packs, out: &mut String) {
        let mut rows = Rows::of_row(self.graph, self.def, packs.before());
        for (n, p) in self.scans().filter(|&(n, p)| self.running(n, p).is_some()) {
            let x = self.graph.nodes[n]
                .args
                .first()
                .filter(|_| !matches!(p, Prim::Til | Prim::Differ | Prim::Ident));
            rows.need(x.into_iter().copied().collect::<Vec<_>>().as_slice(), out);
            let added = match (x, p) {
                (Some(&x), Prim::Fill) => format!(", {}", self.missing(x)),
                (Some(&x), _) => format!(", {}", value(self.graph, x)),
                (None, _) => String::new(),
            };
            let _ = writeln!(out, "        acc.x{}.add(i{added});", n.as_u32());
        }
    }

    /// Is the value null? Of bytes only characters have a null.
    fn missing(&self, x: Node) -> String {
        let (v, kind) = (value(self.graph, x), self.graph.ty(x).kind);
        match kind.store() {
            Store::B if kind == Kind::Char => format!("{v} == NULL_C"),
            _ => format!("is_null({v})"),
        }
    }

    /// Computes a row's results.
    fn results(&self, packs: &Packs, out: &mut String) {
        let mut rows = Rows::of_row(self.graph, self.def, packs.before());
        for (n, p) in self.scans() {
            let (to, args) = (n.as_u32(), &self.graph.nodes[n].args);
            let column = args.first().map_or(String::new(), |&x| name(Slot::Load(x)));
            let x = match p {
                Prim::Fill => {
                    let none = null(self.graph.ty(n).kind);
                    let ty = value_type(self.graph, n);
                    format!("acc.x{to}.row < 0 ? ({ty}){none} : ({ty}){column}[acc.x{to}.row]")
                }
                Prim::Differ => {
                    rows.need(&args[..1], out);
                    let equal = q::scalar::name(Prim::Eq, self.graph.ty(args[0]).kind);
                    let x = value(self.graph, args[0]);
                    format!("before.x{to}.row < 0 || !{equal}({column}[before.x{to}.row], {x})")
                }
                Prim::Ident => {
                    let Op::Param(list) = self.graph.nodes[args[0]].op else { continue };
                    let (table, m) = (name(Slot::Table(list)), name(Slot::Length(list)));
                    let _ = writeln!(out, "        counted<LISTED>(lists, p, n, acc.x{to}.n, {m});");
                    format!("lookup(acc.x{to}.done(), {table}, {m}, {})", null(self.graph.ty(n).kind))
                }
                Prim::Xprev => {
                    let (n, none) = (value(self.graph, args[1]), value(self.graph, args[2]));
                    let _ = writeln!(out, "        i64 r{to} = shifted<LISTED>(lists, p, {n}, this->n);");
                    let ty = value_type(self.graph, args[0]);
                    format!("r{to} < 0 ? ({ty}){none} : ({ty}){column}[r{to}]")
                }
                _ => format!("acc.x{to}.done()"),
            };
            if self.def.writes.contains(&n) {
                let _ = writeln!(out, "        out.o{to}[u] = {x};");
            }
        }
    }

    /// What a Scan's results need before it is known whether a row counts.
    pub fn scanned(&self) -> Vec<Node> {
        let given = |x: &Node| self.def.loads.contains(x);
        self.scans()
            .filter(|(_, p)| *p != Prim::Xprev)
            .flat_map(|(n, _)| self.graph.nodes[n].args.first().copied().filter(given))
            .collect()
    }
}
