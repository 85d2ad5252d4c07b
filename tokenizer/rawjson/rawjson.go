// Package rawjson walks JSON text without decoding it: encoding/json takes most of a
// second for a vocabulary of 250,000 entries. Check has to accept the text first.
// Then only the end of each value has to be found.
package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"unicode/utf8"
)

// maxDepth is how deep objects and arrays may nest.
const maxDepth = 64

// Check describes why this package can't read data as JSON: it is not
// UTF-8, nested deeper than maxDepth, or malformed.
func Check(data []byte) error {
	if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
		return fmt.Errorf("it starts with a byte order mark")
	}
	if !utf8.Valid(data) {
		return fmt.Errorf("it is not UTF-8 text")
	}
	if d := depth(data); d > maxDepth {
		return fmt.Errorf("it nests %d levels deep, more than the %d that a tokenizer can need", d, maxDepth)
	}
	if !json.Valid(data) {
		var v any
		return fmt.Errorf("it is not valid JSON (%v)", json.Unmarshal(data, &v))
	}
	return nil
}

// Why describes briefly why json.Unmarshal rejected valid JSON.
func Why(err error) string {
	var t *json.UnmarshalTypeError
	if errors.As(err, &t) && t.Field != "" {
		return fmt.Sprintf("%.60q is of the wrong type or out of range: %.60s", t.Field, t.Value)
	}
	return "a value is of the wrong type or out of range"
}

// depth returns how deep brackets nest outside strings. It stops counting soon
// after maxDepth: a file beyond that is rejected anyway.
func depth(data []byte) (deepest int) {
	level := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			i = stringEnd(data, i) - 1
		case '{', '[':
			level++
			if level > deepest {
				deepest = level
			}
			if deepest > maxDepth {
				return deepest
			}
		case '}', ']':
			level--
		}
	}
	return deepest
}

// stringEnd returns the index after the string that opens at data[i], or
// len(data) if it never closes.
func stringEnd(data []byte, i int) int {
	for i++; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(data)
}

// valueEnd returns the index after the value that starts at data[i].
func valueEnd(data []byte, i int) int {
	level := 0
	for ; i < len(data); i++ {
		switch data[i] {
		case '"':
			i = stringEnd(data, i) - 1
			if level == 0 {
				return i + 1
			}
		case '{', '[':
			level++
		case '}', ']':
			if level == 0 { // the end of the enclosing object or array
				return i
			}
			if level--; level == 0 {
				return i + 1
			}
		case ',', ' ', '\t', '\n', '\r':
			if level == 0 {
				return i
			}
		}
	}
	return i
}

// skip returns the index of the next byte at or after i that is neither white
// space nor one of the two separators.
func skip(data []byte, i int) int {
	for i < len(data) {
		switch data[i] {
		case ' ', '\t', '\n', '\r', ',', ':':
			i++
		default:
			return i
		}
	}
	return i
}

// Members yields key and raw value of a JSON object, in order, duplicates
// included. It yields nothing for any other value.
func Members(object []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		i := skip(object, 0)
		if i >= len(object) || object[i] != '{' {
			return
		}
		for i = skip(object, i+1); i < len(object) && object[i] == '"'; {
			end := stringEnd(object, i)
			key := Text(object[i:end])
			i = skip(object, end)
			end = valueEnd(object, i)
			if !yield(key, object[i:end]) {
				return
			}
			i = skip(object, end)
		}
	}
}

// Elements yields the raw values of a JSON array. It yields nothing for any
// other value.
func Elements(array []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		i := skip(array, 0)
		if i >= len(array) || array[i] != '[' {
			return
		}
		for i = skip(array, i+1); i < len(array) && array[i] != ']'; {
			end := valueEnd(array, i)
			if !yield(array[i:end]) {
				return
			}
			i = skip(array, end)
		}
	}
}

// Kind names the type of a raw JSON value.
func Kind(raw []byte) string {
	i := skip(raw, 0)
	if i >= len(raw) {
		return "nothing"
	}
	switch raw[i] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}
	return "a number"
}

// Text decodes a quoted JSON string; a lone surrogate becomes U+FFFD.
func Text(quoted []byte) string {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	var s string
	if json.Unmarshal(quoted, &s) != nil {
		return ""
	}
	return s
}

// Quote appends s to out as a JSON string.
func Quote(out []byte, s string) []byte {
	q, _ := json.Marshal(s) // a string always marshals
	return append(out, q...)
}
