"""Builds the book with mdBook in target/book. A warning of mdBook is a failure."""

import subprocess

from proofs.common import ROOT, call, mdbook

NEEDS = "mdBook, or the network once"
QUICK = []


def build():
    """Builds the book, and returns its directory."""
    built = call(mdbook(), "build", "docs", stderr=subprocess.PIPE, text=True)
    assert "WARN" not in built.stderr, built.stderr
    return ROOT / "target/book"


def run(_):
    print(f"{build()}/index.html")
