package tokenizer

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// model is the checked model section: WordPiece, BPE, Unigram or WordLevel. It
// keeps the vocabulary as the file writes it, beside the table made of it.
type model struct {
	kind   string
	vocab  []byte           // raw JSON: an object, or for Unigram a list of pairs
	merges []byte           // raw JSON, BPE only
	ids    map[string]int32 // token -> id
	twice  map[int32]string // Unigram pieces that occur again later: id -> piece
	tokens int              // entries as the library counts them

	unk          *string // unknown token; nil for Unigram, which has unkID
	unkID        *int64
	prefix       *string // continuing_subword_prefix
	suffix       *string // end_of_word_suffix, BPE only
	wordChars    int     // max_input_chars_per_word, WordPiece only
	fuseUnk      bool
	byteFallback bool
	ignoreMerges bool
}

func readModel(raw []byte) (model, error) {
	var m model
	if kind(raw) != "an object" {
		return m, fmt.Errorf("its model is %s instead of an object", kind(raw))
	}
	fields := map[string][]byte{}
	for key, value := range members(raw) {
		if _, twice := fields[key]; twice {
			return m, fmt.Errorf("its model has %.60q twice", key)
		}
		fields[key] = value
	}
	m.vocab, m.merges = fields["vocab"], fields["merges"]

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
			small = append(append(append(quote(small, key), ':'), value...), ',')
		}
	}
	small = append(small, `"":0}`...)
	if err := json.Unmarshal(small, &words); err != nil {
		return m, fmt.Errorf("its model has a bad field (%s)", why(err))
	}
	m.unk, m.unkID, m.prefix, m.suffix = words.Unk, words.UnkID, words.Prefix, words.Suffix
	m.fuseUnk, m.byteFallback, m.ignoreMerges = words.FuseUnk, words.ByteFallback, words.IgnoreMerges
	m.kind = guessModel(words.Type, fields)

	var err error
	if m.kind == "Unigram" {
		err = m.readPieces()
	} else {
		err = m.readVocab()
	}
	if err != nil {
		return m, err
	}
	switch m.kind {
	case "WordPiece":
		return m, m.checkWordPiece(words.WordChars)
	case "BPE":
		return m, m.checkBPE()
	case "Unigram":
		if m.unkID != nil && (*m.unkID < 0 || *m.unkID >= int64(m.tokens)) {
			return m, fmt.Errorf("its model's unk_id is %d, but there are %d tokens", *m.unkID, m.tokens)
		}
		return m, nil
	case "WordLevel":
		return m, m.checkUnk()
	}
	return m, fmt.Errorf("its model is of the type %.60q; known are BPE, WordPiece, Unigram and WordLevel", m.kind)
}

// guessModel returns the model's type. Files from before 2020 don't name it.
func guessModel(name *string, fields map[string][]byte) string {
	switch {
	case name != nil:
		return *name
	case fields["merges"] != nil:
		return "BPE"
	case kind(fields["vocab"]) == "an array":
		return "Unigram"
	case fields["max_input_chars_per_word"] != nil || fields["continuing_subword_prefix"] != nil:
		return "WordPiece"
	}
	return "WordLevel"
}

func (m *model) readVocab() error {
	if kind(m.vocab) != "an object" {
		return fmt.Errorf("its model's vocab is %s instead of an object", kind(m.vocab))
	}
	m.ids = make(map[string]int32, len(m.vocab)/16)
	owner := make([]bool, 0, len(m.vocab)/16)
	for token, raw := range members(m.vocab) {
		id, err := strconv.ParseInt(string(raw), 10, 64)
		switch {
		case err != nil:
			return fmt.Errorf("its vocab gives %.60q the id %.60s, which is not a whole number", token, raw)
		case id < 0 || id >= maxTokens:
			return fmt.Errorf("its vocab gives %.60q the id %d, outside 0 to %d", token, id, maxTokens-1)
		case len(token) > maxTokenBytes:
			return fmt.Errorf("its vocab has a token of %d bytes, more than %d", len(token), maxTokenBytes)
		}
		if _, twice := m.ids[token]; twice {
			return fmt.Errorf("its vocab has %.60q twice", token)
		}
		for int(id) >= len(owner) {
			owner = append(owner, false)
		}
		if owner[id] {
			return fmt.Errorf("its vocab gives the id %d twice, the second time to %.60q", id, token)
		}
		owner[id] = true
		m.ids[token] = int32(id)
	}
	m.tokens = len(m.ids)
	if m.tokens == 0 {
		return fmt.Errorf("its vocab is empty")
	}
	return nil
}

