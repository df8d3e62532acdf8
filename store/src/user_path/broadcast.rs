//! Telling running programs that variables have changed: the shell of Windows reads the registry
//! again, so that a terminal which it opens from then on has the new path.

/// Sends `WM_SETTINGCHANGE` to all windows (Microsoft's documentation of environment variables).
/// Whether it was taken; a window that hangs is not waited for.
#[expect(unsafe_code, reason = "std has no call for this; everything it is given outlives it")]
pub(super) fn environment_changed() -> bool {
    #[link(name = "user32")]
    unsafe extern "system" {
        fn SendMessageTimeoutW(
            window: isize,
            message: u32,
            first: usize,
            second: *const u16,
            flags: u32,
            milliseconds: u32,
            result: *mut usize,
        ) -> isize;
    }
    const EVERY_TOP_LEVEL_WINDOW: isize = 0xffff;
    const WM_SETTINGCHANGE: u32 = 0x1a;
    const SMTO_ABORTIFHUNG: u32 = 0x2;

    let what: Vec<u16> = "Environment".encode_utf16().chain([0]).collect();
    let mut result = 0;
    let taken = unsafe {
        SendMessageTimeoutW(
            EVERY_TOP_LEVEL_WINDOW,
            WM_SETTINGCHANGE,
            0,
            what.as_ptr(),
            SMTO_ABORTIFHUNG,
            MILLISECONDS,
            &raw mut result,
        )
    };
    taken != 0
}

/// For each window.
const MILLISECONDS: u32 = 1_000;
