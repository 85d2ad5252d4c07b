package tokenizer

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"inglenook/tokenizer/convert"
	"inglenook/tokenizer/definition"
)

// noIDs is a Vocabulary that names no tokens.
func noIDs(v convert.Vocabulary) convert.Vocabulary {
	v.BOS, v.EOS, v.EOT, v.UNK, v.PAD, v.SEP, v.CLS, v.MASK = -1, -1, -1, -1, -1, -1, -1, -1
	return v
}

// smallPieces returns a working vocabulary of Llama's kind, with the 256 bytes.
func smallPieces() convert.Vocabulary {
	v := noIDs(convert.Vocabulary{Model: "llama", Tokens: []string{"<unk>", "<s>", "</s>"}, Types: []int32{convert.UnknownType, convert.ControlType, convert.ControlType}})
	for b := range 256 {
		v.Tokens = append(v.Tokens, fmt.Sprintf("<0x%02X>", b))
		v.Types = append(v.Types, convert.ByteType)
	}
	for _, token := range []string{"▁a", "ab", "▁ab", "▁", "a", "b", "c", "é"} {
		v.Tokens = append(v.Tokens, token)
		v.Types = append(v.Types, convert.NormalType)
	}
	v.Scores = make([]float32, len(v.Tokens))
	for i := range v.Scores {
		v.Scores[i] = -float32(i)
	}
	return v
}

// smallBytes returns one of GPT-2's kind.
func smallBytes() convert.Vocabulary {
	v := noIDs(convert.Vocabulary{Model: "gpt2", Pre: "gpt-2", Merges: []string{"a b", "Ġ a", "Ġa b"}})
	characters := make([]string, 256)
	for r, b := range byteLevelByte {
		characters[b] = string(r)
	}
	v.Tokens = append(characters, "ab", "Ġa", "Ġab", "<|end|>", "<tool>")
	v.Types = slices.Repeat([]int32{convert.NormalType}, len(v.Tokens))
	v.Types[259], v.Types[260] = convert.ControlType, convert.UserDefinedType
	return v
}

// smallWords returns one of BERT's kind.
func smallWords() convert.Vocabulary {
	return noIDs(convert.Vocabulary{
		Model:  "bert",
		Tokens: []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "▁the", "▁a", "b", "s", "▁é"},
		Types:  []int32{3, 3, 3, 3, 1, 1, 1, 1, 1},
	})
}

// smallUnigram returns one of T5's kind.
func smallUnigram() convert.Vocabulary {
	return noIDs(convert.Vocabulary{
		Model:  "t5",
		Tokens: []string{"<pad>", "</s>", "<unk>", "▁", "▁a", "b", "ab", "é"},
		Scores: []float32{0, 0, 0, -2, -3, -4, -5, -6},
		Types:  []int32{3, 3, 2, 1, 1, 1, 1, 1},
	})
}

func smallMerged() convert.Vocabulary {
	v := smallPieces()
	v.Model, v.Scores, v.Merges = "gemma4", nil, []string{"▁ a", "a b", "▁a b"}
	return v
}

type hostileVocabulary struct {
	name string
	v    convert.Vocabulary
	want string // part of the sentence; "" if it has to work
}

