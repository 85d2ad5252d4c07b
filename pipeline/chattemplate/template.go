// Package chattemplate renders conversations with the chat template of a checkpoint
// and marks the control tokens that were typed and not written by the template. It
// does not decide what is left out of a conversation that is too long.
package chattemplate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"inglenook/jinja"
	"inglenook/pipeline/smallfile"
	"inglenook/pipeline/toolcall"
	"inglenook/tokenizer"
)

// Template renders conversations as the checkpoint's model was trained to
// see them. It may be used by many goroutines at once.
type Template struct {
	templates map[string]*jinja.Template // "default", "tool_use", …
	tokens    map[string]any             // bos_token, eos_token, … for the template
	tok       *tokenizer.Tokenizer
	control   []string // the tokenizer's control tokens
	switches  []string // of Switches, those that the templates read
	calls     *toolcall.Form
}

// Calls is how the templates teach a model to call tools; nil: not at all, or in
// a form that is not known here.
func (c *Template) Calls() *toolcall.Form { return c.calls }

// Switches are variables by which some templates let a person choose how a model thinks.
var Switches = []string{"enable_thinking", "reasoning_effort"}

// plainThinking finds the older name of enable_thinking, in Granite 3 and DeepSeek V3.1.
var plainThinking = regexp.MustCompile(`\{%[^%]*(?:if|and|or|not)\s+thinking\b[^%]*%\}`)

// Reads reports whether a template reads one of the Switches.
func (c *Template) Reads(name string) bool { return slices.Contains(c.switches, name) }

// ErrMissing says that a checkpoint comes without a chat template.
var ErrMissing = errors.New("this model has no chat template, so it was probably not made for chats; choose an instruct or chat model")

// Rendered is a conversation as its template writes it.
type Rendered struct {
	Text string

	// Plain are the bytes of Text, ascending, at which something begins that
	// looks like a control token but comes from the conversation.
	Plain []int
}

// Open reads the chat template of a checkpoint: chat_template.jinja,
// else "chat_template" of tokenizer_config.json (a text, or a list of named
// ones), else chat_template.json. tok is the checkpoint's tokenizer.
func Open(checkpoint fs.FS, tok *tokenizer.Tokenizer) (*Template, error) {
	config := map[string]json.RawMessage{}
	if _, err := smallfile.JSON(checkpoint, "tokenizer_config.json", &config); err != nil {
		return nil, err
	}
	sources, err := Sources(checkpoint)
	if err != nil {
		return nil, err
	}
	named := map[string]json.RawMessage{}
	if _, err := smallfile.JSON(checkpoint, "special_tokens_map.json", &named); err != nil {
		return nil, err
	}
	tokens := map[string]any{}
	for _, role := range []string{"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"} {
		for _, from := range []map[string]json.RawMessage{config, named} {
			if token := contentOf(from[role]); token != "" {
				tokens[role] = token
				break
			}
		}
	}
	return New(sources, tokens, tok)
}

// New parses templates by name. tokens are the variables, such as "bos_token", that
// the templates see.
func New(sources map[string]string, tokens map[string]any, tok *tokenizer.Tokenizer) (*Template, error) {
	c := &Template{templates: map[string]*jinja.Template{}, tokens: tokens, tok: tok}
	for name, source := range sources {
		var err error
		if c.templates[name], err = jinja.Parse(name, source); err != nil {
			return nil, err
		}
		if f, ok := toolcall.FormOf(source); ok && (c.calls == nil || name == "tool_use") {
			c.calls = &f
		}
		for _, name := range SwitchesOf(source) {
			if !c.Reads(name) {
				c.switches = append(c.switches, name)
			}
		}
	}
	for _, id := range tok.SpecialIDs() {
		if token, ok := tok.Token(id); ok && token != "" {
			c.control = append(c.control, token)
		}
	}
	return c, nil
}

// SwitchesOf returns those of Switches that the source of a template reads.
func SwitchesOf(source string) (list []string) {
	for _, name := range Switches {
		if strings.Contains(source, name) {
			list = append(list, name)
		}
	}
	if plainThinking.MatchString(source) && !slices.Contains(list, "enable_thinking") {
		list = append(list, "enable_thinking")
	}
	return list
}

