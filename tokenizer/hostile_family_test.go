package tokenizer

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"inglenook/tokenizer/definition"
)

// familyFiles are small files with the parts that the published ones of these families have.
func familyFiles() map[string]string {
	special := func(id int, token string) string {
		return fmt.Sprintf(`{"id":%d,"content":%q,"single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true}`, id, token)
	}
	ends := func(before, after string, ids map[string]int) string {
		piece := func(token string) string { return fmt.Sprintf(`{"SpecialToken":{"id":%q,"type_id":0}}`, token) }
		const a, b = `{"Sequence":{"id":"A","type_id":0}}`, `{"Sequence":{"id":"B","type_id":0}}`
		var known []string
		for _, token := range slices.Sorted(maps.Keys(ids)) {
			known = append(known, fmt.Sprintf(`%q:{"id":%q,"ids":[%d],"tokens":[%q]}`, token, token, ids[token], token))
		}
		single, pair := a+","+piece(after), a+","+piece(after)+","+b+","+piece(after)
		if before != "" {
			single, pair = piece(before)+","+single, piece(before)+","+pair
		}
		return fmt.Sprintf(`{"type":"TemplateProcessing","single":[%s],"pair":[%s],"special_tokens":{%s}}`, single, pair, strings.Join(known, ","))
	}
	var bytes []string // the alphabet of a byte-level vocabulary, from id 4 on
	for i, c := range alphabet() {
		bytes = append(bytes, fmt.Sprintf(`%q:%d`, c, i+4), fmt.Sprintf(`%q:%d`, c+"</w>", i+300))
	}
	const metaspace = `{"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":true}`
	const clip = `<\\|startoftext\\|>|<\\|endoftext\\|>|'s|'t|'re|'ve|'m|'ll|'d|[\\p{L}]+|[\\p{N}]|[^\\s\\p{L}\\p{N}]+`
	charsmap := charsmap(mapping('x', 0), "y\x00")
	return map[string]string{
		"T5": string(sections(map[string]string{
			"added_tokens":   "[" + special(0, "<pad>") + "," + special(1, "</s>") + "," + special(2, "<unk>") + "," + special(6, "<extra_id_0>") + "]",
			"normalizer":     charsmap,
			"pre_tokenizer":  `{"type":"Sequence","pretokenizers":[{"type":"WhitespaceSplit"},` + metaspace + `]}`,
			"post_processor": ends("", "</s>", map[string]int{"</s>": 1}), "decoder": metaspace,
			"model": `{"type":"Unigram","unk_id":2,"vocab":[["<pad>",0],["</s>",0],["<unk>",0],["▁",-2],["a",-1],["▁ab",-2.5],["<extra_id_0>",0]]}`,
		})),
		"DeBERTa v3": string(sections(map[string]string{
			"added_tokens":   "[" + special(0, "[PAD]") + "," + special(1, "[CLS]") + "," + special(2, "[SEP]") + "," + special(3, "[UNK]") + "," + special(7, "[MASK]") + "]",
			"normalizer":     `{"type":"Sequence","normalizers":[{"type":"Strip","strip_left":true,"strip_right":true},` + charsmap + `,{"type":"Replace","pattern":{"Regex":" {2,}"},"content":" "}]}`,
			"pre_tokenizer":  `{"type":"Sequence","pretokenizers":[` + metaspace + `]}`,
			"post_processor": ends("[CLS]", "[SEP]", map[string]int{"[CLS]": 1, "[SEP]": 2}), "decoder": metaspace,
			"model": `{"type":"Unigram","unk_id":3,"vocab":[["[PAD]",0],["[CLS]",0],["[SEP]",0],["[UNK]",0],["▁",-2],["a",-1],["▁ab",-2.5]]}`,
		})),
		"SigLIP": string(sections(map[string]string{
			"added_tokens":   "[" + special(1, "</s>") + "," + special(2, "<unk>") + "]",
			"normalizer":     `{"type":"Sequence","normalizers":[{"type":"Lowercase"},{"type":"Replace","pattern":{"Regex":"\\s+"},"content":" "},{"type":"Strip","strip_left":true,"strip_right":true},` + charsmap + `]}`,
			"pre_tokenizer":  metaspace,
			"post_processor": ends("", "</s>", map[string]int{"</s>": 1}), "decoder": metaspace,
			"model": `{"type":"Unigram","unk_id":2,"byte_fallback":false,"vocab":[["<pad>",0],["</s>",0],["<unk>",0],["▁",-2],["a",-1],["▁ab",-2.5]]}`,
		})),
		"CLIP": string(sections(map[string]string{
			"added_tokens":   "[" + special(0, "<|startoftext|>") + "," + special(1, "<|endoftext|>") + "]",
			"normalizer":     `{"type":"Sequence","normalizers":[{"type":"NFC"},{"type":"Replace","pattern":{"Regex":"\\s+"},"content":" "},{"type":"Lowercase"}]}`,
			"pre_tokenizer":  `{"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":"` + clip + `"},"behavior":"Removed","invert":true},{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true}]}`,
			"post_processor": `{"type":"RobertaProcessing","sep":["<|endoftext|>",1],"cls":["<|startoftext|>",0],"trim_offsets":false,"add_prefix_space":false}`,
			"decoder":        `{"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true}`,
			"model": `{"type":"BPE","dropout":null,"unk_token":"<|endoftext|>","continuing_subword_prefix":"","end_of_word_suffix":"</w>","fuse_unk":false,"vocab":{"<|startoftext|>":0,"<|endoftext|>":1,` +
				strings.Join(bytes, ",") + `,"ab":600,"ab</w>":601},"merges":["a b","a b</w>"]}`,
		})),
		"ModernBERT": string(sections(map[string]string{
			"added_tokens":   "[" + special(0, "[CLS]") + "," + special(1, "[SEP]") + "," + special(2, "[MASK]") + "]",
			"normalizer":     `{"type":"NFC"}`,
			"pre_tokenizer":  `{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":true}`,
			"post_processor": ends("[CLS]", "[SEP]", map[string]int{"[CLS]": 0, "[SEP]": 1}),
			"decoder":        `{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":true}`,
			"model": `{"type":"BPE","unk_token":null,"fuse_unk":false,"byte_fallback":false,"vocab":{"[CLS]":0,"[SEP]":1,"[MASK]":2,` + strings.Join(bytes, ",") +
				`,"ab":600},"merges":[["a","b"]]}`,
		})),
	}
}