// hostileVocabularies are bad in one way each.
func hostileVocabularies() []hostileVocabulary {
	with := func(v convert.Vocabulary, change func(*convert.Vocabulary)) convert.Vocabulary {
		change(&v)
		return v
	}
	pieces := func(change func(*convert.Vocabulary)) convert.Vocabulary { return with(smallPieces(), change) }
	bytes := func(change func(*convert.Vocabulary)) convert.Vocabulary { return with(smallBytes(), change) }
	words := func(change func(*convert.Vocabulary)) convert.Vocabulary { return with(smallWords(), change) }
	unigram := func(change func(*convert.Vocabulary)) convert.Vocabulary { return with(smallUnigram(), change) }
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	var binary []string // all words of a and b, each of which can be split at every place
	for n := 1; n <= 12; n++ {
		for bits := range 1 << n {
			binary = append(binary, strings.NewReplacer("0", "a", "1", "b").Replace(fmt.Sprintf("%0*b", n, bits)))
		}
	}
	return []hostileVocabulary{
		{"nothing", convert.Vocabulary{}, "no tokens"},
		{"no model", convert.Vocabulary{Tokens: []string{"a"}}, "doesn't say of what kind"},
		{"unknown model", convert.Vocabulary{Model: "rwkv", Tokens: []string{"a"}}, `"rwkv"`},
		{"no vocabulary", convert.Vocabulary{Model: "none"}, "no tokens"},
		{"model of binary", convert.Vocabulary{Model: strings.Repeat("\x00\xff", 5000), Tokens: []string{"a"}}, "not known here"},
		{"no tokens, llama", convert.Vocabulary{Model: "llama"}, "no tokens"},
		{"no tokens, but merges", convert.Vocabulary{Model: "gpt2", Merges: []string{"a b"}}, "no tokens"},

		{"token twice", pieces(func(v *convert.Vocabulary) { v.Tokens[262] = "a" }), "both"},
		{"token twice, bytes", bytes(func(v *convert.Vocabulary) { v.Tokens[0] = v.Tokens[1] }), "both"},
		{"token twice without its mark", words(func(v *convert.Vocabulary) { v.Tokens[6], v.Types[6] = "##b", 3; v.Tokens[7] = "b" }), "both"},
		{"empty token", pieces(func(v *convert.Vocabulary) { v.Tokens[262] = "" }), ""},
		{"empty tokens", bytes(func(v *convert.Vocabulary) { v.Tokens = append(v.Tokens, "", "", ""); v.Types = nil }), ""},
		{"all tokens empty", noIDs(convert.Vocabulary{Model: "gpt2", Pre: "gpt-2", Tokens: make([]string, 300), Merges: []string{"a b"}}), "needs the token"},
		{"empty control token", words(func(v *convert.Vocabulary) { v.Tokens[0] = "" }), ""},
		{"token of 1 MB", pieces(func(v *convert.Vocabulary) { v.Tokens[262] = strings.Repeat("a", 1<<20) }), "1048576 bytes"},
		{"token of 4000 bytes", pieces(func(v *convert.Vocabulary) { v.Tokens[262] = strings.Repeat("a", 4000) }), "4000 bytes"},
		{"token of 4000 bytes, byte level", bytes(func(v *convert.Vocabulary) { v.Tokens[258] = strings.Repeat("x", 4000); v.Merges = v.Merges[:2] }), ""},
		{"token of invalid UTF-8", pieces(func(v *convert.Vocabulary) { v.Tokens[262] = "\xff\xfe" }), "not UTF-8"},
		{"token of half a character", unigram(func(v *convert.Vocabulary) { v.Tokens[5] = "\xc3" }), "not UTF-8"},
		{"token of NUL", pieces(func(v *convert.Vocabulary) { v.Tokens[262] = "a\x00b" }), ""},
		{"token of our mark", pieces(func(v *convert.Vocabulary) { v.Tokens[262] = definition.NulMark }), ""},
		{"control token of our mark", pieces(func(v *convert.Vocabulary) { v.Tokens[2] = definition.ControlMark + "<s>" }), ""},
		{"control characters", pieces(func(v *convert.Vocabulary) { v.Tokens[262] = "\n\t\"\\\u2028" }), ""},
		{"a million tokens", noIDs(convert.Vocabulary{Model: "llama", Tokens: numbered(1_000_000)}), "scores"},
		{"too many tokens", convert.Vocabulary{Model: "llama", Tokens: make([]string, definition.MaxTokens+1)}, "more than"},
		{"all control", with(noIDs(convert.Vocabulary{Model: "gpt2", Pre: "gpt-2", Tokens: numbered(30_000), Types: slices.Repeat([]int32{convert.ControlType}, 30_000), Merges: []string{"t1 t2"}}), func(v *convert.Vocabulary) { v.Tokens[12] = "t1t2" }), "adds more than"},
		{"all control, few", noIDs(convert.Vocabulary{Model: "llama", Tokens: []string{"<s>", "</s>", "<unk>"}, Types: []int32{3, 3, 2}, Scores: make([]float32, 3)}), ""},
		{"all bytes", with(smallPieces(), func(v *convert.Vocabulary) {
			v.Tokens, v.Types, v.Scores = v.Tokens[:259], v.Types[:259], v.Scores[:259]
		}), ""},
		{"all user-defined", pieces(func(v *convert.Vocabulary) { v.Types = slices.Repeat([]int32{convert.UserDefinedType}, len(v.Tokens)) }), ""},
		{"all unused", pieces(func(v *convert.Vocabulary) { v.Types = slices.Repeat([]int32{convert.UnusedType}, len(v.Tokens)) }), ""},

		{"types missing", pieces(func(v *convert.Vocabulary) { v.Types = nil }), ""},
		{"types short", pieces(func(v *convert.Vocabulary) { v.Types = v.Types[:5] }), "only of 5"},
		{"types long", pieces(func(v *convert.Vocabulary) { v.Types = append(v.Types, 3, 3, 3) }), ""},
		{"types out of range", pieces(func(v *convert.Vocabulary) { v.Types = slices.Repeat([]int32{-7, 99, math.MaxInt32}, 100) }), ""},
		{"scores missing", pieces(func(v *convert.Vocabulary) { v.Scores = nil }), "needs a score"},
		{"scores short", pieces(func(v *convert.Vocabulary) { v.Scores = v.Scores[:9] }), "9 scores"},
		{"scores long", pieces(func(v *convert.Vocabulary) { v.Scores = append(v.Scores, nan) }), ""},
		{"score NaN", pieces(func(v *convert.Vocabulary) { v.Scores[260] = nan }), "NaN"},
		{"score infinite", pieces(func(v *convert.Vocabulary) { v.Scores[260] = -inf }), "Inf"},
		{"scores equal", pieces(func(v *convert.Vocabulary) { clear(v.Scores) }), ""},
		{"scores huge", pieces(func(v *convert.Vocabulary) { v.Scores[260] = math.MaxFloat32; v.Scores[261] = -math.MaxFloat32 }), ""},
		{"scores missing, T5", unigram(func(v *convert.Vocabulary) { v.Scores = nil }), "needs a score"},
		{"score NaN, T5", unigram(func(v *convert.Vocabulary) { v.Scores[4] = nan }), "NaN"},
		{"score positive, T5", unigram(func(v *convert.Vocabulary) { v.Scores[4] = 1e30; v.Scores[5] = math.MaxFloat32 }), ""},

		{"no bytes and nothing unknown", noIDs(convert.Vocabulary{Model: "llama", Tokens: []string{"a", "b"}, Scores: make([]float32, 2)}), "0 of the 256 bytes"},
		{"half of the bytes", with(smallPieces(), func(v *convert.Vocabulary) {
			v.Tokens, v.Types, v.Scores = v.Tokens[130:], v.Types[130:], v.Scores[130:]
		}), "129 of the 256 bytes"},
		{"half of the bytes, the rest unknown", pieces(func(v *convert.Vocabulary) {
			for b := range 128 {
				v.Tokens[3+2*b] = fmt.Sprintf("gone%d", b)
			}
		}), ""},
		{"nothing unknown, T5", unigram(func(v *convert.Vocabulary) { v.Tokens[2] = "what"; v.Types = nil }), "unknown"},
		{"no ends, BERT", noIDs(convert.Vocabulary{Model: "bert", Tokens: []string{"▁a", "b"}}), "classification"},
		{"no unknown, BERT", words(func(v *convert.Vocabulary) { v.Tokens[1] = "x" }), "unknown"},
		{"bytes lack all but one", noIDs(convert.Vocabulary{Model: "gpt2", Pre: "gpt-2", Tokens: []string{"a", "aa"}, Merges: []string{"a a"}}), ""},
		{"bytes lack all", noIDs(convert.Vocabulary{Model: "gpt2", Pre: "gpt-2", Tokens: []string{"ab", "cd", "abcd"}, Merges: []string{"ab cd"}}), "no tokens for any text"},

		{"merges missing", bytes(func(v *convert.Vocabulary) { v.Merges = nil }), "no merges"},
		{"merge without a space", bytes(func(v *convert.Vocabulary) { v.Merges[1] = "ab" }), "not a pair"},
		{"merge of nothing", bytes(func(v *convert.Vocabulary) { v.Merges[1] = "" }), "not a pair"},
		{"merge of a space", bytes(func(v *convert.Vocabulary) { v.Merges[1] = " " }), "not a pair"},
		{"merge of two spaces", bytes(func(v *convert.Vocabulary) { v.Merges[1] = "  " }), "not a pair"},
		{"merge with a left side only", bytes(func(v *convert.Vocabulary) { v.Merges[1] = "a " }), "not a pair"},
		{"merge of three", bytes(func(v *convert.Vocabulary) { v.Merges[1] = "a b c" }), "needs the token"},
		{"merge of unknown tokens", bytes(func(v *convert.Vocabulary) { v.Merges[1] = "zebra x" }), "needs the token"},
		{"merge to an unknown token", bytes(func(v *convert.Vocabulary) { v.Merges[1] = "b a" }), "needs the token"},
		{"merge twice", bytes(func(v *convert.Vocabulary) { v.Merges = slices.Repeat(v.Merges, 3) }), ""},
		{"merges in a circle", bytes(func(v *convert.Vocabulary) {
			v.Tokens = append(v.Tokens, "aba", "bab", "abab")
			v.Types = nil
			v.Merges = []string{"a b", "ab a", "b ab", "ab ab", "aba b", "a bab", "a b"}
		}), ""},
		{"merges backwards", bytes(func(v *convert.Vocabulary) { slices.Reverse(v.Merges) }), ""},
		{"merge of invalid UTF-8", bytes(func(v *convert.Vocabulary) { v.Merges[1] = "a \xff" }), "not UTF-8"},
		{"merge like a version", bytes(func(v *convert.Vocabulary) {
			v.Tokens = append(v.Tokens, "#version", "#versiona")
			v.Types, v.Merges = nil, append(v.Merges, "#version a")
		}), ""},
		{"merges, Gemma 4", smallMerged(), ""},
		{"no merges, Gemma 4", with(smallMerged(), func(v *convert.Vocabulary) { v.Merges = nil }), "no merges"},
		{"pieces that come apart everywhere", noIDs(convert.Vocabulary{Model: "llama", Tokens: append(binary, "<unk>"), Scores: make([]float32, len(binary)+1)}), ""},

		{"ids out of range", pieces(func(v *convert.Vocabulary) {
			v.BOS, v.EOS, v.EOT, v.UNK, v.PAD, v.SEP, v.CLS, v.MASK = 267, 1<<30, math.MaxInt32, -2, math.MinInt32, 99999, 267, 268
		}), ""},
		{"ids out of range, BERT", words(func(v *convert.Vocabulary) { v.CLS, v.SEP, v.UNK = 100, 200, 300 }), ""},
		{"every id the same", bytes(func(v *convert.Vocabulary) {
			v.BOS, v.EOS, v.EOT, v.UNK, v.PAD, v.SEP, v.CLS, v.MASK = 65, 65, 65, 65, 65, 65, 65, 65
		}), ""},
		{"every id the same, T5", unigram(func(v *convert.Vocabulary) {
			v.BOS, v.EOS, v.EOT, v.UNK, v.PAD, v.SEP, v.CLS, v.MASK = 4, 4, 4, 4, 4, 4, 4, 4
		}), ""},
		{"ends that are wanted and missing", bytes(func(v *convert.Vocabulary) { yes := true; v.AddBOS, v.AddEOS = &yes, &yes }), ""},
		{"unknown split", bytes(func(v *convert.Vocabulary) { v.Pre = "from-the-future" }), `"from-the-future"`},
		{"split of binary", bytes(func(v *convert.Vocabulary) { v.Pre = strings.Repeat("\xff\x00", 1<<16) }), "not known here"},
		{"split for another kind", words(func(v *convert.Vocabulary) { v.Pre = "from-the-future" }), ""},
		{"character map cut short", unigram(func(v *convert.Vocabulary) { v.Charsmap = []byte{1, 2} }), "character map"},
		{"character map of noise", unigram(func(v *convert.Vocabulary) { v.Charsmap = []byte(strings.Repeat("\x04\x00\x00\x00", 9)) }), "charsmap"},
		{"user-defined token of spaces", pieces(func(v *convert.Vocabulary) { v.Tokens[262] = "    "; v.Types[262] = convert.UserDefinedType }), ""},
		{"control token of one letter", pieces(func(v *convert.Vocabulary) { v.Types[263] = convert.ControlType }), ""},
		{"control token that merges make", bytes(func(v *convert.Vocabulary) { v.Types[258] = convert.ControlType }), ""},
		{"unknown token is a byte", pieces(func(v *convert.Vocabulary) { v.UNK = 100 }), ""},
	}
}

