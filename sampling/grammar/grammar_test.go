package grammar

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
)

// anyJSON allows any JSON value.
func anyJSON() *Grammar { return mustCompile(`true`) }

// toy is a vocabulary of all bytes, some longer tokens (of whole characters
// and not), a control token and one that ends a reply.
func toy() *Vocabulary {
	var tokens [][]byte
	for b := range 256 {
		tokens = append(tokens, []byte{byte(b)})
	}
	for _, text := range []string{
		`{"`, `":`, `": "`, `",`, `", "`, `"}`, `"]`, `}}`, `]}`, `},`, `[{"`, `[[`, `]]`, `\"`, `\u00`, `\ud83d`, "true", "false", "null", "tru", "e}",
		"\n", "\n\n", "  ", "    ", "\n  ", "ab", "abc", " the", "name", `"name"`, "12", "100", "0.5", "-1", "e+", "é", "日本", "\xe6\x97", "\x97\xa5", "😀", "\xf0\x9f", "\"}\n", "x\"y",
	} {
		tokens = append(tokens, []byte(text))
	}
	end := int32(len(tokens))
	tokens = append(tokens, []byte("</s>"), nil)
	return NewVocabulary(func(id int32) []byte { return tokens[id] }, len(tokens), []int32{end})
}

// write makes a whole reply.
func write(t testing.TB, g *Grammar, v *Vocabulary, r *rand.Rand) string {
	t.Helper()
	text, done := draft(t, g, v, r, 20_000)
	if !done {
		t.Fatalf("no end after %.300q", text)
	}
	return text
}

// draft makes a reply of at most n tokens, drawn from the masks. The longer it is, the
// likelier it ends.
func draft(t testing.TB, g *Grammar, v *Vocabulary, r *rand.Rand, most int) (reply string, done bool) {
	t.Helper()
	s := g.Start(v)
	var text []byte
	for n := 0; n < most && !s.Done(); n++ {
		mask := s.Mask()
		var allowed, closing []int32
		for id := range int32(v.size) {
			if mask.Has(id) {
				allowed = append(allowed, id)
				if slices.Contains(v.ends, id) || strings.ContainsAny(string(v.tokens[id]), `"}]`) {
					closing = append(closing, id)
				}
			}
		}
		if len(allowed) == 0 {
			t.Fatalf("no token may come after %q", text)
		}
		from := allowed
		if len(closing) > 0 && (n > 40 && r.IntN(3) > 0 || r.IntN(8) == 0) {
			from = closing
		}
		id := from[r.IntN(len(from))]
		if slices.Contains(v.ends, id) != (s.mayEnd() && slices.Contains(v.ends, id)) {
			t.Fatalf("the mask allows the end after %q, mayEnd does not", text)
		}
		if err := s.Accept(id); err != nil {
			t.Fatalf("the mask allows token %d after %q, but: %v", id, text, err)
		}
		if !slices.Contains(v.ends, id) {
			text = append(text, v.tokens[id]...)
		}
	}
	return string(text), s.Done()
}

func TestJSON(t *testing.T) {
	v, r := toy(), rand.New(rand.NewPCG(1, 2))
	for range 500 {
		if text := write(t, anyJSON(), v, r); !json.Valid([]byte(text)) {
			t.Fatalf("not JSON: %q", text)
		}
		text := write(t, CompileObject(), v, r)
		var object map[string]any
		if err := json.Unmarshal([]byte(text), &object); err != nil {
			t.Fatalf("not an object: %v: %q", err, text)
		}
	}
}

// accepts feeds a text byte by byte and reports whether it is complete then, and
// how many bytes were allowed.
func accepts(g *Grammar, v *Vocabulary, text string) (complete bool, taken int) {
	s := g.Start(v)
	for i := range len(text) {
		allowed := s.Mask().Has(int32(text[i]))
		if err := s.Accept(int32(text[i])); (err == nil) != allowed {
			panic("mask and Accept disagree")
		} else if err != nil {
			return false, i
		}
	}
	return s.mayEnd(), len(text)
}

