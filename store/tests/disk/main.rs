//! Everything of the store that is about the disk, against real archives and real file systems.

mod environment;
mod gc;
mod generation;
mod hostile;
mod object;
mod support;
