//! Measurements: logs of other tools, and the gate against the noise of a real machine.

mod gate;
mod logs;
