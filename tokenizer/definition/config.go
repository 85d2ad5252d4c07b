package definition

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"slices"

	"inglenook/tokenizer/rawjson"
)

// Config is what a checkpoint says about its tokenizer outside tokenizer.json.
type Config struct {
	Name           string            // file name for error messages; "" = tokenizer.json
	ModelMaxLength int               // 0 = not stated
	TruncationSide string            // "left", "right" or "" = as in the file
	PaddingSide    string            // "left", "right" or "" = not stated
	Named          map[string]string // role ("pad_token", "eos_token", …) -> token
	Special        []string          // all tokens that a file marks as special

	// Settings of the tokenizer's class (see override.go); nil = not stated.
	DoLowerCase, StripAccents, ChineseChars, AddPrefixSpace, SplitByPunct *bool
	// Lowercase converts all of a text to lower case first, as a setting of
	// sentence-transformers demands.
	Lowercase bool

	AddBOS    *bool        // add_bos_token
	Listed    []AddedToken // added_tokens_decoder
	ClassName string       // tokenizer_class
	ModelType string       // model_type of config.json
	PadID     *int32       // pad_token_id of config.json
}

// Roles are the names of roles in tokenizer_config.json.
var Roles = []string{"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"}

// ReadConfig reads the files beside tokenizer.json. Each is optional. A broken
// file counts as missing, and so does a value of the wrong type.
func ReadConfig(fsys fs.FS) Config {
	c := Config{Named: map[string]string{}}
	var model struct {
		PadTokenID json.RawMessage `json:"pad_token_id"`
		ModelType  json.RawMessage `json:"model_type"`
		Class      json.RawMessage `json:"tokenizer_class"`
	}
	if ReadJSON(fsys, "config.json", &model) {
		var id float64
		if json.Unmarshal(model.PadTokenID, &id) == nil && string(model.PadTokenID) != "null" && id >= 0 && id < MaxTokens {
			pad := int32(id)
			c.PadID = &pad
		}
		_ = json.Unmarshal(model.ModelType, &c.ModelType)
		_ = json.Unmarshal(model.Class, &c.ClassName)
	}
	for _, name := range []string{"special_tokens_map.json", "tokenizer_config.json"} { // the later one wins
		var values map[string]json.RawMessage
		if ReadJSON(fsys, name, &values) {
			c.take(values)
		}
	}
	return c
}

func (c *Config) take(values map[string]json.RawMessage) {
	for _, role := range Roles {
		if token := tokenOf(values[role]); token != "" {
			c.Named[role] = token
			c.Special = append(c.Special, token)
		}
	}
	c.takeListed(values["added_tokens_decoder"])
	var extra []json.RawMessage
	if json.Unmarshal(values["additional_special_tokens"], &extra) == nil && len(extra) < maxAdded {
		for _, raw := range extra {
			if token := tokenOf(raw); token != "" {
				c.Special = append(c.Special, token)
			}
		}
	}
	// The reference library writes "no limit" as 1e30.
	var length float64
	if json.Unmarshal(values["model_max_length"], &length) == nil && length > 0 && length <= math.MaxInt32 {
		c.ModelMaxLength = int(length)
	}
	_ = json.Unmarshal(values["truncation_side"], &c.TruncationSide)
	_ = json.Unmarshal(values["padding_side"], &c.PaddingSide)
	_ = json.Unmarshal(values["tokenizer_class"], &c.ClassName)
	for key, setting := range map[string]**bool{
		"do_lower_case": &c.DoLowerCase, "strip_accents": &c.StripAccents,
		"tokenize_chinese_chars": &c.ChineseChars, "add_prefix_space": &c.AddPrefixSpace, "add_bos_token": &c.AddBOS, "split_by_punct": &c.SplitByPunct,
	} {
		var value *bool
		if json.Unmarshal(values[key], &value) == nil && value != nil {
			*setting = value
		}
	}
}

// takeListed reads added_tokens_decoder, which lists tokens by their ids. A broken
// entry counts as missing.
func (c *Config) takeListed(raw json.RawMessage) {
	var byID map[int64]json.RawMessage
	if json.Unmarshal(raw, &byID) != nil || len(byID) > maxAdded {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		t := AddedToken{}
		if json.Unmarshal(byID[id], &t) == nil && t.Content != "" && id >= 0 && id < MaxTokens {
			t.ID = int32(id)
			c.Listed = append(c.Listed, t)
		}
	}
}

// tokenOf parses "[PAD]" or {"content": "[PAD]", …}.
func tokenOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var object struct {
		Content string `json:"content"`
	}
	_ = json.Unmarshal(raw, &object)
	return object.Content
}

// ReadJSON reads an optional file, and reports whether it is there and sound.
func ReadJSON(fsys fs.FS, name string, into any) bool {
	data, err := ReadLimited(fsys, name, 16<<20)
	return err == nil && rawjson.Check(data) == nil && json.Unmarshal(data, into) == nil
}

// ReadLimited reads a whole file of at most limit bytes.
func ReadLimited(fsys fs.FS, name string, limit int64) ([]byte, error) {
	f, err := fsys.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%s can't be opened: %w; check that the file can be read", name, err)
	}
	defer f.Close()
	size := int64(512)
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() <= limit {
		size = info.Size() + 1
	}
	data := make([]byte, 0, size)
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if int64(len(data)) > limit {
			return nil, fmt.Errorf("%s has more than %d MB, more than a tokenizer can need; check that it is the right file", name, limit>>20)
		}
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s can't be read: %w; check the disk and that the file can be read", name, err)
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}
