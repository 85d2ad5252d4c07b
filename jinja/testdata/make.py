#!/usr/bin/env python3
"""Writes expected.json: what Python's Jinja2, with the settings of transformers, makes of the templates and probes here.

    pip install jinja2==3.1.6
    python3 make.py

templates/*.jinja are rendered with every conversation below. probes.txt holds one small template a line. Where Python raises an error, only
that it does is kept. The clock stands at 2025-03-07 14:05:09.
"""
import glob, json, os, re
from datetime import datetime
from jinja2 import TemplateError, nodes
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment


class Generation(Extension):
    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return nodes.CallBlock(self.call_method("text"), [], [], body).set_lineno(line)

    def text(self, caller):
        return caller()


def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def raise_exception(message):
    raise TemplateError(message)


env = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols])
env.filters["tojson"] = tojson
env.globals["raise_exception"] = raise_exception
env.globals["strftime_now"] = lambda form: datetime(2025, 3, 7, 14, 5, 9).strftime(form)

weather = {"type": "function", "function": {
    "name": "weather", "description": "Tells the <weather> & \"more\"",
    "parameters": {"type": "object", "properties": {"town": {"type": "string"}, "days": {"type": "integer", "maximum": 7.0}}, "required": ["town"]}}}


def says(role):
    return lambda content, **more: {"role": role, "content": content, **more}


user, assistant, system, tool = says("user"), says("assistant"), says("system"), says("tool")
call = {"id": "call00001", "type": "function", "function": {"name": "weather", "arguments": {"town": "Årdal", "days": 2}}}
conversations = {
    "one": dict(messages=[user("Hello")]),
    "system": dict(messages=[system("  Be brief.\n"), user("What is a fjord?")]),
    "turns": dict(messages=[user(" Hi "), assistant("Hello!\n"), user("naïve 日本 🙂 <b>&amp;</b> {{ x }} {% if %}")]),
    "nogen": dict(messages=[user("Hi"), assistant("Yes.")], add_generation_prompt=False),
    "long": dict(messages=[(user if i % 2 == 0 else assistant)("line %d\nof %d" % (i, 11)) for i in range(11)]),
    "tools": dict(messages=[user("Is it raining?")], tools=[weather]),
    "call": dict(messages=[user("Rain?"), assistant("", tool_calls=[call]), tool("{\"mm\": 4}", tool_call_id="call00001"), assistant("Yes."), user("Ok")], tools=[weather]),
    "parts": dict(messages=[user([{"type": "text", "text": "Look: "}, {"type": "image"}, {"type": "text", "text": "what is it?"}])]),
    "thinking": dict(messages=[user("2+2"), assistant("<think>\nadd\n</think>\n\n4"), user("3+3")], enable_thinking=False),
    "reasoning": dict(messages=[user("2+2"), assistant("4", reasoning_content="add\n"), user("3+3")], enable_thinking=True),
    "order": dict(messages=[assistant("I first"), user("a"), user("b")]),
    "empty": dict(messages=[]),
}
for c in conversations.values():
    c.setdefault("add_generation_prompt", True)
    c.update(bos_token="<s>", eos_token="</s>")

probe_vars = {
    "n": 7, "f": 2.5, "big": 1e20, "huge": 12345678901234567890, "neg": -3, "t": True, "none": None, "s": "Hello, World", "u": "naïve 日本 🙂", "blank": "  \t x y \n",
    "quote": "it's \"so\"\n\\", "words": ["pear", "Apple", "fig", "apple"], "nums": [3, 1, 2], "mixed": [1, "a", None, 2.0, True], "empty": [], "nothing": {},
    "d": {"b": 1, "a": [1, {"x": None}], "items": 3, "Z": "z"}, "deep": {"a": {"b": {"c": [10, 20, 30]}}}, "csv": "a,b,,c", "lines": "one\ntwo\r\n\nthree\n",
    "people": [{"name": "Ada", "age": 36, "tags": ["x"]}, {"name": "bob", "age": 20}, {"name": "Cy", "age": 36, "tags": []}], "html": "<a href='x'>\"&\"</a>",
}


def render(source, ctx):
    try:
        return {"ok": True, "out": env.from_string(source).render(**ctx)}
    except Exception:  # any: the sandbox's, Jinja's and Python's own
        return {"ok": False}


here = os.path.dirname(os.path.abspath(__file__))
renders, probes = [], []
for path in sorted(glob.glob(os.path.join(here, "templates", "*.jinja"))):
    source = open(path, encoding="utf-8", newline="").read()
    for name, ctx in conversations.items():
        renders.append({"template": os.path.basename(path), "conversation": name, **render(source, ctx)})
for line in open(os.path.join(here, "probes.txt"), encoding="utf-8"):
    line = line.rstrip("\n")
    if not line or line.startswith("##"):
        continue
    source = line.replace("⏎", "\n")
    sources = [source]
    if "{%" not in source and not render(source, probe_vars)["ok"]:
        sources += [s for s in re.findall(r"\{\{.*?\}\}", source) if s != source]  # one of them fails: each alone
    probes += [{"source": s, **render(s, probe_vars)} for s in sources]

with open(os.path.join(here, "expected.json"), "w", encoding="utf-8") as out:
    parts = {"conversations": conversations, "probe_vars": probe_vars}
    out.write("{\n")
    for name, value in parts.items():
        out.write('"%s": %s,\n' % (name, json.dumps(value, ensure_ascii=False)))
    for name, rows in (("renders", renders), ("probes", probes)):
        body = ",\n".join(json.dumps(r, ensure_ascii=False) for r in rows)
        out.write('"%s": [\n%s\n]%s\n' % (name, body, "," if name == "renders" else ""))
    out.write("}\n")
print(len(renders), "renders,", sum(r["ok"] for r in renders), "with text;", len(probes), "probes,", sum(p["ok"] for p in probes), "with text")
