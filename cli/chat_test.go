package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tinyChat returns a folder with a Llama of random weights that writes letters.
func tinyChat(t *testing.T, template bool) string {
	t.Helper()
	return tinyChatOf(t, "decoders/llama", template)
}

// tinyChatOf is tinyChat with a checkpoint of the tests of package models.
func tinyChatOf(t *testing.T, checkpoint string, template bool) string {
	t.Helper()
	dir := t.TempDir()
	put := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"config.json", "model.safetensors"} {
		data, err := os.ReadFile("../models/testdata/" + checkpoint + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		put(name, data)
	}
	words := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "?", "!", ":", ".", ",", "<", ">"}
	for c := 'a'; c <= 'z'; c++ {
		words = append(words, string(c), "##"+string(c))
	}
	put("vocab.txt", []byte(strings.Join(words, "\n")))
	if template {
		put("chat_template.jinja", []byte("{% for m in messages %}{{ m.role[0] }}: {{ m.content }}[SEP]{% endfor %}{% if add_generation_prompt %}a:{% endif %}"))
	}
	return dir
}

// chatOnce is the JSON of one answer.
func chatOnce(t *testing.T, dir string, args ...string) (a chatAnswerJSON) {
	t.Helper()
	o := inglenook(t, "", append([]string{"chat", "--json", "--model", dir, "--prompt", "abc", "--max-tokens", "12"}, args...)...)
	if o.code != 0 || strings.Count(o.stdout, "\n") != 1 {
		t.Fatalf("%q: code %d, output %q, error output %q", args, o.code, o.stdout, o.stderr)
	}
	if err := json.Unmarshal([]byte(o.stdout), &a); err != nil {
		t.Fatal(err)
	}
	return a
}

func TestChatJSON(t *testing.T) {
	dir := tinyChat(t, true)
	o := inglenook(t, "", "chat", "--device", "cpu", "--json", "--model", dir, "--prompt", "abc", "--max-tokens", "5", "--seed", "9").ok(t)
	var got map[string]any
	if err := json.Unmarshal([]byte(o.stdout), &got); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"text", "tokens", "finish_reason", "prompt_tokens", "completion_tokens", "timings", "device", "fallbacks"} {
		if _, ok := got[key]; !ok {
			t.Errorf("%s is missing", key)
		}
	}
	for _, key := range []string{"load_ms", "prompt_ms", "prompt_tokens_per_s", "generate_ms", "generate_tokens_per_s"} {
		if x, _ := got["timings"].(map[string]any)[key].(float64); x <= 0 {
			t.Errorf("%s is %v", key, x)
		}
	}
	if got["finish_reason"] != "length" || got["completion_tokens"] != 5.0 || got["device"] != "cpu" || len(got["tokens"].([]any)) != 5 {
		t.Errorf("%s", o.stdout)
	}
}

// Every sampling flag reaches the sampler.
func TestChatSampling(t *testing.T) {
	dir := tinyChat(t, true)
	base := chatOnce(t, dir, "--seed", "7")
	if again := chatOnce(t, dir, "--seed", "7"); !slices.Equal(again.Tokens, base.Tokens) || again.Text != base.Text {
		t.Errorf("the same seed gave %v, then %v", base.Tokens, again.Tokens)
	}
	for _, args := range []string{
		"--seed=8", "--temperature=0", "--temperature=9", "--top-k=1", "--top-p=0.01", "--min-p=0.9", "--typical-p=0.02",
		"--repeat-penalty=9", "--frequency-penalty=9", "--presence-penalty=9", "--logit-bias=13=100", "--raw", "--system=xyz",
	} {
		if got := chatOnce(t, dir, "--seed", "7", args); slices.Equal(got.Tokens, base.Tokens) {
			t.Errorf("%s changed nothing: %v", args, got.Tokens)
		}
	}
	if got := chatOnce(t, dir, "--logit-bias", "14=1000"); strings.Trim(strings.ReplaceAll(got.Text, " ", ""), "b") != "" {
		t.Errorf("a bias gave %q", got.Text)
	}
}

