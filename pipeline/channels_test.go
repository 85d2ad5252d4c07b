package pipeline

import (
	"context"
	"slices"
	"testing"

	"inglenook/jinja"
	"inglenook/pipeline/chattemplate"
	"inglenook/sampling"
	"inglenook/tokenizer"
	"inglenook/tokenizer/convert"
)

// channelTokenizer has the control tokens of gpt-oss from id 256 on.
func channelTokenizer(t *testing.T) *tokenizer.Tokenizer {
	t.Helper()
	v := convert.Vocabulary{
		Model: "gpt2", Pre: "gpt-2", Architecture: "gpt-oss",
		BOS: -1, EOS: -1, EOT: -1, UNK: -1, PAD: -1, SEP: -1, CLS: -1, MASK: -1,
	}
	next := rune(0x100)
	for b := range rune(256) {
		if '!' <= b && b <= '~' || 0xA1 <= b && b <= 0xFF && b != 0xAD {
			v.Tokens = append(v.Tokens, string(b))
		} else {
			v.Tokens = append(v.Tokens, string(next))
			next++
		}
		v.Types = append(v.Types, 1)
	}
	for _, control := range []string{"<|start|>", "<|end|>", "<|channel|>", "<|message|>", "<|return|>"} {
		v.Tokens, v.Types = append(v.Tokens, control), append(v.Types, 3)
	}
	v.Tokens, v.Types, v.Merges = append(v.Tokens, "~~"), append(v.Types, 1), []string{"~ ~"}
	tok, err := tokenizer.FromVocabulary(v)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tok.Close() })
	return tok
}

// A reply of gpt-oss goes on after the message that holds its thinking. What stands on
// other channels than the final one is thinking.
func TestChannels(t *testing.T) {
	tok := channelTokenizer(t)
	const end, back = 257, 260
	if ends := endIDs(context.Background(), tok, nil, nil); slices.Contains(ends, end) || !slices.Contains(ends, back) {
		t.Errorf("the ends are %v, want %d and not %d", ends, back, end)
	}
	for _, c := range []struct{ reply, thinking, answer string }{
		{"<|channel|>analysis<|message|>A greeting.<|end|><|start|>assistant<|channel|>final<|message|>Hello.", "A greeting.", "Hello."},
		{"<|channel|>final<|message|>Hello.", "", "Hello."},
		{"Hello.", "", "Hello."},
	} {
		s, err := newTextStream(tok, thinkingTags(tok), ReplyOptions{}, Prompt{Text: "<|start|>assistant", chat: true})
		if err != nil {
			t.Fatal(err)
		}
		e, err := tok.EncodeChat(context.Background(), c.reply, nil)
		if err != nil {
			t.Fatal(err)
		}
		var thinking, answer string
		var segments []sampling.Segment
		for _, id := range e {
			more, err := s.push(id)
			if err != nil {
				t.Fatal(err)
			}
			segments = append(segments, more...)
		}
		for _, segment := range append(segments, s.flush()...) {
			if segment.Thinking {
				thinking += segment.Text
			} else {
				answer += segment.Text
			}
		}
		if thinking != c.thinking || answer != c.answer {
			t.Errorf("%q: thinking %q, answer %q", c.reply, thinking, answer)
		}
	}
}

// A chat template tells what a person can choose of a model's thinking.
func TestThinkingOfTemplate(t *testing.T) {
	tok := channelTokenizer(t)
	for source, want := range map[string]Thinking{
		"{{ messages[0].content }}": ThinkingFixed,
		"{% if enable_thinking is defined and enable_thinking %}x{% endif %}":                    ThinkingSwitch,
		"{%- if x %}y{%- elif thinking %}x{% endif %}":                                           ThinkingSwitch,
		"{% if not thinking is defined %}{% set thinking = false %}{% endif %}":                  ThinkingSwitch,
		"{% if messages[0].thinking %}Please think; if thinking is on, answer later.{% endif %}": ThinkingFixed,
		"Reasoning: {{ reasoning_effort or 'medium' }}":                                          ThinkingEffort,
		"{% if enable_thinking %}{{ reasoning_effort }}{% endif %}{{ messages[0]['content'] }}":  ThinkingSwitch,
	} {
		template, err := chattemplate.New(map[string]string{"default": source}, nil, tok)
		if err != nil {
			t.Fatal(err)
		}
		if got := thinkingOf(template.Reads); got != want {
			t.Errorf("%s: %d, want %d", source, got, want)
		}
	}
	older, err := chattemplate.New(map[string]string{"default": "{% if thinking %}at length{% else %}at once{% endif %}"}, nil, tok)
	if err != nil {
		t.Fatal(err)
	}
	for think, want := range map[bool]string{true: "at length", false: "at once"} {
		c := chattemplate.Conversation{Messages: &jinja.List{}, Extra: map[string]any{"enable_thinking": think}}
		if r, err := older.Render(t.Context(), c); err != nil || r.Text != want {
			t.Errorf("thinking %v: %q, %v", think, r.Text, err)
		}
	}
}
