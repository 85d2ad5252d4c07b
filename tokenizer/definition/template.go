package definition

import (
	"encoding/json"
	"fmt"

	"inglenook/tokenizer/rawjson"
)

// Template is the file's post-processor: which control tokens surround one
// text or two, and the type id of each part. This package applies it, because
// the library has no entry point for pairs.
type Template struct {
	Single, Pair []Part
	Trim         bool // exclude the spaces that a byte-level token starts with from its offsets
	PrefixSpace  bool // but not the first one, which the tokenizer itself added
}

// Part is one piece of a template: a text, or control tokens.
type Part struct {
	Text int // 0 or 1: the first or second text; -1: the tokens in ids
	IDs  []int32
	Kind int32 // token type id
}

// plain is the library's behaviour without a post-processor.
var plain = Template{
	Single: []Part{{Text: 0}},
	Pair:   []Part{{Text: 0}, {Text: 1, Kind: 1}},
}

func readTemplate(raw []byte) (Template, error) {
	if len(raw) == 0 || rawjson.Kind(raw) == "null" {
		return plain, nil
	}
	t := plain
	adders := 0
	err := t.read(raw, &adders, 0)
	if err == nil && adders > 1 {
		err = fmt.Errorf("its post_processor adds control tokens in %d steps, where one is possible", adders)
	}
	return t, err
}

func (t *Template) read(raw []byte, adders *int, level int) error {
	var p struct {
		Type        string            `json:"type"`
		Processors  []json.RawMessage `json:"processors"`
		Sep         [2]any            `json:"sep"`
		Cls         [2]any            `json:"cls"`
		TrimOffsets *bool             `json:"trim_offsets"`
		PrefixSpace *bool             `json:"add_prefix_space"`
		Single      []json.RawMessage `json:"single"`
		Pair        []json.RawMessage `json:"pair"`
		Special     map[string]struct {
			IDs []int32 `json:"ids"`
		} `json:"special_tokens"`
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return fmt.Errorf("its post_processor can't be read (%s)", rawjson.Why(err))
	}
	switch p.Type {
	case "Sequence":
		if level > 0 || len(p.Processors) > maxComponents {
			return fmt.Errorf("its post_processor has a Sequence that is nested or too long")
		}
		for _, inner := range p.Processors {
			if err := t.read(inner, adders, level+1); err != nil {
				return err
			}
		}
		return nil
	case "ByteLevel":
		t.setTrim(p.TrimOffsets, p.PrefixSpace)
		return nil
	case "BertProcessing", "RobertaProcessing":
		*adders++
		cls, sep := controlID(p.Cls), controlID(p.Sep)
		if cls < 0 || sep < 0 {
			return fmt.Errorf("its post_processor %s needs cls and sep as [token, id]", p.Type)
		}
		one := func(id, kind int32) Part { return Part{Text: -1, IDs: []int32{id}, Kind: kind} }
		t.Single = []Part{one(cls, 0), {Text: 0}, one(sep, 0)}
		if p.Type == "BertProcessing" {
			t.Pair = append(t.Single, Part{Text: 1, Kind: 1}, one(sep, 1))
			return nil
		}
		t.setTrim(p.TrimOffsets, p.PrefixSpace)
		t.Pair = append(t.Single, one(sep, 0), Part{Text: 1}, one(sep, 0))
		return nil
	case "TemplateProcessing":
		*adders++
		control := map[string][]int32{}
		for name, token := range p.Special {
			control[name] = token.IDs
		}
		var err error
		if t.Single, err = readParts(p.Single, 1, control); err != nil {
			return err
		}
		t.Pair = nil
		if len(p.Pair) > 0 {
			t.Pair, err = readParts(p.Pair, 2, control)
		}
		return err
	}
	return fmt.Errorf("its post_processor is of the type %.60q, which is not known here", p.Type)
}

func (t *Template) setTrim(trim, prefixSpace *bool) {
	if trim != nil && *trim {
		t.Trim = true
		t.PrefixSpace = prefixSpace != nil && *prefixSpace
	}
}

// controlID reads the id of ["[SEP]", 102]; -1 if there is none.
func controlID(pair [2]any) int32 {
	if id, ok := pair[1].(float64); ok && id == float64(int32(id)) && id >= 0 {
		return int32(id)
	}
	return -1
}

// readParts reads a template for one text or two.
func readParts(raw []json.RawMessage, texts int, control map[string][]int32) ([]Part, error) {
	if len(raw) > maxTemplate {
		return nil, fmt.Errorf("its post_processor has a template of %d pieces, more than %d", len(raw), maxTemplate)
	}
	var parts []Part
	seen := [2]bool{}
	for _, r := range raw {
		var p struct {
			Sequence, SpecialToken *struct {
				ID   string `json:"id"`
				Kind int32  `json:"type_id"`
			}
		}
		if err := json.Unmarshal(r, &p); err != nil {
			return nil, fmt.Errorf("its post_processor has a bad piece (%s)", rawjson.Why(err))
		}
		switch {
		case p.SpecialToken != nil && p.Sequence == nil:
			ids, ok := control[p.SpecialToken.ID]
			if !ok || len(ids) > maxTemplate {
				return nil, fmt.Errorf("its post_processor's template uses %.60q, which is not among its special_tokens", p.SpecialToken.ID)
			}
			parts = append(parts, Part{Text: -1, IDs: ids, Kind: p.SpecialToken.Kind})
		case p.Sequence != nil && p.SpecialToken == nil && (p.Sequence.ID == "A" || p.Sequence.ID == "B"):
			n := int(p.Sequence.ID[0] - 'A')
			if n >= texts {
				return nil, fmt.Errorf("its post_processor's template for one text uses a second one")
			}
			if seen[n] {
				return nil, fmt.Errorf("its post_processor's template uses the text %s twice", p.Sequence.ID)
			}
			seen[n] = true
			parts = append(parts, Part{Text: n, Kind: p.Sequence.Kind})
		default:
			return nil, fmt.Errorf("its post_processor's template has the piece %.60s, which is neither Sequence A or B nor SpecialToken", r)
		}
		if k := parts[len(parts)-1].Kind; k < 0 {
			return nil, fmt.Errorf("its post_processor's template has the negative type id %d", k)
		}
	}
	if !seen[0] {
		return nil, fmt.Errorf("its post_processor's template has no place for the text")
	}
	return parts, nil
}

// CheckIDs checks that the template adds only tokens that exist.
func (t *Template) CheckIDs(known func(int32) bool) error {
	for _, parts := range [][]Part{t.Single, t.Pair} {
		for _, p := range parts {
			for _, id := range p.IDs {
				if !known(id) {
					return fmt.Errorf("its post_processor adds the token id %d, which is not in its vocab", id)
				}
			}
		}
	}
	return nil
}
