//! Every decision.
