package tokenizer

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"inglenook/tokenizer/definition"
)

// sections builds a small valid tokenizer.json with some sections replaced by
// raw JSON; "" leaves a section out.
func sections(replace map[string]string) []byte {
	all := map[string]string{
		"version":        `"1.0"`,
		"truncation":     `null`,
		"padding":        `null`,
		"added_tokens":   `[{"id":0,"content":"[UNK]","single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true}]`,
		"normalizer":     `{"type":"Lowercase"}`,
		"pre_tokenizer":  `{"type":"Whitespace"}`,
		"post_processor": `null`,
		"decoder":        `{"type":"WordPiece","prefix":"##","cleanup":true}`,
		"model":          wordPieceModel,
	}
	maps.Copy(all, replace)
	var parts []string
	for key, value := range all {
		if value != "" {
			parts = append(parts, fmt.Sprintf("%q:%s", key, value))
		}
	}
	return []byte("{" + strings.Join(parts, ",") + "}")
}

const (
	wordPieceModel = `{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,"vocab":{"[UNK]":0,"the":1,"lake":2,"a":3,"##b":4}}`
	bpeModel       = `{"type":"BPE","unk_token":null,"vocab":{"a":0,"b":1,"ab":2},"merges":["a b"]}`
	unigramModel   = `{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],["a",-1],["b",-2.5]]}`
	wordLevelModel = `{"type":"WordLevel","unk_token":"?","vocab":{"?":0,"a":1}}`
)

// section returns a small file with one section replaced.
func section(name, value string) []byte { return sections(map[string]string{name: value}) }

// edited returns a small file in whose model old is replaced by new.
func edited(model, old, new string) []byte {
	if !strings.Contains(model, old) {
		panic(old + " is not in " + model)
	}
	return sections(map[string]string{"model": strings.Replace(model, old, new, 1), "added_tokens": ""})
}

// charsmap returns a Precompiled normalizer with a trie of n units and the given
// replacements.
func charsmap(units []uint32, replacements string) string {
	data := binary.LittleEndian.AppendUint32(nil, uint32(4*len(units)))
	for _, u := range units {
		data = binary.LittleEndian.AppendUint32(data, u)
	}
	data = append(data, replacements...)
	return fmt.Sprintf(`{"type":"Precompiled","precompiled_charsmap":%q}`, base64.StdEncoding.EncodeToString(data))
}

// mapping returns a trie that maps only the byte b, to the replacement at value.
func mapping(b byte, value uint32) []uint32 {
	units := make([]uint32, 512)
	units[0] = 256 << 10              // the root's place is 256
	child := 256 ^ int(b)             // where b is looked up
	units[child] = 1<<8 | uint32(b)   // it has a value, at its own place…
	units[child] |= uint32(256) << 10 // …which is child^256
	units[child^256] = 1<<31 | value
	return units
}

type hostileFile struct {
	name string
	data []byte
	want string // part of the sentence; "" = it is usable
}

