package definition

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"inglenook/tokenizer/rawjson"
)

// Model is the checked model section: WordPiece, BPE, Unigram or WordLevel. It
// keeps the vocabulary as the file writes it, beside the table made of it.
type Model struct {
	Kind   string
	Vocab  []byte           // raw JSON: an object, or for Unigram a list of pairs
	Merges []byte           // raw JSON, BPE only
	IDs    map[string]int32 // token -> id
	Twice  map[int32]string // Unigram pieces that occur again later: id -> piece
	Tokens int              // entries as the library counts them

	Unk          *string // unknown token; nil for Unigram, which has unkID
	UnkID        *int64
	Prefix       *string // continuing_subword_prefix
	Suffix       *string // end_of_word_suffix, BPE only
	WordChars    int     // max_input_chars_per_word, WordPiece only
	FuseUnk      bool
	ByteFallback bool
	IgnoreMerges bool
}

func readModel(raw []byte) (Model, error) {
	var m Model
	if rawjson.Kind(raw) != "an object" {
		return m, fmt.Errorf("its model is %s instead of an object", rawjson.Kind(raw))
	}
	fields := map[string][]byte{}
	for key, value := range rawjson.Members(raw) {
		if _, twice := fields[key]; twice {
			return m, fmt.Errorf("its model has %.60q twice", key)
		}
		fields[key] = value
	}
	m.Vocab, m.Merges = fields["vocab"], fields["merges"]

	var words struct {
		Type         *string `json:"type"`
		Unk          *string `json:"unk_token"`
		UnkID        *int64  `json:"unk_id"`
		Prefix       *string `json:"continuing_subword_prefix"`
		Suffix       *string `json:"end_of_word_suffix"`
		WordChars    *int64  `json:"max_input_chars_per_word"`
		FuseUnk      bool    `json:"fuse_unk"`
		ByteFallback bool    `json:"byte_fallback"`
		IgnoreMerges bool    `json:"ignore_merges"`
	}
	small := []byte{'{'}
	for key, value := range fields {
		if key != "vocab" && key != "merges" {
			small = append(append(append(rawjson.Quote(small, key), ':'), value...), ',')
		}
	}
	small = append(small, `"":0}`...)
	if err := json.Unmarshal(small, &words); err != nil {
		return m, fmt.Errorf("its model has a bad field (%s)", rawjson.Why(err))
	}
	m.Unk, m.UnkID, m.Prefix, m.Suffix = words.Unk, words.UnkID, words.Prefix, words.Suffix
	m.FuseUnk, m.ByteFallback, m.IgnoreMerges = words.FuseUnk, words.ByteFallback, words.IgnoreMerges
	m.Kind = guessModel(words.Type, fields)

	var err error
	if m.Kind == "Unigram" {
		err = m.readPieces()
	} else {
		err = m.readVocab()
	}
	if err != nil {
		return m, err
	}
	switch m.Kind {
	case "WordPiece":
		return m, m.checkWordPiece(words.WordChars)
	case "BPE":
		return m, m.checkBPE()
	case "Unigram":
		if m.UnkID != nil && (*m.UnkID < 0 || *m.UnkID >= int64(m.Tokens)) {
			return m, fmt.Errorf("its model's unk_id is %d, but there are %d tokens", *m.UnkID, m.Tokens)
		}
		return m, nil
	case "WordLevel":
		return m, m.checkUnk()
	}
	return m, fmt.Errorf("its model is of the type %.60q; known are BPE, WordPiece, Unigram and WordLevel", m.Kind)
}

// guessModel returns the model's type. Files from before 2020 don't name it.
func guessModel(name *string, fields map[string][]byte) string {
	switch {
	case name != nil:
		return *name
	case fields["merges"] != nil:
		return "BPE"
	case rawjson.Kind(fields["vocab"]) == "an array":
		return "Unigram"
	case fields["max_input_chars_per_word"] != nil || fields["continuing_subword_prefix"] != nil:
		return "WordPiece"
	}
	return "WordLevel"
}

