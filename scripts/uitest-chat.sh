# The part of uitest.sh about the Chat room; it is sourced there. Its language model is made of a very small one
# beside the repository, with a chat template of our own.

answers() { grep -c 'msg=chat ' "$log" 2>/dev/null || true; }
answered() { [ "$(answers)" -gt "$before" ] && sleep 0.6; } # and the window knows it
in_export() { "$python" -c 'import json,sys; c=json.load(open(sys.argv[1]))["conversations"][0]; m=c["messages"]; sys.exit(not eval(sys.argv[2]))' "$1" "$2" 2>/dev/null; }
newest() { ls -t "$HOME"/*"$1" 2>/dev/null | head -1; }
save() { # save KEYS PATTERN: exports with a shortcut, into the file that the dialog proposes
	rm -f "$HOME"/*"$2"
	press "$1"
	pause 1
	press Return
	within 20 test -n "$(newest "$2")" || { sleep 1; [ -n "$(newest "$2")" ]; }
}

make_talker() {
	local from=$shared/models/stories260K
	mkdir -p "$1"
	cp "$from/tokenizer.json" "$1"
	"$python" - "$from" "$1" <<-'END'
		import json, struct, sys
		source, target = sys.argv[1:]
		config = json.load(open(source + "/config.json"))
		config["max_position_embeddings"] = 65536  # so that an answer is long
		config["num_hidden_layers"], layers = 20, config["num_hidden_layers"]
		json.dump(config, open(target + "/config.json", "w"))

		# layers that add nothing, so that an answer takes long enough to stop it
		data = open(source + "/model.safetensors", "rb").read()
		begin = 8 + struct.unpack("<Q", data[:8])[0]
		tensors, added = json.loads(data[8:begin]), bytearray(data[begin:])
		for layer in range(layers, config["num_hidden_layers"]):
		    for name in [n for n in tensors if n.startswith("model.layers.0.")]:
		        first, last = tensors[name]["data_offsets"]
		        zero = name.endswith(("o_proj.weight", "down_proj.weight"))
		        tensors[name.replace(".0.", ".%d." % layer, 1)] = dict(tensors[name], data_offsets=[len(added), len(added) + last - first])
		        added += bytes(last - first) if zero else data[begin + first : begin + last]
		head = json.dumps(tensors).encode()
		open(target + "/model.safetensors", "wb").write(struct.pack("<Q", len(head)) + head + added)
		tokens = json.load(open(source + "/tokenizer_config.json"))
		tokens["chat_template"] = "{% for m in messages %}{{ m['content'] }}\n{% endfor %}"
		json.dump(tokens, open(target + "/tokenizer_config.json", "w"))
	END
}

picture chat-1-no-model
make_talker "$work/talker"
before=$(answers)
drop "$work/talker"
step "a dropped language model is loaded" logged 'msg="open chat" model=.*talker'
step "and chosen" kept 's["chat"]["model"].endswith("talker")'
pause 1
picture chat-2-model

tap "Write a message"
write "Once upon a time there was a little fox who"
pause 1
picture chat-3-typed
press Return
pause 0.5
picture chat-4-streaming
press Escape
step "an answer is written" changed chat-3-typed 3
step "Escape stops it" answered
pause 0.7
picture chat-5-stopped
save ctrl+shift+s .json || fail "no JSON is exported"
step "what was written is kept as stopped" in_export "$(newest .json)" 'len(m) == 2 and m[1]["state"] == "stopped" and len(m[1]["text"]) > 0 and m[1]["reply"]["device"] == "cpu"'

before=$(answers)
tap "Write a message"
press Up
pause 0.3
press ctrl+a
write "Once there was a zebra. It lived in"
picture chat-6-edit
press Return
pause 0.7
tap "Stop"
step "Up edits the last message, and the Stop button stops" answered
before=$(answers)
press ctrl+r
pause 0.7
press Escape
step "Ctrl+R answers anew" answered
pause 0.5
picture chat-7-branches
save ctrl+shift+s .json || fail "no JSON is exported"
step "everything is there as branches" in_export "$(newest .json)" 'len(m) == 5 and sum(x["role"] == "user" for x in m) == 2 and m[2].get("parent", 0) == 0 and m[3]["parent"] == m[4]["parent"] == m[2]["id"]'
press ctrl+e
press Home
press Left
pause 0.5
picture chat-8-first-branch
step "the arrows go back to the first branch" changed chat-7-branches 2
save ctrl+s .md || fail "no Markdown is exported"
step "the Markdown holds the branch in view" grep -q 'little fox' "$(newest .md)"
step "and not the other" bash -c '! grep -q "zebra. It lived in" "$1"' _ "$(newest .md)"

before=$(answers)
press ctrl+n
write "The weather today"
press Return
pause 0.7
press Escape
step "a second chat has its answer" answered
press ctrl+shift+f
write "zebra"
pause 1.5
picture chat-9-found
click 218 160
pause 0.8
picture chat-10-opened
step "a search finds the first and opens it on the branch of the place" changed chat-9-found 1
press Escape Escape

press ctrl+e
press Home
press Delete
pause 0.6
picture chat-11-deleted
save ctrl+shift+s .json || fail "no JSON is exported"
step "Delete deletes a message and what followed it" in_export "$(newest .json)" 'len(m) < 5'
press ctrl+z
save ctrl+shift+s .json || fail "no JSON is exported"
step "Ctrl+Z brings it back" in_export "$(newest .json)" 'len(m) == 5'
press ctrl+shift+Delete
pause 0.6
picture chat-12-trash
press ctrl+z
pause 0.6
save ctrl+shift+s .json || fail "no JSON is exported"
step "a deleted chat comes back too" in_export "$(newest .json)" 'len(m) == 5'

press ctrl+i
pause 0.6
write "You tell stories."
picture chat-13-drawer
press ctrl+i
save ctrl+shift+s .json || fail "no JSON is exported"
step "instructions are kept" in_export "$(newest .json)" 'c["system"] == "You tell stories."'
printf 'A recipe: flour, water, salt.\n' >"$work/recipe.txt"
drop "$work/recipe.txt"
pause 0.8
picture chat-14-attached
before=$(answers)
tap "Write a message"
write "Read this"
press Return
pause 0.7
press Escape
step "a dropped text file goes along" answered
save ctrl+shift+s .json || fail "no JSON is exported"
step "with its name" in_export "$(newest .json)" 'any(a["name"] == "recipe.txt" and a["text"].startswith("A recipe") for x in m for a in x.get("attachments") or [])'
pause 0.5
picture chat-15-answered

press ctrl+q
within 10 gone || fail "the program does not end"
start_program
pause 2
picture chat-16-again
save ctrl+shift+s .json || fail "no JSON is exported"
step "the next start finds the chat again" in_export "$(newest .json)" 'len(m) == 7'
before=$(answers)
tap "Write a message"
write "And then"
press Return
pause 1
picture chat-16-too-long
press Return # on a quick machine the story is too long by now: leave the oldest messages out
pause 1
press Escape
step "and it continues" answered
save ctrl+shift+s .json || fail "no JSON is exported"
step "with what the model had read before" in_export "$(newest .json)" 'm[-1]["reply"]["reused"] > 50'
xdotool windowsize --sync "$window" 820 580
pause 1
picture chat-17-small
press ctrl+b
pause 0.6
step "Ctrl+B opens the list in a small window" changed chat-17-small 5
picture chat-18-small-list
press ctrl+b
xdotool windowsize --sync "$window" 1240 800
pause 0.5

# ---- a chat that asks documents

press ctrl+b
press ctrl+n
pause 0.5
tap "Add documents first"
step "without documents the button leads to where they are added" kept 's["window"]["panel"] == "documents"'
tap "Try three sample documents"
step "the sample documents are read" logged 'msg=index collection=Samples files=3 indexed=3'
press ctrl+1 ctrl+d
pause 1
picture chat-19-documents
tap "Write a message"
write "What did the keeper do every evening?"
step "what is found is shown before anything is sent" changed chat-19-documents 0.5
pause 1.5
picture chat-20-found
tap "▸ "
step "and listed" changed chat-20-found 3
pause 0.5
picture chat-21-passages
before=$(answers)
tap "Write a message"
press Return
pause 0.7
press Escape
step "it is answered" answered
save ctrl+shift+s .json || fail "no JSON is exported"
step "from the passages" in_export "$(newest .json)" 'sum(x["kind"] == "passage" for x in m[0]["parts"]) > 0 and c["settings"]["collection"]'
press ctrl+e
press Home
pause 0.5
tap "▸ "
pause 0.5
picture chat-22-message
tap '1 · ' # the first of them
step "a passage of the message opens in Documents" kept 's["window"]["panel"] == "documents"'
pause 1
picture chat-23-passage
tap "Back to the chat"
step "which leads back" kept 's["window"]["panel"] == "chat"'
tap "Write a message"
write "Which engine drives a zeppelin?"
pause 1.5
press Return
said_to_be_missing() { # exported anew until it is there
	save ctrl+shift+s .json && in_export "$(newest .json)" 'm[-1].get("reply", {}).get("reason") == "not found" and "not in your documents" in m[-1]["text"]'
}
step "what is not there is said without the model" said_to_be_missing
picture chat-24-not-there

# ---- two answers side by side

press ctrl+n
pause 0.5
write "The cat sat by the fire and"
before=$(answers)
press ctrl+shift+Return
pause 1.5
picture chat-25-two-answers
press Escape
both_answered() { [ "$(answers)" -ge $((before + 2)) ] && sleep 0.6; }
step "two answers are written at the same time, and Escape stops both" both_answered
save ctrl+shift+s .json || fail "no JSON is exported"
step "both are branches after the same message" in_export "$(newest .json)" 'len(m) == 3 and m[1]["parent"] == m[2]["parent"] == m[0]["id"] and all(x["state"] == "stopped" and len(x["text"]) > 10 for x in m[1:]) and m[1]["text"] != m[2]["text"] and m[1]["reply"]["seed"] != m[2]["reply"]["seed"]'
picture chat-26-two-stopped
xdotool windowsize --sync "$window" 820 580
pause 1
picture chat-27-two-small
xdotool windowsize --sync "$window" 1240 800
pause 0.5
press ctrl+e 2
pause 0.6
step "one is kept with a key" changed chat-26-two-stopped 3
picture chat-28-kept
save ctrl+s .md || fail "no Markdown is exported"
step "and the other one stays as a branch" bash -c 'grep -q "fire" "$1"' _ "$(newest .md)"
