package tokenizer

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"inglenook/tokenizer/definition"
)

// TestStream pushes the ids of every text one by one.
func TestStream(t *testing.T) {
	for _, name := range fixtureNames {
		t.Run(name, func(t *testing.T) {
			f, tok := loadFixture(t, name)
			held := false
			for _, skip := range []bool{false, true} {
				for _, c := range f.Singles {
					checkStream(t, tok, c.IDs, skip)
				}
				for _, c := range f.Pairs {
					held = checkStream(t, tok, c.IDs, skip) || held
				}
			}
			if strings.HasPrefix(name, "roberta") && !held {
				t.Error("no character was ever held back: nothing was tested")
			}
		})
	}
}

// checkStream compares a stream with Decode and reports whether the stream held anything
// back. No part may end in a broken character that the whole does not have.
func checkStream(t *testing.T, tok *Tokenizer, ids []int32, skip bool) (held bool) {
	t.Helper()
	want, err := tok.Decode(ids, skip)
	if err != nil {
		t.Fatal(err)
	}
	s := tok.NewStream(skip)
	var got strings.Builder
	for i, id := range ids {
		part, err := s.Push(id)
		if err != nil {
			t.Fatal(err)
		}
		if !utf8.ValidString(part) {
			t.Errorf("part %q is not valid", part)
		}
		held = held || part == "" && i > 0
		got.WriteString(part)
		if !strings.HasPrefix(want, got.String()) {
			t.Fatalf("after %d of the ids %v the stream has given %q, which does not begin %q", i+1, ids, got.String(), want)
		}
	}
	got.WriteString(s.Flush())
	if got.String() != want {
		t.Errorf("the ids %v give %q in a stream, %q at once", ids, got.String(), want)
	}
	if again := s.Flush(); again != "" {
		t.Errorf("flushing again gives %q", again)
	}
	return held
}

// TestStreamRandom pushes random ids. With a byte-level vocabulary most of the text is
// broken UTF-8, and with byte fallback characters are split into bytes.
func TestStreamRandom(t *testing.T) {
	_, bytes := loadFixture(t, "roberta")
	_, pieces := loadFixture(t, "xlm-roberta")
	for seed := range 300 {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		for _, tok := range []*Tokenizer{bytes, pieces} {
			ids := make([]int32, r.IntN(80))
			for i := range ids {
				for ids[i] = -1; !tok.has(ids[i]); {
					ids[i] = int32(r.IntN(300)) // the single bytes come first
				}
			}
			checkStream(t, tok, ids, seed%2 == 0)
		}
	}
}

// TestStreamByteFallback spells characters in byte tokens, like Llama.
func TestStreamByteFallback(t *testing.T) {
	tok := fromBytes(t, sections(map[string]string{
		"added_tokens": "",
		"decoder":      `{"type":"Sequence","decoders":[{"type":"Replace","pattern":{"String":"▁"},"content":" "},{"type":"ByteFallback"},{"type":"Fuse"},{"type":"Strip","content":" ","start":1,"stop":0}]}`,
		"model":        `{"type":"BPE","unk_token":null,"byte_fallback":true,"vocab":{"▁a":0,"b":1,"<0xE2>":2,"<0x82>":3,"<0xAC>":4,"<0xF0>":5,"<0x9F>":6,"<0x9A>":7,"<0x80>":8,"<0x00>":9,"▁":10},"merges":[]}`,
	}), definition.Config{})
	for text, ids := range map[string][]int32{
		"a€b":                            {0, 2, 3, 4, 1},
		"🚀":                              {10, 5, 6, 7, 8},
		"🚀 a":                            {10, 5, 6, 7, 8, 0},
		"🚀\uFFFDb":                       {5, 6, 7, 8, 2, 1},
		"a🚀🚀 a":                          {0, 5, 6, 7, 8, 5, 6, 7, 8, 0},
		"a\x00b":                         {0, 9, 1},
		"  a":                            {10, 10, 0},
		"a\uFFFD\uFFFDb":                 {0, 2, 3, 1},
		"\uFFFD\uFFFD":                   {2, 3},
		"b a€":                           {1, 0, 2, 3, 4},
		"\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD": {2, 2, 2, 2, 2},
	} {
		decoded, err := tok.Decode(ids, false)
		if err != nil || decoded != text {
			t.Errorf("%v gives %q, %v, want %q", ids, decoded, err, text)
		}
		checkStream(t, tok, ids, false)
	}
}

// TestDecodeErrors makes sure that ids that do not exist are an error instead of an empty
// text.
func TestDecodeErrors(t *testing.T) {
	_, tok := loadFixture(t, "wordpiece")
	for _, id := range []int32{-1, tok.MaxID() + 1, 1 << 30, -1 << 31} {
		if _, err := tok.Decode([]int32{2, id}, false); err == nil || !strings.Contains(err.Error(), "token number 1 has the id") {
			t.Errorf("id %d: %v", id, err)
		}
		s := tok.NewStream(true)
		if _, err := s.Push(id); err == nil {
			t.Errorf("the stream accepts the id %d", id)
		}
		if part, err := s.Push(10); err != nil || part == "" {
			t.Errorf("after a bad id the stream gives %q, %v", part, err)
		}
	}
	for _, ids := range [][]int32{nil, {}, {2, 3}} {
		if text, err := tok.Decode(ids, true); err != nil || text != "" {
			t.Errorf("%v gives %q, %v", ids, text, err)
		}
	}
}