// readPieces reads Unigram's list of [piece, score]. Where a piece occurs
// twice the library uses the later one.
func (m *model) readPieces() error {
	if kind(m.vocab) != "an array" {
		return fmt.Errorf("its model's vocab is %s instead of a list of [piece, score]", kind(m.vocab))
	}
	m.ids = make(map[string]int32, len(m.vocab)/24)
	for pair := range elements(m.vocab) {
		var parts [][]byte
		for p := range elements(pair) {
			parts = append(parts, p)
		}
		if len(parts) != 2 || kind(parts[0]) != "a string" || kind(parts[1]) != "a number" {
			return fmt.Errorf("its vocab entry number %d is not a [piece, score] pair", m.tokens)
		}
		if _, err := strconv.ParseFloat(string(parts[1]), 64); err != nil {
			return fmt.Errorf("its vocab entry number %d has the score %.60s, which is out of range", m.tokens, parts[1])
		}
		piece := text(parts[0])
		if len(piece) > maxTokenBytes {
			return fmt.Errorf("its vocab has a token of %d bytes, more than %d", len(piece), maxTokenBytes)
		}
		if m.tokens == maxTokens {
			return fmt.Errorf("its vocab has more than %d tokens", maxTokens)
		}
		if id, ok := m.ids[piece]; ok {
			if m.twice == nil {
				m.twice = map[int32]string{}
			}
			m.twice[id] = piece
		}
		m.ids[piece] = int32(m.tokens)
		m.tokens++
	}
	if m.tokens == 0 {
		return fmt.Errorf("its vocab is empty")
	}
	return nil
}

func (m *model) checkUnk() error {
	if m.unk == nil {
		return fmt.Errorf("its %s model names no unk_token", m.kind)
	}
	if _, ok := m.ids[*m.unk]; !ok {
		return fmt.Errorf("its unk_token %.60q is not in its vocab", *m.unk)
	}
	return nil
}

func (m *model) checkWordPiece(wordChars *int64) error {
	if m.prefix == nil || len(*m.prefix) > maxTokenBytes {
		return fmt.Errorf("its WordPiece model has no usable continuing_subword_prefix")
	}
	if wordChars == nil || *wordChars < 1 || *wordChars > maxWordChars {
		return fmt.Errorf("its max_input_chars_per_word is missing or outside 1 to %d", maxWordChars)
	}
	m.wordChars = int(*wordChars)
	return m.checkUnk()
}

func (m *model) checkBPE() error {
	if m.unk != nil {
		if *m.unk == "" { // some writers mean "none"
			m.unk = nil
		} else if err := m.checkUnk(); err != nil {
			return err
		}
	}
	if kind(m.merges) != "an array" {
		return fmt.Errorf("its model's merges is %s instead of a list", kind(m.merges))
	}
	n := 0
	for raw := range elements(m.merges) {
		if n++; n > maxTokens {
			return fmt.Errorf("it has more than %d merges", maxTokens)
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
			if _, ok := m.ids[token]; !ok {
				return fmt.Errorf("its merge number %d needs the token %.60q, which is not in its vocab", n-1, token)
			}
		}
	}
	return nil
}

// mergeParts splits "a b" or ["a", "b"]. It returns "", "", true for a
// "#version" line.
func mergeParts(raw []byte) (a, b string, ok bool) {
	switch kind(raw) {
	case "a string":
		s := text(raw)
		if strings.HasPrefix(s, "#version") {
			return "", "", true
		}
		a, b, ok = strings.Cut(s, " ")
		return a, b, ok && a != "" && b != "" && !strings.Contains(b, " ")
	case "an array":
		var parts []string
		for p := range elements(raw) {
			if kind(p) != "a string" {
				return "", "", false
			}
			parts = append(parts, text(p))
		}
		if len(parts) == 2 {
			return parts[0], parts[1], parts[0] != "" && parts[1] != ""
		}
	}
	return "", "", false
}

// join returns the token that a and b merge into.
func (m *model) join(a, b string) (string, bool) {
	if m.prefix != nil {
		var ok bool
		if b, ok = strings.CutPrefix(b, *m.prefix); !ok {
			return "", false
		}
	}
	return a + b, true
}

// symbol reports whether BPE may start from token: one character, with or
// without the prefix and suffix that mark its place in a word.
func (m *model) symbol(token string) bool {
	if m.prefix != nil {
		token = strings.TrimPrefix(token, *m.prefix)
	}
	if m.suffix != nil {
		token = strings.TrimSuffix(token, *m.suffix)
	}
	return utf8.RuneCountInString(token) <= 1
}

// write appends the model in the form that the library reads. It omits BPE
// dropout, which is noise for training and would change the ids on each run.
func (m *model) write(out []byte) []byte {
	put := func(key string, value any) {
		v, _ := json.Marshal(value) // strings, numbers and nil always marshal
		out = append(append(append(quote(out, key), ':'), v...), ',')
	}
	out = append(out, '{')
	put("type", m.kind)
	switch m.kind {
	case "WordPiece":
		put("unk_token", m.unk)
		put("continuing_subword_prefix", m.prefix)
		put("max_input_chars_per_word", m.wordChars)
	case "WordLevel":
		put("unk_token", m.unk)
	case "Unigram":
		put("unk_id", m.unkID)
		put("byte_fallback", m.byteFallback)
	case "BPE":
		put("unk_token", m.unk)
		put("continuing_subword_prefix", m.prefix)
		put("end_of_word_suffix", m.suffix)
		put("fuse_unk", m.fuseUnk)
		put("byte_fallback", m.byteFallback)
		put("ignore_merges", m.ignoreMerges)
		out = append(append(append(out, `"merges":`...), m.merges...), ',')
	}
	out = append(append(out, `"vocab":`...), m.vocab...)
	return append(out, '}')
}
