"""Builds the book with mdBook in target/book. Its first page is the README. A warning of mdBook is a failure."""

import re
import shutil
import subprocess

from proofs.common import ROOT, TARGET, call, mdbook

NEEDS = "mdBook, or the network once"
QUICK = []


def build():
    """Builds the book, and returns its directory."""
    sources, book = TARGET / "book-sources", TARGET / "book"
    shutil.copytree(ROOT / "docs", sources, dirs_exist_ok=True)
    readme = (ROOT / "README.md").read_text().replace("](docs/src/", "](")
    # The book has no copies of the other files of the repository.
    (sources / "src/README.md").write_text(re.sub(r"\[([^\]]+)\]\((?!https:|guide/|reference/|contract/|pictures/)[^)]+\)", r"`\1`", readme))
    built = call(mdbook(), "build", sources, "--dest-dir", book, stderr=subprocess.PIPE, text=True)
    assert "WARN" not in built.stderr, built.stderr
    return book


def run(_):
    print(f"{build()}/index.html")