func hostileFiles() []hostileFile {
	deep := func(open, end string, n int) string { return strings.Repeat(open, n) + strings.Repeat(end, n) }
	regex := func(pattern string) []byte {
		q, _ := json.Marshal(pattern)
		return section("pre_tokenizer", fmt.Sprintf(`{"type":"Split","pattern":{"Regex":%s},"behavior":"Isolated","invert":false}`, q))
	}
	added := func(token string) []byte { return section("added_tokens", "["+token+"]") }
	template := func(post string) []byte { return section("post_processor", post) }
	outside := mapping('x', 0)
	outside[0] = 5000 << 10
	huge := make([]string, 20_001)
	for i := range huge {
		huge[i] = fmt.Sprintf(`{"id":%d,"content":"t%d"}`, i, i)
	}
	manyParts := strings.TrimSuffix(strings.Repeat(`{"type":"Lowercase"},`, 65), ",")
	return []hostileFile{
		// The file as a whole.
		{"empty", nil, "it is empty"},
		{"one byte", []byte("{"), "not valid JSON"},
		{"not JSON", []byte("PK\x03\x04"), "not valid JSON"},
		{"an array", []byte("[]"), "an array instead of an object"},
		{"a string", []byte(`"x"`), "a string instead of an object"},
		{"null", []byte("null"), "null instead of an object"},
		{"no model", []byte("{}"), "its model is nothing"},
		{"byte order mark", append([]byte("\xef\xbb\xbf"), section("truncation", "null")...), "byte order mark"},
		{"UTF-16", []byte("{\x00}\x00"), "not valid JSON"},
		{"broken UTF-8", section("normalizer", "\"\xff\""), "not UTF-8"},
		{"trailing text", append(section("truncation", "null"), "{}"...), "not valid JSON"},
		{"a million deep", []byte(deep("[", "]", 1_000_000)), "nests"},
		{"a million objects deep", []byte(deep(`{"a":`, "}", 1_000_000)), "nests"},
		{"deep in a section", section("normalizer", deep("[", "]", 100)), "nests"},
		{"unclosed a million deep", []byte(strings.Repeat("[", 1_000_000)), "nests"},
		{"too large", []byte(`{"x":"` + strings.Repeat("x", definition.MaxFileBytes) + `"}`), "more than the 64 MB"},
		{"unknown version", section("version", `"2.0"`), "only \"1.0\" is known"},
		{"a section twice", []byte(`{"model":` + bpeModel + `,"model":` + bpeModel + `}`), "\"model\" twice"},
		{"unknown section", section("extra", `{"x":1}`), ""},
		{"senseless truncation", section("truncation", `{"max_length":-5,"stride":1e300}`), ""},
		{"senseless padding", section("padding", `{"strategy":7}`), ""},

		// The model.
		{"model is a string", section("model", `"BPE"`), "its model is a string"},
		{"unknown model", edited(wordLevelModel, "WordLevel", "Quantum"), "\"Quantum\""},
		{"model type with NUL", edited(wordLevelModel, "WordLevel", `W\u0000`), "known are"},
		{"model field twice", edited(wordLevelModel, `"type":"WordLevel"`, `"type":"WordLevel","type":"BPE"`), "\"type\" twice"},
		{"wrong type of a field", edited(wordLevelModel, `"?",`, `5,`), "bad field"},
		{"no vocab", edited(wordLevelModel, `"vocab"`, `"vocabulary"`), "vocab is nothing"},
		{"empty vocab", section("model", `{"type":"WordLevel","unk_token":"?","vocab":{}}`), "vocab is empty"},
		{"vocab is a list", edited(wordLevelModel, `{"?":0,"a":1}`, `[["?",0]]`), "vocab is an array"},
		{"negative id", edited(wordLevelModel, `"a":1`, `"a":-1`), "outside 0"},
		{"huge id", edited(wordLevelModel, `"a":1`, `"a":4294967295`), "outside 0"},
		{"id past 64 bits", edited(wordLevelModel, `"a":1`, `"a":99999999999999999999`), "not a whole number"},
		{"fractional id", edited(wordLevelModel, `"a":1`, `"a":1.5`), "not a whole number"},
		{"id is a string", edited(wordLevelModel, `"a":1`, `"a":"1"`), "not a whole number"},
		{"id twice", edited(wordLevelModel, `"a":1`, `"a":0`), "the id 0 twice"},
		{"token twice", edited(wordLevelModel, `"a":1`, `"a":1,"a":2`), "\"a\" twice"},
		{"token with NUL", edited(wordLevelModel, `"a":1`, `"a\u0000":1,"a":2`), ""},
		{"huge token", edited(wordLevelModel, `"a"`, `"`+strings.Repeat("a", definition.MaxTokenBytes+1)+`"`), "a token of 4097 bytes"},
		{"lone surrogate", edited(wordLevelModel, `"a"`, `"\ud800"`), "library refuses it"},
		{"missing unk", edited(wordLevelModel, `"unk_token":"?"`, `"unk_token":"!"`), "\"!\" is not in its vocab"},
		{"no unk", edited(wordLevelModel, `"unk_token":"?",`, ``), "names no unk_token"},
		{"WordPiece without unk", edited(wordPieceModel, `"unk_token":"[UNK]"`, `"unk_token":"[NONE]"`), "not in its vocab"},
		{"WordPiece without prefix", edited(wordPieceModel, `"continuing_subword_prefix":"##",`, ``), "continuing_subword_prefix"},
		{"WordPiece words without limit", edited(wordPieceModel, `:100`, `:1000000000`), "outside 1 to 1000"},
		{"WordPiece words of no length", edited(wordPieceModel, `:100`, `:0`), "outside 1 to 1000"},
		{"WordPiece words of negative length", edited(wordPieceModel, `:100`, `:-1`), "outside 1 to 1000"},
		{"merge of unknown tokens", edited(bpeModel, `"a b"`, `"a c"`), "\"c\", which is not in its vocab"},
		{"merge into an unknown token", edited(bpeModel, `"a b"`, `"b a"`), "\"ba\", which is not in its vocab"},
		{"merge of one token", edited(bpeModel, `"a b"`, `"ab"`), "not a pair"},
		{"merge of three tokens", edited(bpeModel, `"a b"`, `"a b a"`), "not a pair"},
		{"merge of empty tokens", edited(bpeModel, `"a b"`, `" "`), "not a pair"},
		{"merge as a triple", edited(bpeModel, `"a b"`, `["a","b","a"]`), "not a pair"},
		{"merge of numbers", edited(bpeModel, `"a b"`, `[1,2]`), "not a pair"},
		{"merges of both kinds", edited(bpeModel, `"a b"`, `"a b",["a","b"]`), "library refuses it"},
		{"cyclic merges", edited(bpeModel, `"a b"`, `"a b","ab a"`), "\"aba\", which is not in its vocab"},
		{"the same merge again and again", edited(bpeModel, `"a b"`, `"a b","a b","a b"`), ""},
		{"no merges", edited(bpeModel, `"merges"`, `"merging"`), "merges is nothing"},
		{"merge without the prefix", edited(bpeModel, `"unk_token":null`, `"continuing_subword_prefix":"##"`), "lacks the continuing_subword_prefix"},
		{"merge inside a character", section("model", `{"type":"BPE","continuing_subword_prefix":"é","vocab":{"a":0,"b":1,"éb":2,"ab":3},"merges":["a b"]}`), "lacks the continuing_subword_prefix"},
		{"BPE without its unk", edited(bpeModel, `"unk_token":null`, `"unk_token":"<unk>"`), "not in its vocab"},
		{"dropout", edited(bpeModel, `"unk_token":null`, `"dropout":0.9`), ""},
		{"senseless dropout", edited(bpeModel, `"unk_token":null`, `"dropout":-7`), ""},
		{"unigram id outside", edited(unigramModel, `"unk_id":0`, `"unk_id":3`), "unk_id is 3"},
		{"unigram id negative", edited(unigramModel, `"unk_id":0`, `"unk_id":-1`), "unk_id is -1"},
		{"unigram piece without score", edited(unigramModel, `["a",-1]`, `["a"]`), "not a [piece, score] pair"},
		{"unigram score too large", edited(unigramModel, `["a",-1]`, `["a",1e999]`), "out of range"},
		{"unigram score is a string", edited(unigramModel, `["a",-1]`, `["a","-1"]`), "not a [piece, score] pair"},
		{"unigram piece twice", edited(unigramModel, `["a",-1]`, `["a",-1],["a",-2]`), ""},
		{"unigram empty piece", edited(unigramModel, `["a",-1]`, `["",-1],["a",-1]`), ""},
		{"unigram huge piece", edited(unigramModel, `"a"`, `"`+strings.Repeat("a", definition.MaxTokenBytes+1)+`"`), "a token of 4097 bytes"},
		{"unigram equal scores", edited(unigramModel, `-2.5`, `1.7976931348623157e308`), ""},
		{"unigram vocab is an object", edited(unigramModel, `[["<unk>",0],["a",-1],["b",-2.5]]`, `{"a":1}`), "instead of a list"},

		// Added tokens.
		{"added tokens are an object", section("added_tokens", `{"a":1}`), "an object instead of a list"},
		{"added token is a string", added(`"[PAD]"`), "can't be read"},
		{"added token without id", added(`{"content":"x"}`), "has no id"},
		{"added token with negative id", added(`{"id":-1,"content":"x"}`), "outside 0"},
		{"added token with huge id", added(`{"id":4294967296,"content":"x"}`), "outside 0"},
		{"added token without content", added(`{"id":1}`), ""},
		{"added token with NUL", added(`{"id":9,"content":"\u0000"}`), ""},
		{"added token of a space", added(`{"id":9,"content":" ","lstrip":true,"rstrip":true}`), ""},
		{"added token that normalizing removes", sections(map[string]string{"normalizer": `{"type":"StripAccents"}`, "added_tokens": `[{"id":9,"content":"\u0301","normalized":true}]`}), "disappears"},
		{"added token that stripping removes", sections(map[string]string{"normalizer": `{"type":"Strip","strip_left":true,"strip_right":true}`, "added_tokens": `[{"id":9,"content":"  ","normalized":true}]`}), "disappears"},
		{"added tokens with one id", added(`{"id":9,"content":"x"},{"id":9,"content":"y"}`), ""},
		{"added token twice", added(`{"id":9,"content":"x"},{"id":10,"content":"x"}`), ""},
		{"huge added token", added(`{"id":9,"content":"` + strings.Repeat("x", definition.MaxTokenBytes+1) + `"}`), "4097 bytes"},
		{"too many added tokens", section("added_tokens", "["+strings.Join(huge, ",")+"]"), "more than 20000"},

		// Normalizers, pre-tokenizers and decoders.
		{"normalizer is a list", section("normalizer", `[]`), "not an object"},
		{"normalizer without type", section("normalizer", `{"lowercase":true}`), "has no type"},
		{"unknown normalizer", section("normalizer", `{"type":"Reverse"}`), "\"Reverse\""},
		{"normalizer type with NUL", section("normalizer", `{"type":"NFC\u0000"}`), "not known here"},
		{"incomplete normalizer", section("normalizer", `{"type":"BertNormalizer"}`), "bad \"clean_text\""},
		{"too many normalizers", section("normalizer", `{"type":"Sequence","normalizers":[`+manyParts+`]}`), "more than 64 parts"},
		{"sequence without list", section("normalizer", `{"type":"Sequence"}`), "needs a list"},
		{"prepend of a megabyte", section("normalizer", `{"type":"Prepend","prepend":"`+strings.Repeat("x", 1<<20)+`"}`), "too long"},
		{"replacement of nothing", section("normalizer", `{"type":"Replace","pattern":{"String":""},"content":"x"}`), "1 to 4096 bytes"},
		{"replacement without pattern", section("normalizer", `{"type":"Replace","content":"x"}`), "one String or one Regex"},
		{"replacement with two patterns", section("normalizer", `{"type":"Replace","pattern":{"String":"a","Regex":"b"},"content":"x"}`), "one String or one Regex"},
		{"charsmap not base64", section("normalizer", `{"type":"Precompiled","precompiled_charsmap":"%%%"}`), "not base64"},
		{"charsmap empty", section("normalizer", `{"type":"Precompiled","precompiled_charsmap":""}`), "too short"},
		{"charsmap without trie", section("normalizer", charsmap(nil, "")), "does not fit"},
		{"charsmap of one unit", section("normalizer", charsmap([]uint32{0}, "")), "outside itself"},
		{"charsmap root outside", section("normalizer", charsmap(outside, "y\x00")), "outside itself"},
		{"charsmap value outside", section("normalizer", charsmap(mapping('x', 99), "y\x00")), "outside its replacements"},
		{"charsmap value inside a character", section("normalizer", charsmap(mapping('x', 1), "é\x00")), "outside its replacements"},
		{"charsmap broken text", section("normalizer", charsmap(mapping('x', 0), "\xff\x00")), "not UTF-8"},
		{"charsmap without end", section("normalizer", charsmap(mapping('x', 0), "y")), ""},
		{"charsmap good", section("normalizer", charsmap(mapping('x', 0), "y\x00")), ""},
		{"bad regex", regex(`(`), "not known here to be safe"},
		{"bad escape", regex(`\p{Nonsense}`), "not known here to be safe"},
		{"exponential regex", regex(`(a+)+$`), "could take forever"},
		{"exponential by alternatives", regex(`(a|aa)*\d`), "could take forever"},
		{"exponential by options", regex(strings.Repeat("a?", 30) + strings.Repeat("a", 30)), "could take forever"},
		{"exponential in a syntax of its own", regex(`(a{,30}){,30}b`), "not known here to be safe"},
		{"exponential behind a quote", regex(`\Q(a+)+\E\d`), "not known here to be safe"},
		{"exponential by optional parts", regex(`(a*)*b`), "could take forever"},
		{"exponential by counting", regex(`(a{1,30}){1,30}b`), "could take forever"},
		{"cubic regex", regex(`a*a*a*b`), "could take forever"},
		{"recursive regex", regex(`(?<x>a\g<x>?b)`), "not known here to be safe"},
		{"back reference", regex(`(a*)\1b`), "not known here to be safe"},
		{"lookbehind", regex(`(?<=a+)b`), "not known here to be safe"},
		{"huge repetition", regex(`(a{1000}){1000}`), "not known here to be safe"},
		{"long regex", regex(strings.Repeat("a", 4097)), "1 to 4096 bytes"},
		{"regex with NUL", regex("a\x00b"), "1 to 4096 bytes"},
		{"quadratic regex", regex(`a*b`), ""},
		{"unknown behavior", section("pre_tokenizer", `{"type":"Split","pattern":{"String":"a"},"behavior":"Explode","invert":false}`), "\"Explode\""},
		{"metaspace of two characters", section("pre_tokenizer", `{"type":"Metaspace","replacement":"ab"}`), "one character"},
		{"metaspace that contradicts itself", section("pre_tokenizer", `{"type":"Metaspace","replacement":"_","add_prefix_space":false,"prepend_scheme":"always"}`), "says both"},
		{"too new a pre-tokenizer", section("pre_tokenizer", `{"type":"FixedLength","length":5}`), "\"FixedLength\""},
		{"decoder is a string", section("decoder", `"ByteLevel"`), "not an object"},
		{"unknown decoder", section("decoder", `{"type":"Zip"}`), "\"Zip\""},
		{"decoder that strips at the end", section("decoder", `{"type":"Strip","content":"a","start":0,"stop":3}`), "bad \"stop\""},
		{"decoder that strips without end", section("decoder", `{"type":"Strip","content":"a","start":1e18,"stop":0}`), "bad \"start\""},

		// Post-processors.
		{"unknown post-processor", template(`{"type":"Fancy"}`), "\"Fancy\""},
		{"post-processor is a list", template(`[]`), "can't be read"},
		{"template without text", template(`{"type":"TemplateProcessing","single":[],"pair":[],"special_tokens":{}}`), "no place for the text"},
		{"template of unknown tokens", template(`{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"[CLS]","type_id":0}},{"Sequence":{"id":"A","type_id":0}}],"pair":[],"special_tokens":{}}`), "not among its special_tokens"},
		{"template of unknown ids", template(`{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"x","type_id":0}},{"Sequence":{"id":"A","type_id":0}}],"pair":[{"Sequence":{"id":"A","type_id":0}}],"special_tokens":{"x":{"id":"x","ids":[77],"tokens":["x"]}}}`), "the token id 77"},
		{"template of negative ids", template(`{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"x","type_id":0}},{"Sequence":{"id":"A","type_id":0}}],"pair":[{"Sequence":{"id":"A","type_id":0}}],"special_tokens":{"x":{"id":"x","ids":[-1],"tokens":["x"]}}}`), "the token id -1"},
		{"template with the text twice", template(`{"type":"TemplateProcessing","single":[{"Sequence":{"id":"A","type_id":0}},{"Sequence":{"id":"A","type_id":0}}],"pair":[],"special_tokens":{}}`), "the text A twice"},
		{"template with a second text", template(`{"type":"TemplateProcessing","single":[{"Sequence":{"id":"A","type_id":0}},{"Sequence":{"id":"B","type_id":0}}],"pair":[],"special_tokens":{}}`), "uses a second one"},
		{"template without pair", template(`{"type":"TemplateProcessing","single":[{"Sequence":{"id":"A","type_id":0}}],"pair":[],"special_tokens":{}}`), ""},
		{"template with a third text", template(`{"type":"TemplateProcessing","single":[{"Sequence":{"id":"C","type_id":0}}],"pair":[],"special_tokens":{}}`), "neither Sequence A or B"},
		{"template with a negative type", template(`{"type":"TemplateProcessing","single":[{"Sequence":{"id":"A","type_id":-3}}],"pair":[],"special_tokens":{}}`), "negative type id"},
		{"template with a huge type", template(`{"type":"TemplateProcessing","single":[{"Sequence":{"id":"A","type_id":1e12}}],"pair":[],"special_tokens":{}}`), "bad piece"},
		{"template of many pieces", template(`{"type":"TemplateProcessing","single":[` + strings.TrimSuffix(strings.Repeat(`{"Sequence":{"id":"A","type_id":0}},`, 65), ",") + `],"pair":[],"special_tokens":{}}`), "template of 65 pieces"},
		{"two templates", template(`{"type":"Sequence","processors":[{"type":"BertProcessing","sep":["x",1],"cls":["y",2]},{"type":"BertProcessing","sep":["x",1],"cls":["y",2]}]}`), "in 2 steps"},
		{"nested post-processors", template(`{"type":"Sequence","processors":[{"type":"Sequence","processors":[]}]}`), "nested"},
		{"BertProcessing without ids", template(`{"type":"BertProcessing","sep":["[SEP]"],"cls":["[CLS]"]}`), "needs cls and sep"},
		{"BertProcessing with unknown ids", template(`{"type":"BertProcessing","sep":["[SEP]",500],"cls":["[CLS]",501]}`), "the token id 501"},
		{"RobertaProcessing with fractional ids", template(`{"type":"RobertaProcessing","sep":["a",1.5],"cls":["b",2],"trim_offsets":true,"add_prefix_space":true}`), "needs cls and sep"},
	}
}

