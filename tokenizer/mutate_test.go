package tokenizer

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"inglenook/tokenizer/definition"
)

var mutations = flag.Int("mutations", 500, "how many mutated tokenizer files TestMutatedFiles tries")

// richFiles are small valid files that together use every component.
func richFiles() [][]byte {
	const specials = `"added_tokens":[{"id":0,"content":"<s>","single_word":false,"lstrip":true,"rstrip":true,"normalized":true,"special":true},{"id":1,"content":"ab","single_word":true,"lstrip":false,"rstrip":false,"normalized":true,"special":false},{"id":40,"content":"é x","single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":false}]`
	const post = `"post_processor":{"type":"Sequence","processors":[{"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true,"use_regex":true},{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<s>","type_id":0}},{"Sequence":{"id":"A","type_id":0}}],"pair":[{"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"<s>","type_id":0}},{"Sequence":{"id":"B","type_id":1}}],"special_tokens":{"<s>":{"id":"<s>","ids":[0],"tokens":["<s>"]}}}]}`
	normalizers := []string{
		`{"type":"Sequence","normalizers":[{"type":"NFKD"},{"type":"StripAccents"},{"type":"Lowercase"},{"type":"Strip","strip_left":true,"strip_right":true}]}`,
		`{"type":"Sequence","normalizers":[{"type":"Prepend","prepend":"▁"},{"type":"Replace","pattern":{"String":" "},"content":"▁"},{"type":"Nmt"},{"type":"NFC"}]}`,
		`{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"lowercase":true}`,
		charsmap(mapping('x', 0), "yé\x00"),
		`{"type":"Sequence","normalizers":[{"type":"Replace","pattern":{"Regex":"[a-c]+"},"content":"é"},{"type":"ByteLevel"}]}`,
	}
	preTokenizers := []string{
		`{"type":"BertPreTokenizer"}`,
		`{"type":"Sequence","pretokenizers":[{"type":"WhitespaceSplit"},{"type":"Metaspace","replacement":"▁","prepend_scheme":"first","split":true}]}`,
		`{"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":"\\s+"},"behavior":"MergedWithNext","invert":true},{"type":"Digits","individual_digits":true},{"type":"Punctuation","behavior":"Contiguous"}]}`,
		`{"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true,"use_regex":true}`,
		`{"type":"Sequence","pretokenizers":[{"type":"CharDelimiterSplit","delimiter":"a"},{"type":"UnicodeScripts"},{"type":"Whitespace"}]}`,
	}
	decoders := []string{
		`{"type":"WordPiece","prefix":"##","cleanup":true}`,
		`{"type":"Sequence","decoders":[{"type":"Replace","pattern":{"String":"▁"},"content":" "},{"type":"ByteFallback"},{"type":"Fuse"},{"type":"Strip","content":" ","start":1,"stop":0}]}`,
		`{"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":true}`,
		`{"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true,"use_regex":true}`,
		`{"type":"Sequence","decoders":[{"type":"BPEDecoder","suffix":"</w>"},{"type":"CTC","pad_token":"<s>","word_delimiter_token":"a","cleanup":true}]}`,
	}
	const vocab = `"vocab":{"<s>":0,"ab":1,"a":2,"b":3,"▁":4,"▁a":5,"##b":6,"Ġ":7,"?":8,"é":9,"<0x41>":10,"<0xC3>":11,"Ā":12,"a</w>":13,"b</w>":14,"ab</w>":15}`
	models := []string{
		`{"type":"WordPiece","unk_token":"?","continuing_subword_prefix":"##","max_input_chars_per_word":20,` + vocab + `}`,
		`{"type":"BPE","unk_token":"?","continuing_subword_prefix":"","end_of_word_suffix":"</w>","fuse_unk":true,"byte_fallback":true,"ignore_merges":false,` + vocab + `,"merges":["a b","a b</w>"]}`,
		`{"type":"Unigram","unk_id":3,"byte_fallback":true,"vocab":[["<s>",0],["ab",-1.5],["a",-2],["?",0],["▁",-1],["▁a",-1],["<0x41>",-9],["é",-3]]}`,
		`{"type":"WordLevel","unk_token":"?",` + vocab + `}`,
		`{"type":"BPE","unk_token":null,"continuing_subword_prefix":"##","ignore_merges":true,` + vocab + `,"merges":[["a","##b"]]}`,
	}
	var files [][]byte
	for i := range 25 {
		n, p, d, m := normalizers[i%5], preTokenizers[(i/5+i)%5], decoders[(i/5+2*i)%5], models[(i/5+3*i)%5]
		files = append(files, fmt.Appendf(nil, `{"version":"1.0","truncation":{"max_length":8,"strategy":"LongestFirst","stride":0},"padding":{"strategy":"BatchLongest","direction":"Right","pad_to_multiple_of":8,"pad_id":0,"pad_type_id":0,"pad_token":"<s>"},%s,"normalizer":%s,"pre_tokenizer":%s,%s,"decoder":%s,"model":%s}`, specials, n, p, post, d, m))
	}
	return files
}

