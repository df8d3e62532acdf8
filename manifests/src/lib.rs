//! Every word of the domain, once.
