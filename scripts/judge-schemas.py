#!/usr/bin/env python3
"""Writes sampling/grammar/testdata/judged.jsonl: texts, right and wrong, and what the
library jsonschema says about them. Run it when sampling/grammar/testdata/tools.json changes:

    python3 -m venv /tmp/judge
    /tmp/judge/bin/pip install 'jsonschema[format-nongpl]' openapi-schema-validator
    /tmp/judge/bin/python scripts/judge-schemas.py

The texts are random replies by the grammars of these schemas, and replies by the
same schemas without one of their keywords.
"""

import fractions
import json
import os
import pathlib
import subprocess
import tempfile

import jsonschema
from openapi_schema_validator import OAS30Validator

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT / "sampling" / "grammar" / "testdata"
VALIDATORS = {
    "2020-12": jsonschema.Draft202012Validator,
    "draft-07": jsonschema.Draft7Validator,
    "openapi-3.0": OAS30Validator,
}
MOST = 14  # texts of each schema and verdict


FORMATS = jsonschema.FormatChecker()  # all that the library knows, whatever the draft
for name, low, high in [("int32", -(2**31), 2**31), ("uint8", 0, 2**8), ("uint32", 0, 2**32), ("int64", -(2**63), 2**63)]:
    FORMATS.checks(name)(lambda x, low=low, high=high: not isinstance(x, int) or low <= x < high)


def multiple_of(validator, step, number, schema):
    """The library's own divides float numbers, by which 0.07 is no multiple of 0.01."""
    if validator.is_type(number, "number") and fractions.Fraction(repr(number)) % fractions.Fraction(repr(step)):
        yield jsonschema.ValidationError(f"{number!r} is not a multiple of {step!r}")


tools = json.loads((DATA / "tools.json").read_text())
replies = tempfile.mktemp(suffix=".jsonl")
for _ in range(2):
    subprocess.run(
        ["go", "test", "-count=1", "-run", "^TestToolSchemas$", "./sampling/grammar"],
        cwd=ROOT, env={**os.environ, "SAMPLING_REPLIES": replies}, check=True,
    )
texts = {}
for line in pathlib.Path(replies).read_text().splitlines():
    schema, text = json.loads(line)
    if len(text) < 700:
        texts.setdefault(json.dumps(json.loads(schema), sort_keys=True), dict())[text] = True
os.remove(replies)

with open(DATA / "judged.jsonl", "w") as out:
    for tool in tools:
        kind = VALIDATORS[tool["dialect"]]
        types = kind.TYPE_CHECKER.redefine("integer", lambda _, x: VALIDATORS["2020-12"].TYPE_CHECKER.is_type(x, "integer"))
        kind = jsonschema.validators.extend(kind, {"multipleOf": multiple_of}, type_checker=types)  # 1.0 is an integer
        schema = tool["schema"]
        validator = kind(schema, format_checker=FORMATS)
        count = {True: 0, False: 0}
        for text in texts[json.dumps(tool["schema"], sort_keys=True)]:
            valid = validator.is_valid(json.loads(text))
            if count[valid] < MOST:
                count[valid] += 1
                print(json.dumps({"tool": tool["tool"], "text": text, "valid": valid}, ensure_ascii=False), file=out)
        print(f"{count[True]:3} right {count[False]:3} wrong  {tool['tool']}")
