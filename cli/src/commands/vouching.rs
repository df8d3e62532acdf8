//! The question whether a key of AMD's repositories is to be trusted, asked of a person at a
//! terminal and of nobody else: `--yes` does not answer it, because nobody would have looked.

use dialoguer::Confirm;
use rocmenv_manifests::project::Fingerprint;
use rocmenv_store::sign::KeyName;

use crate::context::Context;
use crate::error::{Error, OutputError};
use crate::ops::lock::Inputs;
use crate::ops::vouch::{self, Unvouched};
use crate::render::Output;
use crate::runtime;
use crate::settings::{LockMode, Network, Questions, Verbosity};

/// Does what locks. Where it is refused for want of a vouched key, the person is shown the key and
/// asked; each yes is written into rocm.toml, and it is done again.
pub(super) fn with_keys<T>(
    context: &Context,
    out: &mut Output,
    inputs: Inputs,
    act: impl Fn(&Inputs) -> Result<T, Error>,
) -> Result<T, Error> {
    let mut inputs = inputs;
    loop {
        let error = match act(&inputs) {
            Ok(done) => return Ok(done),
            Err(error) => error,
        };
        let lacking = vouch::unvouched(&inputs, &error).filter(|_| may_ask(context));
        let Some(lacking) = lacking else { return Err(error) };
        if !is_vouched(context, out, &inputs, &lacking)? {
            return Err(error);
        }
        inputs = Inputs::read(context)?;
    }
}

fn may_ask(context: &Context) -> bool {
    let settings = &context.settings;
    settings.questions == Questions::Asked
        && settings.look.verbosity > Verbosity::Quiet
        && settings.network == Network::Allowed
        && settings.lock_mode == LockMode::Update
        && !settings.json
        && !settings.dry_run
}

/// Shows what is published, key by key, until one is taken.
fn is_vouched(
    context: &Context,
    out: &mut Output,
    inputs: &Inputs,
    lacking: &Unvouched,
) -> Result<bool, Error> {
    let reporter = context.reporter.as_ref();
    let keys = match runtime::block_on(vouch::published(context, inputs, lacking, reporter))? {
        Ok(keys) => keys,
        Err(error) => {
            out.warn(&format!("no key of `{}` can be shown: {error}", lacking.index));
            return Ok(false);
        }
    };
    out.say(&format!("nobody vouched yet for the key of `{}`", lacking.index));
    for repository in &lacking.repositories {
        out.say(&format!("  repository   {repository}"));
    }
    out.say(&format!("  fetched from {}", lacking.key));
    if let Some(document) = &lacking.named_by {
        out.say(&format!("  named by     {document}"));
    }
    for key in &keys {
        let Ok(fingerprint) = key.fingerprint.parse::<Fingerprint>() else { continue };
        if !asked(out, key)? {
            continue;
        }
        let change = vouch::trust(context, inputs, &lacking.index, &fingerprint)?;
        out.say(&super::edit::told(&change));
        return Ok(true);
    }
    Ok(false)
}

fn asked(out: &mut Output, key: &KeyName) -> Result<bool, OutputError> {
    out.say(&format!("  fingerprint  {}", grouped(&key.fingerprint)));
    for user in &key.users {
        out.say(&format!("  user id      {user}"));
    }
    out.say(
        "whoever can change what lies there can put another key there: compare the fingerprint \
         with one that you have from somewhere else",
    );
    let question = Confirm::new().with_prompt("Trust this key, in rocm.toml?").default(false);
    question.interact().map_err(|dialoguer::Error::IO(error)| OutputError::from(error))
}

/// As people write and compare fingerprints: in groups of four digits.
fn grouped(fingerprint: &str) -> String {
    let digits: Vec<char> = fingerprint.chars().collect();
    let groups: Vec<String> = digits.chunks(4).map(|group| group.iter().collect()).collect();
    groups.join(" ")
}
