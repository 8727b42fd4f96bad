#!/usr/bin/env python3
"""Checks the book and what refers to it. Prints how much it has checked; exits with 1 if anything is wrong.

- Every relative link of every tracked Markdown file leads to a file, and to a heading of it where it names one. Links of
  the book's pages stay inside the book, because mdBook copies nothing else.
- Every page of the book is in SUMMARY.md.
- Every section of the contract that code, tests, benches, examples or scripts cite is a numbered heading. A citation is
  a page and sections, such as `numerics.md` §9.1 or `language.md` 1.1 and 1.3. A section without a page belongs to
  the page named last in the file, else to the first page named in the directory's mod.rs; in tests/oracle, which says so,
  to numerics.md. After `decisions.md` a title is cited, and [D3] or `language.md` D3 means
  a row of the table in language.md §9.
- Sentences of the guide have 40 words at most, and 30 on average; a code span is one word. Headings, tables and pictures do not count.
- Files, folders and modules that ARCHITECTURE.md and SECURITY.md name exist, and what a module is said to have is defined below it.
- codes.md has exactly the codes of crates/base/src/diag/codes.rs, with their categories and titles, and fixtures that exist. Each has a row
  in language.md §2.3 or §2.5, or stands in extensions.md or bake.md. What language/validate raises stands in the comments of its mod.rs
  and in language.md §2.4 or, if it is an error, in extensions.md §10.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "docs/src"
CONTRACT = BOOK / "contract"
CODE = ["src", "tests", "benches", "examples", "scripts"]
CODE_SUFFIXES = {".rs", ".py", ".mjs", ".sh"}
ORACLE = "tests/oracle/"  # where every § means a section of the numeric contract

PAGES = "|".join(re.escape(path.name) for path in sorted(CONTRACT.glob("*.md")))
NUMBER = r"\d+(?:\.\d+)*"
BETWEEN = r"(?:, and |, | and | to |–|-)"
CITATION = re.compile(
    rf"(?P<page>\b(?:{PAGES}))`?(?:,? (?P<marked>§ ?{NUMBER}(?:{BETWEEN}§ ?{NUMBER})*)"
    rf"|,? (?P<plain>{NUMBER}(?:{BETWEEN}{NUMBER}(?![\w.]*\w))*))?"
    rf"|(?P<foreign>glTF 2\.0|RFC \d+)|(?P<bare>§ ?{NUMBER})"
)
TITLE = re.compile(r"\bdecisions\.md`?, (?:(?P<quoted>\"[^\"]+\")|(?P<open>[A-Za-z0-9 ]+?)[:).])")
ROWS = re.compile(r"\[D\d+(?:, D\d+)*\]|\blanguage\.md`? D\d+")
LINK = re.compile(r"\[(?:[^\[\]]|\[[^\]]*\])*\]\((?P<to>[^()\s]+)(?: \"[^\"]*\")?\)|^ {0,3}\[[^\]]+\]: +(?P<ref>\S+)", re.M)

SENTENCE = re.compile(r"\S.*?(?:[.!?][*_)\"]*(?=\s)|(?=\n\s*\n|\n *(?:[*-]|\d+\.) |\s*\Z))", re.S)

faults = []


def fault(path, line, message):
    faults.append(f"{path.relative_to(ROOT)}:{line}: {message}")


def tracked(*patterns):
    """Files that git knows or would add, without what it ignores."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", *patterns]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    return sorted(path for path in {ROOT / name for name in names if name} if path.is_file())


def without_code(text):
    """Markdown with spaces for fenced blocks and one word for each code span; every character keeps its place."""
    fences, spans = r"^( *)(```+|~~~+).*?^ *\2[^\n]*$", r"(`+)(?!`)(?:(?!\n\n).)*?(?<!`)\1(?!`)"
    text = re.sub(fences, lambda match: re.sub(r"[^\n]", " ", match.group()), text, flags=re.M | re.S)
    return re.sub(spans, lambda match: re.sub(r"[^\n]", "x", match.group()), text, flags=re.S)


