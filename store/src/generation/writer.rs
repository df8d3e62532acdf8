//! The one process that changes an environment: it holds the environment's lock.

use std::path::Path;

use fs_err as fs;
use rocmenv_manifests::generation::Generation;

use super::read::{is_complete, number_in, numbers, pins, read, readable_current, unless_damaged};
use super::{
    GenerationError, Keep, NewGeneration, Request, Root, VenvLink, current, generations_in_use,
    point_venv_at, previous, removable,
};
use crate::environment::OnFiles;
use crate::fs::{
    DiskError, Waiting, canonical, flush_folder, is_in_use, remove_tree, rename, replace,
};
use crate::layout::{EnvLayout, GenerationLayout, StoreLayout};
use crate::lock_file::LockFile;
use crate::object::InUse;

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
        // A power cut before the first flush may leave its name without its content.
        if fs::metadata(&ignore).map_or(0, |found| found.len()) == 0 {
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
        let current = readable_current(&self.layout)?;
        let given = [self.counted(), current, numbers(&self.layout)?.last().copied()];
        let number = given.into_iter().flatten().max().unwrap_or(0) + 1;
        // The flush before the switch is for this file, too.
        Waiting::new(&self.layout.counter(), line(number).as_bytes())?.take_place()?;
        // Scripts and records say this path, so it must be the one that everybody sees.
        let root = canonical(&self.layout.generations()).map_err(DiskError::from)?;
        let place = GenerationLayout::at(root.join(number.to_string()));
        fs::create_dir(place.root()).map_err(DiskError::from)?;
        fs::write(place.building(), line(std::process::id())).map_err(DiskError::from)?;
        Ok(NewGeneration { number, place })
    }

    /// Builds a generation and makes it the current one, which shims use from then on. One flush
    /// makes all of it durable, with the files that the switch consists of: they lie ready before
    /// it and take their places after it.
    pub fn make(
        &self,
        new: &NewGeneration,
        store: &InUse<'_>,
        request: &Request,
        on_files: OnFiles<'_>,
    ) -> Result<Generation, GenerationError> {
        let assembled = new.assemble(store, request, on_files)?;
        let switch = Switch::prepare(&self.layout, new.number())?;
        let record = assembled.make_durable(store)?;
        switch.commit(&self.layout)?;
        Ok(record)
    }

    /// Makes a complete generation the current one: one rename, in constant time.
    pub fn switch(&self, number: u32) -> Result<(), GenerationError> {
        let place = self.layout.generation(number);
        let before = readable_current(&self.layout)?;
        if !place.record().exists() || (place.building().exists() && before != Some(number)) {
            return Err(GenerationError::Unknown(number));
        }
        if before == Some(number) {
            return Ok(());
        }
        if let Some(before) = before {
            self.unmark(before)?;
            if is_sound(&self.layout, before)? {
                replace(&self.layout.previous(), line(before).as_bytes())?;
            }
        }
        replace(&self.layout.current(), line(number).as_bytes())?;
        Ok(())
    }

    /// Puts right what follows from `current` and may have been lost when a call ended right after
    /// it was replaced: the link for editors, and where shims are told of no environment, this one.
    pub fn settle(&self) -> Result<VenvLink, GenerationError> {
        let Some(number) = current(&self.layout)? else { return Ok(VenvLink::Unchanged) };
        if !self.layout.active().exists() {
            replace(&self.layout.active(), mark(&self.layout).as_bytes())?;
        }
        Ok(point_venv_at(&self.layout, number)?)
    }

    /// Keeps a generation, whatever comes.
    pub fn pin(&self, number: u32) -> Result<(), GenerationError> {
        let mut pins = pins(&self.layout)?;
        pins.push(number);
        self.write_pins(pins)
    }

    /// Takes the pin of a generation away; a damaged list of pins becomes an empty one.
    pub fn unpin(&self, number: u32) -> Result<(), GenerationError> {
        let mut pins = unless_damaged(pins(&self.layout))?.unwrap_or_default();
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
            keep.current == Some(*number) || is_complete(&self.layout.generation(*number))
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
        let mut old = self.removable(newest, &generations_in_use(&self.layout, proc))?;
        let waiting = self.remove(store, &old)?;
        old.retain(|number| !waiting.contains(number));
        Ok(old)
    }

    /// Removes generations. The marker comes first, so that a half-removed one is known as such.
    /// Gives back those that somebody has files of open: Windows removes none of these, so they
    /// stay as they are under the marker, and the next change of the environment tries again.
    pub fn remove(
        &self,
        store: &StoreLayout,
        numbers: &[u32],
    ) -> Result<Vec<u32>, GenerationError> {
        self.sweep(store)?;
        let mut waiting = Vec::new();
        for number in numbers {
            let place = self.layout.generation(*number);
            if current(&self.layout)? == Some(*number) {
                continue;
            }
            if place.root().exists() {
                fs::write(place.building(), b"removed\n").map_err(DiskError::from)?;
            }
            if !self.remove_one(store, *number)? {
                waiting.push(*number);
            }
        }
        Ok(waiting)
    }

    /// The highest number that was ever given, as far as that was kept: numbers of generations
    /// that are there count as well, so a file that a power cut emptied is no fault.
    fn counted(&self) -> Option<u32> {
        number_in(&self.layout.counter()).unwrap_or_default()
    }

    fn remove_leftovers(&self, store: &StoreLayout) -> Result<(), GenerationError> {
        self.sweep(store)?;
        // Where nothing says which one is current, any of them may be.
        let Some(current) = unless_damaged(current(&self.layout))? else { return Ok(()) };
        for number in numbers(&self.layout)? {
            if current == Some(number) {
                self.unmark(number)?;
            } else if !is_complete(&self.layout.generation(number)) {
                self.remove_one(store, number)?;
            }
        }
        Ok(())
    }

    /// What became current was complete: only the removal of its marker was lost with the power.
    /// Once another one is current, the marker would say that it was not.
    fn unmark(&self, number: u32) -> Result<(), DiskError> {
        let marker = self.layout.generation(number).building();
        if marker.exists() {
            remove_tree(&marker)?;
            flush_folder(&marker)?;
        }
        Ok(())
    }

    /// Removes a generation as a whole or not at all: what runs from it must not lose half of its
    /// files, and a kill half way must leave no number that stands for half an environment. So its
    /// folder gets another name first, which Windows refuses while a file in it is open. Whether
    /// it is gone; it is not as long as its files are in use.
    fn remove_one(&self, store: &StoreLayout, number: u32) -> Result<bool, GenerationError> {
        let folder = self.layout.generation(number).root().to_owned();
        let aside = folder.with_extension(ASIDE);
        if folder.exists() {
            match rename(&folder, &aside) {
                Err(error) if is_in_use(&error) => return Ok(false),
                moved => moved.map_err(DiskError::from)?,
            }
        }
        self.discard(store, &aside)
    }

    /// Removes what is left of generations that are none any more: their removal ended half way,
    /// or their files were in use.
    fn sweep(&self, store: &StoreLayout) -> Result<(), GenerationError> {
        for entry in fs::read_dir(self.layout.generations()).map_err(DiskError::from)? {
            let path = entry.map_err(DiskError::from)?.path();
            if path.extension().is_some_and(|extension| extension == ASIDE) {
                self.discard(store, &path)?;
            }
        }
        Ok(())
    }

    /// Removes a folder that was put aside, and what it held of the store before it. A file that
    /// is open by its name in another generation stays alone; then the folder is not gone.
    fn discard(&self, store: &StoreLayout, aside: &Path) -> Result<bool, GenerationError> {
        let generation = aside.with_extension("");
        if let (false, Some(number)) = (generation.exists(), generation.file_name()) {
            let real = canonical(&self.layout.generations()).map_err(DiskError::from)?;
            Root::remove(store, &real.join(number))?;
        }
        match remove_tree(aside) {
            Err(error) if error.is_in_use() => Ok(false),
            removed => removed.map(|()| true).map_err(GenerationError::from),
        }
    }

    fn write_pins(&self, mut pins: Vec<u32>) -> Result<(), GenerationError> {
        pins.sort_unstable();
        pins.dedup();
        let text: String = pins.into_iter().map(line).collect();
        Ok(replace(&self.layout.pinned(), text.as_bytes())?)
    }
}

