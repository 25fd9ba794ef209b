//! One kernel: the struct of its arguments and methods, and its entries.

use super::packs::Packs;
use super::rows::{Held, Rows, c_type, element_type, value, value_type};
use super::{Entry, Slot, Unit};
use crate::ir::{Graph, Node, Op, Source};
use crate::plan::{Kernel, KernelDef, Plan, Skeleton, accumulators};
use q::{Kind, Prim, Store};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Writes the kernel's code and lists its entries.
pub fn emit(plan: &Plan, kernel: Kernel, unit: &mut Unit) {
    let writer = Writer { graph: &plan.graph, def: &plan.kernels[kernel], kernel };
    let frame = writer.frame();
    let launches = writer.launches();
    // A Select's entries are of no plan.
    if launches.is_empty() {
        return;
    }
    let mut structure = String::new();
    writer.structure(&frame, &mut structure);
    unit.code.push_str(&structure);
    if launches.iter().any(|l| l.rare) {
        unit.rare.push_str(&structure);
    }
    for Launch { entry, of, call, work, rare } in launches {
        let code = if rare { &mut unit.rare } else { &mut unit.code };
        let mut slots = frame.clone();
        slots.extend(work.iter().map(|(_, work)| Slot::Work(work)));
        let parameters: Vec<String> = frame.iter().map(|&s| writer.parameter(s)).collect();
        let work: Vec<String> = work.iter().map(|(ty, name)| format!("{ty}{name}")).collect();
        let mut members = frame.iter().map(|&s| name(s)).collect::<Vec<_>>().join(", ");
        let base = format!("K{}", kernel.as_u32());
        // The members are those of the base.
        if of.is_some() {
            members = format!("{{{members}}}");
        }
        let all = [parameters, work].concat().join(", ");
        let _ = writeln!(code, "extern \"C\" __global__ void __launch_bounds__(BLOCK, 1) {entry}({all}) {{");
        let _ = writeln!(code, "    {} k = {{{members}}};", of.unwrap_or(base));
        let _ = writeln!(code, "    k.head();\n    {call};\n}}");
        unit.entries.push(Entry { name: entry, kernel, slots, rare });
    }
    unit.code.push('\n');
}

