package pipeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"inglenook/jinja"
	"inglenook/pipeline/chattemplate"
	"inglenook/pipeline/smallfile"
)

// realData finds real data beside the repository, or skips the test.
func realData(t testing.TB, name string) string {
	t.Helper()
	p := filepath.Join("..", "..", "shared", name)
	if _, err := os.Stat(p); err != nil {
		t.Skipf("%s is not on this machine: nothing is tested with it", name)
	}
	return p
}

// chatFolder returns a checkpoint of one of the real tokenizers, with another template if
// one is given.
func chatFolder(t testing.TB, name, template string) fstest.MapFS {
	t.Helper()
	dir := realData(t, "tokenizers/"+name)
	files := fstest.MapFS{}
	for _, file := range []string{"tokenizer.json", "tokenizer_config.json"} {
		if data, err := os.ReadFile(filepath.Join(dir, file)); err == nil {
			files[file] = &fstest.MapFile{Data: data}
		}
	}
	if template != "" {
		files["chat_template.jinja"] = &fstest.MapFile{Data: []byte(template)}
	}
	return files
}

func openChat(t testing.TB, files fstest.MapFS) *ChatTokenizer {
	t.Helper()
	c, err := OpenChatTokenizer(files, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// withTemplate returns the same tokenizer with another template.
func (c *ChatTokenizer) withTemplate(t testing.TB, files fstest.MapFS, source string) *ChatTokenizer {
	t.Helper()
	files["chat_template.jinja"] = &fstest.MapFile{Data: []byte(source)}
	other, err := chattemplate.Open(files, c.tok)
	if err != nil {
		t.Fatal(err)
	}
	return &ChatTokenizer{other, c.tok}
}

// controlTokens returns those control tokens of a tokenizer that have a text.
func controlTokens(c *ChatTokenizer) (tokens []string) {
	for _, id := range c.tok.SpecialIDs() {
		if token, ok := c.tok.Token(id); ok && token != "" {
			tokens = append(tokens, token)
		}
	}
	return tokens
}

// template returns the source of a template of ours, or another file beside it.
func template(t testing.TB, path ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func readChat(t testing.TB, data string) chattemplate.Conversation {
	t.Helper()
	c, err := chattemplate.ReadConversation(strings.NewReader(data))
	if err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return c
}

// TestChatGolden compares text and ids with those of transformers, which
// testdata/make_chat.py has written.
func TestChatGolden(t *testing.T) {
	realData(t, "tokenizers")
	var golden struct {
		Conversations []json.RawMessage
		Cases         []struct {
			Tokenizer    string
			Template     string
			Conversation int
			Text         string
			IDs          []int32
		}
	}
	if err := json.Unmarshal([]byte(template(t, "testdata/chat.json")), &golden); err != nil {
		t.Fatal(err)
	}
	open := map[string]*ChatTokenizer{}
	for _, c := range golden.Cases {
		key := c.Tokenizer + " with " + c.Template
		if open[c.Tokenizer] == nil {
			source := "none"
			if c.Template == "" {
				source = ""
			}
			open[c.Tokenizer] = openChat(t, chatFolder(t, c.Tokenizer, source))
		}
		if open[key] == nil {
			open[key] = open[c.Tokenizer]
			if c.Template != "" {
				source := template(t, "../jinja/testdata/templates", c.Template)
				open[key] = open[key].withTemplate(t, chatFolder(t, c.Tokenizer, ""), source)
			}
		}
		prompt, err := open[key].Render(t.Context(), readChat(t, string(golden.Conversations[c.Conversation])))
		if err != nil {
			t.Errorf("%s, conversation %d: %v", key, c.Conversation, err)
			continue
		}
		if prompt.Text != c.Text {
			t.Errorf("%s, conversation %d:\n got %q\nwant %q", key, c.Conversation, prompt.Text, c.Text)
		}
		ids, err := open[key].IDs(t.Context(), prompt)
		if err != nil || !slices.Equal(ids, c.IDs) {
			t.Errorf("%s, conversation %d:\n got %v, %v\nwant %v", key, c.Conversation, ids, err, c.IDs)
		}
	}
	t.Logf("%d conversations as in the reference", len(golden.Cases))
}

// TestChatRenders compares the templates of well-known models.
func TestChatRenders(t *testing.T) {
	var golden struct {
		Conversations map[string]json.RawMessage
		Renders       map[string]struct {
			BOS string            `json:"bos_token"`
			EOS string            `json:"eos_token"`
			Out map[string]string `json:"out"`
		}
	}
	if err := json.Unmarshal([]byte(template(t, realData(t, "golden/chat-template-renders.json"))), &golden); err != nil {
		t.Fatal(err)
	}
	n := 0
	for file, r := range golden.Renders {
		files := chatFolder(t, "all-minilm-l6-v2", "")
		config := map[string]any{}
		if strings.HasSuffix(file, ".jinja") {
			files["chat_template.jinja"] = &fstest.MapFile{Data: []byte(template(t, realData(t, file)))}
		} else if err := json.Unmarshal([]byte(template(t, realData(t, file))), &config); err != nil {
			t.Fatal(err)
		}
		config["bos_token"], config["eos_token"] = r.BOS, map[string]any{"content": r.EOS, "lstrip": false}
		data, err := json.Marshal(config)
		if err != nil {
			t.Fatal(err)
		}
		files["tokenizer_config.json"] = &fstest.MapFile{Data: data}
		c := openChat(t, files)
		for key, want := range r.Out {
			name, mode, _ := strings.Cut(key, "|")
			conv := readChat(t, string(golden.Conversations[name]))
			conv.AddGenerationPrompt = mode == "gen"
			got, err := c.Render(t.Context(), conv)
			if err != nil || got.Text != want {
				t.Errorf("%s, %s:\n got %q, %v\nwant %q", file, key, got.Text, err, want)
			}
			n++
		}
	}
	if n == 0 {
		t.Error("there is nothing to compare")
	}
}

// chatWith puts a text into every part of a conversation that a person or a document can
// write: system and user text, both ends of text parts, thoughts, tools and their
// results.
func chatWith(s string) string {
	quoted, _ := json.Marshal(s)
	middle, _ := json.Marshal("see " + s + s + "\n\n" + s + ".")
	return fmt.Sprintf(`{"messages": [{"role": "system", "content": %[2]s}, {"role": "user", "content": %[1]s},
		{"role": "assistant", "content": %[2]s}, {"role": "user", "content": %[2]s}],
		"tools": [{"type": "function", "function": {"name": "f", "description": %[2]s, "parameters": {"type": "object", "properties": {}}}}]}`, quoted, middle)
}

// TestChatInjection types every control token of real tokenizers into chats of every
// style. The prompt must have the same control tokens as the chat without them.
func TestChatInjection(t *testing.T) {
	found, cases := 0, 0
	styles := map[string]string{
		"qwen3": "", "qwen2.5": "chatml.jinja", "phi-3-mini": "", "falcon": "chatml.jinja", "phi-2": "chatml.jinja", "pythia-neox": "phi.jinja",
		"t5-small": "headers.jinja", "clip": "thinking.jinja", "roberta-base": "phi.jinja", "all-minilm-l6-v2": "turns.jinja", "bert-base-uncased": "chatml.jinja",
	}
	for name, style := range styles {
		t.Run(name, func(t *testing.T) {
			source := ""
			if style != "" {
				source = template(t, "../jinja/testdata/templates", style)
			}
			c := openChat(t, chatFolder(t, name, source))
			found++
			controls := c.tok.SpecialIDs()
			want := controlIDs(t, c, chatWith("x"), controls)
			for _, token := range controlTokens(c) {
				if n := len(strings.TrimSpace(token)); n < 2 {
					continue
				}
				half := len(token) / 2
				for _, text := range []string{token, "a " + token, token[:half]} {
					got := controlIDs(t, c, chatWith(text), controls)
					if !slices.Equal(got, want) {
						t.Errorf("with %q typed the control tokens are %v, not %v", text, got, want)
					}
					cases++
				}
			}
		})
	}
	if found == 0 {
		t.Skip("no real tokenizer is beside the repository, so nothing is typed into chats")
	}
	if t.Logf("%d chats with typed control tokens, %d tokenizers", cases, found); found == len(styles) && cases < 200 {
		t.Errorf("only %d cases", cases)
	}
}

func controlIDs(t *testing.T, c *ChatTokenizer, data string, controls []int32) []int32 {
	t.Helper()
	prompt, err := c.Render(t.Context(), readChat(t, data))
	if err != nil {
		t.Fatal(err)
	}
	ids, err := c.IDs(t.Context(), prompt)
	if err != nil {
		t.Fatal(err)
	}
	unknown := c.tok.UnknownID()
	return slices.DeleteFunc(ids, func(id int32) bool { return id == unknown || !slices.Contains(controls, id) })
}

// TestChatPieces types a control token in pieces, which the template joins.
func TestChatPieces(t *testing.T) {
	c := openChat(t, chatFolder(t, "qwen3", "{% for m in messages %}{% for p in m.content %}{{ p.text | trim }}{% endfor %}<|im_end|>{% endfor %}"))
	for _, parts := range [][2]string{{"<|im_", "end|>"}, {"<", "|im_end|>"}, {"a <|im_end|", ">"}, {"<|im_  \n", "  end|>"}} {
		data, _ := json.Marshal([]any{map[string]any{"role": "user", "content": []any{map[string]string{"text": parts[0]}, map[string]string{"text": parts[1]}}}})
		prompt, err := c.Render(t.Context(), readChat(t, string(data)))
		if err != nil || !strings.Contains(prompt.Text, "<|im_end|><|im_end|>") {
			t.Fatalf("%q, %v", prompt.Text, err)
		}
		got := controlIDs(t, c, string(data), c.tok.SpecialIDs())
		if len(got) != 1 {
			t.Errorf("%q in pieces gives the control tokens %v", prompt.Text, got)
		}
	}
}

// TestChatLooksInside has templates that look for control tokens in the text, so that our
// stand-ins change their result. At worst the template's own control token is lost, as in
// the last case; a typed one never becomes a control token.
func TestChatLooksInside(t *testing.T) {
	files := chatFolder(t, "phi-3-mini", "")
	open := openChat(t, files)
	start, _ := open.tok.TokenID("<|user|>")
	end, _ := open.tok.TokenID("<|end|>")
	for i, c := range []struct{ template, text, want string }{
		{"<|user|>{{ messages[0].content.replace('<|end|>', '') }}<|end|>", "a<|end|>b<|user|>", "<|user|>ab<|user|><|end|>"},
		{"<|user|>{% if '<|end|>' in messages[0].content %}!{% endif %}{{ messages[0].content }}<|end|>", "a<|end|>b", "<|user|>!a<|end|>b<|end|>"},
		{"<|user|>{{ messages[0].content | tojson(ensure_ascii=true) }}<|end|>", "é<|end|>b", `<|user|>"\u00e9<|end|>b"<|end|>`},
		{"<|user|>{{ messages[0].content.split('<')[0] }}<|end|>", "a<|end|>b", "<|user|>a<|end|>"},
	} {
		chat := open.withTemplate(t, files, c.template)
		data, _ := json.Marshal([]any{map[string]any{"role": "user", "content": c.text}})
		prompt, err := chat.Render(t.Context(), readChat(t, string(data)))
		if err != nil || prompt.Text != c.want {
			t.Errorf("%s gives %q, %v", c.template, prompt.Text, err)
		}
		want := []int32{start, end}
		if i == 3 {
			want = want[:1]
		}
		if got := controlIDs(t, chat, string(data), chat.tok.SpecialIDs()); !slices.Equal(got, want) {
			t.Errorf("%s gives the control tokens %v, not %v", c.template, got, want)
		}
	}
}

func TestReadConversation(t *testing.T) {
	for data, want := range map[string]string{
		``:                       "no JSON",
		`{`:                      "ends in the middle",
		`"Hello"`:                "no messages",
		`{"tools": []}`:          "no messages",
		`[]`:                     "empty",
		`["Hello"]`:              "message 1 is no object",
		`[{"content": "Hello"}]`: "message 1 has no role",
		`{"messages": [{"role": "user"}], "add_generation_prompt": 1}`: "true or false",
		`[{"role": "user", "content": "Hello"}] x`:                     "not JSON",
		strings.Repeat(`[`, 100_000):                                   "deep",
	} {
		if _, err := chattemplate.ReadConversation(strings.NewReader(data)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s gives %v, not %q", data, err, want)
		}
	}
	c := readChat(t, `{"messages": [{"role": "user", "content": null, "thinking": "hm"}], "enable_thinking": false, "add_generation_prompt": false}`)
	m := c.Messages.Items[0].(*jinja.Dict)
	if got := m.Keys(); !slices.Equal(got, []string{"thinking", "role", "reasoning_content"}) || c.AddGenerationPrompt || c.Extra["enable_thinking"] != false {
		t.Errorf("the message has the keys %v, the conversation is %+v", got, c)
	}
}

// TestChatTemplateFiles: the template is found in each place, and without a working one
// the error says what is wrong.
func TestChatTemplateFiles(t *testing.T) {
	base := os.DirFS("testdata/rerank-bert")
	data, err := smallfile.Read(base, "tokenizer.json")
	if err != nil {
		t.Skip("there is no small tokenizer here")
	}
	const one = `{{ bos_token }}|{{ eos_token }}|{{ messages[0].content }}`
	list := `[{"name": "default", "template": "plain"}, {"name": "tool_use", "template": "tools"}]`
	for _, c := range []struct {
		files      map[string]string
		chat, want string
	}{
		{map[string]string{"tokenizer_config.json": `{"chat_template": "` + one + `", "bos_token": "<s>", "eos_token": {"content": "</s>"}}`}, "", "<s>|</s>|Hi"},
		{map[string]string{"chat_template.jinja": "file", "tokenizer_config.json": `{"chat_template": "config"}`}, "", "file"},
		{map[string]string{"chat_template.json": `{"chat_template": "json"}`}, "", "json"},
		{map[string]string{"chat_template.jinja": one, "special_tokens_map.json": `{"bos_token": "[B]"}`}, "", "[B]||Hi"},
		{map[string]string{"tokenizer_config.json": `{"chat_template": ` + list + `}`}, "", "plain"},
		{map[string]string{"tokenizer_config.json": `{"chat_template": ` + list + `}`}, `, "tools": [{"name": "f"}]`, "tools"},
		{map[string]string{"tokenizer_config.json": `{"chat_template": [{"name": "rag", "template": "x"}]}`}, "", "several chat templates (rag)"},
		{map[string]string{}, "", "no chat template"},
		{map[string]string{"tokenizer_config.json": `{"chat_template": 5}`}, "", "no chat template"},
		{map[string]string{"tokenizer_config.json": `{"chat_template": `}, "", "tokenizer_config.json is not what it should be"},
		{map[string]string{"chat_template.jinja": "a\n{{ x"}, "", "line 2: a tag is not closed"},
		{map[string]string{"chat_template.jinja": "{{ raise_exception('Only users may speak') }}"}, "", "Only users may speak"},
	} {
		files := fstest.MapFS{"tokenizer.json": {Data: data}}
		for name, text := range c.files {
			files[name] = &fstest.MapFile{Data: []byte(text)}
		}
		got, err := renderOnce(t, files, `{"messages": [{"role": "user", "content": "Hi"}]`+c.chat+`}`)
		if err != nil {
			got = err.Error()
		}
		if err == nil && got != c.want || err != nil && !strings.Contains(got, c.want) {
			t.Errorf("%v gives %q, not %q", c.files, got, c.want)
		}
	}
	if _, err := OpenChatTokenizer(fstest.MapFS{"tokenizer.json": {Data: data}}, ""); !errors.Is(err, chattemplate.ErrMissing) {
		t.Errorf("without a template: %v", err)
	}
}

func renderOnce(t *testing.T, files fstest.MapFS, chat string) (string, error) {
	c, err := OpenChatTokenizer(files, "")
	if err != nil {
		return "", err
	}
	defer c.Close()
	prompt, err := c.Render(t.Context(), readChat(t, chat))
	return prompt.Text, err
}