func numbered(n int) (tokens []string) {
	for i := range n {
		tokens = append(tokens, fmt.Sprintf("t%d", i))
	}
	return tokens
}

// TestManyTokens opens vocabularies up to the size of the largest published ones. The
// processor time must grow with the number of tokens, not with its square.
func TestManyTokens(t *testing.T) {
	open := func(n int) float64 {
		v := smallPieces()
		v.Tokens = append(v.Tokens, numbered(n)...)
		v.Types, v.Scores = append(v.Types, make([]int32, n)...), append(v.Scores, make([]float32, n)...)
		start := cpu()
		tok := openVocabulary(t, v)
		took := cpu() - start
		last := fmt.Sprintf("t%d", n-1)
		e := mustEncode(t, tok, "a "+last, Options{})
		if id, _ := tok.TokenID(last); tok.VocabSize() != len(v.Tokens) || len(e.IDs) == 0 || id != int32(len(v.Tokens)-1) {
			t.Errorf("%d tokens, of which the last is %d", tok.VocabSize(), id)
		}
		return took
	}
	const few, times = 25_000, 10
	small, large := open(few), open(times*few)
	if large > 4*times*small+2 {
		t.Errorf("%d tokens take %.2f s, %d of them %.2f s of CPU", few, small, times*few, large)
	}
}

