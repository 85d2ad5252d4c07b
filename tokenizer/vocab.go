package tokenizer

import "slices"

// buildVocabulary builds the tables between tokens and ids. Added tokens get
// their ids by the library's rule, which may differ from the id that the file
// states: the model's own id, or else the next unused id.
func (t *Tokenizer) buildVocabulary() {
	f := t.file
	t.ids = make(map[string]int32, len(f.Model.IDs)+len(f.Added))
	for id, token := range f.Model.Twice {
		t.put(token, id)
	}
	for token, id := range f.Model.IDs {
		t.put(token, id)
	}
	t.added = make(map[int32]bool, len(f.Added))
	last := int32(-1)
	for _, a := range f.Added {
		id, ok := t.ids[a.Content]
		if !ok {
			id = max(last+1, int32(f.Model.Tokens))
			t.put(a.Content, id)
		}
		last = max(last, id)
		t.added[id] = true
		if a.Special {
			f.AddControl(a.Content)
		}
	}
	for _, token := range t.config.Special {
		f.AddControl(token)
	}
	t.special = map[int32]bool{}
	for token := range f.Controls {
		if id, ok := t.ids[token]; ok {
			t.special[id] = true
		}
	}
}

func (t *Tokenizer) put(token string, id int32) {
	t.ids[token] = id
	for int(id) >= len(t.tokens) {
		t.tokens = append(t.tokens, make([]string, max(256, int(id)+1-len(t.tokens)))...)
		t.known = append(t.known, make([]bool, len(t.tokens)-len(t.known))...)
	}
	t.tokens[id], t.known[id] = token, true
}

func (t *Tokenizer) has(id int32) bool {
	return id >= 0 && int(id) < len(t.known) && t.known[id]
}

// TokenID returns the id of a token, as written in the vocabulary.
func (t *Tokenizer) TokenID(token string) (int32, bool) {
	id, ok := t.ids[token]
	return id, ok
}

// Token returns the token of an id, as written in the vocabulary.
func (t *Tokenizer) Token(id int32) (string, bool) {
	if !t.has(id) {
		return "", false
	}
	return t.tokens[id], true
}

// VocabSize returns the number of different tokens, added ones included.
func (t *Tokenizer) VocabSize() int { return len(t.ids) }

// MaxID returns the largest token id: a model needs more rows of embeddings.
func (t *Tokenizer) MaxID() int32 {
	for id := len(t.known) - 1; id >= 0; id-- {
		if t.known[id] {
			return int32(id)
		}
	}
	return -1
}

// SpecialIDs returns the ids of all control tokens, in ascending order.
func (t *Tokenizer) SpecialIDs() []int32 {
	ids := make([]int32, 0, len(t.special))
	for id := range t.special {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// PadID returns the padding token's id, -1 if the checkpoint names none.
func (t *Tokenizer) PadID() int32 { return t.named("pad_token", "[PAD]", "<pad>") }

// PadsLeft reports whether the checkpoint says that padding comes before a text, not behind it.
func (t *Tokenizer) PadsLeft() bool { return t.config.PaddingSide == "left" }

// MaskID returns the id of the token that stands for a gap, -1 if there is none.
func (t *Tokenizer) MaskID() int32 { return t.named("mask_token", "[MASK]", "<mask>") }

// EndID returns the id of the token that ends a text, -1 if there is none.
func (t *Tokenizer) EndID() int32 { return t.named("eos_token") }

// StartID returns the id of the token that starts a text, -1 if there is none.
func (t *Tokenizer) StartID() int32 { return t.named("bos_token") }

// UnknownID returns the id of the token for unknown text, -1 if nothing can be
// unknown.
func (t *Tokenizer) UnknownID() int32 {
	m := &t.file.Model
	if m.UnkID != nil {
		return int32(*m.UnkID)
	}
	if m.Unk != nil {
		return m.IDs[*m.Unk]
	}
	return -1
}

// named returns the id of the token with a role. It tries the configuration's
// name for it; for the padding token also tokenizer.json's padding block and
// config.json; then the usual names.
func (t *Tokenizer) named(role string, usual ...string) int32 {
	if id, ok := t.ids[t.config.Named[role]]; ok && t.config.Named[role] != "" {
		return id
	}
	if role == "pad_token" {
		if p := t.file.Padding; p.Set && t.has(p.ID) {
			return p.ID
		}
		if p := t.config.PadID; p != nil && t.has(*p) {
			return *p
		}
	}
	for _, token := range usual {
		if id, ok := t.ids[token]; ok {
			return id
		}
	}
	return -1
}
