//! Query and schema to graph: one statement form a function. Expressions are in `expr` and below.
//!
//! **Same plan.** Literals become parameters, numbered by `key::lift`; equal literals (type and bits) are one
//! parameter. What the graph itself depends on is in the plan key: names, functions, cast targets, types,
//! domains, attributes and length classes.

use crate::error::{Error, Result};
use crate::ir::{Build, Dim, DimDef, Graph, Input, Node, Param, Shape};
use crate::key::Literals;
use crate::query::{By, Expr, Query, Verb};
use crate::schema::{ColumnType, DomainId, Schema};
use q::path::Path;
use q::{Kind, Prim, Sym, Value};
use rustc_hash::FxHashMap;

mod apply;
mod call;
mod casts;
mod expr;
mod fby;
mod lambda;
mod lists;
mod member;
mod names;
mod seeded;
mod steps;
mod sums;
mod take;
#[cfg(test)]
mod tests;

/// What an expression sees while it is lowered.
pub(crate) struct Lower<'a> {
    /// The graph in the making.
    b: Build,
    schema: &'a Schema,
    literals: &'a Literals,
    /// The rows that the expression sees: the table's, or those that passed the clauses so far.
    dim: Dim,
    /// Under `by`: the groups that aggregates go into.
    groups: Option<Dim>,
    /// Inside functions that are being inlined, innermost last: what parameters and locals hold. A later
    /// assignment hides an earlier one.
    frames: Vec<Vec<(Sym, Node)>>,
    /// The dims of parts that stand for `n#x`, and the count.
    taken: FxHashMap<Dim, Param>,
}

/// The graph of `query` over a table of `schema`. `literals` are those that `key::lift` found in it.
///
/// # Errors
/// q's own signals where q refuses, `NotYet` where there is no plan; each at its place in the tree.
pub fn lower(query: &Query, schema: &Schema, literals: &Literals) -> Result<Graph> {
    let mut b = Build::new(schema.domains());
    b.graph.compensated = schema.compensated;
    let dim = b.rows();
    let mut l = Lower { b, schema, literals, dim, groups: None, frames: vec![], taken: FxHashMap::default() };
    let shape = match (query.verb, &query.by) {
        (Verb::Delete, _) => l.delete(query)?,
        (_, By::Distinct) => l.select_distinct(query)?,
        (Verb::Exec, By::Key(key)) => l.exec_by(query, key)?,
        (Verb::Exec, By::Keys(keys)) if query.single && !keys.is_empty() => {
            let keys = keys.len();
            l.select_by(query, keys_of(&query.by))?;
            Shape::OfRows(keys)
        }
        (Verb::Exec, By::Keys(_)) => return l.b.not_yet("exec by no key"),
        (_, By::Key(_)) => return l.b.not_yet("by of an unnamed key"),
        (Verb::Update, _) => l.update(query)?,
        (Verb::Select, By::Keys(keys)) => l.select_by(query, keys)?,
        (Verb::Select, By::None) => l.select(query)?,
        (Verb::Exec, By::None) => l.exec(query)?,
    };
    l.b.graph.shape = Some(shape);
    for i in 0..l.b.graph.outputs.len() {
        let dim = l.b.graph.ty(l.b.graph.outputs[i].node).dim;
        let items = if let DimDef::Lists { of, .. } = l.b.graph.dims[dim] { of } else { dim };
        l.b.graph.outputs[i].taken = l.taken.get(&items).copied();
    }
    l.b.graph.outputs.append(&mut l.b.checks);
    Ok(l.b.graph)
}

/// The named keys of a by phrase.
fn keys_of(by: &By) -> &[(Sym, Expr)] {
    if let By::Keys(keys) = by { keys } else { &[] }
}

