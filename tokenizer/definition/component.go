package definition

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"inglenook/tokenizer/patterns"
	"inglenook/tokenizer/rawjson"
)

// A Component is a normalizer, pre-tokenizer or decoder of tokenizer.json,
// with exactly the fields that the native library reads. The library panics on
// some bad components, and a panic in it ends the process, so every component
// is checked against the tables here before the library sees it.
type Component map[string]any

// Name returns the type of a component, such as "Lowercase".
func (c Component) Name() string {
	s, _ := c["type"].(string)
	return s
}

// Parts returns the members of a Sequence, or c itself: a component and a
// Sequence of only that component do the same.
func (c Component) Parts() []Component {
	if c == nil {
		return nil
	}
	for _, key := range []string{"normalizers", "pretokenizers", "decoders"} {
		if list, ok := c[key].([]Component); ok {
			var all []Component
			for _, p := range list {
				all = append(all, p.Parts()...)
			}
			return all
		}
	}
	return []Component{c}
}

// field describes one field of a component. Kinds: bool, string, rune (one
// character), count, zero, regex (a pattern object), charsmap, list, or the
// allowed words, separated by "|". A leading "?" means that the field may be
// absent or null.
type field struct{ name, kind string }

var byteLevel = []field{{"add_prefix_space", "bool"}, {"trim_offsets", "bool"}, {"use_regex", "?bool"}}

var metaspace = []field{
	{"replacement", "rune"},
	{"add_prefix_space", "?bool"},
	{"prepend_scheme", "?always|first|never"},
	{"split", "?bool"},
}

var replace = []field{{"pattern", "regex"}, {"content", "string"}}

const behaviors = "Removed|Isolated|MergedWithPrevious|MergedWithNext|Contiguous"

// The types known to release 0.20.4 of the tokenizers crate.
var normalizers = map[string][]field{
	"BertNormalizer": {{"clean_text", "bool"}, {"handle_chinese_chars", "bool"}, {"strip_accents", "?bool"}, {"lowercase", "bool"}},
	"ByteLevel":      nil,
	"Lowercase":      nil,
	"NFC":            nil,
	"NFD":            nil,
	"NFKC":           nil,
	"NFKD":           nil,
	"Nmt":            nil,
	"Precompiled":    {{"precompiled_charsmap", "charsmap"}},
	"Prepend":        {{"prepend", "string"}},
	"Replace":        replace,
	"Sequence":       {{"normalizers", "list"}},
	"Strip":          {{"strip_left", "bool"}, {"strip_right", "bool"}},
	"StripAccents":   nil,
}

var preTokenizers = map[string][]field{
	"BertPreTokenizer":   nil,
	"ByteLevel":          byteLevel,
	"CharDelimiterSplit": {{"delimiter", "rune"}},
	"Digits":             {{"individual_digits", "bool"}},
	"Metaspace":          metaspace,
	"Punctuation":        {{"behavior", "?" + behaviors}},
	"Sequence":           {{"pretokenizers", "list"}},
	"Split":              {{"pattern", "regex"}, {"behavior", behaviors}, {"invert", "bool"}},
	"UnicodeScripts":     nil,
	"Whitespace":         nil,
	"WhitespaceSplit":    nil,
}

var decoders = map[string][]field{
	"BPEDecoder":   {{"suffix", "string"}},
	"ByteFallback": nil,
	"ByteLevel":    byteLevel,
	"CTC":          {{"pad_token", "string"}, {"word_delimiter_token", "string"}, {"cleanup", "bool"}},
	"Fuse":         nil,
	"Metaspace":    metaspace,
	"Replace":      replace,
	"Sequence":     {{"decoders", "list"}},
	"Strip":        {{"content", "rune"}, {"start", "count"}, {"stop", "zero"}},
	"WordPiece":    {{"prefix", "string"}, {"cleanup", "bool"}},
}

// readComponent parses raw, the value of section ("normalizer", …), and checks
// it against the table of known types. It returns nil for null.
func readComponent(section string, raw []byte, known map[string][]field) (Component, error) {
	if len(raw) == 0 || rawjson.Kind(raw) == "null" {
		return nil, nil
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, fmt.Errorf("its %s can't be read (%s)", section, rawjson.Why(err))
	}
	count := 0
	return checkComponent(section, v, known, &count)
}

