package tokenizer

import (
	"encoding/json"
	"fmt"
)

// template is the file's post-processor: which control tokens surround one
// text or two, and the type id of each part. This package applies it, because
// the library has no entry point for pairs.
type template struct {
	single, pair []part
	trim         bool // exclude the spaces that a byte-level token starts with from its offsets
	prefixSpace  bool // but not the first one, which the tokenizer itself added
}

// part is one piece of a template: a text, or control tokens.
type part struct {
	text int // 0 or 1: the first or second text; -1: the tokens in ids
	ids  []int32
	kind int32 // token type id
}

// plain is the library's behaviour without a post-processor.
var plain = template{
	single: []part{{text: 0}},
	pair:   []part{{text: 0}, {text: 1, kind: 1}},
}

func readTemplate(raw []byte) (template, error) {
	if len(raw) == 0 || kind(raw) == "null" {
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

func (t *template) read(raw []byte, adders *int, level int) error {
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
		return fmt.Errorf("its post_processor can't be read (%s)", why(err))
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
		one := func(id, kind int32) part { return part{text: -1, ids: []int32{id}, kind: kind} }
		t.single = []part{one(cls, 0), {text: 0}, one(sep, 0)}
		if p.Type == "BertProcessing" {
			t.pair = append(t.single, part{text: 1, kind: 1}, one(sep, 1))
			return nil
		}
		t.setTrim(p.TrimOffsets, p.PrefixSpace)
		t.pair = append(t.single, one(sep, 0), part{text: 1}, one(sep, 0))
		return nil
	case "TemplateProcessing":
		*adders++
		control := map[string][]int32{}
		for name, token := range p.Special {
			control[name] = token.IDs
		}
		var err error
		if t.single, err = readParts(p.Single, 1, control); err != nil {
			return err
		}
		t.pair = nil
		if len(p.Pair) > 0 {
			t.pair, err = readParts(p.Pair, 2, control)
		}
		return err
	}
	return fmt.Errorf("its post_processor is of the type %.60q, which is not known here", p.Type)
}

func (t *template) setTrim(trim, prefixSpace *bool) {
	if trim != nil && *trim {
		t.trim = true
		t.prefixSpace = prefixSpace != nil && *prefixSpace
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
func readParts(raw []json.RawMessage, texts int, control map[string][]int32) ([]part, error) {
	if len(raw) > maxTemplate {
		return nil, fmt.Errorf("its post_processor has a template of %d pieces, more than %d", len(raw), maxTemplate)
	}
	var parts []part
	seen := [2]bool{}
	for _, r := range raw {
		var p struct {
			Sequence, SpecialToken *struct {
				ID   string `json:"id"`
				Kind int32  `json:"type_id"`
			}
		}
		if err := json.Unmarshal(r, &p); err != nil {
			return nil, fmt.Errorf("its post_processor has a bad piece (%s)", why(err))
		}
		switch {
		case p.SpecialToken != nil && p.Sequence == nil:
			ids, ok := control[p.SpecialToken.ID]
			if !ok || len(ids) > maxTemplate {
				return nil, fmt.Errorf("its post_processor's template uses %.60q, which is not among its special_tokens", p.SpecialToken.ID)
			}
			parts = append(parts, part{text: -1, ids: ids, kind: p.SpecialToken.Kind})
		case p.Sequence != nil && p.SpecialToken == nil && (p.Sequence.ID == "A" || p.Sequence.ID == "B"):
			n := int(p.Sequence.ID[0] - 'A')
			if n >= texts {
				return nil, fmt.Errorf("its post_processor's template for one text uses a second one")
			}
			if seen[n] {
				return nil, fmt.Errorf("its post_processor's template uses the text %s twice", p.Sequence.ID)
			}
			seen[n] = true
			parts = append(parts, part{text: n, kind: p.Sequence.Kind})
		default:
			return nil, fmt.Errorf("its post_processor's template has the piece %.60s, which is neither Sequence A or B nor SpecialToken", r)
		}
		if k := parts[len(parts)-1].kind; k < 0 {
			return nil, fmt.Errorf("its post_processor's template has the negative type id %d", k)
		}
	}
	if !seen[0] {
		return nil, fmt.Errorf("its post_processor's template has no place for the text")
	}
	return parts, nil
}

// checkIDs checks that the template adds only tokens that exist.
func (t *template) checkIDs(known func(int32) bool) error {
	for _, parts := range [][]part{t.single, t.pair} {
		for _, p := range parts {
			for _, id := range p.ids {
				if !known(id) {
					return fmt.Errorf("its post_processor adds the token id %d, which is not in its vocab", id)
				}
			}
		}
	}
	return nil
}