// A familyEdit spoils a file; want is a part of the sentence, for the kind of model, "" where it is usable.
type familyEdit struct {
	name          string
	unigram, pair string // wanted of Unigram and of BPE; "–": not for this kind
	edit          func(file, model map[string]any)
}

// addPieces adds pieces to a Unigram list.
func addPieces(model map[string]any, extra ...any) {
	model["vocab"] = append(model["vocab"].([]any), extra...)
}

func familyEdits() []familyEdit {
	vocab := func(model map[string]any) map[string]any { return model["vocab"].(map[string]any) }
	added := func(file map[string]any, id float64, content string) {
		file["added_tokens"] = append(file["added_tokens"].([]any), map[string]any{"id": id, "content": content, "special": true})
	}
	return []familyEdit{
		{"as it is", "", "", func(_, _ map[string]any) {}},
		{"an id of 2^31", "–", "outside 0", func(_, m map[string]any) { vocab(m)["zz"] = 2147483648.0 }},
		{"the largest id", "–", "", func(_, m map[string]any) { vocab(m)["zz"] = float64(definition.MaxTokens - 1) }},
		{"an added id of 2^31", "outside 0", "outside 0", func(f, _ map[string]any) { added(f, 2147483648, "<huge>") }},
		{"an added id of 4,000,000", "", "", func(f, _ map[string]any) { added(f, 4_000_000, "<far>") }},
		{"a negative added id", "outside 0", "outside 0", func(f, _ map[string]any) { added(f, -1, "<neg>") }},
		{"no unknown token", "", "–", func(_, m map[string]any) { m["unk_id"] = nil }},
		{"an unknown token past the end", "unk_id is 700", "–", func(_, m map[string]any) { m["unk_id"] = 700.0 }},
		{"an unknown token that is missing", "–", "not in its vocab", func(_, m map[string]any) { m["unk_token"] = "<none>" }},
		{"an unknown token of a number", "bad field", "bad field", func(_, m map[string]any) { m["unk_id"], m["unk_token"] = "2", 5.0 }},
		{"pieces as an object", "instead of a list", "–", func(_, m map[string]any) { m["vocab"] = map[string]any{"a": 1.0} }},
		{"a vocabulary as a list", "–", "instead of an object", func(_, m map[string]any) { m["vocab"] = []any{[]any{"a", 1.0}} }},
		{"a score that is a text", "not a [piece, score] pair", "–", func(_, m map[string]any) { addPieces(m, []any{"zz", "-1"}) }},
		{"a score that is huge", "", "–", func(_, m map[string]any) { addPieces(m, []any{"zz", 1.7e308}, []any{"z", -1.7e308}) }},
		{"a piece of 5,000 bytes", "5000 bytes", "–", func(_, m map[string]any) { addPieces(m, []any{strings.Repeat("z", 5000), -1.0}) }},
		{"fifty thousand pieces that begin alike", "", "–", func(_, m map[string]any) {
			for i := range 50_000 {
				addPieces(m, []any{fmt.Sprintf("▁aaaaaaaa%d", i), -float64(i)})
			}
		}},
		{"merges that make themselves", "–", `which is not in its vocab`, func(_, m map[string]any) {
			m["merges"] = []any{[]any{"a", "b"}, []any{"ab", "ab"}, []any{"abab", "abab"}}
		}},
		{"merges that double up to 4,096 letters", "–", "", func(_, m map[string]any) { doubling(m, 12) }},
		{"merges that double up to 8,192 letters", "–", "8192 bytes", func(_, m map[string]any) { doubling(m, 13) }},
		{"fifty thousand merges", "–", "", func(_, m map[string]any) { manyMerges(m, 50_000) }},
		{"merges as an object", "–", "merges", func(_, m map[string]any) { m["merges"] = map[string]any{"a": "b"} }},
		{"a merge of three", "–", "not a pair", func(_, m map[string]any) { m["merges"] = []any{[]any{"a", "b", "a"}} }},
		{"end of a word as a list", "–", "bad field", func(_, m map[string]any) { m["end_of_word_suffix"] = []any{} }},
		{"an end of a word of a megabyte", "–", "", func(_, m map[string]any) { m["end_of_word_suffix"] = strings.Repeat("x", 1<<20) }},
		{"a model of another kind", "can't be used", "can't be used", func(_, m map[string]any) { m["type"] = "WordPiece" }},
	}
}