def headings(path):
    """Titles of a Markdown file, without markup."""
    text = re.sub(r"^( *)(```+|~~~+).*?^ *\2[^\n]*$", "", path.read_text(), flags=re.M | re.S)
    titles = re.findall(r"^#{1,6} +(.+?) *#*$", text, re.M)
    return [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", "") for title in titles]


def anchors(path):
    """Anchors of the headings, by the rule that GitHub and mdBook share for the titles in use here."""
    seen, result = {}, set()
    for title in headings(path):
        slug = re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")
        count = seen.get(slug, 0)
        seen[slug] = count + 1
        result.add(f"{slug}-{count}" if count else slug)
    return result


def check_links():
    count = 0
    for path in tracked("*.md"):
        text = without_code(path.read_text())
        for match in LINK.finditer(text):
            target = match["to"] or match["ref"]
            if re.match(r"[a-z][a-z0-9+.-]*:", target):
                continue
            count += 1
            line = text.count("\n", 0, match.start()) + 1
            name, _, anchor = target.partition("#")
            file = (path.parent / name).resolve() if name else path
            if file == BOOK / "README.md":  # `scripts/prove book` puts it there
                continue
            if not file.exists():
                fault(path, line, f"`{target}` leads nowhere")
            elif BOOK in path.parents and BOOK not in file.parents:
                fault(path, line, f"`{target}` leads out of the book")
            elif anchor and anchor not in anchors(file):
                fault(path, line, f"`{file.name}` has no heading `#{anchor}`")
    return count


def check_summary():
    summary = BOOK / "SUMMARY.md"
    listed = {(BOOK / target).resolve() for target in re.findall(r"\]\(([^)]+)\)", summary.read_text())}
    pages = [path for path in BOOK.rglob("*.md") if path != summary]
    for page in pages:
        if page not in listed:
            fault(page, 1, "the page is not in SUMMARY.md")
    return len(pages)


def check_sentences():
    count = 0
    for page in sorted((BOOK / "guide").glob("*.md")):
        text = re.sub(r"^ *(?:#|\||!\[).*", lambda match: " " * len(match.group()), without_code(page.read_text()), flags=re.M)
        sentences = [(match, len(re.findall(r"\S*\w\S*", match.group()))) for match in SENTENCE.finditer(text)]
        for match, words in sentences:
            if words > 40:
                start = page.read_text()[match.start() :][:60].replace("\n", " ")
                fault(page, text.count("\n", 0, match.start()) + 1, f"a sentence has {words} words, 40 at most are wanted: \"{start}…\"")
        if sum(words for _, words in sentences) > 30 * len(sentences):
            fault(page, 1, "sentences have more than 30 words on average")
        count += len(sentences)
    return count


def running_text(path):
    """A file as one line, without comment marks at the beginning of lines; and the number of the line at each offset."""
    parts, starts, length = [], [], 0
    for line in path.read_text(errors="replace").split("\n"):
        part = re.sub(r"^\s*(?://[/!]?|#!?|\*|--)?\s*", "", line) + " "
        starts.append(length)
        parts.append(part)
        length += len(part)
    return "".join(parts), starts


def line_at(starts, offset):
    return sum(1 for start in starts if start <= offset)


def first_page(path):
    """The page that a directory's mod.rs names first."""
    module = path.parent / "mod.rs"
    match = module.is_file() and re.search(rf"\b(?:{PAGES})", module.read_text())
    return match.group() if match else None


def citations(path, own=None):
    """Sections cited in a file: offset, page (None if there is no telling), section. `own` is the page of bare ones."""
    text, starts = running_text(path)
    if own:
        text = re.sub(rf"\[((?:{PAGES}))\]\([^)]*\)", r"\1", text)
    always = own or ("numerics.md" if path.relative_to(ROOT).as_posix().startswith(ORACLE) else None)
    page, foreign = None, False
    for match in CITATION.finditer(text):
        line = line_at(starts, match.start())
        if match["page"]:
            page, foreign = match["page"], False
            for section in re.findall(NUMBER, match["marked"] or match["plain"] or ""):
                yield line, page, section
        elif match["foreign"]:
            foreign = True
        elif not foreign or always:
            yield line, always or page or first_page(path), match["bare"].lstrip("§ ")


def check_citations():
    titles = {page.name: headings(page) for page in CONTRACT.glob("*.md")}
    numbered = {
        name: {match[1] for title in all_titles if (match := re.match(rf"({NUMBER})\.? ", title))}
        for name, all_titles in titles.items()
    }
    rows = set(re.findall(r"^\| (D\d+) \|", (CONTRACT / "language.md").read_text(), re.M))
    decisions = {title.casefold() for title in titles["decisions.md"]}
    count = 0
    sources = [path for path in tracked(*CODE) if path.suffix in CODE_SUFFIXES and path != Path(__file__).resolve()]
    pages = [path for path in tracked("docs/src") if path.suffix == ".md"]
    for path in sources + pages:
        own = path.name if path.parent == CONTRACT else None
        for line, page, section in citations(path, own):
            count += 1
            if page is None:
                fault(path, line, f"§{section} of which page?")
            elif section not in numbered[page]:
                fault(path, line, f"{page} has no section {section}")
        text, starts = running_text(path)
        for match in TITLE.finditer(text):
            title = (match["quoted"] or match["open"]).strip('"').casefold()
            count += 1
            if title not in decisions:
                fault(path, line_at(starts, match.start()), f"decisions.md has no heading `{title}`")
        for match in ROWS.finditer(text):
            for row in re.findall(r"D\d+", match.group()):
                count += 1
                if row not in rows:
                    fault(path, line_at(starts, match.start()), f"language.md §9 has no row {row}")
    return count


def check_codes():
    page = BOOK / "reference/codes.md"
    declared = re.findall(r"^    ([A-Z]\d{2,3}) (\w+) \"(.*)\";$", (ROOT / "crates/base/src/diag/codes.rs").read_text(), re.M)
    text = page.read_text()
    shown = {code: (kind, title) for code, title, kind in re.findall(r"^### ([A-Z]\d{2,3}) (.*)\n\n\*(\w+)\.\*", text, re.M)}
    for match in re.finditer(r"^Fixture: `(\w+)`", text, re.M):
        if not any((ROOT / f"conformance/invalid/{match[1]}.{ending}.yaml").is_file() for ending in ("rigy", "rigs")):
            fault(page, text.count("\n", 0, match.start()) + 1, f"there is no fixture `{match[1]}`")
    for code, category, title in declared:
        wanted = ("Warning" if code.startswith("W") else category, title)
        if shown.pop(code, None) != wanted:
            fault(page, 1, f"{code} should be shown as: {' | '.join(wanted)}")
    for code in shown:
        fault(page, 1, f"there is no code {code}")
    check_places_of_codes([code for code, _, _ in declared])
    return len(declared)


def codes_in(text):
    """The codes that a text names, with those of its ranges."""
    found = set(re.findall(r"\b[A-Z]\d{2,3}\b", text))
    for letter, first, last in re.findall(r"\b([A-Z])(\d+) (?:to|-) \1(\d+)\b", text):
        found |= {f"{letter}{number:0{len(first)}}" for number in range(int(first), int(last))}
    return found


def check_places_of_codes(codes):
    language, extensions, bake = (CONTRACT / f"{name}.md" for name in ("language", "extensions", "bake"))
    section = lambda page, number: re.search(rf"^##+ {re.escape(number)}\.? .*?(?=^##)", page.read_text(), re.M | re.S).group()
    rows = "\n".join(re.findall(r"^\| (.*?) \|", section(language, "2.3") + section(language, "2.5"), re.M))
    explained = codes_in(rows) | codes_in(extensions.read_text()) | codes_in(bake.read_text())
    for code in codes:
        if code not in explained:
            fault(language, 1, f"{code} has no row in §{'2.5' if code.startswith('W') else '2.3'}, and is not in extensions.md or bake.md")
    validate = ROOT / "crates/language/src/validate"
    comments = codes_in("\n".join(re.findall(r"; // (.*)", (validate / "mod.rs").read_text())))
    ordered, errors_later = codes_in(section(language, "2.4").split("```")[1]), codes_in(section(extensions, "10"))
    for path in sorted(validate.glob("*.rs")):
        raised = set(re.findall(r"\bCode::([A-Z]\d+)", path.read_text()))
        for code in sorted(raised | (comments if path.name == "mod.rs" else set())):
            if code not in comments:
                fault(path, 1, f"{code} is raised here and not in a comment of mod.rs")
            if code not in ordered and (code.startswith("W") or code not in errors_later):
                fault(language, 1, f"{path.name} raises {code}, which is not in the block of §2.4")


def check_names():
    files = tracked("*")
    # `crates/language/src/parse/reader.rs` is called `language/parse/reader.rs`, and `src/io/map.rs` is called `io/map.rs`.
    short = lambda path: "/" + re.sub(r"(^|/)(?:src|crates)/", r"\1", re.sub(r"(^|/)(?:src|crates)/", r"\1", path.relative_to(ROOT).as_posix()))
    paths = {short(path): path for path in files} | {"/" + path.relative_to(ROOT).as_posix(): path for path in files}
    sources = {name: path for name, path in paths.items() if path.suffix == ".rs"}

    def is_path(name):
        return any(path.endswith("/" + name.rstrip("/")) or f"/{name.rstrip('/')}/" in path for path in paths)

    def is_module(names):
        *modules, last = names
        folder = "/".join(modules).replace("rigy_", "")
        below = [path for name, path in sources.items() if f"/{folder}/" in name or name.endswith(f"/{folder}.rs")]
        item = rf"^(?:pub(?:\([^)]*\))? )?(?:fn|struct|enum|trait|type|mod) {last}\b|^pub(?:\([^)]*\))? use [^;]*\b{last}\b"
        return any(re.search(item, path.read_text(), re.M) for path in below)

    count = 0
    for page in ("ARCHITECTURE.md", "SECURITY.md"):
        text = (ROOT / page).read_text()
        for match in re.finditer(r"`([^`\s]+)`", text):
            name, found = match[1], True
            if re.fullmatch(r"[a-z_]+(?:::\w+)+", name):
                found = is_module(name.split("::"))
            elif re.fullmatch(r"[\w.-]+(?:/[\w.-]+)+/?|\w+\.(?:rs|py|js|json|md|pyi)", name) and not name.startswith("."):
                found = is_path(name)
            else:
                continue
            count += 1
            if not found:
                fault(ROOT / page, text.count("\n", 0, match.start()) + 1, f"there is no `{name}`")
    return count


def main():
    names = check_names()
    links, pages, sentences, cited, codes = check_links(), check_summary(), check_sentences(), check_citations(), check_codes()
    for message in faults:
        print(message, file=sys.stderr)
    print(f"docs: {links} links, {pages} pages, {sentences} sentences, {cited} citations, {names} names and {codes} codes checked, {len(faults)} faults")
    sys.exit(1 if faults else 0)


main()
