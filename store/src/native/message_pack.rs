//! As much of MessagePack as kernel archives use: maps, arrays, texts; everything else is passed
//! over. Nothing is copied, and nesting has a limit. Format: msgpack/msgpack, spec.md.

/// Reads one value after the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'b> {
    bytes: &'b [u8],
}

impl<'b> Reader<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes }
    }

    /// The number of entries of a map, which follow as key and value.
    pub(super) fn map(&mut self) -> Option<u32> {
        match self.byte()? {
            head @ 0x80..=0x8f => Some(u32::from(head & 0x0f)),
            0xde => self.number(2),
            0xdf => self.number(4),
            _ => None,
        }
    }

    /// The number of elements of an array, which follow.
    pub(super) fn array(&mut self) -> Option<u32> {
        match self.byte()? {
            head @ 0x90..=0x9f => Some(u32::from(head & 0x0f)),
            0xdc => self.number(2),
            0xdd => self.number(4),
            _ => None,
        }
    }

    /// A text.
    pub(super) fn text(&mut self) -> Option<&'b str> {
        let length = match self.byte()? {
            head @ 0xa0..=0xbf => u32::from(head & 0x1f),
            0xd9 => self.number(1)?,
            0xda => self.number(2)?,
            0xdb => self.number(4)?,
            _ => return None,
        };
        std::str::from_utf8(self.take(length)?).ok()
    }

    /// Passes over one value with all that is in it.
    pub(super) fn skip(&mut self) -> Option<()> {
        // How many values are still to be passed over; a count, not a call, for each level.
        let mut left = 1_u64;
        while left > 0 {
            left = left - 1 + self.skip_head()?;
        }
        Some(())
    }

    /// Passes over a value's own bytes; gives how many values belong to it.
    fn skip_head(&mut self) -> Option<u64> {
        let (length, inside) = match self.byte()? {
            0x00..=0x7f | 0xc0 | 0xc2 | 0xc3 | 0xe0..=0xff => (0, 0),
            head @ 0x80..=0x8f => (0, 2 * u64::from(head & 0x0f)),
            head @ 0x90..=0x9f => (0, u64::from(head & 0x0f)),
            head @ 0xa0..=0xbf => (u32::from(head & 0x1f), 0),
            0xc4 | 0xd9 => (self.number(1)?, 0),
            0xc5 | 0xda => (self.number(2)?, 0),
            0xc6 | 0xdb => (self.number(4)?, 0),
            0xc7 => (self.number(1)?.checked_add(1)?, 0),
            0xc8 => (self.number(2)?.checked_add(1)?, 0),
            0xc9 => (self.number(4)?.checked_add(1)?, 0),
            0xcc | 0xd0 => (1, 0),
            0xcd | 0xd1 => (2, 0),
            0xca | 0xce | 0xd2 => (4, 0),
            0xcb | 0xcf | 0xd3 => (8, 0),
            head @ 0xd4..=0xd8 => ((1 << (head - 0xd4)) + 1, 0),
            0xdc => (0, u64::from(self.number(2)?)),
            0xdd => (0, u64::from(self.number(4)?)),
            0xde => (0, 2 * u64::from(self.number(2)?)),
            0xdf => (0, 2 * u64::from(self.number(4)?)),
            0xc1 => return None,
        };
        self.take(length)?;
        // Each value takes a byte at least, so that a lying count ends with the bytes.
        (inside <= self.bytes.len() as u64).then_some(inside)
    }

    fn byte(&mut self) -> Option<u8> {
        Some(self.take(1)?[0])
    }

    /// A big-endian number of so many bytes.
    fn number(&mut self, bytes: u32) -> Option<u32> {
        Some(self.take(bytes)?.iter().fold(0, |number, byte| number << 8 | u32::from(*byte)))
    }

    fn take(&mut self, length: u32) -> Option<&'b [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(usize::try_from(length).ok()?)?;
        self.bytes = rest;
        Some(taken)
    }
}
