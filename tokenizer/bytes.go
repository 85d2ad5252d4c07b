package tokenizer

import (
	"bytes"
	"regexp"
	"strings"

	"inglenook/tokenizer/definition"
)

// TokenBytes returns what a token adds to a text that other tokens precede:
// the byte of a byte-fallback token, the bytes that a byte-level token
// encodes, a space for "▁", a control token's own text. Joined, they are what
// Decode returns, with two differences: broken UTF-8 stays broken, and a
// decoder may remove a space at the beginning of a text. TokenBytes returns
// nil for an unknown id. The first call builds the table for all ids; the
// caller must not change its bytes.
func (t *Tokenizer) TokenBytes(id int32) []byte {
	if !t.has(id) {
		return nil
	}
	table := t.bytes()
	from, to := table.ends[id], table.ends[id+1]
	return table.data[from:to:to]
}

// byteTable holds the bytes of all tokens: those of token id are
// data[ends[id]:ends[id+1]].
type byteTable struct {
	data []byte
	ends []uint32
}

func (t *Tokenizer) makeByteTable() byteTable {
	table := byteTable{ends: make([]uint32, 1, len(t.tokens)+1)}
	steps := t.file.Decoder.Parts()
	for _, token := range t.tokens {
		if t.file.Decoder == nil { // tokens are joined with spaces
			table.data = append(table.data, ' ')
		}
		table.data = append(table.data, tokenText(token, steps, false)...)
		table.ends = append(table.ends, uint32(len(table.data)))
	}
	return table
}

// leadingBytes returns the bytes of a token at the beginning of a text.
func (t *Tokenizer) leadingBytes(id int32) []byte {
	return []byte(tokenText(t.tokens[id], t.file.Decoder.Parts(), true))
}

// tokenText applies the steps of a decoder to one token. The token is not the
// last of its text, and is the first only if leading.
func tokenText(token string, steps []definition.Component, leading bool) string {
	fused := false
	for _, step := range steps {
		name := step.Name()
		if fused && name != "Replace" {
			continue // this step sees one text, and the token is not its beginning
		}
		switch name {
		case "ByteLevel":
			token, fused = fromByteLevel(token), true
		case "Fuse":
			fused = true
		case "ByteFallback":
			if b, ok := definition.FallbackByte(token); ok {
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

// cleanup does the clean-up of the WordPiece and CTC decoders.
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

// replaced applies a Replace step. A pattern that Go can't compile matches
// nothing.
func replaced(s string, step definition.Component) string {
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

// byteLevelByte maps the characters by which GPT-2's byte-level vocabularies
// write bytes: a visible Latin-1 character stands for itself, and the others
// are numbered from U+0100 on.
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

// fromByteLevel returns the bytes that a token encodes. A token with any other
// character is an added token, and stands for itself.
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
