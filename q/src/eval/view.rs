//! Views: names that stand for an expression, `a::b+c` at the console. They are evaluated whenever the name is used.

use super::{Interp, sort};
use crate::error::{Error, Result, Source, type_error};
use crate::fun::Prim;
use crate::lambda;
use crate::path::Spans;
use crate::seam::{Scope, Virtual};
use crate::sym::Sym;
use crate::value::{Attr, Func, Value};
use rustc_hash::FxHashSet;
use std::any::Any;
use std::sync::Arc;

/// The expression that a name stands for.
#[derive(Clone, Debug)]
pub(crate) struct View {
    tree: Value,
    spans: Option<Spans>,
    source: Arc<Source>,
}

impl View {
    /// The expression's text.
    fn text(&self) -> &[u8] {
        let whole = &self.source.text;
        match self.spans.as_ref().map(|s| s.span) {
            Some(span) => whole.get(span.from as usize..span.to as usize).unwrap_or(whole),
            None => whole,
        }
    }
}

impl Interp {
    /// `a::x` at the console. The expression may not be ready to be evaluated yet.
    pub(super) fn define_view(&mut self, name: Sym, tree: &Value, spans: Option<&Spans>) -> Result<Value> {
        let source = self.frames.last().and_then(|f| f.source.clone());
        let Some(source) = source else { return Err(Error::new("view")) };
        if self.needs(tree, name) {
            return Err(Error::new("loop").detail(format!("{} would need itself", name.text())));
        }
        self.views.insert(name, View { tree: tree.clone(), spans: spans.cloned(), source });
        self.set_global(name, Value::null())?;
        Ok(Value::null())
    }

    /// True if `tree` mentions `name`, itself or through views.
    fn needs(&self, tree: &Value, name: Sym) -> bool {
        let mentioned = |tree: &Value| lambda::names(std::slice::from_ref(tree));
        let mut open = mentioned(tree);
        let mut seen: FxHashSet<Sym> = open.iter().copied().collect();
        while let Some(next) = open.pop() {
            if next == name {
                return true;
            }
            let more = self.views.get(&next).map_or_else(Vec::new, |view| mentioned(&view.tree));
            open.extend(more.into_iter().filter(|n| seen.insert(*n)));
        }
        false
    }

    /// The value of the view `name`, if it is one.
    pub(super) fn view(&mut self, name: Sym) -> Option<Result<Value>> {
        if self.views.is_empty() {
            return None;
        }
        let view = self.views.get(&name)?.clone();
        let value = self.at_console(&view.source, |q| {
            q.check()?;
            q.eval(&view.tree, view.spans.as_ref())
        });
        if let Ok(v) = &value {
            // Those who look at the variable itself (queries by name) see the last value.
            let held = self.views.remove(&name);
            let _a_plain_variable_can_be_set = self.set_global(name, v.clone());
            self.views.extend(held.map(|v| (name, v)));
        }
        Some(value)
    }
}

/// `views[]`: the names of views, sorted.
pub fn views(q: &Interp) -> Value {
    let mut names: Vec<Sym> = q.views.keys().copied().collect();
    names.sort_by_key(|n| n.text());
    match names.is_empty() {
        true => Value::syms([]),
        false => sort::with_attr(Value::syms(names), Attr::Sorted),
    }
}

/// `view x`: the text of a view.
pub fn text(q: &Interp, x: &Value) -> Result<Value> {
    match x.as_sym().map(|name| (name, q.views.get(&name))) {
        Some((_, Some(view))) => Ok(Value::chars(view.text())),
        Some((name, None)) => Err(Error::new(name.text())),
        None => type_error(),
    }
}

/// The view itself, as `` `. `a `` gives it: it shows as its text, and `value` takes it apart.
#[derive(Debug)]
struct Itself {
    view: View,
    /// The last value, `::` before the first.
    last: Value,
}

/// `` `. `a `` where `a` is a view.
pub(super) fn itself(q: &Interp, name: Sym) -> Option<Value> {
    let view = q.views.get(&name)?.clone();
    let last = q.global(name).unwrap_or_else(Value::null);
    Some(Value::Fun(Func::Virtual(Arc::new(Itself { view, last }))))
}

impl Virtual for Itself {
    fn q_type(&self) -> i8 {
        100
    }

    fn count(&self) -> usize {
        1
    }

    fn rows(&self, _: usize, _: usize) -> Result<Value> {
        type_error()
    }

    fn text(&self) -> Option<String> {
        Some(String::from_utf8_lossy(self.view.text()).into_owned())
    }

    fn query(&self, _: Prim, _: &[Value], _: &Scope) -> Result<Value> {
        type_error()
    }

    /// `value`: the last value, the tree, the names that it mentions, and the text.
    fn verb(&self, name: &str, _: &[Value]) -> Result<Option<Value>> {
        if name != Prim::Get.row().text {
            return type_error();
        }
        let tree = &self.view.tree;
        let names = Value::syms(lambda::names(std::slice::from_ref(tree)));
        Ok(Some(Value::list(vec![self.last.clone(), tree.clone(), names, Value::chars(self.view.text())])))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
