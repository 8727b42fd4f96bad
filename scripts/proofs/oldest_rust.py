"""Compiles with the oldest Rust that `Cargo.toml` permits: the program, and the library without features."""

import os
import tomllib

from proofs.common import ROOT, TARGET, call

NEEDS = "rustup and the network"


def run(context):
    version = tomllib.loads((ROOT / "Cargo.toml").read_text())["package"]["rust-version"]
    call("rustup", "toolchain", "install", version, "--profile", "minimal", "--no-self-update")
    # Every release of Rust has its own format of compiled crates.
    environment = os.environ | {"CARGO_TARGET_DIR": str(TARGET / f"rust-{version}")}
    for words in (["--bins", "--lib"], ["--lib", "--no-default-features"]):
        call("cargo", f"+{version}", "check", "--locked", *words, env=environment)
    print(f"Rust {version} compiles the program and the library")
