package convert

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"inglenook/tokenizer/definition"
)

// The kinds of vocabularies: for each, the steps of the tokenizer.json that
// models of this kind come with.

// sentencePiece is the kind of Llama 2, Gemma 1 to 3 and Phi-3: pieces with
// scores, and bytes for what no piece covers.
func (b *builder) sentencePiece() (recipe, error) {
	if err := b.checkScores(); err != nil {
		return recipe{}, err
	}
	pairs, err := b.scoredMerges()
	if err != nil {
		return recipe{}, err
	}
	return b.pieces(pairs, b.AddSpacePrefix == nil || *b.AddSpacePrefix)
}

// mergedPieces is the kind of Gemma 4: pieces with merges.
func (b *builder) mergedPieces() (recipe, error) {
	pairs, err := b.statedMerges()
	if err != nil {
		return recipe{}, err
	}
	return b.pieces(pairs, b.AddSpacePrefix != nil && *b.AddSpacePrefix)
}

func (b *builder) pieces(merges [][2]string, prefix bool) (recipe, error) {
	bytes := 0
	for v := range 256 {
		if _, ok := b.ids[fmt.Sprintf("<0x%02X>", v)]; ok {
			bytes++
		}
	}
	m := definition.Model{Kind: "BPE", Vocab: b.vocabObject(b.token), Merges: mergesArray(merges), FuseUnk: true, ByteFallback: bytes > 0}
	if b.UNK >= 0 {
		unk := b.token(b.UNK)
		m.Unk = &unk
	} else if bytes < 256 {
		return recipe{}, fmt.Errorf("it has tokens for %d of the 256 bytes and none for what is unknown, so some texts would be lost", bytes)
	}
	normalizers := []definition.Component{definition.ReplaceStep(" ", definition.Blank)}
	decoders := []definition.Component{definition.ReplaceStep(definition.Blank, " "), {"type": "ByteFallback"}, {"type": "Fuse"}}
	if prefix {
		normalizers = append([]definition.Component{{"type": "Prepend", "prepend": definition.Blank}}, normalizers...)
		decoders = append(decoders, definition.Component{"type": "Strip", "content": " ", "start": 1, "stop": 0})
	}
	return recipe{
		normalizer: definition.Sequence("normalizers", normalizers...),
		decoder:    definition.Sequence("decoders", decoders...),
		model:      m,
	}, nil
}

// byteLevel is the kind of GPT-2 and most since: merges of bytes within words.
func (b *builder) byteLevel() (recipe, error) {
	s, instead := b.split()
	if instead != "" {
		b.warn("This file doesn't say how its vocabulary splits text into words, so it is done in the way of %s; if the answers look odd, get a newer GGUF file of the model.", instead)
	} else if _, known := splits[b.Pre]; !known {
		return recipe{}, fmt.Errorf("it splits text into words by the rules %.60q, which are not known here", b.Pre)
	}
	pairs, err := b.statedMerges()
	if err != nil {
		return recipe{}, err
	}
	var normalizer definition.Component
	if s.nfc {
		normalizer = definition.Component{"type": "NFC"}
	}
	return recipe{
		normalizer:   normalizer,
		preTokenizer: s.preTokenizer(),
		decoder:      byteLevelStep(true),
		model:        definition.Model{Kind: "BPE", Vocab: b.vocabObject(b.token), Merges: mergesArray(pairs), IgnoreMerges: s.wholeWords},
	}, nil
}

// wordPiece is the kind of BERT. A GGUF file writes ▁ before the tokens that
// begin a word, and the others without the ## of BERT's own vocab.txt.
func (b *builder) wordPiece() (recipe, error) {
	for _, role := range []struct {
		id   int32
		name string
	}{{b.CLS, "classification"}, {b.SEP, "separator"}, {b.UNK, "unknown"}} {
		if role.id < 0 {
			return recipe{}, fmt.Errorf("it has no %s token, which a vocabulary of BERT's kind needs", role.name)
		}
	}
	marked, capitals := false, false
	for i, token := range b.Tokens {
		word, ok := strings.CutPrefix(token, definition.Blank)
		marked = marked || ok
		capitals = capitals || b.kind(int32(i)) == NormalType && !bracketed(word) && strings.ContainsFunc(word, isCapital)
	}
	taken := map[string]int32{}
	var clash error
	name := func(id int32) string {
		token := b.token(id)
		if marked && b.kind(id) == NormalType && !bracketed(token) {
			if word, ok := strings.CutPrefix(token, definition.Blank); ok {
				token = word
			} else {
				token = "##" + token
			}
		}
		if other, twice := taken[token]; twice {
			clash = fmt.Errorf("its tokens %d and %d are both %.60q", other, id, token)
		}
		taken[token] = id
		return token
	}
	unk, prefix := b.token(b.UNK), "##"
	m := definition.Model{Kind: "WordPiece", Vocab: b.vocabObject(name), Unk: &unk, Prefix: &prefix, WordChars: 100}
	if clash != nil {
		return recipe{}, clash
	}
	lowercase := !capitals // a vocabulary with capitals would never match them
	if b.Lowercase != nil {
		lowercase = *b.Lowercase
	}
	return recipe{
		normalizer: definition.Component{
			"type":                 "BertNormalizer",
			"clean_text":           true,
			"handle_chinese_chars": true,
			"strip_accents":        b.StripAccents,
			"lowercase":            lowercase,
		},
		preTokenizer: definition.Component{"type": "BertPreTokenizer"},
		decoder:      definition.Component{"type": "WordPiece", "prefix": "##", "cleanup": true},
		model:        m,
	}, nil
}

func isCapital(r rune) bool { return 'A' <= r && r <= 'Z' }

// unigram is the kind of T5 and XLM-RoBERTa: pieces with probabilities.
func (b *builder) unigram() (recipe, error) {
	if err := b.checkScores(); err != nil {
		return recipe{}, err
	}
	if b.UNK < 0 {
		return recipe{}, fmt.Errorf("it has no token for what is unknown, which a vocabulary of T5's kind needs")
	}
	vocab := []byte{'['}
	for i := range b.Tokens {
		id, score := int32(i), b.Scores[i]
		if b.kind(id) == UserDefinedType {
			score = 0 // the best score: these tokens are certain
		}
		vocab = append(quoteToken(append(vocab, '['), b.token(id)), ',')
		vocab = append(strconv.AppendFloat(vocab, float64(score), 'g', -1, 64), "],"...)
	}
	vocab[len(vocab)-1] = ']'
	unk := int64(b.UNK)
	r := recipe{model: definition.Model{Kind: "Unigram", Vocab: vocab, UnkID: &unk}}

	var normalizers []definition.Component
	if len(b.Charsmap) > 0 {
		normalizers = append(normalizers, definition.Component{
			"type":                 "Precompiled",
			"precompiled_charsmap": base64.StdEncoding.EncodeToString(b.Charsmap),
		})
	}
	scheme := "always"
	if b.AddSpacePrefix != nil && !*b.AddSpacePrefix {
		scheme = "never"
	}
	metaspace := definition.Component{"type": "Metaspace", "replacement": definition.Blank, "prepend_scheme": scheme, "split": true}
	if b.RemoveExtraWhitespaces != nil && *b.RemoveExtraWhitespaces {
		r.preTokenizer = definition.Sequence("pretokenizers", definition.Component{"type": "WhitespaceSplit"}, metaspace)
	} else {
		r.preTokenizer = metaspace
	}
	r.normalizer = definition.Sequence("normalizers", normalizers...)
	r.decoder = metaspace
	return r, nil
}
