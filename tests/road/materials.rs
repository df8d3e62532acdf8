//! `export cyclonedx`: the whole document for two packages.

use insta::assert_snapshot;
use rocmenv_tests::{Index, IndexServer, Sandbox, WheelBuilder, World};

use super::{GREETING, hide_python, rocmenv, snapshot};

#[test]
fn a_bill_of_materials_has_licences_hashes_and_needs() {
    let licensed = WheelBuilder::new("top", "2.0+local")
        .requires("base")
        .header("License-Expression", "MIT OR Apache-2.0");
    let base = WheelBuilder::new("base", "1.0")
        .header("Classifier", "License :: OSI Approved :: MIT License");
    let index = Index::new("main").wheel(licensed).wheel(base);
    let server = IndexServer::start(World::new().index(index));
    let mut sandbox = Sandbox::new();
    sandbox.index(&server, "main");
    hide_python(&mut sandbox);
    sandbox.filter(r"\x22value\x22: \x22(python = )?3\.\d+\x22", "\"value\": \"$1[3]\"");
    sandbox.filter(r"urn:uuid:[0-9a-f-]{36}", "urn:uuid:[UUID]");
    sandbox.write("rocm.toml", GREETING.replace("greet", "top"));
    assert_eq!(rocmenv(&sandbox, "lock -q").code, 0);
    let before = rocmenv(&sandbox, "export cyclonedx");
    assert!(before.stderr.contains("there is none: rocmenv sync"), "{}", before.stderr);
    assert_eq!(rocmenv(&sandbox, "sync -q").code, 0);
    assert_snapshot!(snapshot(&sandbox, "export cyclonedx"), @r#"
        exit: 0
        --- stdout ---
        {
          "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
          "bomFormat": "CycloneDX",
          "specVersion": "1.6",
          "serialNumber": "urn:uuid:[UUID]",
          "version": 1,
          "metadata": {
            "tools": {
              "components": [
                {
                  "type": "application",
                  "name": "rocmenv",
                  "version": "0.1.0"
                }
              ]
            },
            "component": {
              "type": "application",
              "bom-ref": "project",
              "name": "toping",
              "properties": [
                {
                  "name": "rocmenv:target",
                  "value": "host"
                },
                {
                  "name": "rocmenv:environment",
                  "value": "default"
                },
                {
                  "name": "rocmenv:python",
                  "value": "[3]"
                },
                {
                  "name": "rocmenv:contract",
                  "value": "os = linux"
                },
                {
                  "name": "rocmenv:contract",
                  "value": "arch = x86_64"
                },
                {
                  "name": "rocmenv:contract",
                  "value": "python = [3]"
                }
              ]
            }
          },
          "components": [
            {
              "type": "library",
              "bom-ref": "wheel:base@1.0",
              "name": "base",
              "version": "1.0",
              "purl": "pkg:pypi/base@1.0",
              "properties": [
                {
                  "name": "rocmenv:index",
                  "value": "python"
                },
                {
                  "name": "rocmenv:file",
                  "value": "base-1.0-py3-none-any.whl"
                }
              ],
              "hashes": [
                {
                  "alg": "SHA-256",
                  "content": "666d55d4c750fc6e5cb93993e0ad187c210ac2b4809eaee0703732078287ed55"
                }
              ],
              "licenses": [
                {
                  "license": {
                    "name": "MIT License"
                  }
                }
              ]
            },
            {
              "type": "library",
              "bom-ref": "wheel:top@2.0+local",
              "name": "top",
              "version": "2.0+local",
              "purl": "pkg:pypi/top@2.0%2Blocal",
              "properties": [
                {
                  "name": "rocmenv:index",
                  "value": "python"
                },
                {
                  "name": "rocmenv:file",
                  "value": "top-2.0+local-py3-none-any.whl"
                }
              ],
              "hashes": [
                {
                  "alg": "SHA-256",
                  "content": "4d1f012793f0eaaa4a8599d5cd7a440c86a8e9bf17c2b259ad83806db5e5fdd8"
                }
              ],
              "licenses": [
                {
                  "expression": "MIT OR Apache-2.0"
                }
              ]
            }
          ],
          "dependencies": [
            {
              "ref": "project",
              "dependsOn": [
                "wheel:base@1.0",
                "wheel:top@2.0+local"
              ]
            },
            {
              "ref": "wheel:base@1.0",
              "dependsOn": []
            },
            {
              "ref": "wheel:top@2.0+local",
              "dependsOn": [
                "wheel:base@1.0"
              ]
            }
          ]
        }
        --- stderr ---
        "#);
    let again = rocmenv(&sandbox, "export cyclonedx").stdout;
    assert_eq!(again, rocmenv(&sandbox, "export cyclonedx").stdout);
}
