package definition

import (
	"slices"
	"strings"

	"inglenook/tokenizer/patterns"
	"inglenook/tokenizer/rawjson"
)

// A control token that a person types must stay text: "</s>" in a document
// must not end the document. The library's own switch for that (encode special
// tokens as text) stops its search for added tokens, but the text still
// reaches the model, and a model whose vocabulary holds "</s>" as an ordinary
// entry finds it there. (The reference does the same: T5 and XLM-RoBERTa
// return the control id even with that switch.) So where the model could match
// a control token, its entry is renamed to something that no text contains.
// Its id, its position and everything else stay.

// AddControl records a token that the file or its companions mark as special.
func (f *File) AddControl(token string) {
	if token != "" {
		if f.Controls == nil {
			f.Controls = map[string]bool{}
		}
		f.Controls[token] = true
	}
}

// Hide settles which control tokens have other names where typed text is encoded:
// those that text could match. The control tokens must be known.
func (f *File) Hide() { f.hidden = f.exposed() }

// Hides reports whether some control token has another name there.
func (f *File) Hides() bool { return len(f.hidden) > 0 }

// exposed returns the control tokens that the model could match in plain text.
func (f *File) exposed() map[string]bool {
	found := map[string]bool{}
	for token := range f.Controls {
		if _, ok := f.Model.IDs[token]; ok && !f.unreachable(token) {
			found[token] = true
		}
	}
	if f.Model.Kind != "BPE" || len(f.Controls) == 0 {
		return found
	}
	for raw := range rawjson.Elements(f.Model.Merges) {
		a, b, _ := mergeParts(raw)
		if joined, _ := f.Model.join(a, b); f.Controls[joined] {
			found[joined] = true
		}
	}
	return found
}

// unreachable reports whether the model can't match token in text, apart from
// merges.
func (f *File) unreachable(token string) bool {
	switch f.Model.Kind {
	case "BPE":
		if f.Model.IgnoreMerges { // the model matches a word that is a token whole
			return f.splitsAfterLetters() && closed(token)
		}
		return !f.Model.symbol(token)
	case "WordPiece":
		return f.splitsPunctuation() && mixed(token) && !strings.HasPrefix(token, *f.Model.Prefix)
	case "WordLevel":
		return f.splitsPunctuation() && mixed(token)
	}
	return false
}

// splitsAfterLetters reports whether every word that the model sees ends
// before a bracket or a bar that follows a letter.
func (f *File) splitsAfterLetters() bool {
	return slices.ContainsFunc(f.PreTokenizer.Parts(), func(p Component) bool {
		pattern, _ := p["pattern"].(map[string]any)
		regex, _ := pattern["Regex"].(string)
		return p.Name() == "Split" && p["behavior"] == "Isolated" && p["invert"] == false && patterns.ClosesWords(regex) ||
			p.Name() == "ByteLevel" && p["use_regex"] != false
	})
}

// closed reports whether token has a bracket or a bar after a letter.
func closed(token string) bool {
	letter := strings.IndexFunc(token, func(r rune) bool { return IsAlnum(r) && r > '9' })
	return letter >= 0 && strings.ContainsAny(token[letter:], "|>])")
}

func (f *File) splitsPunctuation() bool {
	for _, p := range f.PreTokenizer.Parts() {
		switch p.Name() {
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
		case IsAlnum(r):
			word = true
		case r < 0x80 && r > ' ' && r != '_':
			mark = true
		}
	}
	return word && mark
}

// IsAlnum reports whether r is a letter or digit of ASCII.
func IsAlnum(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

// protected returns the model and the added tokens with the exposed ones
// renamed.
func (f *File) protected() (Model, []AddedToken) { return f.renamed(f.hidden) }

// renamed returns the model and the added tokens with the hidden ones renamed.
func (f *File) renamed(hidden map[string]bool) (Model, []AddedToken) {
	if len(hidden) == 0 {
		return f.Model, f.Added
	}
	rename := func(token string) string {
		if hidden[token] {
			return ControlMark + token
		}
		return token
	}
	m := f.Model
	if m.Unk != nil {
		unk := rename(*m.Unk)
		m.Unk = &unk
	}
	m.Vocab = m.renamedVocab(rename)
	if m.Kind == "BPE" {
		m.Merges = m.mergesWithout(hidden)
	}
	added := make([]AddedToken, len(f.Added))
	for i, t := range f.Added {
		t.Content = rename(t.Content)
		added[i] = t
	}
	return m, added
}

func (m *Model) renamedVocab(rename func(string) string) []byte {
	out := make([]byte, 0, len(m.Vocab)+1024)
	if m.Kind == "Unigram" {
		out = append(out, '[')
		for pair := range rawjson.Elements(m.Vocab) {
			for part := range rawjson.Elements(pair) {
				if rawjson.Kind(part) == "a string" {
					out = append(rawjson.Quote(append(out, '['), rename(rawjson.Text(part))), ',')
				} else {
					out = append(append(out, part...), "],"...)
				}
			}
		}
		return append(out[:len(out)-1], ']')
	}
	out = append(out, '{')
	for token, id := range rawjson.Members(m.Vocab) {
		out = append(append(append(rawjson.Quote(out, rename(token)), ':'), id...), ',')
	}
	return append(out[:len(out)-1], '}')
}

// mergesWithout drops the merges that make or use a hidden token. The others
// keep their order; a rank has no other meaning.
func (m *Model) mergesWithout(hidden map[string]bool) []byte {
	out := []byte{'['}
	for raw := range rawjson.Elements(m.Merges) {
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

// Watched lists the control tokens as they appear in raw text. It returns nil
// where a normalizer could produce one, or where searching for so many costs
// more than it saves.
func (f *File) Watched() []string {
	const most = 64
	looks := make([]string, 0, len(f.Controls))
	for token := range f.Controls {
		looks = append(looks, token)
	}
	for _, a := range f.Added {
		if (a.Special || f.Controls[a.Content]) && a.Normalized && f.Normalizer != nil {
			return nil
		}
		if a.Special && !f.Controls[a.Content] {
			looks = append(looks, a.Content)
		}
	}
	if len(looks) > most {
		return nil
	}
	return looks
}