// TestTexts: JSON is allowed, within the limits on white space and digits. Anything else
// is refused at the first wrong byte.
func TestTexts(t *testing.T) {
	g, v := anyJSON(), toy()
	for _, text := range []string{
		`{}`, `[]`, `""`, `0`, `-0`, `true`, `null`, ` {}`, `[ ]`, `{ }`, "{\n\n  }", `[1,2]`, `[1, 2.5e-3, -1E+9]`, `{"a":1,"a":2}`,
		`"é日😀\u00e9\ud83d\ude00\n\"\\\/"`, `{"a": {"b": [[], {}, [true, false, null]]}}`, "{\n  \"a\": [\n    1,\n    2\n  ]\n}",
		"\"\x7f\"", `"\uD7FF\uE000"`, "[\"\xed\x9f\xbf\",\"\xf4\x8f\xbf\xbf\"]", strings.Repeat("[", 80) + strings.Repeat("]", 80),
	} {
		if !json.Valid([]byte(text)) {
			t.Errorf("%q is no JSON, the test is wrong", text)
		}
		if complete, taken := accepts(g, v, text); !complete {
			t.Errorf("%q: stops after %d bytes", text, taken)
		}
	}
	for text, taken := range map[string]int{
		`{}}`: 2, `{} `: 2, `[1,]`: 3, `{"a"}`: 4, `{a`: 1, `01`: 1, `1.`: 2, `1.e`: 2, `+1`: 0, `tru `: 3, `'`: 0, "\"\n": 1, "\"\t": 1, "\"\x00": 1, `"\x`: 2, `"\u12g`: 5,
		`"\ud83d"`: 7, `"\ud83d\u0041`: 9, `"\ude00`: 4, "\"\xff": 1, "\"\xc0\x80": 1, "\"\xe0\x80": 2, "\"\xed\xa0": 2, "\"\xf0\x80": 2, "\"\xf4\x90": 2, "\"\xf5": 1, "\"é\x80": 3, "\"\xe6\"": 2,
		"[\n\n\n": 3, "[  ": 2, "[\r": 1, "[\n" + strings.Repeat(" ", 21): 22, `[1 1`: 3, `{"a":1 "b"`: 7, `{,`: 1, `NaN`: 0, `-I`: 1, `1e100`: 4, `1234567890123456`: 15,
	} {
		if complete, got := accepts(g, v, text); got != taken {
			t.Errorf("%q: %d bytes are allowed (complete: %v), want %d", text, got, complete, taken)
		}
	}
}

func TestEnd(t *testing.T) {
	v := toy()
	end := v.ends[0]
	s := anyJSON().Start(v)
	feed := func(id int32, wantError string) {
		t.Helper()
		err := s.Accept(id)
		if err == nil && wantError != "" || err != nil && (wantError == "" || !strings.Contains(err.Error(), wantError)) {
			t.Errorf("token %d: %v, want %q", id, err, wantError)
		}
	}
	feed(end, "before its text is complete")
	feed('1', "")
	feed(end+1, "has no text")
	feed(-1, "has no text")
	feed(9999, "has no text")
	feed('x', `does not allow token 120 ("x") here`)
	if !s.mayEnd() || s.Done() || !s.Mask().Has(end) || !s.Mask().Has('2') {
		t.Error("a number may go on and may end")
	}
	feed(end, "")
	if !s.Done() || !s.mayEnd() || slices.ContainsFunc(s.Mask(), func(w uint64) bool { return w != 0 }) {
		t.Error("nothing comes after the end")
	}
	feed('2', "after the end")
}

// TestMask: the mask of a state has exactly the tokens that Accept accepts, which are tried
// on another state.
func TestMask(t *testing.T) {
	v, r := toy(), rand.New(rand.NewPCG(7, 8))
	for _, g := range []*Grammar{anyJSON(), schema(t, `{"type":"array","maxItems":3,"items":{"type":"string","minLength":2,"maxLength":4}}`)} {
		for range 30 {
			s, other := g.Start(v), g.Start(v)
			for n := 0; n < 40 && !s.Done(); n++ {
				mask, at := s.Mask(), other.at
				var allowed []int32
				for id := range int32(v.size) {
					err := other.Accept(id)
					other.at, other.over = at, false
					if (err == nil) != mask.Has(id) {
						t.Fatalf("token %d: in the mask: %v, accepted: %v", id, mask.Has(id), err)
					} else if err == nil {
						allowed = append(allowed, id)
					}
				}
				id := allowed[r.IntN(len(allowed))]
				if err := s.Accept(id); err != nil {
					t.Fatal(err)
				}
				if err := other.Accept(id); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// TestRenew: a reply continues correctly when the tables are emptied.
func TestRenew(t *testing.T) {
	v := toy()
	g := schema(t, `{"type":"array","minItems":2,"items":{"type":"string","maxLength":50}}`)
	s := g.Start(v)
	for i, b := range []byte(`["abc", {"é"`) {
		kept := slices.Clone(s.Mask())
		s.at = s.machine.renew(s.at)
		s.masks = s.masks[:0]
		if !slices.Equal(kept, s.Mask()) {
			t.Fatalf("byte %d: the mask changed", i)
		}
		if err := s.Accept(int32(b)); (err != nil) != (b == '{') {
			t.Fatalf("%q: %v", b, err)
		} else if err != nil {
			return
		}
	}
}

// TestConcurrent: replies by one grammar over one vocabulary do not disturb
// each other.
func TestConcurrent(t *testing.T) {
	v, g := toy(), CompileObject()
	want := write(t, g, v, rand.New(rand.NewPCG(5, 6)))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if text := write(t, g, v, rand.New(rand.NewPCG(5, 6))); text != want {
				t.Errorf("%q, alone it was %q", text, want)
			}
		})
	}
	all.Wait()
}

// mayEnd reports whether the text so far is complete.
func (s *State) mayEnd() bool { return s.over || s.machine.ends[s.at] }
