//! The world, made when somebody first needs it: reading the configurations of pip, uv and apt
//! costs more than the linking of an environment whose files are all in the store.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::{World, WorldError, WorldOptions, world};
use crate::context::Context;

/// A world that is not made yet, or is.
pub struct LazyWorld<'a> {
    context: &'a Context,
    options: WorldOptions<'a>,
    made: OnceLock<World>,
    making: Mutex<()>,
}

impl<'a> LazyWorld<'a> {
    /// Nothing is read yet.
    pub fn new(context: &'a Context, options: WorldOptions<'a>) -> Self {
        Self { context, options, made: OnceLock::new(), making: Mutex::new(()) }
    }

    /// The one world, made now if nobody asked for it before.
    ///
    /// # Errors
    /// As for [`world`].
    pub fn get(&self) -> Result<&World, WorldError> {
        let _one_at_a_time = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = self.made.get() {
            Ok(made)
        } else {
            let made = world(self.context, &self.options)?;
            Ok(self.made.get_or_init(|| made))
        }
    }
}