// TestHostileVocabularies opens each and uses those that open. A panic in the library
// ends the test's process.
func TestHostileVocabularies(t *testing.T) {
	for _, c := range hostileVocabularies() {
		t.Run(c.name, func(t *testing.T) {
			start := cpu()
			tok, err := FromVocabulary(c.v)
			if took := cpu() - start; took > patience {
				t.Errorf("it took %.1f s of CPU", took)
			}
			switch {
			case err != nil && c.want == "":
				t.Errorf("it does not open: %v", err)
			case err != nil:
				checkVocabularySentence(t, err, c.want)
			case c.want != "":
				tok.Close()
				t.Errorf("it opens, but should say %q", c.want)
			default:
				for _, w := range tok.Warnings() {
					if !strings.HasPrefix(w, "This file") || !strings.HasSuffix(w, ".") || len(w) > 400 {
						t.Errorf("the warning is no sentence: %q", w)
					}
				}
				exerciseVocabulary(t, tok)
			}
		})
	}
	t.Logf("%d vocabularies", len(hostileVocabularies()))
}

func checkVocabularySentence(t *testing.T, err error, want string) {
	t.Helper()
	s := err.Error()
	if !strings.HasPrefix(s, "this file's vocabulary can't be used: ") || !strings.Contains(s, "; get this file again") {
		t.Errorf("the sentence doesn't say what can't be used or what to do: %s", s)
	}
	if !strings.Contains(s, want) {
		t.Errorf("the sentence lacks %q: %s", want, s)
	}
	if len(s) > 600 || strings.ContainsAny(s, "\n\x00") {
		t.Errorf("the sentence is too long or holds control characters: %.700q", s)
	}
}