// TestHostileFiles opens bad files, and uses those that open. A panic in the library
// would end this test's process.
func TestHostileFiles(t *testing.T) {
	cases := hostileFiles()
	if len(cases) < 60 {
		t.Fatalf("only %d cases", len(cases))
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			start := time.Now()
			tok, err := openJSON(c.data, definition.Config{})
			if took := time.Since(start); took > patience*time.Second {
				t.Errorf("it took %v", took)
			}
			if c.want == "" {
				if err != nil {
					t.Fatalf("refused: %v", err)
				}
				exercise(t, tok)
				return
			}
			if err == nil {
				tok.Close()
				t.Fatal("accepted")
			}
			checkSentence(t, err, c.want)
		})
	}
}

// checkSentence makes sure that an error is one readable sentence that names the file,
// contains want and says what to do.
func checkSentence(t *testing.T, err error, want string) {
	t.Helper()
	s := err.Error()
	if !strings.Contains(s, want) {
		t.Errorf("the sentence lacks %q: %s", want, s)
	}
	if !strings.HasPrefix(s, "tokenizer.json can't be used: ") || !strings.Contains(s, "; get this file again") {
		t.Errorf("the sentence does not name the file or say what to do: %s", s)
	}
	if len(s) > 600 || strings.ContainsAny(s, "\n\x00") {
		t.Errorf("the sentence is too long or holds control characters: %.700q", s)
	}
}

