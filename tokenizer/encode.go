package tokenizer

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Encode turns one text into token ids.
func (t *Tokenizer) Encode(text string, o Options) (Encoding, error) {
	return t.encodeSingle(context.Background(), text, o)
}

// EncodePair turns two texts into one sequence by the file's pair template, as
// a cross-encoder wants them. MaxLength shortens the longer of the two first.
func (t *Tokenizer) EncodePair(a, b string, o Options) (Encoding, error) {
	return t.encodePair(context.Background(), a, b, o)
}

func (t *Tokenizer) encodeSingle(ctx context.Context, text string, o Options) (Encoding, error) {
	parts := t.file.template.single
	room, err := o.room(parts)
	if err != nil {
		return Encoding{}, err
	}
	e, err := t.encodeText(ctx, text, o, room)
	if err != nil {
		return Encoding{}, err
	}
	e.truncate(room, t.truncatesLeft())
	return t.finish(parts, []Encoding{e}, o), nil
}

func (t *Tokenizer) encodePair(ctx context.Context, a, b string, o Options) (Encoding, error) {
	parts := t.file.template.pair
	if !t.HasPairTemplate() {
		return Encoding{}, fmt.Errorf("this model's tokenizer has no template for two texts, so it can't compare a pair directly; use a reranker (cross-encoder) model")
	}
	room, err := o.room(parts)
	if err != nil {
		return Encoding{}, err
	}
	texts := make([]Encoding, 2)
	for i, text := range []string{a, b} {
		if texts[i], err = t.encodeText(ctx, text, o, room); err != nil {
			return Encoding{}, err
		}
	}
	if room >= 0 {
		left := t.truncatesLeft()
		na, nb := longestFirst(len(texts[0].IDs), len(texts[1].IDs), room)
		texts[0].truncate(na, left)
		texts[1].truncate(nb, left)
	}
	return t.finish(parts, texts, o), nil
}

// room is how many tokens of text MaxLength leaves; -1 = no limit.
func (o Options) room(parts []part) (int, error) {
	if o.MaxLength < 0 {
		return 0, fmt.Errorf("the greatest number of tokens is %d, which is negative; use 0 for no limit", o.MaxLength)
	}
	if o.MaxLength == 0 {
		return -1, nil
	}
	added := 0
	if !o.NoSpecial {
		added = specials(parts)
	}
	if o.MaxLength <= added {
		return 0, fmt.Errorf("the limit of %d tokens leaves no room for text beside the %d control tokens of this model; raise it to %d or more", o.MaxLength, added, added+1)
	}
	return o.MaxLength - added, nil
}

// finish applies the template and adds what Attributes asks for.
func (t *Tokenizer) finish(parts []part, texts []Encoding, o Options) Encoding {
	e := apply(parts, texts, o.NoSpecial)
	if !o.Attributes {
		e.Offsets = nil
		return e
	}
	e.Tokens = make([]string, len(e.IDs))
	for i, id := range e.IDs {
		e.Tokens[i], _ = t.Token(id)
	}
	return e
}

// encodeText encodes a text without its template. It stops when it has more
// than room tokens, if room is not negative. Offsets are there if o asks.
func (t *Tokenizer) encodeText(ctx context.Context, text string, o Options, room int) (Encoding, error) {
	var e Encoding
	if text == "" {
		return e, nil
	}
	native, longest := &t.text, t.cutter.longest
	if o.KeepSpecialText {
		native, longest = &t.control, 0
	}
	p := prepare(text, longest)
	soft := t.cutter.soft
	if room >= 0 {
		soft = min(soft, max(1024, 8*room))
	}
	one := func(start, end int) (Encoding, error) {
		if err := ctx.Err(); err != nil {
			return Encoding{}, err
		}
		return t.encodePiece(native, &p, start, end, o.Attributes)
	}

	if room >= 0 && t.truncatesLeft() {
		starts := t.cutter.all(p.text, soft)
		for i := len(starts) - 2; i >= 0; i-- {
			part, err := one(starts[i], starts[i+1])
			if err != nil {
				return e, err
			}
			part.IDs = append(part.IDs, e.IDs...)
			part.Offsets = append(part.Offsets, e.Offsets...)
			if e.IDs, e.Offsets = part.IDs, part.Offsets; len(e.IDs) > room {
				break
			}
		}
		return e, nil
	}
	for at := 0; at < len(p.text); {
		end := at + t.cutter.next(p.text[at:], soft)
		part, err := one(at, end)
		if err != nil {
			return e, err
		}
		e.IDs = append(e.IDs, part.IDs...)
		e.Offsets = append(e.Offsets, part.Offsets...)
		if at = end; room >= 0 && len(e.IDs) > room {
			break
		}
	}
	return e, nil
}