/// An entry to be written.
pub struct Launch {
    /// Its name.
    pub entry: String,
    /// The struct that it hands to the skeleton, where that is not the kernel's but made of it.
    pub of: Option<String>,
    /// What it calls.
    pub call: String,
    /// Its work memory, by C type and name.
    pub work: Vec<(String, &'static str)>,
    /// Does it stand in the rare unit?
    pub rare: bool,
}

/// An entry of the kernel's own struct in the unit that is always compiled.
pub fn launch(entry: String, call: &str, work: &[(&str, &'static str)]) -> Launch {
    let work = work.iter().map(|&(t, n)| (t.to_string(), n)).collect();
    Launch { entry, of: None, call: call.into(), work, rare: false }
}

/// What a kernel is written from.
pub struct Writer<'a> {
    /// The plan's graph.
    pub graph: &'a Graph,
    /// The kernel.
    pub def: &'a KernelDef,
    /// Its number.
    pub kernel: Kernel,
}

/// The member that an argument becomes.
pub fn name(slot: Slot) -> String {
    match slot {
        Slot::Rows => "n".into(),
        Slot::Load(n) => format!("c{}", n.as_u32()),
        Slot::Gather(n) => format!("g{}", n.as_u32()),
        Slot::Ids(d) => format!("ids{}", d.as_u32()),
        Slot::Places(d) => format!("places{}", d.as_u32()),
        Slot::Table(p) => format!("t{}", p.as_u32()),
        Slot::Length(p) => format!("m{}", p.as_u32()),
        Slot::Atom(n) => format!("v{}", n.as_u32()),
        Slot::Earlier(n) => format!("a{}", n.as_u32()),
        Slot::Join(n) => format!("j{}", n.as_u32()),
        Slot::Write(n) => format!("o{}", n.as_u32()),
        Slot::Work(name) => name.into(),
    }
}

impl Writer<'_> {
    /// The arguments that every entry of the kernel has.
    fn frame(&self) -> Vec<Slot> {
        let def = self.def;
        let mut slots = vec![Slot::Rows];
        slots.extend(def.loads.iter().map(|&n| Slot::Load(n)));
        slots.extend(def.gathers.iter().map(|&n| Slot::Gather(n)));
        let mut push = |slot| {
            if !slots.contains(&slot) {
                slots.push(slot);
            }
        };
        let own = def.numbered.then_some(def.into);
        let own = own.or(def.lists.filter(|_| def.skeleton == Skeleton::Member));
        for dim in def.gathers.iter().map(|&n| self.graph.nodes[n].ty.dim).chain(own) {
            push(Slot::Ids(dim));
            push(Slot::Places(dim));
        }
        let tables = def.tables.iter().filter_map(|&n| match self.graph.nodes[n].op {
            Op::Param(p) => Some(p),
            _ => None,
        });
        for p in tables.chain(def.ranks.iter().flatten().copied()) {
            push(Slot::Table(p));
            push(Slot::Length(p));
        }
        for &n in &def.atoms {
            match self.graph.nodes[n].op {
                Op::Null => {}
                Op::Param(_) => push(Slot::Atom(n)),
                _ => push(Slot::Earlier(n)),
            }
        }
        def.joins.iter().for_each(|&n| push(Slot::Join(n)));
        def.writes.iter().for_each(|&n| push(Slot::Write(n)));
        slots
    }

    /// The declaration of an argument, or of its member.
    fn parameter(&self, slot: Slot) -> String {
        let ty = match slot {
            Slot::Rows | Slot::Length(_) => "i64 ".into(),
            Slot::Load(n) | Slot::Gather(n) | Slot::Earlier(n) | Slot::Join(n) => {
                format!("const {} *", element_type(self.graph, n))
            }
            Slot::Ids(_) => "const void *".into(),
            Slot::Places(_) => "const i32 *".into(),
            Slot::Table(p) => match (&self.graph.params[p].source, self.graph.params[p].kind.store()) {
                (Source::Set(_, Some(_)) | Source::Like(..), _) => "const u8 *".into(),
                (Source::Set(..), Store::G) => "const guid *".into(),
                (Source::Set(..) | Source::Keys(_), _) => "const u64 *".into(),
                (_, store) => format!("const {} *", c_type(store)),
            },
            Slot::Atom(n) => format!("{} ", value_type(self.graph, n)),
            Slot::Write(n) => format!("{} *", element_type(self.graph, n)),
            Slot::Work(_) => String::new(),
        };
        format!("{ty}{}", name(slot))
    }

    fn structure(&self, frame: &[Slot], code: &mut String) {
        let _ = writeln!(code, "struct K{} {{", self.kernel.as_u32());
        for &slot in frame {
            let _ = writeln!(code, "    {};", self.parameter(slot));
        }
        let packs = Packs::of(self);
        match self.def.skeleton {
            Skeleton::Map => self.map(&packs, code),
            Skeleton::Compact => self.compact(&packs, code),
            Skeleton::Reduce => {
                self.accumulators(code);
                let moved = packs.first.union(&packs.more).copied().collect();
                self.pack(&moved, code);
                let _ = writeln!(code, "    static const bool FILTERS = {};", !self.def.masks.is_empty());
                self.packed("In", &packs.first, "PACK", code);
                self.packed("More", &packs.more, "PACK", code);
                self.loads("load", &packs.first, code);
                self.loads("more", &packs.more, code);
                self.pass(packs.before(), code);
                let each = "void each(Acc &acc, i64 i, const In &in, const More &more, i32 u)";
                self.method(each, code, |s, out| {
                    s.adds(&mut Rows::of_row(s.graph, s.def, packs.after()), out);
                });
                self.method("void end(const Acc &acc)", code, |s, out| s.ends("[0]", out));
            }
            Skeleton::Group => self.group(&packs, code),
            Skeleton::Scan => self.scan(&packs, code),
            Skeleton::Member => self.member(code),
            Skeleton::List => self.list(&packs, code),
            Skeleton::Select => {}
        }
        code.push_str("};\n");
        if self.def.skeleton == Skeleton::Member {
            self.sets(code);
        }
    }

    /// What `map.cuh` asks for.
    pub fn map(&self, packs: &Packs, code: &mut String) {
        let out = self.def.writes.iter().map(|&n| Slot::Write(n)).collect();
        let moved = packs.first.union(&out).copied().collect();
        self.pack(&moved, code);
        self.packed("In", &packs.first, "PACK", code);
        self.packed("Out", &out, "PACK", code);
        self.loads("load", &packs.first, code);
        self.store(&out, code);
        self.method("void row(i64 i, const In &in, i32 u, Out &out)", code, |s, out| {
            s.stored(packs.before(), "out.", "[u]", out);
        });
    }

    /// What `compact.cuh` asks for.
    pub fn compact(&self, packs: &Packs, code: &mut String) {
        self.pack(&packs.first, code);
        let _ = writeln!(code, "    static const i32 TILE = {};", self.tile());
        self.packed("In", &packs.first, "PACK", code);
        self.packed("Tile", &packs.tile, "TILE", code);
        self.loads("load", &packs.first, code);
        self.pass(packs.before(), code);
        self.hold(&packs.tile, code);
        self.method("void write(const Tile &tile, i64 i, i32 l, i64 o)", code, |s, out| {
            s.stored(packs.written(), "", "[o]", out);
        });
    }

    /// How many rows a thread moves at once, the head, and whether all of `moved` is aligned for it.
    pub fn pack(&self, moved: &BTreeSet<Slot>, code: &mut String) {
        let _ = writeln!(code, "    static const i32 PACK = {};", self.def.pack(self.graph));
        // One row has no alignment but its own.
        if self.def.pack(self.graph) == 1 {
            return self.heads("", code);
        }
        code.push_str("    bool wide;\n");
        self.heads(&self.wide(moved), code);
    }

    /// Rows of the tile of a Compact or Scan.
    pub fn tile(&self) -> usize {
        self.def.tile(self.graph)
    }

    /// A method with the body that the closure writes.
    pub fn method(&self, signature: &str, code: &mut String, body: impl FnOnce(&Self, &mut String)) {
        let mut out = String::new();
        body(self, &mut out);
        let _ = write!(code, "    Q {signature} const {{\n{out}    }}\n");
    }

    /// The atoms that are read or computed before the loop, as members, and what else is done then.
    fn heads(&self, last: &str, code: &mut String) {
        let mut body = String::new();
        for &n in &self.def.atoms {
            if !matches!(self.graph.nodes[n].op, Op::Param(_) | Op::Null) {
                let _ = writeln!(code, "    {} v{};", value_type(self.graph, n), n.as_u32());
                let _ = writeln!(body, "        v{0} = *a{0};", n.as_u32());
            }
        }
        for &n in &self.def.head {
            let _ = writeln!(code, "    {} v{};", value_type(self.graph, n), n.as_u32());
        }
        Rows::of(self.graph, self.def, &self.def.head).members().need(&self.def.head, &mut body);
        body.push_str(last);
        let _ = if body.is_empty() {
            writeln!(code, "    Q void head() {{}}")
        } else {
            write!(code, "    Q void head() {{\n{body}    }}\n")
        };
    }

    /// Leaves at the first mask that is false; the masks after it are not computed then.
    pub fn masks(&self, held: Held, out: &mut String) {
        let mut rows = Rows::of_row(self.graph, self.def, held);
        for &mask in self.def.own_masks(self.graph) {
            rows.need(&[mask], out);
            let _ = writeln!(out, "        if (!{}) return false;", value(self.graph, mask));
        }
        out.push_str("        return true;\n");
    }

    /// The method that says whether a row of a pack counts.
    pub fn pass(&self, held: Held, code: &mut String) {
        self.method("bool pass(i64 i, const In &in, i32 u)", code, |s, out| s.masks(held, out));
    }

    /// The aggregates of a Reduce or Group.
    pub fn aggregates(&self) -> impl Iterator<Item = (Node, Prim)> {
        self.def.results.iter().filter_map(|&n| match self.graph.nodes[n].op {
            Op::Agg(p) => Some((n, p)),
            _ => None,
        })
    }

    /// The struct of an aggregate in `agg.cuh`.
    fn accumulator(&self, node: Node, p: Prim) -> String {
        let kind = self.graph.nodes[self.graph.nodes[node].args[0]].ty.kind;
        match p {
            Prim::Count => "count".into(),
            Prim::First | Prim::Last => format!("{}_row", p.row().stem),
            Prim::Sum if self.graph.is_compensated(node) => format!("compensated_{}", kind.store().letter()),
            Prim::Min | Prim::Max if kind == Kind::Bool => format!("{}_bool", p.row().stem),
            _ => format!("{}_{}", p.row().stem, kind.store().letter()),
        }
    }

    /// The aggregates that have accumulators.
    fn added(&self) -> impl Iterator<Item = (Node, Prim)> {
        let own = accumulators(self.graph, self.def);
        self.aggregates().filter(move |(n, _)| own.contains(n))
    }

    /// The struct of the accumulators.
    pub fn accumulators(&self, code: &mut String) {
        let (mut init, mut join) = (String::new(), String::new());
        code.push_str("    struct Acc {\n");
        for (node, p) in self.added() {
            let n = node.as_u32();
            let _ = writeln!(code, "        {} x{n};", self.accumulator(node, p));
            let _ = write!(init, " x{n}.init();");
            let _ = write!(join, " x{n}.join(o.x{n});");
        }
        if init.is_empty() {
            code.push_str("        u64 none;\n");
            init.push_str(" none = 0;");
        }
        let _ = writeln!(code, "        Q void init() {{{init} }}");
        let _ = writeln!(code, "        Q void join(const Acc &o) {{{join} }}\n    }};");
    }

    /// Adds a row to each accumulator.
    pub fn adds(&self, rows: &mut Rows, out: &mut String) {
        for (n, _) in self.added() {
            let args = self.graph.added(n);
            rows.need(args, out);
            let args: Vec<String> = args.iter().map(|&a| value(self.graph, a)).collect();
            let at = n.as_u32();
            let _ = match self.graph.picked(n) {
                Some((.., Some(_))) => writeln!(out, "        if ({}) acc.x{at}.add(i);", args[0]),
                _ => {
                    let args: String = args.iter().map(|a| format!(", {a}")).collect();
                    writeln!(out, "        acc.x{at}.add(i{args});")
                }
            };
        }
    }

    /// The results, what is computed from them, and the stores.
    pub fn ends(&self, at: &str, out: &mut String) {
        let picked = |n: Node| self.graph.picked(n);
        for (n, _) in self.added().filter(|a| picked(a.0).is_none()) {
            let _ =
                writeln!(out, "        {} v{1} = acc.x{1}.done();", value_type(self.graph, n), n.as_u32());
        }
        for (own, _) in self.added() {
            let Some((p, _, some)) = picked(own) else { continue };
            let same = |n: &Node| picked(*n).is_some_and(|(q, _, of)| (q, of) == (p, some));
            self.picks(own, &self.def.results.iter().copied().filter(same).collect::<Vec<_>>(), out);
        }
        for &n in &self.def.joins {
            let _ = writeln!(out, "        {} v{1} = j{1}{at};", value_type(self.graph, n), n.as_u32());
        }
        Rows::of(self.graph, self.def, &self.def.tail).need(&self.def.tail, out);
        self.stores("", at, out);
    }

    /// The results that are items of the row which the accumulator of `own` has found, nulls where there is none.
    fn picks(&self, own: Node, results: &[Node], out: &mut String) {
        for &n in results {
            let (ty, null) = (value_type(self.graph, n), super::rows::null(self.graph.ty(n).kind));
            let _ = writeln!(out, "        {ty} v{} = {null};", n.as_u32());
        }
        let _ = writeln!(out, "        if (i64 i = acc.x{}.done(); i >= 0) {{", own.as_u32());
        let items: Vec<Node> = results.iter().filter_map(|&n| Some(self.graph.picked(n)?.1)).collect();
        let mut found = String::new();
        Rows::of_row(self.graph, self.def, Held::new()).need(&items, &mut found);
        for (n, &item) in results.iter().zip(&items) {
            let _ = writeln!(found, "        v{} = {};", n.as_u32(), value(self.graph, item));
        }
        found.lines().for_each(|line| out.extend(["    ", line, "\n"]));
        out.push_str("        }\n");
    }

    fn stores(&self, to: &str, at: &str, out: &mut String) {
        for &n in &self.def.writes {
            let _ = writeln!(out, "        {to}o{}{at} = {};", n.as_u32(), value(self.graph, self.moved(n)));
        }
    }

    /// Computes and stores what the kernel writes of a row.
    pub fn stored(&self, held: Held, to: &str, at: &str, out: &mut String) {
        let moved: Vec<Node> = self.def.writes.iter().map(|&n| self.moved(n)).collect();
        Rows::of_row(self.graph, self.def, held).need(&moved, out);
        self.stores(to, at, out);
    }

    /// What stands where the node is written: a list's items are those of its argument.
    pub fn moved(&self, node: Node) -> Node {
        let def = &self.graph.nodes[node];
        if self.def.skeleton == Skeleton::List { def.args[0] } else { node }
    }

    /// The entries in launch order.
    fn launches(&self) -> Vec<Launch> {
        let k = self.kernel;
        let (acc, part) = (format!("K{}::Acc *", k.as_u32()), format!("K{}::Part *", k.as_u32()));
        let map = || vec![launch(format!("{k}"), "map(k)", &[])];
        let compact = || {
            let state = [("u32 *", "ticket"), ("u64 *", "state"), ("i64 *", "count")];
            vec![launch(format!("{k}"), "compact(k, ticket, state, count)", &state)]
        };
        match self.def.skeleton {
            Skeleton::Map => map(),
            Skeleton::Scan => self.scan_launches(k, &part),
            Skeleton::Member => self.member_launches(),
            Skeleton::List if self.def.lists.is_some() => {
                let mut all = Vec::new();
                if !self.def.own_masks(self.graph).is_empty() {
                    let numbers = [
                        ("const void *", "ids"),
                        ("const i32 *", "places"),
                        ("i32 ", "groups"),
                        ("Numbers ", "numbers"),
                    ];
                    let call = "list_mark(k, ids, places, groups, numbers)";
                    all.push(launch(format!("{k}_mark"), call, &numbers));
                }
                let rows = [("Rows ", "rows"), ("i64 ", "listed")];
                all.push(launch(format!("{k}_move"), "list_move(k, rows, listed)", &rows));
                all
            }
            Skeleton::List if self.def.masks.is_empty() => map(),
            Skeleton::List => compact(),
            Skeleton::Select => Vec::new(),
            Skeleton::Reduce => vec![
                launch(format!("{k}"), "reduce(k, parts)", &[(&acc, "parts")]),
                launch(format!("{k}_end"), "reduce_end(k, parts)", &[(&format!("const {acc}"), "parts")]),
            ],
            Skeleton::Compact => compact(),
            Skeleton::Group => self.grouped(),
        }
    }
}
