// Package toolcall reads the calls of tools that language models write into their
// answers, in the forms that their chat templates teach. It runs nothing.
package toolcall

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// Tool is something that a model may ask to be run.
type Tool struct {
	Name        string
	Description string
	Parameters  json.RawMessage // a JSON schema of an object; empty: there are none
}

// Call is a model's wish that a tool is run.
type Call struct {
	ID        string // of the call, where its writer gave one
	Name      string
	Arguments string // a JSON object
}

// tag is what stands around calls. Without a close they go on to the end of the answer.
type tag struct{ open, close string }

// tags are those of the families: Qwen, Hermes, Granite 4, GLM and SmolLM 3; Phi 4 mini
// and Granite 3; Command R; Mistral; Llama 3.
var tags = []tag{
	{"<tool_call>", "</tool_call>"},
	{"<|tool_call|>", "<|/tool_call|>"},
	{"<|START_ACTION|>", "<|END_ACTION|>"},
	{"[TOOL_CALLS]", ""},
	{"<|python_tag|>", ""},
}

// Form is how a model writes calls.
type Form struct {
	tags []tag
	bare bool // an answer that begins as JSON is a call
}

// FormOf finds the form that a chat template teaches. ok is false where it teaches
// none, or one that is not known here.
func FormOf(template string) (f Form, ok bool) {
	if !strings.Contains(template, "tools") {
		return f, false
	}
	for _, t := range tags {
		if strings.Contains(template, t.open) {
			f.tags = append(f.tags, t)
		}
	}
	f.bare = strings.Contains(template, `"parameters": dictionary`) // as Llama 3 is told
	return f, f.bare || len(f.tags) > 0
}

// Marks are the texts by which calls are told from other text. Some are control
// tokens, which a reader of answers must not leave out.
func (f Form) Marks() []string {
	marks := []string{"[ARGS]", "[CALL_ID]"}
	for _, t := range f.tags {
		marks = append(marks, t.open)
		if t.close != "" {
			marks = append(marks, t.close)
		}
	}
	return marks
}

// Schema returns what an answer has to follow that is a call and nothing else: of the
// tool of a name, or of any tool where the name is empty. It is nil where there is
// none. References within the schemas of tools go on to mean the same.
func Schema(tools []Tool, name string) []byte {
	var all []string
	for _, t := range tools {
		if name != "" && t.Name != name {
			continue
		}
		quoted, _ := json.Marshal(t.Name)
		root := "#/anyOf/" + strconv.Itoa(len(all)) + "/properties/arguments"
		all = append(all, `{"type":"object","properties":{"name":{"const":`+string(quoted)+`},"arguments":`+t.schemaAt(root)+
			`},"required":["name","arguments"],"additionalProperties":false}`)
	}
	if len(all) == 0 {
		return nil
	}
	return []byte(`{"anyOf":[` + strings.Join(all, ",") + `]}`)
}

// schemaAt is the schema of the arguments as a part of another schema.
func (t Tool) schemaAt(root string) string {
	var b bytes.Buffer
	if len(t.Parameters) == 0 || json.Compact(&b, t.Parameters) != nil {
		return `{"type":"object","properties":{},"additionalProperties":false}`
	}
	return strings.NewReplacer(`"$ref":"#/`, `"$ref":"`+root+`/`, `"$ref":"#"`, `"$ref":"`+root+`"`).Replace(b.String())
}

// wantsText reports whether a parameter is a text and nothing else.
func (t Tool) wantsText(parameter string) bool {
	var schema struct {
		Properties map[string]struct {
			Type any `json:"type"`
		} `json:"properties"`
	}
	return json.Unmarshal(t.Parameters, &schema) == nil && schema.Properties[parameter].Type == "string"
}
