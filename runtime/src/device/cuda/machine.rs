//! A device as the launcher's machine: what one run of a plan allocates, and the columns that stay.

use super::Code;
use super::context::{Context, fault};
use super::memory::{Memory, View};
use super::module::Module;
use super::staging::{self, Source};
use crate::column::{Column, Domain};
use crate::device::launcher::{Block, Machine, Word};
use q::{Kind, Result};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Blocks that a multiprocessor has room for at once.
const RESIDENT: u32 = 2048 / crate::device::launcher::BLOCK;

/// One run on a device.
pub(super) struct Run {
    context: &'static Context,
    /// The plan's, if it has kernels, and those of other kernels that were launched.
    modules: Vec<Arc<Module>>,
    /// What was allocated and not freed, by address.
    memory: FxHashMap<u64, Arc<Memory>>,
    /// The columns' copies that it uses, which therefore stay.
    columns: Vec<View>,
}

impl Run {
    /// A run that has allocated nothing. The copies that there are of `columns` stay, so that what it allocates
    /// before it asks for them does not take their place.
    pub fn new<'a>(
        context: &'static Context,
        module: Option<Arc<Module>>,
        columns: impl IntoIterator<Item = &'a Column>,
    ) -> Run {
        let columns = columns.into_iter().filter_map(|c| c.held.on_device(context.ordinal)).collect();
        Run { context, modules: module.into_iter().collect(), memory: FxHashMap::default(), columns }
    }

    /// The modules that it launched kernels of.
    pub fn into_modules(self) -> Vec<Arc<Module>> {
        self.modules
    }

    fn memory(&self, block: Block) -> Result<&Arc<Memory>> {
        let found = self.memory.get(&block.address);
        found.ok_or_else(|| fault(format!("{:#x} is no block of this run", block.address)))
    }
}

impl Machine for Run {
    fn blocks(&self) -> u32 {
        self.context.gpu.processors.max(1) * RESIDENT
    }

    fn allocate(&mut self, _: &str, bytes: usize) -> Result<Block> {
        let memory = Memory::new(self.context, bytes)?;
        let block = Block { address: memory.address(), bytes };
        self.memory.insert(block.address, Arc::new(memory));
        Ok(block)
    }

    fn write(&mut self, to: Block, bytes: &[u8]) -> Result<()> {
        self.memory(to)?;
        staging::upload(self.context, to.address, Source::copy(bytes))
    }

    fn fill(&mut self, to: Block, byte: u8) -> Result<()> {
        self.memory(to)?.fill(byte)
    }

    fn read(&mut self, from: Block, out: &mut [u8]) -> Result<()> {
        staging::download(self.context, from.address, out)
    }

    fn free(&mut self, block: Block) -> Result<()> {
        self.memory(block)?;
        self.memory.remove(&block.address);
        Ok(())
    }

    fn add(&mut self, text: &str, names: Vec<String>) -> Result<()> {
        if !names.iter().all(|name| self.modules.iter().any(|m| m.has(name))) {
            self.modules.push(Code::new(text.into(), names).module(self.context)?);
        }
        Ok(())
    }

    fn launch(&mut self, name: &str, grid: u32, args: &[Word]) -> Result<()> {
        if !self.modules.iter().any(|m| m.has(name)) {
            let code = Code::common(name).ok_or_else(|| fault(format!("no module has a kernel {name}")))?;
            self.modules.push(code.module(self.context)?);
        }
        let module = self.modules.iter().find(|m| m.has(name));
        module.map_or(Ok(()), |m| m.launch(name, grid, args))
    }

    fn resident(&mut self, column: &Column) -> Result<Option<Block>> {
        let Some(view) = column.on(self.context)? else { return Ok(None) };
        let bytes = column.len() * column.width().unwrap_or(0);
        let block = Block { address: view.address(), bytes };
        self.columns.push(view);
        Ok(Some(block))
    }

    fn keep(
        &mut self,
        block: Block,
        kind: Kind,
        width: usize,
        len: usize,
        domain: Option<Arc<Domain>>,
    ) -> Result<Option<Column>> {
        let view = View::new(self.memory(block)?.clone());
        // Where there is no room for a smaller copy, the large one still answers.
        let view = view.fitted(len * width).unwrap_or(view);
        Ok(Some(Column::on_device(kind, width, len, view, domain)))
    }
}