// doubling adds merges that make a token of 2^n letters, one after the other.
func doubling(model map[string]any, n int) {
	vocab := model["vocab"].(map[string]any)
	var merges []any
	for i := range n {
		half := strings.Repeat("a", 1<<i)
		vocab[half+half] = float64(1000 + i)
		merges = append(merges, []any{half, half})
	}
	model["merges"] = merges
}

// manyMerges adds n merges, each of a token that a merge before it made.
func manyMerges(model map[string]any, n int) {
	vocab := model["vocab"].(map[string]any)
	letters := "abcdefghijklmnopqrstuvwxyz"
	known := strings.Split(letters, "")
	var merges []any
	for next := 0; len(merges) < n; next++ {
		for _, c := range letters {
			token := known[next] + string(c)
			if _, ok := vocab[token]; !ok {
				vocab[token] = float64(1000 + len(merges))
				merges = append(merges, []any{known[next], string(c)})
				known = append(known, token)
			}
		}
	}
	model["merges"] = merges
}

// TestHostileFamilies opens spoiled files of each family and uses those that open. A panic in the
// library would end the test's process.
func TestHostileFamilies(t *testing.T) {
	for name, whole := range familyFiles() {
		for _, c := range familyEdits() {
			var file map[string]any
			if err := json.Unmarshal([]byte(whole), &file); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			model := file["model"].(map[string]any)
			want := c.unigram
			if model["type"] == "BPE" {
				want = c.pair
			}
			if want == "–" {
				continue
			}
			c.edit(file, model)
			data, err := json.Marshal(file)
			if err != nil {
				t.Fatal(err)
			}
			t.Run(name+"/"+c.name, func(t *testing.T) { tryFamily(t, data, want) })
		}
	}
}

// tryFamily opens a file within limits of time and memory, and uses it or reads the sentence.
func tryFamily(t *testing.T, data []byte, want string) {
	before, start := rss(t), cpu()
	tok, err := openJSON(data, definition.Config{})
	if took := cpu() - start; took > patience {
		t.Errorf("it took %.0f s of the processor", took)
	}
	if grown, most := rss(t)-before, 400<<20; grown > most {
		t.Errorf("it takes %d MB", grown>>20)
	}
	switch {
	case err != nil && want == "":
		t.Errorf("refused: %v", err)
	case err != nil:
		checkSentence(t, err, want)
	case want != "":
		tok.Close()
		t.Errorf("it opens, but should say %q", want)
	default:
		exercise(t, tok)
	}
}

// TestFamilySectionsOfWrongTypes puts a value of another type in the place of each section and of
// each field in it.
func TestFamilySectionsOfWrongTypes(t *testing.T) {
	values := []any{nil, true, 7.0, -1e300, "x", []any{}, map[string]any{}, []any{map[string]any{"type": 5.0}}}
	opened, refused := 0, 0
	for name, whole := range familyFiles() {
		try := func(where string, change func(file map[string]any)) {
			var file map[string]any
			if err := json.Unmarshal([]byte(whole), &file); err != nil {
				t.Fatal(err)
			}
			change(file)
			data, _ := json.Marshal(file)
			tok, err := openJSON(data, definition.Config{})
			if err != nil {
				refused++
				if checkSentence(t, err, ""); t.Failed() {
					t.Fatalf("%s, %s", name, where)
				}
				return
			}
			opened++
			exercise(t, tok)
		}
		var parts map[string]any
		if err := json.Unmarshal([]byte(whole), &parts); err != nil {
			t.Fatal(err)
		}
		for section, value := range parts {
			for _, v := range values {
				try(section, func(file map[string]any) { file[section] = v })
				fields, _ := value.(map[string]any)
				for field := range fields {
					try(section+"."+field, func(file map[string]any) { file[section].(map[string]any)[field] = v })
				}
			}
		}
	}
	t.Logf("%d files opened, %d were refused", opened, refused)
	if opened == 0 || refused == 0 {
		t.Error("all files opened, or none")
	}
}

// TestFamilyFilesCutOff cuts each family's file off in many places.
func TestFamilyFilesCutOff(t *testing.T) {
	for name, whole := range familyFiles() {
		for cut := 0; cut < len(whole); cut += 1 + len(whole)/200 {
			tok, err := openJSON([]byte(whole[:cut]), definition.Config{})
			if err == nil {
				tok.Close()
				t.Fatalf("%s: the first %d of %d bytes were accepted", name, cut, len(whole))
			}
			checkSentence(t, err, "")
		}
	}
}
