#!/usr/bin/env python3
"""Writes chat.json: what transformers' apply_chat_template makes of conversations, text and ids.

    pip install transformers==5.23.0 jinja2==3.1.6
    python3 make_chat.py FOLDER        # with tokenizers/NAME/{tokenizer.json,tokenizer_config.json}
"""
import json, os, sys
from transformers import PreTrainedTokenizerFast

here = os.path.dirname(os.path.abspath(__file__))
templates = os.path.join(here, "..", "..", "jinja", "testdata", "templates")
tool = {"type": "function", "function": {"name": "weather", "description": "Tells it", "parameters": {"type": "object", "properties": {"town": {"type": "string"}}, "required": ["town"]}}}
call = {"id": "call00001", "type": "function", "function": {"name": "weather", "arguments": {"town": "Årdal"}}}


def says(role):
    return lambda content, **more: {"role": role, "content": content, **more}


user, assistant, system, answer = says("user"), says("assistant"), says("system"), says("tool")
conversations = [
    {"messages": [user("Hello")], "add_generation_prompt": True},
    {"messages": [system("  Be brief.\n"), user("What's 2+2?\n\n")], "add_generation_prompt": True},
    {"messages": [user(" Hi"), assistant("Hello!  "), user("naïve 日本 🙂 <b>&amp;</b>\tdef f(x):\n    return 12345")], "add_generation_prompt": True},
    {"messages": [user("Hi"), assistant("Yes.")], "add_generation_prompt": False},
    {"messages": [user("2+2"), assistant("<think>\nadd\n</think>\n\n4"), user("3+3")], "add_generation_prompt": True, "enable_thinking": False},
    {"messages": [user("2+2"), assistant("4", reasoning="add")], "add_generation_prompt": False},
    {"messages": [user("Rain?")], "tools": [tool], "add_generation_prompt": True},
    {"messages": [user("Rain?"), assistant(None, tool_calls=[call]), answer("4 mm", tool_call_id="call00001")], "tools": [tool], "add_generation_prompt": True},
]
cases = []
for name in ["phi-3-mini", "qwen2.5", "qwen3", "falcon", "phi-2", "pythia-neox", "t5-small"]:
    tok = PreTrainedTokenizerFast.from_pretrained(os.path.join(sys.argv[1], "tokenizers", name))
    own = [None] if tok.chat_template else []
    for template in own + ["chatml.jinja", "phi.jinja", "thinking.jinja", "brackets.jinja"]:
        source = open(os.path.join(templates, template), encoding="utf-8").read() if template else None
        for i, c in enumerate(conversations):
            extra = {k: v for k, v in c.items() if k not in ("messages", "tools")}
            try:
                text = tok.apply_chat_template(c["messages"], tools=c.get("tools"), chat_template=source, tokenize=False, **extra)
                ids = tok.apply_chat_template(c["messages"], tools=c.get("tools"), chat_template=source, tokenize=True, return_dict=False, **extra)
            except Exception:  # a template refuses
                continue
            cases.append({"tokenizer": name, "template": template, "conversation": i, "text": text, "ids": ids})
with open(os.path.join(here, "chat.json"), "w", encoding="utf-8") as out:
    rows = ",\n".join(json.dumps(c, ensure_ascii=False) for c in cases)
    out.write('{"conversations": %s,\n"cases": [\n%s\n]}\n' % (json.dumps(conversations, ensure_ascii=False), rows))
print(len(cases), "cases")
