//! Everything of the store that is about the disk, against real archives and real file systems.

mod environment;
mod faults;
mod gc;
mod generation;
mod hostile;
mod model;
mod object;
mod support;