// exercise uses a tokenizer in every way, whatever the results.
func exercise(t *testing.T, tok *Tokenizer) {
	t.Helper()
	defer tok.Close()
	for _, text := range []string{
		"", " ", "a", "b a", "The lake, the LAKE ab aab\n", "x\u0301 é 猫 \x00 \xff", "[UNK] ## \ufdd0\ufdd1", "  <s>  <s>\n ab  ab ", "A é x ab<s>",
		"\u0301\u0301", "xé xx xé", " \u0301 \u200d\u0600 ", strings.Repeat("ab", 200), strings.Repeat("a ", 100) + strings.Repeat("a", 300),
	} {
		for _, o := range []Options{{Attributes: true}, {Attributes: true, ParseSpecial: true, MaxLength: 5}} {
			e, err := tok.Encode(text, o)
			if err != nil {
				continue
			}
			checkOffsets(t, text, e)
			if _, err := tok.Decode(e.IDs, false); err != nil {
				t.Errorf("its own ids can't be decoded: %v", err)
			}
		}
		_, _ = tok.EncodePair(text, "a", Options{})
	}
	stream := tok.NewStream(false)
	for id := range min(tok.MaxID()+1, 50) {
		_, _ = stream.Push(id)
	}
	stream.Flush()
}

// TestTruncatedFile cuts a valid file off at every byte.
func TestTruncatedFile(t *testing.T) {
	data := sections(nil)
	for n := range data {
		if tok, err := openJSON(data[:n], definition.Config{}); err == nil {
			tok.Close()
			t.Fatalf("the first %d of %d bytes were accepted", n, len(data))
		} else {
			checkSentence(t, err, "")
		}
	}
	fromBytes(t, data, definition.Config{})
}

