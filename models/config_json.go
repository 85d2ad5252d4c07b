package models

import "bytes"

// PlainJSON returns Python's JSON with NaN, Infinity and -Infinity, which are
// not valid JSON, replaced by strings. A reader that needs a number there
// rejects the string; other fields are unaffected.
func PlainJSON(data []byte) []byte {
	var out []byte
	rest, inText := data, false
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case !inText && (c == 'N' || c == 'I' || c == '-'):
			for _, word := range []string{"NaN", "Infinity", "-Infinity"} {
				if !bytes.HasPrefix(rest[i:], []byte(word)) {
					continue
				}
				out = append(out, rest[:i]...)
				out = append(append(append(out, '"'), word...), '"')
				rest, i = rest[i+len(word):], -1
				break
			}
		}
	}
	if out == nil {
		return data
	}
	return append(out, rest...)
}
