package tokenizer

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
)

// TokenBytes returns what a token adds to a text that other tokens came before:
// the byte of a byte-fallback token, the bytes that a byte-level token is
// written for, a space for "▁", a control token's own text. Joined, they are
// what Decode gives, but that broken UTF-8 is still broken here and that a
// decoder may take a space from the beginning of a text. It is nil for an id
// that is no token's. The table for all ids is made at the first call; its
// bytes must not be changed.
func (t *Tokenizer) TokenBytes(id int32) []byte {
	if !t.has(id) {
		return nil
	}
	table := t.bytes()
	from, to := table.ends[id], table.ends[id+1]
	return table.data[from:to:to]
}

// byteTable holds the bytes of all tokens: those of id are data from ends[id]
// to ends[id+1].
type byteTable struct {
	data []byte
	ends []uint32
}

func (t *Tokenizer) makeByteTable() byteTable {
	table := byteTable{ends: make([]uint32, 1, len(t.tokens)+1)}
	steps := t.file.decoder.parts()
	for _, token := range t.tokens {
		if t.file.decoder == nil { // tokens are joined with spaces
			table.data = append(table.data, ' ')
		}
		table.data = append(table.data, tokenText(token, steps, false)...)
		table.ends = append(table.ends, uint32(len(table.data)))
	}
	return table
}

// leadingBytes returns what a token is at the beginning of a text.
func (t *Tokenizer) leadingBytes(id int32) []byte {
	return []byte(tokenText(t.tokens[id], t.file.decoder.parts(), true))
}

// tokenText returns what the steps of a decoder make of a token that is not the
// last of its text, and not the first unless leading.
func tokenText(token string, steps []component, leading bool) string {
	fused := false
	for _, step := range steps {
		name := step.name()
		if fused && name != "Replace" {
			continue // it sees one text, of which this token is not the beginning
		}
		switch name {
		case "ByteLevel":
			token, fused = fromByteLevel(token), true
		case "Fuse":
			fused = true
		case "ByteFallback":
			if b, ok := fallbackByte(token); ok {
				token = string([]byte{b})
			}
		case "Metaspace":
			space := " "
			if leading && step["prepend_scheme"] != "never" {
				space = ""
			}
			token = strings.ReplaceAll(token, step["replacement"].(string), space)
		case "Replace":
			token = replaced(token, step)
		case "Strip":
			content := step["content"].(string)
			for range step["start"].(int) {
				token = strings.TrimPrefix(token, content)
			}
		case "WordPiece":
			rest, continued := strings.CutPrefix(token, step["prefix"].(string))
			switch {
			case leading: // as it is written
			case continued:
				token = rest
			default:
				token = " " + token
			}
			if step["cleanup"] == true {
				token = cleanup(token)
			}
		case "BPEDecoder":
			token = strings.ReplaceAll(token, step["suffix"].(string), " ")
		case "CTC":
			token = strings.ReplaceAll(token, step["pad_token"].(string), "")
			if step["cleanup"] == true {
				token = strings.ReplaceAll(cleanup(token), step["word_delimiter_token"].(string), " ")
			}
		}
	}
	return token
}

// cleanup is what the WordPiece and CTC decoders call so.
func cleanup(s string) string {
	for _, pair := range [][2]string{
		{" .", "."},
		{" ?", "?"},
		{" !", "!"},
		{" ,", ","},
		{" ' ", "'"},
		{" n't", "n't"},
		{" 'm", "'m"},
		{" do not", " don't"},
		{" 's", "'s"},
		{" 've", "'ve"},
		{" 're", "'re"},
	} {
		s = strings.ReplaceAll(s, pair[0], pair[1])
	}
	return s
}

// replaced is a Replace step. Of patterns that Go doesn't know none is found.
func replaced(s string, step component) string {
	pattern, content := step["pattern"].(map[string]any), step["content"].(string)
	if plain, ok := pattern["String"].(string); ok {
		return strings.ReplaceAll(s, plain, content)
	}
	regex, err := regexp.Compile(pattern["Regex"].(string))
	if err != nil {
		return s
	}
	return regex.ReplaceAllLiteralString(s, content)
}

// fallbackByte reads "<0x41>".
func fallbackByte(token string) (byte, bool) {
	digits, ok := strings.CutPrefix(token, "<0x")
	if !ok || len(digits) != 3 || digits[2] != '>' {
		return 0, false
	}
	b, err := strconv.ParseUint(digits[:2], 16, 8)
	return byte(b), err == nil
}

// byteLevelByte maps the characters in which GPT-2's byte-level vocabularies
// write bytes: a visible character of Latin-1 for itself, the others in order
// from U+0100 on.
var byteLevelByte = func() map[rune]byte {
	m := make(map[rune]byte, 256)
	next := rune(0x100)
	for b := range rune(256) {
		if '!' <= b && b <= '~' || 0xA1 <= b && b <= 0xFF && b != 0xAD {
			m[b] = byte(b)
			continue
		}
		m[next] = byte(b)
		next++
	}
	return m
}()

// fromByteLevel returns the bytes that a token is written for. One that holds
// another character than those is an added token, and stands for itself.
func fromByteLevel(token string) string {
	var out bytes.Buffer
	for _, r := range token {
		b, ok := byteLevelByte[r]
		if !ok {
			return token
		}
		out.WriteByte(b)
	}
	return out.String()
}