func (m *Model) readVocab() error {
	if rawjson.Kind(m.Vocab) != "an object" {
		return fmt.Errorf("its model's vocab is %s instead of an object", rawjson.Kind(m.Vocab))
	}
	m.IDs = make(map[string]int32, len(m.Vocab)/16)
	owner := make([]bool, 0, len(m.Vocab)/16)
	for token, raw := range rawjson.Members(m.Vocab) {
		id, err := strconv.ParseInt(string(raw), 10, 64)
		switch {
		case err != nil:
			return fmt.Errorf("its vocab gives %.60q the id %.60s, which is not a whole number", token, raw)
		case id < 0 || id >= MaxTokens:
			return fmt.Errorf("its vocab gives %.60q the id %d, outside 0 to %d", token, id, MaxTokens-1)
		case len(token) > MaxTokenBytes:
			return fmt.Errorf("its vocab has a token of %d bytes, more than %d", len(token), MaxTokenBytes)
		}
		if _, twice := m.IDs[token]; twice {
			return fmt.Errorf("its vocab has %.60q twice", token)
		}
		for int(id) >= len(owner) {
			owner = append(owner, false)
		}
		if owner[id] {
			return fmt.Errorf("its vocab gives the id %d twice, the second time to %.60q", id, token)
		}
		owner[id] = true
		m.IDs[token] = int32(id)
	}
	m.Tokens = len(m.IDs)
	if m.Tokens == 0 {
		return fmt.Errorf("its vocab is empty")
	}
	return nil
}

// readPieces reads Unigram's list of [piece, score]. Where a piece occurs
// twice the library uses the later one.
func (m *Model) readPieces() error {
	if rawjson.Kind(m.Vocab) != "an array" {
		return fmt.Errorf("its model's vocab is %s instead of a list of [piece, score]", rawjson.Kind(m.Vocab))
	}
	m.IDs = make(map[string]int32, len(m.Vocab)/24)
	for pair := range rawjson.Elements(m.Vocab) {
		var parts [][]byte
		for p := range rawjson.Elements(pair) {
			parts = append(parts, p)
		}
		if len(parts) != 2 || rawjson.Kind(parts[0]) != "a string" || rawjson.Kind(parts[1]) != "a number" {
			return fmt.Errorf("its vocab entry number %d is not a [piece, score] pair", m.Tokens)
		}
		if _, err := strconv.ParseFloat(string(parts[1]), 64); err != nil {
			return fmt.Errorf("its vocab entry number %d has the score %.60s, which is out of range", m.Tokens, parts[1])
		}
		piece := rawjson.Text(parts[0])
		if len(piece) > MaxTokenBytes {
			return fmt.Errorf("its vocab has a token of %d bytes, more than %d", len(piece), MaxTokenBytes)
		}
		if m.Tokens == MaxTokens {
			return fmt.Errorf("its vocab has more than %d tokens", MaxTokens)
		}
		if id, ok := m.IDs[piece]; ok {
			if m.Twice == nil {
				m.Twice = map[int32]string{}
			}
			m.Twice[id] = piece
		}
		m.IDs[piece] = int32(m.Tokens)
		m.Tokens++
	}
	if m.Tokens == 0 {
		return fmt.Errorf("its vocab is empty")
	}
	return nil
}

func (m *Model) checkUnk() error {
	if m.Unk == nil {
		return fmt.Errorf("its %s model names no unk_token", m.Kind)
	}
	if _, ok := m.IDs[*m.Unk]; !ok {
		return fmt.Errorf("its unk_token %.60q is not in its vocab", *m.Unk)
	}
	return nil
}

func (m *Model) checkWordPiece(wordChars *int64) error {
	if m.Prefix == nil || len(*m.Prefix) > MaxTokenBytes {
		return fmt.Errorf("its WordPiece model has no usable continuing_subword_prefix")
	}
	if wordChars == nil || *wordChars < 1 || *wordChars > maxWordChars {
		return fmt.Errorf("its max_input_chars_per_word is missing or outside 1 to %d", maxWordChars)
	}
	m.WordChars = int(*wordChars)
	return m.checkUnk()
}