// TestMissingFiles opens folders that lack what is needed.
func TestMissingFiles(t *testing.T) {
	for name, c := range map[string]struct {
		files fstest.MapFS
		want  string
	}{
		"nothing":            {fstest.MapFS{}, "no tokenizer.json, no vocab.txt, no vocab.json with merges.txt and no tokenizer.model"},
		"tokenizer is a dir": {fstest.MapFS{"tokenizer.json/x": {}}, "tokenizer.json"},
		"empty vocab.txt":    {fstest.MapFS{"vocab.txt": {}}, "vocab.txt can't be used"},
		"binary vocab.txt":   {fstest.MapFS{"vocab.txt": {Data: []byte("\xff\xfe")}}, "not UTF-8"},
		"foreign vocab.txt":  {fstest.MapFS{"vocab.txt": {Data: []byte("a\nb\n")}}, "lacks the line \"[CLS]\""},
		"no unknown":         {fstest.MapFS{"vocab.txt": {Data: []byte("[CLS]\n[SEP]\na\n")}}, "\"[UNK]\" is not in its vocab"},
		"huge tokenizer":     {fstest.MapFS{"tokenizer.json": {Data: make([]byte, definition.MaxFileBytes+1)}}, "more than 64 MB"},
	} {
		t.Run(name, func(t *testing.T) {
			tok, err := Open(c.files)
			if err == nil {
				tok.Close()
				t.Fatal("accepted")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("the sentence lacks %q: %v", c.want, err)
			}
		})
	}
}