/// The files of a switch, ready to take their places.
struct Switch {
    previous: Option<Waiting>,
    current: Waiting,
    active: Option<Waiting>,
}

impl Switch {
    fn prepare(layout: &EnvLayout, number: u32) -> Result<Self, GenerationError> {
        let waiting = |path: &Path, text: String| Waiting::new(path, text.as_bytes());
        let mut before = readable_current(layout)?;
        if let Some(number) = before
            && !is_sound(layout, number)?
        {
            before = None;
        }
        let before = before.map(|before| waiting(&layout.previous(), line(before)));
        let (active, mark) = (layout.active(), mark(layout));
        let marked = fs::read_to_string(&active).is_ok_and(|now| now == mark);
        Ok(Self {
            previous: before.transpose()?,
            current: waiting(&layout.current(), line(number))?,
            active: if marked { None } else { Some(waiting(&active, mark)?) },
        })
    }

    /// After a flush: the switch itself is the rename of `current`.
    fn commit(self, layout: &EnvLayout) -> Result<(), DiskError> {
        if let Some(previous) = self.previous {
            previous.take_place()?;
        }
        self.current.take_place()?;
        if let Some(active) = self.active {
            active.take_place()?;
            flush_folder(&layout.active())?;
        }
        flush_folder(&layout.current())
    }
}

/// Whether there is a way back to a generation.
fn is_sound(layout: &EnvLayout, number: u32) -> Result<bool, GenerationError> {
    Ok(unless_damaged(read(&layout.generation(number)))?.is_some())
}

/// The extension of a generation that is being removed; no number ends so.
const ASIDE: &str = "removed";

fn line(number: u32) -> String {
    format!("{number}\n")
}

fn mark(layout: &EnvLayout) -> String {
    format!("{}\n", layout.mark())
}
