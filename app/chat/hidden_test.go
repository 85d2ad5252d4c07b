package chat_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inglenook/app/apptest"
	"inglenook/app/chat"
	"inglenook/documents/support/supporttest"
	"inglenook/jinja"
	"inglenook/pipeline"
	"inglenook/pipeline/chattemplate"
	"inglenook/tokenizer"
)

// withHidden is a talk with a document in which something is hidden: as a passage, as its
// name and as its heading.
func withHidden(t *testing.T, text string) chat.Talk {
	t.Helper()
	data, err := json.Marshal(chat.Source{Collection: "a", Path: "/" + text, Heading: text, End: len(text)})
	if err != nil {
		t.Fatal(err)
	}
	p := chat.Part{Kind: chat.PartPassage, Name: text, Text: text, Data: data}
	return chat.Talk{Documents: true, Messages: []chat.Message{
		{ID: 1, Role: chat.RoleUser, Parts: []chat.Part{p, p, chat.Text(supporttest.Question)}},
		{ID: 2, Parent: 1, Role: chat.RoleAssistant, Parts: chat.Content("From nine to six.")},
		{ID: 3, Parent: 2, Role: chat.RoleUser, Parts: []chat.Part{p, chat.Text("And then?")}},
	}}
}

// TestHiddenStaysInTheFence: whatever a document says, its passages stand within their
// fences, and what follows them is the question.
func TestHiddenStaysInTheFence(t *testing.T) {
	for _, d := range supporttest.Hidden() {
		sent := withHidden(t, d.Text).Sent(false, false)
		lines := strings.Split(sent[1].Text(), "\n")
		open, passages := "", 0
		var outside []string
		for _, line := range lines {
			switch {
			case open == "" && strings.Trim(line, "`") == "" && len(line) >= 3:
				open = line
				passages++
			case line == open:
				open = ""
			case open == "":
				outside = append(outside, line)
			}
		}
		if open != "" || passages != 2 {
			t.Errorf("%s: %d passages, the fence %q is open", d.Name, passages, open)
		}
		outside = slices.DeleteFunc(outside, func(line string) bool { return line == "" })
		if len(outside) != 3 || !strings.HasPrefix(outside[0], "Passage 1, ") || !strings.HasPrefix(outside[1], "Passage 2, ") || outside[2] != supporttest.Question {
			t.Errorf("%s: outside of the fences stands %q", d.Name, outside)
		}
		if short := withHidden(t, d.Text).Sent(true, false)[0].Text(); !strings.HasSuffix(short, "\n\nQuestion: "+supporttest.Question) || strings.Count(short, "\n") != 2 {
			t.Errorf("%s: in the short form: %q", d.Name, short)
		}
	}
}

// templates returns the chat templates of the tests, and of known models where they are
// beside the repository.
func templates(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	root := apptest.Root(t)
	for _, pattern := range []string{"jinja/testdata/templates/*.jinja", "../shared/chat_templates/*.jinja"} {
		paths, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			found[filepath.Base(path)] = string(data)
		}
	}
	return found
}

// control are the control tokens that the templates of known families write.
func control() []string {
	return []string{
		"<s>", "</s>", "<unk>", "<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|start_header_id|>", "<|end_header_id|>", "<|begin_of_text|>",
		"[INST]", "[/INST]", "<<SYS>>", "<</SYS>>", "<start_of_turn>", "<end_of_turn>", "<bos>", "<eos>", "<|end|>", "<|system|>", "<|user|>", "<|assistant|>",
		"[TOOL_CALLS]", "[/TOOL_CALLS]", "<think>", "</think>", "<tool_call>", "</tool_call>", "[PAD]",
	}
}

// controlledTokenizer returns a tokenizer of bytes with the control tokens of all families.
func controlledTokenizer(t *testing.T) *tokenizer.Tokenizer {
	t.Helper()
	vocabulary := map[string]int{}
	for i := range 256 {
		vocabulary[byteName(i)] = i
	}
	var added []map[string]any
	for i, name := range control() {
		added = append(added, map[string]any{"id": 256 + i, "content": name, "special": true, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false})
	}
	data, err := json.Marshal(map[string]any{
		"version": "1.0", "truncation": nil, "padding": nil, "added_tokens": added, "normalizer": nil, "post_processor": nil,
		"pre_tokenizer": map[string]any{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": false},
		"decoder":       map[string]any{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": false},
		"model":         map[string]any{"type": "BPE", "vocab": vocabulary, "merges": []string{}},
	})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tokenizer.json"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	tok, err := tokenizer.Open(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tok.Close() })
	return tok
}

// byteName is how byte-level tokenizers write a byte.
func byteName(b int) string {
	shown := func(b int) bool { return b >= '!' && b <= '~' || b >= 0xA1 && b <= 0xAC || b >= 0xAE && b <= 0xFF }
	if shown(b) {
		return string(rune(b))
	}
	n := 0
	for i := range b {
		if !shown(i) {
			n++
		}
	}
	return string(rune(256 + n))
}

// TestHiddenStaysText: no chat template gives a document control tokens of its own, and none
// runs what a document says.
func TestHiddenStaysText(t *testing.T) {
	tok := controlledTokenizer(t)
	checked := 0
	for name, source := range templates(t) {
		template, err := chattemplate.New(map[string]string{"default": source}, map[string]any{"bos_token": "<s>", "eos_token": "</s>"}, tok)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want, ok := controlTokens(t, template, tok, withHidden(t, supporttest.Fact))
		if !ok {
			t.Logf("%s refuses every conversation", name)
			continue
		}
		for _, d := range supporttest.Hidden() {
			got, ok := controlTokens(t, template, tok, withHidden(t, d.Text))
			if !ok || !slices.Equal(got, want) {
				t.Errorf("%s, %s: control tokens %v and not %v", name, d.Name, got, want)
			}
			checked++
		}
	}
	t.Logf("%d prompts", checked)
	if checked < 8*40 {
		t.Errorf("%d prompts", checked)
	}
}

// controlTokens are the ids of the control tokens in the prompt for a talk.
func controlTokens(t *testing.T, template *chattemplate.Template, tok *tokenizer.Tokenizer, talk chat.Talk) (ids []int32, ok bool) {
	t.Helper()
	for _, noSystem := range []bool{false, true} {
		c := chattemplate.Conversation{Messages: &jinja.List{}, AddGenerationPrompt: true}
		for _, m := range talk.Sent(false, noSystem) {
			d := jinja.NewDict()
			d.Set("role", m.Role)
			d.Set("content", pipeline.Message(m).Text())
			c.Messages.Items = append(c.Messages.Items, chattemplate.PrepareMessage(d))
		}
		rendered, err := template.Render(t.Context(), c)
		if err != nil {
			continue
		}
		all, err := template.IDs(t.Context(), rendered)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range all {
			if id >= 256 {
				ids = append(ids, id)
			}
		}
		return ids, true
	}
	return nil, false
}