// exerciseVocabulary uses a tokenizer in every way, chats and bytes included.
func exerciseVocabulary(t *testing.T, tok *Tokenizer) {
	t.Helper()
	for id := range min(tok.MaxID()+1, 400) {
		_ = tok.TokenBytes(id)
	}
	for _, text := range []string{"", "a<s>b", "<|end|> ab <tool>", "[CLS]é[SEP]\x00\xff"} {
		_, _ = tok.EncodeChat(t.Context(), text, nil)
		_, _ = tok.EncodeChat(t.Context(), text, []int{0, 1})
	}
	exercise(t, tok)
}

// TestMutatedVocabularies changes working vocabularies at random.
func TestMutatedVocabularies(t *testing.T) {
	opened := 0
	n := *mutations / 2
	for seed := range n {
		tok, err := FromVocabulary(mutatedVocabulary(rand.New(rand.NewPCG(uint64(seed), 4))))
		if err != nil {
			checkVocabularySentence(t, err, "")
			continue
		}
		opened++
		exerciseVocabulary(t, tok)
	}
	t.Logf("%d of %d vocabularies opened", opened, n)
	if opened < n/5 {
		t.Error("nearly no vocabulary opened: the library was not tested")
	}
}

func smallVocabularies() []convert.Vocabulary {
	return []convert.Vocabulary{smallPieces(), smallBytes(), smallWords(), smallUnigram(), smallMerged()}
}

