package tokenizer

import (
	"context"
	"fmt"

	"inglenook/tokenizer/definition"
	"inglenook/tokenizer/pieces"
)

// Encode turns one text into token ids.
func (t *Tokenizer) Encode(text string, o Options) (Encoding, error) {
	return t.encodeSingle(context.Background(), text, o)
}

// EncodePair turns two texts into one sequence by the file's pair template, as
// a cross-encoder needs them. MaxLength shortens the longer of the two first.
func (t *Tokenizer) EncodePair(a, b string, o Options) (Encoding, error) {
	return t.encodePair(context.Background(), a, b, o)
}

func (t *Tokenizer) encodeSingle(ctx context.Context, text string, o Options) (Encoding, error) {
	parts := t.file.Template.Single
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
	parts := t.file.Template.Pair
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

// room returns how many tokens of text MaxLength allows; -1 = no limit.
func (o Options) room(parts []definition.Part) (int, error) {
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

// finish applies the template and adds what Attributes requests.
func (t *Tokenizer) finish(parts []definition.Part, texts []Encoding, o Options) Encoding {
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
func (t *Tokenizer) encodeText(ctx context.Context, text string, o Options, room int) (e Encoding, err error) {
	c := t.cutter
	if o.ParseSpecial {
		c.Longest = 0 // a control token may be inside a long word
	}
	if room >= 0 {
		c.Soft = min(c.Soft, max(1024, 8*room))
	}
	enough := func() bool { return room >= 0 && len(e.IDs) > room }

	if room >= 0 && t.truncatesLeft() { // from the end
		starts := c.All(text)
		for i := len(starts) - 2; i >= 0 && !enough(); i-- {
			part, err := t.encodeWindow(ctx, text, starts[i], starts[i+1], c, o)
			if err != nil {
				return e, err
			}
			e.IDs = append(part.IDs, e.IDs...)
			e.Offsets = append(part.Offsets, e.Offsets...)
		}
		return e, nil
	}
	for at := 0; at < len(text) && !enough(); {
		end := at + c.Window(text[at:])
		part, err := t.encodeWindow(ctx, text, at, end, c, o)
		if err != nil {
			return e, err
		}
		e.IDs = append(e.IDs, part.IDs...)
		e.Offsets = append(e.Offsets, part.Offsets...)
		at = end
	}
	return e, nil
}

// encodeWindow encodes bytes from:to of a text. Preparing may lengthen them
// beyond what the library should get at once.
func (t *Tokenizer) encodeWindow(ctx context.Context, text string, from, to int, c pieces.Cutter, o Options) (e Encoding, err error) {
	p := pieces.Prepare(text[from:to], c.Longest)
	for at := 0; at < len(p.Text); {
		if err := ctx.Err(); err != nil {
			return e, err
		}
		end := at + c.Next(p.Text[at:], c.Hard)
		before := p.Text[:at]
		if at == 0 {
			before = text[:from]
		}
		piece := c.Instead(before, p.Text[at:end])
		left := end - at - len(piece) // what the library itself adds there
		answer, err := t.encodePiece(piece, o)
		if err != nil {
			return e, err
		}
		for _, id := range answer.ids {
			e.IDs = append(e.IDs, int32(id))
		}
		for i, span := range answer.offsets {
			start, stop := at+left+int(span[0]), at+left+int(span[1])
			if i == 0 && left > 0 {
				start -= left
				if token, _ := t.Token(int32(answer.ids[i])); token == definition.Blank {
					stop = start + left
				}
			}
			if t.file.Template.Trim {
				id := int32(answer.ids[i])
				token, _ := t.Token(id)
				if t.added[id] { // it includes the spaces around it
					token = p.Text[start:stop]
				}
				first := from == 0 && (start == 0 || at == 0 && i == 0)
				start, stop = trimmed(t.file.Template, token, start, stop, first)
			}
			given := p.Origin(start, stop)
			e.Offsets = append(e.Offsets, [2]int{from + given[0], from + given[1]})
		}
		at = end
	}
	return e, nil
}

func (t *Tokenizer) encodePiece(piece string, o Options) (encoded, error) {
	native := &t.text
	if o.ParseSpecial && t.mayHoldControl(piece) {
		native = &t.control
	}
	return t.encodeWith(native, piece, o.Attributes)
}

// encodeWith runs the library. The library reports a failure by returning no
// tokens, which is also the right answer for a text of spaces. The two are
// told apart by the probe: with it appended, a text of spaces has the probe's
// tokens.
func (t *Tokenizer) encodeWith(native *lazyNative, piece string, offsets bool) (encoded, error) {
	answer, err := native.encode(piece, offsets)
	if err != nil || len(answer.ids) > 0 {
		return answer, err
	}
	probed, err := native.encode(piece+" "+t.probe, false)
	if err == nil && len(probed.ids) == 0 {
		err = fmt.Errorf("the tokenizer library failed on this text (it begins %.40q); its vocabulary may lack a token for unknown characters, so choose another model or other text", piece)
	}
	return answer, err
}

// truncate keeps the first n tokens, or the last n if left. It keeps all if n
// < 0.
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
// LongestFirst strategy does: the shorter text stays whole if it takes less
// than half, else each gets half, and the longer one gets the odd token.
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
