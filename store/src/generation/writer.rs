//! The one process that changes an environment: it holds the environment's lock.

use std::path::Path;

use fs_err as fs;

use super::read::{number_in, numbers, pins};
use super::{
    GenerationError, Keep, NewGeneration, Root, current, generations_in_use, previous, removable,
};
use crate::fs::{DiskError, remove_tree, replace};
use crate::layout::{EnvLayout, GenerationLayout, StoreLayout};
use crate::lock_file::LockFile;

/// An environment that nobody else changes as long as this lives.
#[derive(Debug)]
pub struct EnvWriter {
    layout: EnvLayout,
    _lock: LockFile,
}

impl EnvWriter {
    /// Waits for the environment's lock.
    pub fn lock(layout: EnvLayout) -> Result<Self, DiskError> {
        fs::create_dir_all(layout.generations())?;
        let lock = LockFile::exclusive(&layout.lock())?;
        let ignore = layout.ignore_file();
        if !ignore.exists() {
            fs::write(ignore, "*\n")?;
        }
        Ok(Self { layout, _lock: lock })
    }

    /// The environment's layout.
    pub fn layout(&self) -> &EnvLayout {
        &self.layout
    }

    /// Begins a generation with a number that was never given before, after removing what dead
    /// processes left.
    pub fn begin(&self, store: &StoreLayout) -> Result<NewGeneration, GenerationError> {
        self.remove_leftovers(store)?;
        let given = [
            number_in(&self.layout.counter())?,
            current(&self.layout)?,
            numbers(&self.layout)?.last().copied(),
        ];
        let number = given.into_iter().flatten().max().unwrap_or(0) + 1;
        replace(&self.layout.counter(), line(number).as_bytes())?;
        // Scripts and records say this path, so it must be the one that everybody sees.
        let root = fs::canonicalize(self.layout.generations()).map_err(DiskError::from)?;
        let place = GenerationLayout::at(root.join(number.to_string()));
        fs::create_dir(place.root()).map_err(DiskError::from)?;
        fs::write(place.building(), line(std::process::id())).map_err(DiskError::from)?;
        Ok(NewGeneration { number, place })
    }

    /// Makes a complete generation the current one: one rename, in constant time.
    pub fn switch(&self, number: u32) -> Result<(), GenerationError> {
        let place = self.layout.generation(number);
        let before = current(&self.layout)?;
        if !place.record().exists() || (place.building().exists() && before != Some(number)) {
            return Err(GenerationError::Unknown(number));
        }
        if before == Some(number) {
            return Ok(());
        }
        if let Some(before) = before {
            replace(&self.layout.previous(), line(before).as_bytes())?;
        }
        replace(&self.layout.current(), line(number).as_bytes())?;
        Ok(())
    }

    /// Makes this environment the one of the project that shims use.
    pub fn use_for_shims(&self) -> Result<(), GenerationError> {
        let mark = format!("{}\n", self.layout.mark());
        let active = self.layout.active();
        if fs::read_to_string(&active).is_ok_and(|now| now == mark) {
            return Ok(());
        }
        Ok(replace(&active, mark.as_bytes())?)
    }

    /// Keeps a generation, whatever comes.
    pub fn pin(&self, number: u32) -> Result<(), GenerationError> {
        let mut pins = pins(&self.layout)?;
        pins.push(number);
        self.write_pins(pins)
    }

    /// Takes the pin of a generation away.
    pub fn unpin(&self, number: u32) -> Result<(), GenerationError> {
        let mut pins = pins(&self.layout)?;
        pins.retain(|pin| *pin != number);
        self.write_pins(pins)
    }

    /// The generations that would be removed: all but the current, the previous, pinned ones,
    /// the `newest` and those `in_use`.
    pub fn removable(&self, newest: usize, in_use: &[u32]) -> Result<Vec<u32>, GenerationError> {
        let keep = Keep {
            current: current(&self.layout)?,
            previous: previous(&self.layout)?,
            pinned: pins(&self.layout)?,
            in_use: in_use.to_vec(),
            newest,
        };
        // Half-built ones are no generations yet: they must not push complete ones out.
        let mut complete = numbers(&self.layout)?;
        complete.retain(|number| {
            let place = self.layout.generation(*number);
            keep.current == Some(*number) || !place.building().exists()
        });
        Ok(removable(&complete, &keep))
    }

    /// Removes what [`Self::removable`] says, looking for live processes (in `proc`) only where
    /// there is something to remove; the numbers that went.
    pub fn retire(
        &self,
        store: &StoreLayout,
        newest: usize,
        proc: &Path,
    ) -> Result<Vec<u32>, GenerationError> {
        if self.removable(newest, &[])?.is_empty() {
            return Ok(Vec::new());
        }
        let old = self.removable(newest, &generations_in_use(&self.layout, proc))?;
        self.remove(store, &old)?;
        Ok(old)
    }

    /// Removes generations. The marker comes first, so that a half-removed one is known as such.
    pub fn remove(&self, store: &StoreLayout, numbers: &[u32]) -> Result<(), GenerationError> {
        for number in numbers {
            let place = self.layout.generation(*number);
            if current(&self.layout)? == Some(*number) {
                continue;
            }
            if place.root().exists() {
                fs::write(place.building(), b"removed\n").map_err(DiskError::from)?;
            }
            self.remove_one(store, *number)?;
        }
        Ok(())
    }

    fn remove_leftovers(&self, store: &StoreLayout) -> Result<(), GenerationError> {
        let current = current(&self.layout)?;
        for number in numbers(&self.layout)? {
            let building = self.layout.generation(number).building();
            if current == Some(number) {
                // It became current, so it was complete: only the marker's removal was lost.
                remove_tree(&building)?;
            } else if building.exists() || !self.layout.generation(number).record().exists() {
                self.remove_one(store, number)?;
            }
        }
        Ok(())
    }

    fn remove_one(&self, store: &StoreLayout, number: u32) -> Result<(), GenerationError> {
        let place = self.layout.generation(number);
        let real = fs::canonicalize(self.layout.generations()).map_err(DiskError::from)?;
        remove_tree(place.root())?;
        Root::remove(store, &real.join(number.to_string()))?;
        Ok(())
    }

    fn write_pins(&self, mut pins: Vec<u32>) -> Result<(), GenerationError> {
        pins.sort_unstable();
        pins.dedup();
        let text: String = pins.into_iter().map(line).collect();
        Ok(replace(&self.layout.pinned(), text.as_bytes())?)
    }
}

fn line(number: u32) -> String {
    format!("{number}\n")
}
