package tokenizer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"inglenook/tokenizer/definition"
)

// specials counts the control tokens that a template adds.
func specials(parts []definition.Part) (n int) {
	for _, p := range parts {
		n += len(p.IDs)
	}
	return n
}

// apply puts the encoded texts into the template. With noSpecial it omits the
// control tokens; the type ids stay those of the template, as in the
// reference.
func apply(parts []definition.Part, texts []Encoding, noSpecial bool) Encoding {
	var out Encoding
	for _, p := range parts {
		if p.Text >= 0 {
			e := texts[p.Text]
			out.IDs = append(out.IDs, e.IDs...)
			out.Offsets = append(out.Offsets, e.Offsets...)
			for range e.IDs {
				out.Types = append(out.Types, p.Kind)
				out.Special = append(out.Special, false)
				out.Sequence = append(out.Sequence, int8(p.Text))
			}
			out.Truncated = out.Truncated || e.Truncated
			out.Dropped += e.Dropped
			continue
		}
		if noSpecial {
			continue
		}
		for _, id := range p.IDs {
			out.IDs = append(out.IDs, id)
			out.Types = append(out.Types, p.Kind)
			out.Special = append(out.Special, true)
			out.Sequence = append(out.Sequence, -1)
			out.Offsets = append(out.Offsets, [2]int{})
		}
	}
	return out
}

// trimmed excludes the spaces at a token's ends from its offsets, as the
// ByteLevel and Roberta post-processors do. A byte-level vocabulary writes a
// space as Ġ. The first token keeps the one space that was put before it.
func trimmed(t definition.Template, token string, from, to int, first bool) (int, int) {
	space := func(r rune) bool { return r == 'Ġ' || unicode.IsSpace(r) }
	length := utf8.RuneCountInString(token)
	leading := length - utf8.RuneCountInString(strings.TrimLeftFunc(token, space))
	trailing := length - utf8.RuneCountInString(strings.TrimRightFunc(token, space))
	if leading > 0 {
		if first && t.PrefixSpace && leading == 1 {
			if length == 1 { // only the space, which is at the first character
				return from, from
			}
			leading = 0
		}
		from = min(from+leading, to)
	}
	if trailing > 0 && to >= trailing {
		to = max(to-trailing, from)
	}
	return from, to
}
