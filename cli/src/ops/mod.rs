//! What each verb does: options in, outcome out, and nothing printed.
