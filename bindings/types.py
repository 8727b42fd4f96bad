#!/usr/bin/env python3
"""Writes the types of both bindings from the JSON schemas in docs/src/reference/schemas, between lines that say so.

With --check, nothing is written, and the status is 1 if a file is not as it would be written. Keywords that begin with x- say what differs:
x-only is the one language (or `command`, the program) that has a field, x-no-javascript lists values that JavaScript lacks, x-javascript,
x-python and x-stub are types as they are published, x-overloads marks options that decide what a function returns.
"""

import json
import keyword
import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent
SCHEMAS = ROOT.parent / "docs/src/reference/schemas"
NAMES = {"string": ("string", "str"), "integer": ("number", "int"), "number": ("number", "float"), "boolean": ("boolean", "bool")}
PRINTED, GIVEN = (json.loads((SCHEMAS / name).read_text())["$defs"] for name in ("inspect.json", "bindings.json"))
DEFINITIONS = PRINTED | GIVEN


def resolved(schema):
    return DEFINITIONS[schema["$ref"].rsplit("/", 1)[1]] | {k: v for k, v in schema.items() if k != "$ref"} if "$ref" in schema else schema


def parts(schema):
    """Splits off null. Returns the rest, and whether there was one."""
    if "anyOf" in schema:
        some = [one for one in schema["anyOf"] if one != {"type": "null"}]
        return resolved(some[0]), len(some) < len(schema["anyOf"])
    if "enum" in schema:
        return schema | {"enum": [one for one in schema["enum"] if one is not None]}, None in schema["enum"]
    if isinstance(schema.get("type"), list):
        types = [one for one in schema["type"] if one != "null"]
        return schema | {"type": types if len(types) > 1 else types[0]}, "null" in schema["type"]
    return schema, False


def fields(schema, language):
    return {name: one for name, one in schema["properties"].items() if one.get("x-only", language) == language}


def in_camel_case(schema):
    """A definition with the names that JavaScript has."""
    camel = lambda name: re.sub(r"_(\w)", lambda found: found[1].upper(), name)
    properties = {camel(name): one for name, one in schema["properties"].items()}
    return schema | {"properties": properties, "required": [camel(name) for name in schema["required"]]}


def comment(schema):
    text = schema.get("description", "")
    return text + "." if text and text[-1] != "." else text


# JavaScript


def in_javascript(schema, names, read_only=""):
    if "x-javascript" in schema:
        return schema["x-javascript"]
    schema, may_be_null = parts(resolved(schema))
    if schema.get("title") in (one["title"] for one in GIVEN.values()):
        schema = in_camel_case(schema)
    if names and schema.get("title") in names:
        kind = schema["title"]
    elif "enum" in schema:
        kind = " | ".join(json.dumps(one) for one in schema["enum"] if one not in schema.get("x-no-javascript", ()))
    elif "const" in schema:
        kind = "number"
    elif schema["type"] == "array":
        item = in_javascript(schema["items"], names, read_only)
        length = schema.get("maxItems", 99)
        kind = f"[{', '.join([item] * length)}]" if length < 5 else f"({item})[]" if " | " in item and item[0] != "{" else f"{item}[]"
        kind = read_only + kind
    elif schema["type"] == "object":
        inside = fields(schema, "javascript").items()
        kind = "{%s}" % "; ".join(name + ("" if name in schema["required"] else "?") + ": " + in_javascript(one, names, read_only) for name, one in inside)
    else:
        kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        kind = " | ".join(NAMES[one][0] for one in kinds)
    return kind + " | null" if may_be_null else kind


def interface(schema, names, read_only="", is_option=False, has_comment=True, name=None):
    lines = [f"/** {comment(schema)} */"] * has_comment + [f"export interface {name or schema['title']} {{"]
    for key, one in fields(schema, "javascript").items():
        kind = in_javascript(one, names, "readonly " if is_option else read_only)
        if is_option:
            kind = kind.removesuffix(" | null") + " | undefined"
        mark = "?" if is_option or key not in schema["required"] else ""
        default = one.get("default")
        text = comment(one)
        if is_option and isinstance(default, str):
            text = f"{text[:-1]}; by default `{default}`."
        lines += [f"    /** {text} */"] * bool(text) + [f"    {read_only}{key}{mark}: {kind};"]
    return lines + ["}", ""]


def javascript():
    found = PRINTED | {name: in_camel_case(one) for name, one in GIVEN.items()}
    names = {"Extremes", "Deviation", "Finding"}
    yield from interface(found["finding"], (), "readonly ")
    yield from interface(found["bake_options"], (), is_option=True, has_comment=False, name="BakeOptions")
    yield from interface(found["box"], ())
    yield from interface(found["document"], names)
    yield from interface(found["gltf"], names)
    yield from interface(found["deviation"], ())
    yield from interface(found["difference"], names)
    yield from interface(found["verdict"], ())


# Python


