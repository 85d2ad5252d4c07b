package tokenizer

import (
	"slices"
	"strings"
)

// A control token that a person types must stay text: "</s>" in a document
// must not end the document. The library's own switch for that (encode special
// tokens as text) stops its search for added tokens, but the text still
// reaches the model, and a model whose vocabulary holds "</s>" as an ordinary
// entry finds it there. (The reference does the same: T5 and XLM-RoBERTa
// return the control id even with that switch.) So where the model could match
// a control token, its entry is renamed to something that no text contains.
// Its id, its position and everything else stay.

// addControl records a token that the file or its companions mark as special.
func (f *file) addControl(token string) {
	if token != "" {
		if f.controls == nil {
			f.controls = map[string]bool{}
		}
		f.controls[token] = true
	}
}

// hide settles which control tokens have other names where typed text is encoded:
// those that text could match. The control tokens must be known.
func (f *file) hide() { f.hidden = f.exposed() }

// hides reports whether some control token has another name there.
func (f *file) hides() bool { return len(f.hidden) > 0 }

// exposed returns the control tokens that the model could match in plain text.
func (f *file) exposed() map[string]bool {
	found := map[string]bool{}
	for token := range f.controls {
		if _, ok := f.model.ids[token]; ok && !f.unreachable(token) {
			found[token] = true
		}
	}
	if f.model.kind != "BPE" || len(f.controls) == 0 {
		return found
	}
	for raw := range elements(f.model.merges) {
		a, b, _ := mergeParts(raw)
		if joined, _ := f.model.join(a, b); f.controls[joined] {
			found[joined] = true
		}
	}
	return found
}

// unreachable reports whether the model can't match token in text, apart from
// merges.
func (f *file) unreachable(token string) bool {
	switch f.model.kind {
	case "BPE":
		if f.model.ignoreMerges { // the model matches a word that is a token whole
			return f.splitsAfterLetters() && closed(token)
		}
		return !f.model.symbol(token)
	case "WordPiece":
		return f.splitsPunctuation() && mixed(token) && !strings.HasPrefix(token, *f.model.prefix)
	case "WordLevel":
		return f.splitsPunctuation() && mixed(token)
	}
	return false
}

// splitsAfterLetters reports whether every word that the model sees ends
// before a bracket or a bar that follows a letter.
func (f *file) splitsAfterLetters() bool {
	return slices.ContainsFunc(f.preTokenizer.parts(), func(p component) bool {
		pattern, _ := p["pattern"].(map[string]any)
		regex, _ := pattern["Regex"].(string)
		return p.name() == "Split" && p["behavior"] == "Isolated" && p["invert"] == false && ClosesWords(regex) ||
			p.name() == "ByteLevel" && p["use_regex"] != false
	})
}

// closed reports whether token has a bracket or a bar after a letter.
func closed(token string) bool {
	letter := strings.IndexFunc(token, func(r rune) bool { return isAlnum(r) && r > '9' })
	return letter >= 0 && strings.ContainsAny(token[letter:], "|>])")
}

func (f *file) splitsPunctuation() bool {
	for _, p := range f.preTokenizer.parts() {
		switch p.name() {
		case "BertPreTokenizer", "Whitespace", "Punctuation":
			return true
		}
	}
	return false
}

// mixed reports whether token holds letters or digits as well as punctuation,
// so that a pre-tokenizer that splits at punctuation takes it apart.
func mixed(token string) bool {
	word, mark := false, false
	for _, r := range token {
		switch {
		case isAlnum(r):
			word = true
		case r < 0x80 && r > ' ' && r != '_':
			mark = true
		}
	}
	return word && mark
}

func isAlnum(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

// protected returns the model and the added tokens with the exposed ones
// renamed.
func (f *file) protected() (model, []addedToken) { return f.renamed(f.hidden) }

// renamed returns the model and the added tokens with the hidden ones renamed.
func (f *file) renamed(hidden map[string]bool) (model, []addedToken) {
	if len(hidden) == 0 {
		return f.model, f.added
	}
	rename := func(token string) string {
		if hidden[token] {
			return controlMark + token
		}
		return token
	}
	m := f.model
	if m.unk != nil {
		unk := rename(*m.unk)
		m.unk = &unk
	}
	m.vocab = m.renamedVocab(rename)
	if m.kind == "BPE" {
		m.merges = m.mergesWithout(hidden)
	}
	added := make([]addedToken, len(f.added))
	for i, t := range f.added {
		t.Content = rename(t.Content)
		added[i] = t
	}
	return m, added
}

func (m *model) renamedVocab(rename func(string) string) []byte {
	out := make([]byte, 0, len(m.vocab)+1024)
	if m.kind == "Unigram" {
		out = append(out, '[')
		for pair := range elements(m.vocab) {
			for part := range elements(pair) {
				if kind(part) == "a string" {
					out = append(quote(append(out, '['), rename(text(part))), ',')
				} else {
					out = append(append(out, part...), "],"...)
				}
			}
		}
		return append(out[:len(out)-1], ']')
	}
	out = append(out, '{')
	for token, id := range members(m.vocab) {
		out = append(append(append(quote(out, rename(token)), ':'), id...), ',')
	}
	return append(out[:len(out)-1], '}')
}

// mergesWithout drops the merges that make or use a hidden token. The others
// keep their order; a rank has no other meaning.
func (m *model) mergesWithout(hidden map[string]bool) []byte {
	out := []byte{'['}
	for raw := range elements(m.merges) {
		a, b, _ := mergeParts(raw)
		joined, _ := m.join(a, b)
		if !hidden[a] && !hidden[b] && !hidden[joined] {
			out = append(append(out, raw...), ',')
		}
	}
	if len(out) == 1 {
		return []byte("[]")
	}
	return append(out[:len(out)-1], ']')
}

// watched lists the control tokens as they appear in raw text. It returns nil
// where a normalizer could produce one, or where searching for so many costs
// more than it saves.
func (f *file) watched() []string {
	const most = 64
	looks := make([]string, 0, len(f.controls))
	for token := range f.controls {
		looks = append(looks, token)
	}
	for _, a := range f.added {
		if (a.Special || f.controls[a.Content]) && a.Normalized && f.normalizer != nil {
			return nil
		}
		if a.Special && !f.controls[a.Content] {
			looks = append(looks, a.Content)
		}
	}
	if len(looks) > most {
		return nil
	}
	return looks
}
