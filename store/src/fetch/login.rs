//! User names and passwords, and for which servers they are meant.

use std::collections::BTreeMap;
use std::fmt;

use url::{Origin, Url};

use super::netrc;

/// A user name and a password. Never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Login {
    /// The user name.
    pub(crate) username: String,
    /// The password; empty where the index takes a bare token as the user name.
    pub(crate) password: String,
}

impl Login {
    /// A login of these two.
    pub fn new(username: impl Into<String>, password: impl Into<String>) -> Self {
        Self { username: username.into(), password: password.into() }
    }
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Login(****)")
    }
}

/// Which login goes to which server: those written in addresses first (for that scheme, host
/// and port), then netrc's (for that host).
#[derive(Debug, Clone, Default)]
pub struct Logins {
    by_origin: Vec<(Origin, Login)>,
    by_host: BTreeMap<String, Login>,
    fallback: Option<Login>,
}

impl Logins {
    /// No logins.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the entries of a netrc file. What cannot be read of it is left out.
    pub fn add_netrc(&mut self, text: &str) {
        for entry in netrc::parse(text) {
            match entry.machine {
                Some(host) => {
                    self.by_host.entry(host.to_ascii_lowercase()).or_insert(entry.login);
                }
                None => self.fallback = self.fallback.take().or(Some(entry.login)),
            }
        }
    }

    /// Adds the login of one server.
    pub fn add(&mut self, server: &Url, login: Login) {
        let origin = server.origin();
        self.by_origin.retain(|(known, _)| *known != origin);
        self.by_origin.push((origin, login));
    }

    /// Adds all logins of another set; where both have one for a server, the other's counts.
    pub fn extend(&mut self, other: Self) {
        self.by_origin.retain(|(known, _)| other.by_origin.iter().all(|(new, _)| new != known));
        self.by_origin.extend(other.by_origin);
        self.by_host.extend(other.by_host);
        self.fallback = other.fallback.or(self.fallback.take());
    }

    /// The login for an address.
    pub(crate) fn for_url(&self, url: &Url) -> Option<&Login> {
        let origin = url.origin();
        if let Some((_, login)) = self.by_origin.iter().find(|(known, _)| *known == origin) {
            return Some(login);
        }
        let host = url.host_str()?;
        self.by_host.get(host).or(self.fallback.as_ref())
    }
}

/// Takes the login out of an address: from here on the address may be shown and kept.
pub fn split_login(mut url: Url) -> (Url, Option<Login>) {
    if url.username().is_empty() && url.password().is_none() {
        return (url, None);
    }
    let login = Login::new(decoded(url.username()), decoded(url.password().unwrap_or_default()));
    // Both fail only for addresses that can hold no login, which then had none.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    (url, Some(login))
}

fn decoded(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn a_login_leaves_the_address_and_is_never_shown() {
        let (address, login) = split_login(url("https://me:s%40cret@index.test/simple/"));
        assert_eq!(address.as_str(), "https://index.test/simple/");
        assert_eq!(login, Some(Login::new("me", "s@cret")));
        assert_eq!(format!("{login:?}"), "Some(Login(****))");
    }

    #[test]
    fn an_address_beats_netrc_and_other_ports_get_nothing() {
        let mut logins = Logins::new();
        logins.add_netrc("machine index.test login a password b");
        logins.add(&url("https://index.test/"), Login::new("c", "d"));
        assert_eq!(logins.for_url(&url("https://index.test/x")), Some(&Login::new("c", "d")));
        assert_eq!(logins.for_url(&url("https://index.test:8443/")), Some(&Login::new("a", "b")));
        assert_eq!(logins.for_url(&url("https://other.test/")), None);
        let mut further = Logins::new();
        further.add(&url("https://index.test/"), Login::new("e", "f"));
        further.add_netrc("default login g password h");
        logins.extend(further);
        assert_eq!(logins.for_url(&url("https://index.test/x")), Some(&Login::new("e", "f")));
        assert_eq!(logins.for_url(&url("https://other.test/")), Some(&Login::new("g", "h")));
    }
}