def in_python(schema, list_of):
    schema = resolved(schema)
    if "x-python" in schema:
        return schema["x-python"]
    schema, may_be_none = parts(schema)
    if "enum" in schema:
        kind = f"Literal[{', '.join(json.dumps(one) for one in schema['enum'])}]"
    elif "const" in schema:
        kind = "int"
    elif schema["type"] == "array":
        kind = list_of.format(in_python(schema["items"], list_of))
    elif schema["type"] == "object":
        kind = schema["title"]
    else:
        kind = NAMES[schema["type"]][1]
    return f"Optional[{kind}]" if may_be_none else kind


def docstring(text, indent):
    text = re.sub(r"\bnull\b", "None", text.replace("`", "``"))
    lines = textwrap.wrap(f'{indent}"""{text}"""', 138, subsequent_indent=indent, break_long_words=False)
    return lines if text else []


def dataclass_fields(schema, list_of="Tuple[{}, ...]"):
    for name, one in fields(schema, "python").items():
        kind = in_python(one, list_of)
        default = one.get("default", ...)
        end = "" if default is ... else " = ()" if default == [] else f" = {json.dumps(default)}" if isinstance(default, str) else f" = {default}"
        yield f"    {name + '_' * keyword.iskeyword(name)}: {kind}{end}"
        yield from docstring(comment(resolved(one)), "    ")


def typed_dict(schema, done):
    """A class for the dictionaries of a schema, after those that it names."""
    if schema["title"] in done:
        return
    done.add(schema["title"])
    for one in fields(schema, "python").values():
        one = parts(resolved(one))[0]
        one = parts(resolved(one.get("items", one)))[0]
        one = resolved(one)
        if one.get("type") == "object" and "x-python" not in one:
            yield from typed_dict(one, done)
    name, doc = schema["title"], docstring(comment(schema), "    ")
    kinds = {key: in_python(one, "List[{}]") for key, one in fields(schema, "python").items()}
    always = {key: kind for key, kind in kinds.items() if key in schema["required"]}
    rest = {key: kind for key, kind in kinds.items() if key not in always}
    body = lambda some: [f"    {key}: {kind}" for key, kind in some.items()]
    if any(map(keyword.iskeyword, always)):
        base = [f'_{name} = TypedDict("_{name}", {{{", ".join(f"{json.dumps(key)}: {kind}" for key, kind in always.items())}}})']
    else:
        base = [f"class {'_' if rest else ''}{name}(TypedDict):"] + ([] if rest else [*doc, ""]) + body(always)
    yield from base + ["", ""]
    if rest:
        yield from [f"class {name}(_{name}, total=False):", *doc, "", *body(rest), "", ""]


def descriptions():
    done = set()
    yield from typed_dict(DEFINITIONS["document"], done)
    yield from typed_dict(DEFINITIONS["gltf"], done)


def stub():
    formats = DEFINITIONS["bake_options"]["properties"]["to"]
    yield f"_Format: TypeAlias = {in_python(formats, '')}"
    yield f"_OtherFormat: TypeAlias = {in_python({'enum': [one for one in formats['enum'] if one != formats['default']]}, '')}"
    yield ""
    yield "class _BakeOptions(TypedDict, total=False):"
    for name, one in fields(DEFINITIONS["bake_options"], "python").items():
        if not one.get("x-overloads"):
            yield f"    {name}: {one.get('x-stub') or in_python(one, 'Sequence[{}]')}"


PACKAGE = "python/python/rigy_batch"
BLOCKS = {
    "js/index.d.ts": {"types": javascript},
    f"{PACKAGE}/_descriptions.py": {"dictionaries": descriptions},
    f"{PACKAGE}/_rigy_batch.pyi": {"options": stub},
    f"{PACKAGE}/_results.py": {
        name: lambda name=name: dataclass_fields(DEFINITIONS[name], "Sequence[{}]" if name == "bake_options" else "Tuple[{}, ...]")
        for name in ("finding", "output", "outcome", "summary", "run_result", "verdict", "deviation", "mesh_difference", "difference", "bake_options")
    },
}


def written(path, blocks):
    text = (ROOT / path).read_text()
    for name, make in blocks.items():
        begin, end = rf"[^\n]*begin {name}: written by bindings/types.py\n", rf"[^\n]*end {name}\n"
        lines = "\n".join(make()).rstrip("\n") + "\n"
        text, count = re.subn(f"({begin}).*?({end})", lambda found: found[1] + lines + found[2], text, flags=re.S)
        assert count == 1, f"{path} has {count} places for {name}"
    return text


def main(is_check):
    stale = []
    for path, blocks in BLOCKS.items():
        text = written(path, blocks)
        if text != (ROOT / path).read_text():
            stale.append(path)
            if not is_check:
                (ROOT / path).write_text(text)
    if is_check and stale:
        sys.exit(f"not as bindings/types.py writes them: {', '.join(stale)}")


main("--check" in sys.argv[1:])
