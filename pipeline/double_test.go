package pipeline

import (
	"context"
	"iter"
	"slices"
	"strings"
	"testing"

	"inglenook/pipeline/chattemplate"
	"inglenook/pipeline/decoding"
	"inglenook/pipeline/placement"
	"inglenook/tokenizer"
	"inglenook/tokenizer/convert"
)

// byteTokenizer has a token for each byte, whose id is the byte, and after them the
// control tokens <|start|>, <|end|>, <think> and </think>.
func byteTokenizer(t testing.TB) *tokenizer.Tokenizer {
	t.Helper()
	v := convert.Vocabulary{
		Model: "gpt2", Pre: "gpt-2", Architecture: "llama",
		BOS: -1, EOS: idEnd, EOT: -1, UNK: -1, PAD: -1, SEP: -1, CLS: -1, MASK: -1,
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
	for _, control := range []string{"<|start|>", "<|end|>", "<think>", "</think>"} {
		v.Tokens, v.Types = append(v.Tokens, control), append(v.Types, 3)
	}
	v.Tokens, v.Types, v.Merges = append(v.Tokens, "~~"), append(v.Types, 1), []string{"~ ~"} // there have to be some
	tok, err := tokenizer.FromVocabulary(v)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tok.Close() })
	return tok
}

const (
	idStart = 256 + iota
	idEnd
	idThink
	idThought
	_
	scriptVocab
)

const scriptTemplate = `{%- for m in messages %}{{ '<|start|>' + m.role + '
' + m.content + '<|end|>
' }}{% endfor -%}{%- if add_generation_prompt %}{{ '<|start|>assistant
' }}{% endif -%}`

// scripted is a predictor that follows a script: it writes reply after each prompt. A
// prompt ends with the last "<|start|>assistant\n", or else after prompt ids.
type scripted struct {
	reply  []int32
	prompt int // ids of a prompt without a template

	read   []int32 // all ids that it has read and not forgotten
	passes []int   // ids read in each pass
	before func(ctx context.Context, s *scripted) error
	scores func(scores []float32, said int) // changes them
	closed bool
}

func (s *scripted) Extend(ctx context.Context, past int, ids []int32, scores int) ([]float32, error) {
	if s.before != nil {
		if err := s.before(ctx, s); err != nil {
			s.read = s.read[:past]
			return nil, err
		}
	}
	s.read = append(s.read[:past], ids...)
	s.passes = append(s.passes, len(ids))
	if scores == 0 {
		return nil, nil
	}
	out := make([]float32, scores*scriptVocab)
	for row := range scores {
		said := len(s.read) - s.promptEnd() - scores + 1 + row
		next := int32(idEnd)
		if said < len(s.reply) {
			next = s.reply[said]
		}
		values := out[row*scriptVocab:][:scriptVocab]
		values[next] = 9
		if s.scores != nil {
			s.scores(values, said)
		}
	}
	return out, nil
}

// promptEnd returns how many of the ids that were read are the prompt.
func (s *scripted) promptEnd() int {
	if s.prompt > 0 {
		return s.prompt
	}
	header := append([]int32{idStart}, bytesToIDs("assistant\n")...)
	for at := len(s.read) - len(header); at >= 0; at-- {
		if slices.Equal(s.read[at:at+len(header)], header) {
			return at + len(header)
		}
	}
	return len(s.read)
}

func (s *scripted) Recovers(error) bool { return false }

func (s *scripted) Notices() []string { return nil }

func (s *scripted) Ran(bool) placement.Outcome { return placement.Outcome{Devices: []string{"script"}} }

func (s *scripted) Close() error { s.closed = true; return nil }

// complete continues a text without a chat template.
func complete(ctx context.Context, w Writer, text string, o ReplyOptions) iter.Seq2[Token, error] {
	o.Plain = true
	return Answer(ctx, w, []Message{user(text)}, o)
}

func bytesToIDs(text string) []int32 {
	ids := make([]int32, len(text))
	for i := range ids {
		ids[i] = int32(text[i])
	}
	return ids
}

// newScripted returns a generator over a script.
func newScripted(t testing.TB, s *scripted, size int) *Generator {
	t.Helper()
	g := newGenerator()
	g.tok = byteTokenizer(t)
	template, err := chattemplate.New(map[string]string{"default": scriptTemplate}, map[string]any{}, g.tok)
	if err != nil {
		t.Fatal(err)
	}
	g.template = template
	g.ends, g.tags = endIDs(context.Background(), g.tok, template, nil), thinkingTags(g.tok)
	g.context, g.vocab, g.info.ModelContext = size, scriptVocab, size
	g.seats.add(decoding.NewHistory(s, size, 8))
	t.Cleanup(func() {
		if err := g.Close(); err != nil || !s.closed {
			t.Errorf("closed: %v, %v", s.closed, err)
		}
	})
	return g
}

// heard is a whole answer as a reader collects it.
type heard struct {
	text, thinking string
	tokens         []Token
	ids            []int32
	started        *Started
	finished       *Finished
	err            error
}

func hear(t testing.TB, tokens iter.Seq2[Token, error]) (h heard) {
	t.Helper()
	var text, thinking strings.Builder
	for token, err := range tokens {
		if h.finished != nil || h.err != nil {
			t.Errorf("%+v, %v comes after the end", token, err)
		}
		h.tokens = append(h.tokens, token)
		if token.ID >= 0 {
			h.ids = append(h.ids, token.ID)
		}
		if token.Thinking {
			thinking.WriteString(token.Text)
		} else {
			text.WriteString(token.Text)
		}
		if token.Started != nil {
			if h.started != nil || len(h.tokens) > 1 {
				t.Error("Started is not that of the first token alone")
			}
			h.started = token.Started
		}
		h.finished, h.err = token.Finished, err
	}
	h.text, h.thinking = text.String(), thinking.String()
	return h
}

// user and assistant return turns.
func user(content string) Message      { return TextMessage("user", content) }
func assistant(content string) Message { return TextMessage("assistant", content) }
func system(content string) Message    { return TextMessage("system", content) }