// TestHostilePatterns runs the patterns that pass the check on texts that make patterns
// backtrack. If Oniguruma gave up, the process would end.
func TestHostilePatterns(t *testing.T) {
	long := strings.Repeat("a", 4500)
	for _, pattern := range []string{`a*b`, `a*\d`, `[ab]*c?\d`, `\s*[\r\n]+`, `\s+(?!\S)`, `(?:ab)*\d`, ` ?[^\s]+\d`, `(a|b)+`, `^a*$`, `\b`, `a{1,8}\d`, `.*x`, `(?i)A+B`} {
		t.Run(pattern, func(t *testing.T) {
			q, err := json.Marshal(pattern)
			if err != nil {
				t.Fatal(err)
			}
			for name, part := range map[string]string{
				"pre_tokenizer": `{"type":"Split","pattern":{"Regex":%s},"behavior":"Isolated","invert":false}`,
				"normalizer":    `{"type":"Replace","pattern":{"Regex":%s},"content":"a"}`,
			} {
				tok := fromBytes(t, section(name, fmt.Sprintf(part, q)), definition.Config{})
				for _, text := range []string{long, long + "!", strings.Repeat(" ", 4500) + "a", strings.Repeat("ab", 2250)} {
					mustEncode(t, tok, text, Options{})
				}
			}
		})
	}
}