// encodePiece runs the library on bytes start:end of the prepared text.
func (t *Tokenizer) encodePiece(native *lazyNative, p *prepared, start, end int, offsets bool) (Encoding, error) {
	piece := p.text[start:end]
	answer, err := native.encode(piece, offsets)
	if err != nil {
		return Encoding{}, err
	}
	if len(answer.ids) == 0 {
		return Encoding{}, t.checkEmpty(native, piece)
	}
	e := Encoding{IDs: make([]int32, len(answer.ids))}
	for i, id := range answer.ids {
		e.IDs[i] = int32(id)
	}
	if offsets {
		e.Offsets = make([][2]int, len(answer.ids))
		for i, o := range answer.offsets {
			from, to := start+int(o[0]), start+int(o[1])
			if t.file.template.trim {
				token, _ := t.Token(e.IDs[i])
				if t.added[e.IDs[i]] { // matched with the spaces around it
					token = p.text[from:to]
				}
				from, to = t.file.template.trimmed(token, from, to, start == 0 && i == 0)
			}
			e.Offsets[i] = p.origin(from, to)
		}
	}
	return e, nil
}

// checkEmpty tells a piece that has no tokens from one that the library failed
// on: with the probe added, the first has the probe's tokens.
func (t *Tokenizer) checkEmpty(native *lazyNative, piece string) error {
	answer, err := native.encode(piece+" "+t.probe, false)
	if err == nil && len(answer.ids) == 0 {
		err = fmt.Errorf("the tokenizer library failed on this text (it begins %.40q); its vocabulary may lack a token for unknown characters, so choose another model or other text", piece)
	}
	return err
}

// trimmed takes the spaces at a token's ends out of its offsets, as the
// ByteLevel and Roberta post-processors do. In a byte-level vocabulary a space
// is written Ġ.
func (t *template) trimmed(token string, from, to int, first bool) (int, int) {
	space := func(r rune) bool { return r == 'Ġ' || unicode.IsSpace(r) }
	length := utf8.RuneCountInString(token)
	leading := length - utf8.RuneCountInString(strings.TrimLeftFunc(token, space))
	trailing := length - utf8.RuneCountInString(strings.TrimRightFunc(token, space))
	if leading > 0 {
		if (first || from == 0) && t.prefixSpace && leading == 1 {
			if length == 1 { // nothing but the space, which stands at the first character
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

// truncate keeps the first n tokens, or the last n if left; all if n < 0.
func (e *Encoding) truncate(n int, left bool) {
	drop := len(e.IDs) - n
	if n < 0 || drop <= 0 {
		return
	}
	e.Truncated = true
	e.Dropped += drop
	from, to := 0, n
	if left {
		from, to = drop, len(e.IDs)
	}
	e.IDs = e.IDs[from:to]
	if e.Offsets != nil {
		e.Offsets = e.Offsets[from:to]
	}
}

// longestFirst shares room between texts of a and b tokens as the library's
// LongestFirst strategy does: the shorter one stays whole if it takes less
// than half, else each gets half, and the odd token goes to the longer one.
func longestFirst(a, b, room int) (int, int) {
	if a+b <= room {
		return a, b
	}
	swap := a > b
	if swap {
		a, b = b, a
	}
	if a > room {
		b = a
	} else {
		b = max(a, room-a)
	}
	if a+b > room {
		a = room / 2
		b = a + room%2
	}
	if swap {
		a, b = b, a
	}
	return a, b
}
