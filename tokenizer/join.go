package tokenizer

import (
	"strings"
	"unicode/utf8"

	"inglenook/tokenizer/definition"
)

const replacement = "\uFFFD"

// A joiner turns tokens into text, one at a time, by appending their bytes. It
// holds back an incomplete character, so all that it returns is valid UTF-8.
type joiner struct {
	t       *Tokenizer
	started bool
	partial []byte // the beginning of a character
	strip   string // a character that the decoder removes from the beginning of a text
	strips  int    // how often it may still be removed
	whole   bool   // a broken character becomes one U+FFFD, not one for each byte
}

func newJoiner(t *Tokenizer) *joiner {
	j := &joiner{t: t}
	fused := false
	for _, step := range t.file.Decoder.Parts() {
		switch step.Name() {
		case "ByteLevel":
			fused, j.whole = true, true
		case "Fuse":
			fused = true
		case "Strip":
			if fused {
				j.strip, j.strips = step["content"].(string), step["start"].(int)
			}
		}
	}
	return j
}

// joinable reports whether decoding is joining the bytes of the tokens:
// whether no step looks at more than one token, except at the beginning of the
// text.
func joinable(decoder definition.Component) bool {
	fused, stripped := false, false
	for _, step := range decoder.Parts() {
		switch name := step.Name(); {
		case name == "CTC", name == "BPEDecoder":
			return false // CTC looks at the token before, BPEDecoder at whether one follows
		case fused && name == "Strip" && !stripped:
			stripped = true
		case fused && name != "Fuse":
			return false // after fusing, a step sees one text
		case name == "ByteLevel", name == "Fuse":
			fused = true
		}
	}
	return true
}

// add appends one token and returns the text that is now certain.
func (j *joiner) add(id int32) string {
	data := j.t.TokenBytes(id)
	if !j.started {
		j.started = true
		data = j.t.leadingBytes(id)
	}
	return j.text(append(j.partial, data...), false)
}

// end returns the text that is left after the last token.
func (j *joiner) end() string { return j.text(j.partial, true) }

func (j *joiner) text(data []byte, last bool) string {
	var out strings.Builder
	for len(data) > 0 && (last || utf8.FullRune(data)) {
		r, size := utf8.DecodeRune(data)
		if r == utf8.RuneError && size == 1 {
			if j.whole {
				size = brokenLength(data)
			}
			out.WriteString(replacement)
		} else {
			out.Write(data[:size])
		}
		data = data[size:]
	}
	j.partial = append([]byte(nil), data...)
	text := out.String()
	for j.strips > 0 && text != "" {
		rest, ok := strings.CutPrefix(text, j.strip)
		if !ok {
			j.strips = 0
			break
		}
		text = rest
		j.strips--
	}
	return text
}

// brokenLength returns how many bytes of data, which does not begin with a
// valid character, could be the beginning of one: Unicode's "maximal subpart".
func brokenLength(data []byte) int {
	n := 1
	for n < len(data) && !utf8.FullRune(data[:n]) && !utf8.FullRune(data[:n+1]) {
		n++
	}
	return n
}