func TestChatStopsAndFormats(t *testing.T) {
	dir := tinyChat(t, true)
	whole := chatOnce(t, dir, "--temperature", "0").Text
	stop := whole[len(whole)/2 : len(whole)/2+3]
	if got := chatOnce(t, dir, "--temperature", "0", "--stop", "nowhere", "--stop", stop); got.FinishReason != "stop" || got.Stop != stop || got.Text != whole[:strings.Index(whole, stop)] {
		t.Errorf("stopping %q before %q gave %+v", whole, stop, got)
	}
	schema := filepath.Join(t.TempDir(), "schema.json")
	for text, want := range map[string]string{
		`{"type":`: "it is not JSON",
		`[]`:       "where a schema has to be",
		``:         "it is not JSON",
	} {
		if err := os.WriteFile(schema, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		o := inglenook(t, "", "chat", "--model", dir, "--prompt", "a", "--json-schema", schema)
		if o.code != 1 || o.stdout != "" || strings.Count(o.stderr, "\n") != 1 || !strings.Contains(o.stderr, want) {
			t.Errorf("%s: %+v", text, o)
		}
	}
}

// An answer that was to be JSON and is not complete is a failure, with documents and without.
func TestChatBrokenJSON(t *testing.T) {
	for want, args := range map[string][]string{
		"it stopped at --max-tokens": {"--max-tokens", "2"},
		"the context is full":        {"--context", "24"},
	} {
		args = append([]string{"chat", "--format", "json", "--temperature", "0", "--prompt", "List three rivers"}, args...)
		if o := inglenook(t, "", args...); o.code != exitFailed || strings.Count(o.stderr, "\n") != 1 || !strings.Contains(o.stderr, "the answer is not complete JSON: "+want) {
			t.Errorf("%q: %+v", args, o)
		}
		if o := inglenook(t, "", append(args, "--json")...); o.code != exitFailed || !json.Valid([]byte(o.stdout)) || !strings.Contains(o.stderr, want) {
			t.Errorf("%q --json: %+v", args, o)
		}
	}
}

func TestChatFailures(t *testing.T) {
	dir, plain := tinyChat(t, true), tinyChat(t, false)
	for line, want := range map[string]string{
		"--model|" + plain + "|--prompt|a":                             "no chat template, so it was probably not made for chats; choose an instruct or chat model; with --prompt TEXT --raw",
		"--model|" + plain:                                             "no chat template",
		"--prompt|a|--model|starter-embed":                             "cannot write text",
		"--prompt|a|--context|100000|--model|" + dir:                   "100000 are asked for",
		"--prompt|a b c d e f g h i j|--context|4|--model|" + dir:      "and the context of 4 has no room for them and an answer",
		"--prompt|a|--logit-bias|99999=1|--model|" + dir:               "names token 99999",
		"--prompt|a|--json|--json-schema|" + dir + "|--model|" + plain: "cannot be read",
		"--prompt|a|--json|--json-schema|none|--model|" + plain:        "the schema cannot be read",
	} {
		o := inglenook(t, "", append([]string{"chat"}, strings.Split(line, "|")...)...)
		if o.code != 1 || o.stdout != "" || strings.Count(o.stderr, "\n") != 1 || !strings.Contains(o.stderr, want) {
			t.Errorf("%s: %+v; want %q", line, o, want)
		}
	}
	if o := inglenook(t, "", "chat", "--model", plain, "--raw", "--prompt", "a", "--max-tokens", "3", "--temperature", "0"); o.code != 0 || !strings.HasSuffix(o.stdout, "\n") ||
		o.stderr != "note: the answer stopped at --max-tokens\n" {
		t.Errorf("%+v", o)
	}
}

type goldenStory struct {
	PromptIDs []int32 `json:"prompt_ids"`
	GreedyIDs []int32 `json:"greedy_ids"`
}

// TestGoldenStory: the text is the one that the reference library and llama2.c write.
func TestGoldenStory(t *testing.T) {
	const model = "../../shared/models/stories260K"
	data, err := os.ReadFile("../../shared/golden/tiny-llm.json")
	if err != nil {
		t.Skip("a real model and its golden text are not beside the repository")
	}
	var golden map[string]goldenStory
	if err := json.Unmarshal(data, &golden); err != nil {
		t.Fatal(err)
	}
	upstream, err := os.ReadFile("../../shared/golden/llama2c/stories260K.greedy200.txt")
	if err != nil {
		t.Fatal(err)
	}
	for file, same := range map[string]int{"": 200, "/stories260K-F32.gguf": 200, "/stories260K-Q8_0.gguf": 115} {
		o := inglenook(t, "", "chat", "--model", model+file, "--prompt", "Once upon a time", "--raw", "--temperature", "0", "--kv", "f32", "--json")
		var got chatAnswerJSON
		if err := json.Unmarshal([]byte(o.stdout), &got); err != nil || o.code != 0 {
			t.Fatalf("%s: %+v, %v", file, o, err)
		}
		want := golden["stories260K"].GreedyIDs[got.PromptTokens:same]
		if len(got.Tokens) < len(want) || !slices.Equal(got.Tokens[:len(want)], want) {
			t.Errorf("%s: %v, want %v", file, got.Tokens, want)
		}
		if same == 200 && !strings.HasPrefix("Once upon a time"+got.Text, string(upstream[:450])) {
			t.Errorf("%s: %.450q", file, got.Text)
		}
	}
}

// bench uses token ids for a language model, so that shapes without a tokenizer can be
// measured.
func TestBenchWithoutTokenizer(t *testing.T) {
	dir := tinyChat(t, false)
	if err := os.Remove(filepath.Join(dir, "vocab.txt")); err != nil {
		t.Fatal(err)
	}
	got := decode[benchJSON](t, inglenook(t, "", "bench", "--json", "--model", dir, "--prompt-tokens", "8", "--generate-tokens", "3", "--repeat", "1").ok(t).stdout)
	if len(got.Results) != 2 || got.Results[0].Work != "prompt" || got.Results[1].Median <= 0 || got.Agreement != 1 {
		t.Errorf("%+v", got)
	}
}

// For more ids than the model's context of 64 there are numbers, and a note about them.
func TestForwardBeyondTheContext(t *testing.T) {
	dir := tinyChat(t, false)
	for n, want := range map[int]string{64: "", 65: "note: there are 65 token ids, more than this model's context of 64; results beyond it mean little\n"} {
		o := inglenook(t, "", "forward", "--model", dir, "--json", "--ids", strings.TrimSuffix(strings.Repeat("5,", n), ","))
		if o.code != 0 || o.stderr != want || strings.Contains(o.stdout, "context") {
			t.Errorf("%d ids: %q", n, o.stderr)
		}
	}
}