// Sources returns the source of each template in a checkpoint's folder by its name.
func Sources(checkpoint fs.FS) (map[string]string, error) {
	data, err := smallfile.Read(checkpoint, "chat_template.jinja")
	if err == nil {
		return map[string]string{"default": string(data)}, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var file struct {
		Template json.RawMessage `json:"chat_template"`
	}
	for _, name := range []string{"tokenizer_config.json", "chat_template.json"} {
		if len(file.Template) > 0 && string(file.Template) != "null" {
			break
		}
		if _, err := smallfile.JSON(checkpoint, name, &file); err != nil {
			return nil, err
		}
	}
	var one string
	if json.Unmarshal(file.Template, &one) == nil && one != "" {
		return map[string]string{"default": one}, nil
	}
	var list []struct{ Name, Template string }
	if json.Unmarshal(file.Template, &list) != nil || len(list) == 0 {
		return nil, ErrMissing
	}
	sources := map[string]string{}
	for _, t := range list {
		sources[t.Name] = t.Template
	}
	return sources, nil
}

// contentOf reads "<s>" or {"content": "<s>", …}.
func contentOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var object struct{ Content string }
	_ = json.Unmarshal(raw, &object) // what is neither is no token
	return object.Content
}

// Render renders a conversation.
//
// The text is that of the template and the conversation, unchanged. To know
// which control tokens in it were typed, the conversation is rendered once more
// with a stand-in for the first character of each typed one. A template may look
// into the text and give another result for the stand-ins. Then every control
// token where the two results differ counts as typed: a lost control token spoils
// an answer, but a forged one puts words into the mouth of the system.
func (c *Template) Render(ctx context.Context, conv Conversation) (Rendered, error) {
	t, err := c.choose(conv.Tools != nil)
	if err != nil {
		return Rendered{}, err
	}
	text, err := t.Render(ctx, conv.vars(c.tokens), jinja.Limits{})
	if err != nil {
		return Rendered{}, err
	}
	guard := newGuard(c.control, text)
	guarded := conv.mapStrings(guard.hide)
	if guard.failed != nil {
		return Rendered{}, guard.failed
	}
	if len(guard.standIns) == 0 {
		return Rendered{Text: text}, nil
	}
	shown, err := t.Render(ctx, guarded.vars(c.tokens), jinja.Limits{})
	if err != nil {
		shown = "" // then everything counts as typed
		if ctx.Err() != nil {
			return Rendered{}, err
		}
	}
	return Rendered{text, guard.typed(text, shown)}, nil
}

// UpTo ends the text behind the last message, so that the model continues that
// message, as with transformers' continue_final_message.
func (r Rendered) UpTo(content string) (Rendered, error) {
	body := strings.TrimSpace(content)
	at := strings.LastIndex(r.Text, body)
	if at < 0 {
		return Rendered{}, errors.New("this model's chat template changes answers, so one cannot be continued; ask for a new answer instead")
	}
	end := at + len(body)
	tail := content[strings.LastIndex(content, body)+len(body):]
	if strings.HasPrefix(r.Text[end:], tail) {
		end += len(tail)
	}
	n, _ := slices.BinarySearch(r.Plain, end)
	return Rendered{r.Text[:end], r.Plain[:n]}, nil
}

// IDs returns the tokens of a rendered conversation.
func (c *Template) IDs(ctx context.Context, r Rendered) ([]int32, error) {
	return c.tok.EncodeChat(ctx, r.Text, r.Plain)
}

// choose picks the template for tools where there is one.
func (c *Template) choose(tools bool) (*jinja.Template, error) {
	if t, ok := c.templates["tool_use"]; ok && tools {
		return t, nil
	}
	if t, ok := c.templates["default"]; ok {
		return t, nil
	}
	var names []string
	for name := range c.templates {
		names = append(names, name)
	}
	slices.Sort(names)
	return nil, fmt.Errorf("this model has several chat templates (%s) and none for plain chats; its tokenizer_config.json needs one named \"default\"", strings.Join(names, ", "))
}