func mutatedVocabulary(r *rand.Rand) convert.Vocabulary {
	v := smallVocabularies()[r.IntN(5)]
	words := []string{"", " ", "  ", "a", "ab", "b", "é", "\u0301", "▁", "▁▁", "▁a", "<s>", "<0x41>", "<0xZZ>", "[UNK]", "##b", "Ġ", "Ġa", "\x00", "\n", definition.NulMark, definition.ControlMark, "\U0010ffff", "\xff", strings.Repeat("ab", 100)}
	ids := []*int32{&v.BOS, &v.EOS, &v.EOT, &v.UNK, &v.PAD, &v.SEP, &v.CLS, &v.MASK}
	flags := []**bool{&v.AddBOS, &v.AddEOS, &v.AddSpacePrefix, &v.RemoveExtraWhitespaces, &v.Lowercase, &v.StripAccents}
	pres := convert.Splits()
	slices.Sort(pres)
	for range 1 + r.IntN(5) {
		switch r.IntN(10) {
		case 0, 1:
			v.Tokens[r.IntN(len(v.Tokens))] = words[r.IntN(len(words))]
		case 2:
			if len(v.Types) > 0 {
				v.Types[r.IntN(len(v.Types))] = int32(r.IntN(9)) - 1
			}
		case 3:
			*ids[r.IntN(len(ids))] = int32(r.IntN(len(v.Tokens)+3)) - 2
		case 4:
			b := r.IntN(2) == 0
			*flags[r.IntN(len(flags))] = &b
		case 5:
			if len(v.Scores) > 0 {
				v.Scores[r.IntN(len(v.Scores))] = float32(r.NormFloat64() * 100)
			}
		case 6:
			v.Pre = pres[r.IntN(len(pres))]
		case 7:
			v.Merges = append(v.Merges, words[r.IntN(len(words))]+" "+words[r.IntN(len(words))])
		case 8:
			v.Tokens = append(v.Tokens, words[r.IntN(len(words))]+words[r.IntN(len(words))])
			v.Types, v.Scores = append(v.Types, int32(r.IntN(7))), append(v.Scores, float32(r.IntN(9)))
		default:
			v.Architecture = []string{"phi3", "falcon", "qwen2", ""}[r.IntN(4)]
		}
	}
	return v
}

// FuzzVocabulary reads small vocabularies from bytes: the kind, then tokens, types and
// merges as lines.
func FuzzVocabulary(f *testing.F) {
	for kind := range uint8(5) {
		v := smallVocabularies()[kind]
		f.Add(kind, "gpt-2", strings.Join(v.Tokens, "\n"), fmt.Sprintf("%c", v.Types), strings.Join(v.Merges, "\n"), int32(-1), int32(1), "a ab é<s>")
	}
	f.Add(uint8(1), "deepseek-llm", "a\nb\nab\nĠ\nĊ", "\x01\x01\x01\x01\x03", "a b", int32(0), int32(2), "a\u3000 b  ab")
	kinds := []string{"llama", "gpt2", "bert", "t5", "gemma4"}
	f.Fuzz(func(t *testing.T, kind uint8, pre, tokens, types, merges string, begin, unknown int32, text string) {
		if len(tokens) > 1<<16 || len(merges) > 1<<16 || len(text) > 1<<12 {
			return
		}
		v := noIDs(convert.Vocabulary{Model: kinds[int(kind)%len(kinds)], Pre: pre, Tokens: strings.Split(tokens, "\n"), BOS: begin, UNK: unknown})
		v.BOS, v.UNK = begin, unknown
		if merges != "" {
			v.Merges = strings.Split(merges, "\n")
		}
		v.Types = make([]int32, len(v.Tokens))
		v.Scores = make([]float32, len(v.Tokens))
		for i := range v.Tokens {
			v.Types[i], v.Scores[i] = convert.NormalType, -float32(i)
			if i < len(types) {
				v.Types[i] = int32(types[i])
			}
		}
		tok, err := FromVocabulary(v)
		if err != nil {
			checkVocabularySentence(t, err, "")
			return
		}
		if _, err := tok.Encode(text, Options{Attributes: true}); err == nil {
			_, _ = tok.EncodeChat(t.Context(), text, []int{0})
		}
		exerciseVocabulary(t, tok)
	})
}