func (m *Model) checkBPE() error {
	if m.Unk != nil {
		if *m.Unk == "" { // some writers mean "none"
			m.Unk = nil
		} else if err := m.checkUnk(); err != nil {
			return err
		}
	}
	if rawjson.Kind(m.Merges) != "an array" {
		return fmt.Errorf("its model's merges is %s instead of a list", rawjson.Kind(m.Merges))
	}
	n := 0
	for raw := range rawjson.Elements(m.Merges) {
		if n++; n > MaxTokens {
			return fmt.Errorf("it has more than %d merges", MaxTokens)
		}
		a, b, ok := mergeParts(raw)
		if !ok {
			return fmt.Errorf("its merge number %d, %.60s, is not a pair of tokens", n-1, raw)
		}
		if a == "" { // a "#version" line
			continue
		}
		joined, ok := m.join(a, b)
		if !ok {
			return fmt.Errorf("its merge number %d, %.60s, lacks the continuing_subword_prefix", n-1, raw)
		}
		for _, token := range []string{a, b, joined} {
			if _, ok := m.IDs[token]; !ok {
				return fmt.Errorf("its merge number %d needs the token %.60q, which is not in its vocab", n-1, token)
			}
		}
	}
	return nil
}

// mergeParts splits "a b" or ["a", "b"]. It returns "", "", true for a
// "#version" line.
func mergeParts(raw []byte) (a, b string, ok bool) {
	switch rawjson.Kind(raw) {
	case "a string":
		s := rawjson.Text(raw)
		if strings.HasPrefix(s, "#version") {
			return "", "", true
		}
		a, b, ok = strings.Cut(s, " ")
		return a, b, ok && a != "" && b != "" && !strings.Contains(b, " ")
	case "an array":
		var parts []string
		for p := range rawjson.Elements(raw) {
			if rawjson.Kind(p) != "a string" {
				return "", "", false
			}
			parts = append(parts, rawjson.Text(p))
		}
		if len(parts) == 2 {
			return parts[0], parts[1], parts[0] != "" && parts[1] != ""
		}
	}
	return "", "", false
}

// join returns the token that a and b merge into.
func (m *Model) join(a, b string) (string, bool) {
	if m.Prefix != nil {
		var ok bool
		if b, ok = strings.CutPrefix(b, *m.Prefix); !ok {
			return "", false
		}
	}
	return a + b, true
}

// symbol reports whether BPE may start from token: one character, with or
// without the prefix and suffix that mark its place in a word.
func (m *Model) symbol(token string) bool {
	if m.Prefix != nil {
		token = strings.TrimPrefix(token, *m.Prefix)
	}
	if m.Suffix != nil {
		token = strings.TrimSuffix(token, *m.Suffix)
	}
	return utf8.RuneCountInString(token) <= 1
}

// AppendTo appends the model in the form that the library reads. It omits BPE
// dropout, which is noise for training and would change the ids on each run.
func (m *Model) AppendTo(out []byte) []byte {
	put := func(key string, value any) {
		v, _ := json.Marshal(value) // strings, numbers and nil always marshal
		out = append(append(append(rawjson.Quote(out, key), ':'), v...), ',')
	}
	out = append(out, '{')
	put("type", m.Kind)
	switch m.Kind {
	case "WordPiece":
		put("unk_token", m.Unk)
		put("continuing_subword_prefix", m.Prefix)
		put("max_input_chars_per_word", m.WordChars)
	case "WordLevel":
		put("unk_token", m.Unk)
	case "Unigram":
		put("unk_id", m.UnkID)
		put("byte_fallback", m.ByteFallback)
	case "BPE":
		put("unk_token", m.Unk)
		put("continuing_subword_prefix", m.Prefix)
		put("end_of_word_suffix", m.Suffix)
		put("fuse_unk", m.FuseUnk)
		put("byte_fallback", m.ByteFallback)
		put("ignore_merges", m.IgnoreMerges)
		out = append(append(append(out, `"merges":`...), m.Merges...), ',')
	}
	out = append(append(out, `"vocab":`...), m.Vocab...)
	return append(out, '}')
}