impl Lower<'_> {
    /// Narrows the rows by the where clauses in order: each sees only the rows that passed the ones before.
    fn filter(&mut self, filters: &[Expr]) -> Result<()> {
        for clause in filters {
            let mask = self.top(clause)?;
            self.dim = self.b.kept(self.dim, mask)?;
        }
        Ok(())
    }

    /// An expression of the query itself.
    fn top(&mut self, e: &Expr) -> Result<Node> {
        self.b.at = e.path.clone();
        self.expr(&e.tree)
    }

    /// An expression whose value is a result. A list of symbols has codes then, as columns have.
    fn result(&mut self, e: &Expr) -> Result<Node> {
        let node = self.top(e)?;
        self.coded(node)
    }

    fn coded(&mut self, node: Node) -> Result<Node> {
        let ty = self.b.graph.ty(node);
        match (ty.kind, ty.domain) {
            (Kind::Sym, None) if ty.dim != Dim::ONE => self.b.named(node),
            _ => Ok(node),
        }
    }

    /// The table's column `i` on the rows in sight.
    fn column(&mut self, i: usize) -> Result<Node> {
        let column = &self.schema.columns[i];
        let ColumnType::Flat { kind, width, domain } = column.ty else {
            let what = format!(
                "a function of the nested column {}, which is carried along and counted",
                column.name
            );
            return self.b.not_yet(what);
        };
        let c = self.b.input(Input { index: i, name: column.name, kind, width, domain, counts: false });
        let node = self.b.col(c);
        self.b.over(node, self.dim)
    }

    /// `count each` of a nested column; of any other, ones.
    pub(super) fn counts(&mut self, tree: &Value) -> Result<Node> {
        let column = tree.as_sym().and_then(|name| self.schema.find(name));
        let Some(i) = column.filter(|&i| self.schema.columns[i].ty == ColumnType::Nested) else {
            return self.b.not_yet("count each of this");
        };
        let name = self.schema.columns[i].name;
        let (kind, width) = (Kind::Long, Kind::Long.width() as u8);
        let c = self.b.input(Input { index: i, name, kind, width, domain: None, counts: true });
        let node = self.b.col(c);
        self.b.over(node, self.dim)
    }

    /// `select` without by. Atoms among vectors are extended when the table is made.
    fn select(&mut self, query: &Query) -> Result<Shape> {
        self.filter(&query.filters)?;
        if query.columns.is_empty() {
            self.b.at = Path(vec![4]);
            for i in 0..self.schema.columns.len() {
                self.carry(i)?;
            }
            return Ok(if self.schema.keys > 0 { Shape::Keyed(self.schema.keys) } else { Shape::Table });
        }
        self.phrases(query)?;
        self.level(self.dim)?;
        Ok(Shape::Table)
    }

    /// The results of a query's phrases, without by.
    fn phrases(&mut self, query: &Query) -> Result<()> {
        for (name, e) in &query.columns {
            match self.nested_column(e) {
                Some(i) => {
                    let (rows, _) = self.carried(i)?;
                    self.b.nested(*name, rows, i);
                }
                None => {
                    let node = self.result(e)?;
                    self.b.output(*name, node);
                }
            }
        }
        Ok(())
    }

    /// The results of a query's phrases by group: an atom, a value for each group, or a list for each.
    fn phrases_by(&mut self, query: &Query, groups: Dim) -> Result<()> {
        for (name, e) in &query.columns {
            match self.nested_column(e) {
                Some(i) => {
                    let (rows, _) = self.carried(i)?;
                    let lists = self.b.listed(rows, groups);
                    self.b.nested(*name, lists, i);
                }
                None => {
                    let node = self.by_group(e, groups)?;
                    self.b.output(*name, node);
                }
            }
        }
        Ok(())
    }

    /// The nested column that an expression names; none if it is another.
    fn nested_column(&self, e: &Expr) -> Option<usize> {
        let i = self.schema.find(e.tree.as_sym()?)?;
        (self.schema.columns[i].ty == ColumnType::Nested).then_some(i)
    }

    /// A list beside columns over the rows in sight goes with them; the host compares other lengths, which only a run
    /// knows.
    fn level(&mut self, rows: Dim) -> Result<()> {
        let nodes: Vec<Node> = self.b.graph.outputs.iter().map(|out| out.node).collect();
        let dim = |l: &Lower, n: Node| l.b.graph.ty(n).dim;
        let given = |l: &Lower, n: Node| matches!(l.b.graph.dims[dim(l, n)], DimDef::Given(_));
        if nodes.iter().all(|&n| dim(self, n) != rows || given(self, n)) {
            return Ok(());
        }
        for (i, &node) in nodes.iter().enumerate() {
            if given(self, node) {
                self.b.graph.outputs[i].node = self.align(node, rows)?;
            }
        }
        Ok(())
    }

    /// Column `i` on the rows in sight as a result.
    fn carry(&mut self, i: usize) -> Result<()> {
        let name = self.schema.columns[i].name;
        match self.carried(i)? {
            (rows, true) => self.b.nested(name, rows, i),
            (node, false) => self.b.output(name, node),
        }
        Ok(())
    }

    /// `select distinct`: the rows that are the first of their group, in the order of rows.
    fn select_distinct(&mut self, query: &Query) -> Result<Shape> {
        self.select(query)?;
        self.b.at = Path(vec![3]);
        if self.b.graph.outputs.iter().any(|out| out.nested.is_some()) {
            return self.b.not_yet("distinct lists");
        }
        let nodes: Vec<Node> = self.b.graph.outputs.iter().map(|out| out.node).collect();
        let keys: Vec<Node> = nodes.into_iter().filter(|&n| self.b.graph.ty(n).dim != Dim::ONE).collect();
        // A table of atoms has one row.
        let Some(&first) = keys.first() else { return Ok(Shape::Table) };
        // They may be parts of columns, all over the same rows.
        let rows = self.b.graph.ty(first).dim;
        if keys.iter().any(|&k| self.b.graph.ty(k).dim != rows || self.is_taken(k)) {
            return self.b.not_yet("distinct rows of columns whose lengths only a run can compare");
        }
        let firsts = self.firsts(rows, &keys)?;
        for i in 0..self.b.graph.outputs.len() {
            let node = self.b.graph.outputs[i].node;
            if self.b.graph.ty(node).dim != Dim::ONE {
                self.b.graph.outputs[i].node = self.b.over(node, firsts)?;
            }
        }
        Ok(Shape::Table)
    }

    /// `select … by`: keys, then one value a group. Without columns: the last row of each group.
    fn select_by(&mut self, query: &Query, keys: &[(Sym, Expr)]) -> Result<Shape> {
        self.filter(&query.filters)?;
        let groups = self.group(keys)?;
        for (i, (name, _)) in keys.iter().enumerate() {
            let key = self.key_value(groups, i)?;
            self.b.output(*name, key);
        }
        self.groups = Some(groups);
        if query.columns.is_empty() {
            self.b.at = Path(vec![4]);
            self.lasts(groups, |name| keys.iter().any(|(key, _)| *key == name))?;
        }
        self.phrases_by(query, groups)?;
        Ok(if keys.is_empty() { Shape::Table } else { Shape::Keyed(keys.len()) })
    }

    /// The last row, or that of each group: all columns but those that `left_out` names.
    fn lasts(&mut self, into: Dim, left_out: impl Fn(Sym) -> bool) -> Result<()> {
        for i in 0..self.schema.columns.len() {
            let name = self.schema.columns[i].name;
            if !left_out(name) {
                let (column, nested) = self.carried(i)?;
                let last = self.b.agg1(Prim::Last, column, into)?;
                match nested {
                    true => self.b.nested(name, last, i),
                    false => self.b.output(name, last),
                }
            }
        }
        match self.b.graph.outputs.len() {
            0 => self.b.signal("type", "a table has columns"),
            _ => Ok(()),
        }
    }

    /// Column `i` on the rows in sight; of a nested one, the rows' numbers.
    fn carried(&mut self, i: usize) -> Result<(Node, bool)> {
        if self.schema.columns[i].ty != ColumnType::Nested {
            return Ok((self.column(i)?, false));
        }
        let row = self.b.row();
        Ok((self.b.over(row, self.dim)?, true))
    }

    /// An atom, a value for each of `groups`, or a list for each.
    fn by_group(&mut self, e: &Expr, groups: Dim) -> Result<Node> {
        let node = self.top(e)?;
        let dim = self.b.graph.ty(node).dim;
        if dim == groups || dim == Dim::ONE {
            return Ok(node);
        }
        self.b.at = e.path.clone();
        if !self.is_kept(self.b.graph.ty(node).dim) {
            return self.b.not_yet("a list that is no column, by group");
        }
        Ok(self.b.listed(node, groups))
    }

    /// Key `i` of each group. Zeros of both signs are one key, as are all NaNs, and q shows the first row's.
    fn key_value(&mut self, groups: Dim, i: usize) -> Result<Node> {
        match &self.b.graph.dims[groups] {
            DimDef::Groups { keys, .. } if self.b.graph.ty(keys[i]).kind.is_float() => {
                let key = keys[i];
                self.b.agg1(Prim::First, key, groups)
            }
            _ => self.b.key(i, groups),
        }
    }

    /// The groups of the rows in sight by the key expressions.
    fn group(&mut self, keys: &[(Sym, Expr)]) -> Result<Dim> {
        if keys.is_empty() {
            // All rows are one group.
            let all = self.b.constant(Kind::Bool, 0);
            return self.b.groups(self.dim, &[all]);
        }
        let nodes = keys.iter().map(|(_, e)| self.key(e)).collect::<Result<Vec<_>>>()?;
        self.b.groups(self.dim, &nodes)
    }

    fn key(&mut self, e: &Expr) -> Result<Node> {
        let node = self.top(e)?;
        self.b.at = e.path.clone();
        match self.b.graph.dims[self.b.graph.ty(node).dim] {
            DimDef::Given(_) => self.align(node, self.dim),
            _ => Ok(node),
        }
    }

    fn exec(&mut self, query: &Query) -> Result<Shape> {
        self.filter(&query.filters)?;
        if query.columns.is_empty() {
            self.b.at = Path(vec![4]);
            self.lasts(Dim::ONE, |_| false)?;
            return Ok(Shape::Dict);
        }
        if let ([(_, e)], true) = (&query.columns[..], query.single)
            && let Value::List(items) = &e.tree
            && let [head, _, _] = &items[..]
            && head.as_prim() == Some(Prim::Bang)
        {
            return self.exec_pairs(e, items);
        }
        self.phrases(query)?;
        Ok(if query.single { Shape::Single } else { Shape::Dict })
    }

    /// `exec k!v`: a dictionary of two lists over the same rows.
    fn exec_pairs(&mut self, e: &Expr, items: &[Value]) -> Result<Shape> {
        self.b.at = e.path.clone();
        let pair = [self.arg(items, 1)?, self.arg(items, 2)?];
        let [keys, vals] = pair.map(|x| self.b.graph.ty(x).dim);
        if keys == Dim::ONE || keys != vals {
            return self.b.not_yet("a dictionary of what are not two lists over the same rows");
        }
        for node in pair {
            let node = self.coded(node)?;
            self.b.output(Sym::NULL, node);
        }
        Ok(Shape::Map)
    }

    /// `exec … by` one key: a dictionary of the groups' keys to an aggregate of each.
    fn exec_by(&mut self, query: &Query, key: &Expr) -> Result<Shape> {
        self.filter(&query.filters)?;
        let named = key.tree.as_sym();
        let node = self.key(key)?;
        let groups = self.b.groups(self.dim, &[node])?;
        let key = self.key_value(groups, 0)?;
        self.b.output(Sym::NULL, key);
        self.groups = Some(groups);
        self.phrases_by(query, groups)?;
        if query.columns.is_empty() {
            self.b.at = Path(vec![4]);
            self.lasts(groups, |name| named == Some(name))?;
            if self.b.graph.outputs.len() == 1 {
                return self.b.signal("type", "no column is left beside the key");
            }
        }
        if !query.single {
            return Ok(Shape::Rows);
        }
        // A single atom goes with every key.
        let out = self.b.graph.outputs[1].node;
        self.b.graph.outputs[1].node = self.spread_groups(out, groups)?;
        Ok(Shape::Map)
    }

    /// `update`: every row stays. New values stand where the clauses hold and the old, or nulls, elsewhere;
    /// under by a group's value stands at each of its rows. Every expression sees the old columns.
    fn update(&mut self, query: &Query) -> Result<Shape> {
        self.filter(&query.filters)?;
        if let By::Keys(keys) = &query.by {
            self.groups = Some(self.group(keys)?);
        }
        let mut new = vec![];
        for (name, e) in &query.columns {
            let node = self.top(e)?;
            self.b.at = e.path.clone();
            new.push((*name, self.updated(*name, node)?));
        }
        let rows = self.b.rows();
        self.dim = rows;
        self.b.at = Path(vec![4]);
        let mut outputs = vec![];
        for i in 0..self.schema.columns.len() {
            let name = self.schema.columns[i].name;
            let (node, nested) = match new.iter().rev().find(|(n, _)| *n == name) {
                Some((_, node)) => (*node, false),
                None => self.carried(i)?,
            };
            outputs.push((name, node, nested.then_some(i)));
        }
        for (name, node) in new {
            if outputs.iter().all(|(had, ..)| *had != name) {
                outputs.push((name, node, None));
            }
        }
        // Atoms are extended to the length of the vectors beside them, so one vector must be there.
        let vector = outputs.iter().any(|(_, n, _)| self.b.graph.ty(*n).dim == rows);
        for (name, node, nested) in outputs {
            let node = if vector { node } else { self.spread_over(node, rows)? };
            match nested {
                Some(i) => self.b.nested(name, node, i),
                None => self.b.output(name, node),
            }
        }
        Ok(if self.schema.keys > 0 { Shape::Keyed(self.schema.keys) } else { Shape::Table })
    }

    /// The whole column `name` after its rows in sight were set to `new`.
    fn updated(&mut self, name: Sym, new: Node) -> Result<Node> {
        let new = match self.b.graph.dims[self.b.graph.ty(new).dim] {
            DimDef::Given(_) => self.align(new, self.groups.unwrap_or(self.dim))?,
            _ => new,
        };
        let rows = self.b.rows();
        if self.dim == rows && self.groups.is_none() {
            return Ok(new);
        }
        let mut new = new;
        let old = self.schema.find(name);
        let mut ty = self.b.graph.ty(new);
        if let Some(i) = old
            && let ColumnType::Flat { kind, domain, .. } = self.schema.columns[i].ty
        {
            // Whole numbers are stored in the column's width; one that does not fit becomes an infinity.
            let whole = |k| matches!(k, Kind::Short | Kind::Int | Kind::Long);
            if whole(kind) && whole(ty.kind) {
                new = self.b.cast(new, kind)?;
                ty.kind = kind;
            } else if kind == Kind::Enum && matches!(ty.kind, Kind::Sym | Kind::Enum) {
                new = self.placed_in(domain, new)?;
                ty = self.b.graph.ty(new);
            } else if kind != ty.kind {
                return self.b.signal("type", format!("{name} is {}, not {}", kind.name(), ty.kind.name()));
            }
        }
        // Symbols of another column, or a literal, need a domain that holds them beside the old ones.
        if ty.kind == Kind::Sym {
            let beside = match old {
                Some(i) => self.column(i)?,
                None => self.b.null(Kind::Sym, ty.domain),
            };
            (_, new, _) = self.b.one_domain(beside, new)?;
            ty = self.b.graph.ty(new);
        }
        let dim = self.b.graph.ty(new).dim;
        if dim != self.dim && self.is_kept(dim) {
            return self.b.not_yet("part of the rows as the new values of all");
        }
        new = self.b.over(new, self.dim)?;
        let seen = self.dim;
        while let DimDef::Kept { of, .. } = self.b.graph.dims[self.dim] {
            self.dim = of;
            let old = match old {
                Some(i) => self.column(i)?,
                None => self.b.null(ty.kind, ty.domain),
            };
            new = self.b.place(new, old)?;
        }
        self.dim = seen;
        Ok(new)
    }

    /// Symbols as items of an enumeration that a column holds, which must have them all.
    fn placed_in(&mut self, domain: Option<DomainId>, new: Node) -> Result<Node> {
        let Some(to) = domain else { return self.b.internal("an enumeration has a domain") };
        if self.b.graph.ty(new).domain == Some(to) {
            return Ok(new);
        }
        if self.b.graph.ty(new).kind == Kind::Enum {
            return self.b.signal("cast", "the items of another enumeration are none of the column's");
        }
        let indices = self.b.enumerated(new, to)?;
        let code = self.b.cast(indices, Kind::Long)?;
        let wrong = self.number(Prim::Lt, code, 0)?;
        // An atom is stored in no row where none is in sight.
        let wrong = if self.b.is_atom(wrong) { self.b.over(wrong, self.dim)? } else { wrong };
        self.refuse_where("cast", wrong)?;
        Ok(indices)
    }

    /// `delete` of columns, or of the rows that pass all clauses.
    fn delete(&mut self, query: &Query) -> Result<Shape> {
        for (name, e) in &query.columns {
            match self.schema.find(*name) {
                None => return Err(Error::signal(name.text(), &e.path, "no such column")),
                Some(i) if i < self.schema.keys => return Err(Error::signal("type", &e.path, "a key stays")),
                Some(_) => {}
            }
        }
        if query.columns.is_empty() {
            let rows = self.dim;
            self.filter(&query.filters)?;
            if let DimDef::Kept { mut of, mut mask } = self.b.graph.dims[self.dim] {
                // A row that failed an earlier clause is false there, and stays.
                while let DimDef::Kept { of: outer, mask: earlier } = self.b.graph.dims[of] {
                    mask = self.b.place(mask, earlier)?;
                    of = outer;
                }
                let stays = self.b.map1(Prim::Not, mask)?;
                self.dim = self.b.kept(rows, stays)?;
            } else {
                let none = self.b.constant(Kind::Bool, 0);
                self.dim = self.b.kept(rows, none)?;
            }
        }
        self.b.at = Path(vec![4]);
        for i in 0..self.schema.columns.len() {
            let name = self.schema.columns[i].name;
            if query.columns.iter().all(|(gone, _)| *gone != name) {
                self.carry(i)?;
            }
        }
        match self.b.graph.outputs.len() {
            0 => return self.b.not_yet("a table without columns"),
            n if n == self.schema.keys => {
                return self.b.signal("length", "a keyed table has columns beside its keys");
            }
            _ => {}
        }
        Ok(if self.schema.keys > 0 { Shape::Keyed(self.schema.keys) } else { Shape::Table })
    }

    /// An atom for each of `groups`; what is over them as it is.
    fn spread_groups(&mut self, x: Node, groups: Dim) -> Result<Node> {
        if self.b.graph.ty(x).dim != Dim::ONE {
            return Ok(x);
        }
        let x = self.spread_over(x, self.dim)?;
        self.b.agg1(Prim::First, x, groups)
    }

    /// `x` at every row of `dim`.
    pub(super) fn spread_over(&mut self, x: Node, dim: Dim) -> Result<Node> {
        let ty = self.b.graph.ty(x);
        let x = match (ty.kind, ty.domain) {
            (Kind::Sym, None) => self.b.named(x)?,
            _ => x,
        };
        self.b.over(x, dim)
    }
}