func checkComponent(section string, v any, known map[string][]field, count *int) (Component, error) {
	if *count++; *count > maxComponents {
		return nil, fmt.Errorf("its %s has more than %d parts", section, maxComponents)
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("its %s is not an object", section)
	}
	name, ok := object["type"].(string)
	if !ok {
		return nil, fmt.Errorf("its %s has no type", section)
	}
	fields, ok := known[name]
	if !ok {
		return nil, fmt.Errorf("its %s is of the type %.60q, which is not known here", section, name)
	}
	c := Component{"type": name}
	for _, f := range fields {
		value, present := object[f.name]
		want, optional := strings.CutPrefix(f.kind, "?")
		if optional && (!present || value == nil) {
			continue
		}
		if want == "list" {
			items, ok := value.([]any)
			if !ok {
				return nil, fmt.Errorf("its %s %s needs a list in %q", section, name, f.name)
			}
			list := []Component{}
			for _, item := range items {
				part, err := checkComponent(section, item, known, count)
				if err != nil {
					return nil, err
				}
				list = append(list, part)
			}
			c[f.name] = list
			continue
		}
		checked, err := checkField(want, value)
		if err != nil {
			return nil, fmt.Errorf("its %s %s has a bad %q: %w", section, name, f.name, err)
		}
		c[f.name] = checked
	}
	if name == "Metaspace" {
		if err := c.settlePrefix(); err != nil {
			return nil, fmt.Errorf("its %s Metaspace %w", section, err)
		}
	}
	return c, nil
}

// settlePrefix converts Metaspace's older add_prefix_space to prepend_scheme.
func (c Component) settlePrefix() error {
	prefix, old := c["add_prefix_space"].(bool)
	if old && !prefix {
		if scheme, ok := c["prepend_scheme"].(string); ok && scheme != "never" {
			return fmt.Errorf("says both add_prefix_space false and prepend_scheme %q", scheme)
		}
		c["prepend_scheme"] = "never"
	}
	delete(c, "add_prefix_space")
	return nil
}

func checkField(want string, value any) (any, error) {
	switch want {
	case "bool":
		if b, ok := value.(bool); ok {
			return b, nil
		}
		return nil, fmt.Errorf("it has to be true or false")
	case "count", "zero":
		n, ok := value.(float64)
		if !ok || n != float64(int(n)) || n < 0 || n > 1000 {
			return nil, fmt.Errorf("it has to be a small whole number")
		}
		if want == "zero" && n != 0 {
			// The library's Strip decoder reads before the start of a short
			// token when it strips at the end. No known model needs that.
			return nil, fmt.Errorf("anything but 0 is unsafe")
		}
		return int(n), nil
	case "regex":
		return checkPattern(value)
	}
	s, ok := value.(string)
	if !ok {
		return nil, fmt.Errorf("it has to be a string")
	}
	switch want {
	case "string":
		if len(s) > MaxTokenBytes || strings.ContainsRune(s, 0) {
			return nil, fmt.Errorf("it is too long or holds a NUL")
		}
	case "rune":
		if utf8.RuneCountInString(s) != 1 || s == "\x00" {
			return nil, fmt.Errorf("it has to be one character")
		}
	case "charsmap":
		data, err := base64.StdEncoding.DecodeString(s)
		if err != nil {
			return nil, fmt.Errorf("it is not base64 (%v)", err)
		}
		if err := checkCharsmap(data); err != nil {
			return nil, err
		}
	default:
		if !slices.Contains(strings.Split(want, "|"), s) {
			return nil, fmt.Errorf("%.60q is not one of %s", s, strings.ReplaceAll(want, "|", ", "))
		}
	}
	return s, nil
}

// checkPattern parses {"String": s} or {"Regex": s}.
func checkPattern(value any) (any, error) {
	object, _ := value.(map[string]any)
	if len(object) == 1 {
		for key, v := range object {
			s, ok := v.(string)
			if !ok || s == "" || strings.ContainsRune(s, 0) || len(s) > patterns.MaxPatternBytes {
				return nil, fmt.Errorf("the pattern has to be a string of 1 to %d bytes", patterns.MaxPatternBytes)
			}
			switch key {
			case "String":
				return map[string]any{key: s}, nil
			case "Regex":
				if err := patterns.Check(s); err != nil {
					return nil, err
				}
				return map[string]any{key: s}, nil
			}
		}
	}
	return nil, fmt.Errorf("it has to hold one String or one Regex")
}