var nasty = []any{
	nil, true, false, 0.0, 1.0, -1.0, 2.0, 0.5, 1e9, 4294967296.0, 1e300, "", " ", "a", "ab", "é", "\u0301", "\x00", "▁", "##", "##b", "<s>", "?", definition.NulMark, definition.ControlMark + "<s>",
	"  \n", "a+", `\s*`, `(a|b)*c`, ".", `\b`, "^", "$", `(?=a)`, "\U0010ffff",
	[]any{},
	map[string]any{},
	[]any{"a", "b"},
	map[string]any{"Regex": `\s`},
	map[string]any{"Regex": "^"},
	map[string]any{"Regex": "a*"},
	map[string]any{"String": "é"},
	map[string]any{"Regex": `(?i)[é-ž]?`},
}

// clone copies a JSON value.
func clone(v any) any {
	data, _ := json.Marshal(v)
	var c any
	_ = json.Unmarshal(data, &c)
	return c
}

// mutate changes one random place of v and returns the new v.
func mutate(r *rand.Rand, v any) any {
	if r.IntN(6) == 0 {
		return clone(nasty[r.IntN(len(nasty))])
	}
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 0 {
			return clone(nasty[r.IntN(len(nasty))])
		}
		keys := slices.Sorted(maps.Keys(v))
		key := keys[r.IntN(len(keys))]
		switch r.IntN(10) {
		case 0:
			delete(v, key)
		case 1:
			if word, ok := nasty[r.IntN(len(nasty))].(string); ok {
				v[word] = clone(v[key])
			}
		case 2:
			v[key] = clone(v[keys[r.IntN(len(keys))]])
		default:
			v[key] = mutate(r, v[key])
		}
		return v
	case []any:
		if len(v) == 0 {
			return []any{clone(nasty[r.IntN(len(nasty))])}
		}
		i := r.IntN(len(v))
		switch r.IntN(8) {
		case 0:
			return slices.Delete(v, i, i+1)
		case 1:
			return append(v, clone(v[i]))
		case 2:
			j := r.IntN(len(v))
			v[i], v[j] = v[j], v[i]
		default:
			v[i] = mutate(r, v[i])
		}
		return v
	case string:
		if len(v) > 0 && r.IntN(3) == 0 {
			i := r.IntN(len(v))
			return v[:i] + []string{"", " ", "é", "a", "\u0301"}[r.IntN(5)] + v[i:]
		}
	}
	return clone(nasty[r.IntN(len(nasty))])
}

// TestMutatedFiles changes valid files at random and uses those that still open. A panic
// in the library ends the test's process; -mutations=100000 tries more.
func TestMutatedFiles(t *testing.T) {
	files := richFiles()
	opened := 0
	trace := os.Getenv("TRACE_MUTATIONS") // the last file tried, to see after an abort
	for seed := range *mutations {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		var v any
		if err := json.Unmarshal(files[seed%len(files)], &v); err != nil {
			t.Fatal(err)
		}
		for range r.IntN(4) {
			v = mutate(r, v)
		}
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if trace != "" {
			if err := os.WriteFile(trace, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		tok, err := openJSON(data, definition.Config{})
		if err != nil {
			checkSentence(t, err, "")
			continue
		}
		opened++
		exercise(t, tok)
	}
	t.Logf("%d of %d files opened", opened, *mutations)
	if opened < *mutations/20 {
		t.Error("nearly no file opened: the library was not tested")
	}
}

func FuzzTokenizerJSON(f *testing.F) {
	for _, data := range richFiles() {
		f.Add(data)
	}
	for _, c := range hostileFiles() {
		if len(c.data) < 4096 {
			f.Add(c.data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tok, err := openJSON(data, definition.Config{})
		if err != nil {
			checkSentence(t, err, "")
			return
		}
		exercise(t, tok)
	})
}
