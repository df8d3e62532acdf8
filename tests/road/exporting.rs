//! `export`: each format as a whole, for small worlds.

use insta::assert_snapshot;
use rocmenv_tests::{IndexServer, Sandbox, WheelBuilder, World};

use super::{greeting_after, hide_python, node, rocmenv, small, snapshot};

#[test]
fn requirements_have_hashes_and_name_no_general_index() {
    let (_server, sandbox) = greeting_after("lock -q");
    assert_snapshot!(snapshot(&sandbox, "export requirements"), @r"
        exit: 0
        --- stdout ---
        # Written by `rocmenv export requirements` from rocm.lock (target host, Python [3]).
        # pip install --no-deps -r requirements.txt
        greet==1.0 \
            --hash=sha256:8ba631406a7234ccd8c0a41c626cfb492148d735d319b659d6fff034c8d03a2a
        words==1.1 \
            --hash=sha256:5f74ab4d7a335410f2d50b3722907829f8bc97cdd477e8092044f6773484a5e6
        --- stderr ---
        ");
    assert_snapshot!(snapshot(&sandbox, "export requirements --wheels wheels"), @r"
        exit: 0
        --- stdout ---
        # Written by `rocmenv export requirements` from rocm.lock (target host, Python [3]).
        # pip install --no-deps -r requirements.txt
        --no-index
        --find-links wheels
        greet==1.0 \
            --hash=sha256:8ba631406a7234ccd8c0a41c626cfb492148d735d319b659d6fff034c8d03a2a
        words==1.1 \
            --hash=sha256:5f74ab4d7a335410f2d50b3722907829f8bc97cdd477e8092044f6773484a5e6
        --- stderr ---
        ");
}

#[test]
fn pylock_says_where_the_users_own_index_has_each_file() {
    let (_server, mut sandbox) = greeting_after("lock -q");
    sandbox.filter(r"==3\.\d+\.\*", "==[3].*");
    assert_snapshot!(snapshot(&sandbox, "export pylock"), @r#"
        exit: 0
        --- stdout ---
        # Written by `rocmenv export pylock` from rocm.lock (target host, Python [3]).
        lock-version = "1.0"
        environments = ["sys_platform == 'linux' and platform_machine == 'x86_64' and platform_python_implementation == 'CPython'"]
        requires-python = "==[3].*"
        created-by = "rocmenv"

        [[packages]]
        name = "greet"
        version = "1.0"

        [[packages.wheels]]
        name = "greet-1.0-py3-none-any.whl"
        url = "http://127.0.0.1:[PORT]/main/files/greet-1.0-py3-none-any.whl"
        size = 1161
        hashes = { sha256 = "8ba631406a7234ccd8c0a41c626cfb492148d735d319b659d6fff034c8d03a2a" }

        [[packages]]
        name = "words"
        version = "1.1"

        [[packages.wheels]]
        name = "words-1.1-py3-none-any.whl"
        url = "http://127.0.0.1:[PORT]/main/files/words-1.1-py3-none-any.whl"
        size = 889
        hashes = { sha256 = "5f74ab4d7a335410f2d50b3722907829f8bc97cdd477e8092044f6773484a5e6" }
        --- stderr ---
        "#);
    let paths = rocmenv(&sandbox, "export pylock --wheels wheels -q --offline").stdout;
    assert!(paths.contains("path = \"wheels/words-1.1-py3-none-any.whl\""), "{paths}");
    assert!(!paths.contains("http"), "{paths}");
}

#[test]
fn a_file_and_a_dry_run() {
    let (_server, sandbox) = greeting_after("lock -q");
    assert_snapshot!(snapshot(&sandbox, "export requirements -o requirements.txt --dry-run"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        `[TEMP]/project/requirements.txt` was not written (`--dry-run`)
        ");
    assert!(!sandbox.exists("requirements.txt"));
    assert_eq!(rocmenv(&sandbox, "export requirements -o requirements.txt").code, 0);
    let text = rocmenv(&sandbox, "export requirements -q").stdout;
    assert_eq!(sandbox.read("requirements.txt"), text);
}

#[test]
fn nothing_is_exported_without_its_hash() {
    let index = small().wheel(WheelBuilder::new("bare", "1.0")).without_hashes();
    let server = IndexServer::start(World::new().index(index));
    let mut sandbox = Sandbox::new();
    sandbox.index(&server, "main");
    hide_python(&mut sandbox);
    let target = node("\"MI300X\"");
    let series = rocmenv_tests::machine_python().1;
    sandbox.write(
        "rocm.toml",
        format!("[requires]\npython = \"{series}\"\n[python-packages]\nbare = \"*\"\n{target}"),
    );
    assert_eq!(rocmenv(&sandbox, "lock -q").code, 0);
    assert_snapshot!(snapshot(&sandbox, "export requirements"), @r"
        exit: 3
        --- stdout ---
        --- stderr ---
        error[hash-gap]: the lock has no hash of bare-1.0-py3-none-any.whl
        help: rocmenv lock --hash
        ");
}

/// A project for a described node, with a group and a folder of its own wheels.
fn described() -> (IndexServer, Sandbox) {
    let server = IndexServer::start(World::new().index(small()));
    let mut sandbox = Sandbox::new();
    sandbox.index(&server, "main");
    hide_python(&mut sandbox);
    let own = WheelBuilder::new("own", "1.0").build();
    sandbox.write(&format!("wheels/{}", own.filename), own.bytes);
    sandbox.write(
        "rocm.toml",
        format!(
            "[project]\nname = \"My Net\"\n[requires]\npython = \"3.12\"\n\
             [python-packages]\nwords = \"1.0\"\nown = {{ version = \"*\", index = \"own\" }}\n\
             [groups.dev]\ngreet = \"*\"\n\
             [indexes.own]\nurl = \"wheels\"\nkind = \"find-links\"\n{}",
            node("\"MI300X\"")
        ),
    );
    assert_eq!(rocmenv(&sandbox, "lock -q").code, 0);
    (server, sandbox)
}

#[test]
fn a_dockerfile_has_two_stages_and_no_store() {
    let (_server, sandbox) = described();
    assert_snapshot!(snapshot(&sandbox, "export dockerfile --group dev"), @r#"
        exit: 0
        --- stdout ---
        # Written by `rocmenv export dockerfile` from rocm.lock (target node, Python [3]).
        # Build it in the project's folder, without a GPU. `.dockerignore` holds .rocmenv and .venv.
        #   cp "$(command -v rocmenv)" "$(command -v rocmenv-shim)" .
        #   docker build -t my-net .
        # An index of your own: --secret id=pip.conf,src=$HOME/.config/pip/pip.conf
        # Run it on a machine with the GPU:
        #   docker run --device=/dev/kfd --device=/dev/dri --security-opt seccomp=unconfined \
        #     --group-add video --ipc=host my-net python -V
        ARG BASE=ubuntu:24.04

        FROM ${BASE} AS build
        RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ca-certificates python3-pip-whl && rm -rf /var/lib/apt/lists/*
        COPY rocmenv rocmenv-shim /usr/local/bin/
        WORKDIR /app
        COPY rocm.toml rocm.lock ./
        COPY wheels wheels
        RUN --mount=type=cache,target=/var/cache/rocmenv \
            --mount=type=secret,id=pip.conf,target=/etc/pip.conf \
            ROCMENV_DATA=/opt/rocmenv ROCMENV_CACHE=/var/cache/rocmenv rocmenv sync --frozen --target node --group dev

        FROM ${BASE}
        COPY --from=build /usr/local/bin/rocmenv /usr/local/bin/rocmenv
        COPY --from=build /opt/rocmenv/store/v1/python /opt/rocmenv/store/v1/python
        COPY --from=build /app /app
        WORKDIR /app
        ENTRYPOINT ["rocmenv", "--project", "/app", "--target", "node", "run"]
        CMD ["python"]
        --- stderr ---
        "#);
}

#[test]
fn an_apptainer_definition_has_the_same_stages() {
    let (_server, sandbox) = described();
    assert_snapshot!(snapshot(&sandbox, "export apptainer --base registry.example/rocky:9"), @r#"
        exit: 0
        --- stdout ---
        # Written by `rocmenv export apptainer` from rocm.lock (target node, Python [3]).
        # Build it in the project's folder, without a GPU:
        #   cp "$(command -v rocmenv)" "$(command -v rocmenv-shim)" .
        #   apptainer build my-net.sif my-net.def
        # Run it on a machine with the GPU: apptainer run --rocm my-net.sif python -V
        Bootstrap: docker
        From: registry.example/rocky:9
        Stage: build

        %files
            rocmenv /usr/local/bin/rocmenv
            rocmenv-shim /usr/local/bin/rocmenv-shim
            rocm.toml /opt/project/rocm.toml
            rocm.lock /opt/project/rocm.lock
            wheels /opt/project/wheels

        %post
            export ROCMENV_DATA=/opt/rocmenv ROCMENV_CACHE=/tmp/rocmenv-cache
            cd /opt/project && rocmenv sync --frozen --target node
            rm -rf /tmp/rocmenv-cache

        Bootstrap: docker
        From: registry.example/rocky:9
        Stage: final

        %files from build
            /usr/local/bin/rocmenv
            /opt/rocmenv/store/v1/python
            /opt/project

        %runscript
            exec rocmenv --project /opt/project --target node run "$@"
        --- stderr ---
        "#);
}

#[test]
fn an_apptainer_definition_begins_with_an_image_of_this_machine() {
    let (_server, sandbox) = described();
    for base in ["/srv/images/debian-12.sif", "./debian", "debian.sif"] {
        let text = rocmenv(&sandbox, &format!("export apptainer --base {base}")).stdout;
        let head = format!("Bootstrap: localimage\nFrom: {base}\nStage: ");
        assert_eq!(text.matches(&head).count(), 2, "{text}");
        assert!(text.contains("apt-get update"), "{base} is Debian: {text}");
    }
}

#[test]
fn a_folder_of_ones_own_wheels_is_named_as_it_is() {
    let (_server, sandbox) = described();
    assert_snapshot!(snapshot(&sandbox, "export requirements"), @r"
        exit: 0
        --- stdout ---
        # Written by `rocmenv export requirements` from rocm.lock (target node, Python [3]).
        # pip install --no-deps -r requirements.txt
        --find-links wheels
        own==1.0 \
            --hash=sha256:0aaa9d44e13109b8172200a043605dc4bc1cb86b8d5bc50dcf66d3a8ac4e2a4c
        words==1.0 \
            --hash=sha256:fbce1c9333645fe797d12222695ae6cc885ad58587ecfbb4c10a024d07737926
        --- stderr ---
        ");
    let text = rocmenv(&sandbox, "export pylock -q").stdout;
    assert!(text.contains("path = \"wheels/own-1.0-py3-none-any.whl\""), "{text}");
}

#[test]
fn a_target_of_windows_has_no_container() {
    let server = IndexServer::start(World::new().index(small()));
    let mut sandbox = Sandbox::new();
    sandbox.index(&server, "main");
    sandbox.write(
        "rocm.toml",
        "[requires]\npython = \"3.12\"\n[python-packages]\nwords = \"*\"\n\
         [targets.desk]\nos = \"windows-11-25H2\"\ngpus = [\"RX 7900 XTX\"]\ndriver = \"26.8.1\"\n",
    );
    assert_eq!(rocmenv(&sandbox, "lock -q").code, 0);
    assert_snapshot!(snapshot(&sandbox, "export dockerfile"), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[no-base-image]: a container runs Linux, and the target is Windows
        help: rocmenv --target NAME export
        ");
    let lock = rocmenv(&sandbox, "export pylock -q --wheels w").stdout;
    assert!(lock.contains("sys_platform == 'win32' and platform_machine == 'AMD64'"), "{lock}");
}

#[test]
fn module_files_do_what_activation_does() {
    let (_server, sandbox) = greeting_after("sync -q");
    assert_snapshot!(snapshot(&sandbox, "export module"), @r#"
        exit: 0
        --- stdout ---
        #%Module1.0
        # Written by `rocmenv export module` from generation 1 of greeting.
        module-whatis "greeting (target host, Python [3])"
        setenv VIRTUAL_ENV "[TEMP]/project/.rocmenv/host/generations/1/env"
        prepend-path PATH "[TEMP]/project/.rocmenv/host/generations/1/env/bin"
        unsetenv PYTHONHOME
        setenv PIP_CONSTRAINT "[TEMP]/project/.rocmenv/host/generations/1/constraints.txt"
        setenv UV_CONSTRAINT "[TEMP]/project/.rocmenv/host/generations/1/constraints.txt"
        --- stderr ---
        warning: the file names generation 1; `rocmenv generations pin 1` keeps that one
        "#);
    assert_snapshot!(snapshot(&sandbox, "export module-lua"), @r#"
        exit: 0
        --- stdout ---
        -- Written by `rocmenv export module` from generation 1 of greeting.
        whatis("greeting (target host, Python [3])")
        setenv("VIRTUAL_ENV", "[TEMP]/project/.rocmenv/host/generations/1/env")
        prepend_path("PATH", "[TEMP]/project/.rocmenv/host/generations/1/env/bin")
        unsetenv("PYTHONHOME")
        setenv("PIP_CONSTRAINT", "[TEMP]/project/.rocmenv/host/generations/1/constraints.txt")
        setenv("UV_CONSTRAINT", "[TEMP]/project/.rocmenv/host/generations/1/constraints.txt")
        --- stderr ---
        warning: the file names generation 1; `rocmenv generations pin 1` keeps that one
        "#);
}
