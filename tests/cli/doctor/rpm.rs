//! Systems of rpm: what is installed, and remedies in their words.

use rocmenv_tests::Sandbox;

use super::found;
use crate::rocmenv;

#[test]
fn two_families_of_packages_are_seen_in_a_list_of_rpm() {
    let facts = "os = fedora-43\ngpus = gfx1100";
    let own = "rocm-runtime-6.4.2-1.fc43.x86_64\nrocm-hip-devel-6.4.2-1.fc43.x86_64\n";
    let amd =
        "hsa-rocr-1.18.0.70101-38.el9.x86_64\nhip-runtime-amd-7.1.52802.70101-38.el9.x86_64\n";
    assert_eq!(found(facts, own), [""; 0]);
    assert_eq!(found(facts, amd), [""; 0]);
    assert_eq!(found(facts, &format!("{own}{amd}")), ["D-rocm-packages-mixed"]);
    // AMD's own packages alone, some of them named like Fedora's
    let alone = format!("{amd}rocm-hip-devel-7.1.1.70101-38.el9.x86_64\n");
    assert_eq!(found(facts, &alone), [""; 0]);
}

#[test]
fn headers_that_rpm_lacks_are_named() {
    let sandbox = Sandbox::new();
    let case = |headers: &str| {
        sandbox.write(
            "case.txt",
            format!(
                "rocmenv-capture 1\n=== facts\nos = rhel-9.6\nkernel = 5.14.0-570.12.1.el9_6.x86_64\ngpus = gfx942\n\
                 === outputs/a\namdgpu/6.12.12-2164967.el9, 5.14.0-427.el9.x86_64, x86_64: installed\n\
                 === outputs/b\namdgpu-dkms-6.12.12.60401-2164967.el9.noarch\n{headers}\n"
            ),
        );
        rocmenv(&sandbox, "doctor --from case.txt").stdout
    };
    let without = case("kernel-devel-5.14.0-427.el9.x86_64");
    assert!(
        without.contains("rpm lists no kernel-devel for 5.14.0-570.12.1.el9_6.x86_64"),
        "{without}"
    );
    assert!(without.contains("sudo dnf install kernel-devel-$(uname -r)"), "{without}");
    let with = case("kernel-devel-5.14.0-570.12.1.el9_6.x86_64");
    assert!(with.contains("D-dkms-not-built") && !with.contains("rpm lists no"), "{with}");
}

#[test]
fn sles_gets_the_words_of_zypper() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "case.txt",
        "rocmenv-capture 1\n=== facts\nos = sles-15.6\nkernel = 6.4.0-150600.23-default\ngpus = gfx942\n\
         === outputs/a\namdgpu/6.12.12-2164967, 6.4.0-150600.21-default, x86_64: installed\n",
    );
    let output = rocmenv(&sandbox, "doctor --from case.txt").stdout;
    assert!(output.contains("zypper install kernel-default-devel"), "{output}");
    assert!(!output.contains("dnf ") && !output.contains("apt "), "{output}");
}

/// rpm is asked where the packages are its own, and its answer is read.
#[test]
fn rpm_is_asked_where_it_owns_the_system() {
    let sandbox = Sandbox::new();
    let add = |path: &str, text: &str| sandbox.write(&format!("box/{path}"), text);
    add(
        ".rocmenv-capture.toml",
        "[[program]]\npath = \"/usr/bin/rpm\"\noutput = \"\"\"\nrocm-runtime-6.4.2-1.fc43.x86_64\n\
         hip-runtime-amd-7.1.52802.70101-38.el9.x86_64\n\"\"\"\n",
    );
    add("etc/os-release", "ID=fedora\nVERSION_ID=43\n");
    add("sys/module/placeholder", "");
    add("usr/bin/rpm", "");
    let json = |sandbox: &Sandbox| rocmenv(sandbox, "doctor --from box --json").stdout;
    assert!(!json(&sandbox).contains("D-rocm-packages-mixed"), "no database, nothing asked");
    add("usr/lib/sysimage/rpm/rpmdb.sqlite", "");
    assert!(json(&sandbox).contains("D-rocm-packages-mixed"), "{}", json(&sandbox));
    // Debian has the program, and its packages are dpkg's
    add("var/lib/dpkg/status", "Package: bash\nStatus: install ok installed\nVersion: 5\n");
    assert!(!json(&sandbox).contains("D-rocm-packages-mixed"));
}

/// ROCm/ROCm#1999 and ROCm/rocm-install-on-linux#628.
#[test]
fn rocm_1999_what_no_repository_has_is_said() {
    let zypper = "Problem: nothing provides 'gcc' needed by the to be installed amdgpu-dkms-1:5.18.13.50400-1510348.noarch";
    assert_eq!(found("os = sles-15.4", zypper), ["D-rpm-dependency"]);
    let dnf = "Problem: package rocm-7.1.0.70100-20.el8.x86_64 from rocm requires rocm-developer-tools = 7.1.0.70100-20.el8, but none of the providers can be installed";
    assert_eq!(found("os = rocky-9.6", dnf), ["D-rpm-dependency"]);
    let other = "Problem: package games-1.0-1.el9.x86_64 requires toys, but none of the providers can be installed";
    assert_eq!(found("os = rocky-9.6", other), [""; 0]);
}

#[test]
fn packages_of_two_releases_are_a_half_upgrade() {
    let one =
        "rocm-core-6.4.1.60401-83.el9.x86_64\nhip-runtime-amd-6.4.43483.60401-83.el9.x86_64\n";
    assert_eq!(found("os = rhel-9.6", one), [""; 0]);
    let two = format!("{one}hsa-rocr-1.18.0.70101-38.el9.x86_64\n");
    assert_eq!(found("os = rhel-9.6", &two), ["D-upgrade-leftover"]);
    // releases side by side carry theirs in the name
    let beside = format!("{one}hsa-rocr7.1.1-1.18.0.70101-38.el9.x86_64\n");
    assert_eq!(found("os = rhel-9.6", &beside), [""; 0]);
    let dpkg = "ii  rocm-core  6.4.1.60401-83~22.04  amd64  x\nii  hipcc  1.1.1.70101-38~22.04  amd64  x\n";
    assert_eq!(found("os = ubuntu-22.04", dpkg), ["D-upgrade-leftover"]);
}
