//! Which steps of a host one reboot does for.
//!
//! Kernel, driver and firmware are installed and come into use with the next boot, so that steps
//! which follow each other without an environment between them need one reboot together. A new
//! release of the distribution is booted before anything else is installed. A kernel and a driver
//! go together only where dkms builds the driver for the kernel that is installed and not running
//! yet, as its Debian packages do (dkms, debian/common.postinst: the running kernel and the
//! newest).

use super::axes::{Axes, Point};

/// A point with the reboot that has been asked for on the way to it and not used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Place {
    pub(super) point: Point,
    pub(super) pending: Pending,
}

/// What a reboot that is still to come is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Pending {
    /// No reboot is to come.
    None,
    /// Firmware alone.
    Firmware,
    /// A kernel, with or without firmware.
    Kernel,
    /// A driver, with or without firmware.
    Driver,
    /// Anything but a new system.
    Any,
}

/// What a step changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Environment,
    System,
    Kernel,
    Driver,
    Firmware,
}

impl Place {
    /// Where the host is: nothing is asked of it yet.
    pub(super) fn start(point: Point) -> Self {
        Self { point, pending: Pending::None }
    }

    /// The place that a change leads to.
    pub(super) fn after(self, point: Point, axes: &Axes) -> Self {
        let kind = kind(self.point, point);
        let shared = self.pending.with(kind, builds_for_next_kernel(axes, self.point));
        let pending = shared.unwrap_or(match kind {
            Kind::Environment | Kind::System => Pending::None,
            Kind::Kernel => Pending::Kernel,
            Kind::Driver => Pending::Driver,
            Kind::Firmware => Pending::Firmware,
        });
        Self { point, pending }
    }

    /// Whether the step to the next place needs a reboot of its own.
    pub(super) fn reboots_before(self, next: Self) -> bool {
        match kind(self.point, next.point) {
            Kind::Environment => false,
            Kind::System => true,
            own => !self.pending.shares(own, next.pending),
        }
    }
}

impl Pending {
    /// What is pending after another step that the same reboot does for; `None` where it needs
    /// one of its own.
    fn with(self, kind: Kind, both: bool) -> Option<Self> {
        match (self, kind) {
            (Self::None, _) | (_, Kind::Environment | Kind::System) => None,
            (Self::Any, _) => Some(Self::Any),
            (own, Kind::Firmware) => Some(own),
            (Self::Firmware | Self::Kernel, Kind::Kernel) => Some(Self::Kernel),
            (Self::Firmware | Self::Driver, Kind::Driver) => Some(Self::Driver),
            (Self::Kernel, Kind::Driver) | (Self::Driver, Kind::Kernel) => {
                both.then_some(Self::Any)
            }
        }
    }

    /// Whether a step that led from this to `next` used the reboot that was pending.
    fn shares(self, kind: Kind, next: Self) -> bool {
        [true, false].into_iter().any(|both| self.with(kind, both) == Some(next))
    }
}

fn kind(from: Point, to: Point) -> Kind {
    if from.system != to.system {
        Kind::System
    } else if from.kernel != to.kernel {
        Kind::Kernel
    } else if from.driver != to.driver {
        Kind::Driver
    } else if from.firmware != to.firmware {
        Kind::Firmware
    } else {
        Kind::Environment
    }
}

fn builds_for_next_kernel(axes: &Axes, point: Point) -> bool {
    let system = axes.system(point);
    system.is_some_and(|system| matches!(system.os.distribution.as_str(), "ubuntu" | "debian"))
}
