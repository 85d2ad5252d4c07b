package server

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"strings"

	"inglenook/app/chat"
)

// toolJSON is a tool in OpenAI's form, which is Ollama's too.
type toolJSON struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

// maxTools bounds the tools of a request.
const maxTools = 128

// toolsOf puts tools into our form.
func toolsOf(list []toolJSON) (out []chat.Tool, err error) {
	for _, t := range list {
		if t.Type != "function" && t.Type != "" {
			return nil, absent("tools", "a tool is of another type than function; leave it out")
		}
		out = append(out, chat.Tool{Name: t.Function.Name, Description: t.Function.Description, Parameters: t.Function.Parameters})
	}
	return out, checkTools(out)
}

// checkTools refuses tools that no model could call.
func checkTools(list []chat.Tool) error {
	if len(list) > maxTools {
		return wrong("tools", "tools can be up to %d", maxTools)
	}
	names := map[string]bool{}
	for i, t := range list {
		switch {
		case t.Name == "" || len(t.Name) > 128 || strings.ContainsAny(t.Name, "\x00\n<>\"{}"):
			return wrong("tools", "tool %d needs a name of letters, digits, - and _", i+1)
		case names[t.Name]:
			return wrong("tools", "two tools have the name of tool %d; rename one of them", i+1)
		}
		names[t.Name] = true
		if !isGiven(t.Parameters) {
			list[i].Parameters = nil
		} else if t.Parameters[0] != '{' {
			return wrong("tools", "the parameters of tool %d have to be a JSON schema", i+1)
		} else if ofAnother(t.Parameters) {
			return wrong("tools", "the parameters of tool %d have to be the schema of an object: a call has arguments with names", i+1)
		}
	}
	return nil
}

// ofAnother reports whether a schema is of a type whose values are no objects.
func ofAnother(schema json.RawMessage) bool {
	var s struct{ Type any }
	if json.Unmarshal(schema, &s) != nil {
		return false
	}
	switch s.Type {
	case "string", "number", "integer", "boolean", "array", "null":
		return true
	}
	return false
}

// choose sets which tool has to be called, in OpenAI's words: auto, none, required, or an object with a name.
func (q *ask) choose(raw json.RawMessage) error {
	var word string
	var one struct {
		Name     string `json:"name"`
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	}
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	if json.Unmarshal(raw, &word) != nil {
		if json.Unmarshal(raw, &one) != nil || one.Name+one.Function.Name == "" {
			return wrong("tool_choice", "tool_choice has to be auto, none, required, or an object that names a function")
		}
		return q.force(one.Name + one.Function.Name)
	}
	switch word {
	case "auto":
	case "none":
		q.options.Tools = nil
	case "required":
		return q.force(chat.AnyTool)
	default:
		return wrong("tool_choice", "tool_choice has to be auto, none, required, or an object that names a function")
	}
	return nil
}

// force makes the model call a tool.
func (q *ask) force(name string) error {
	known := name == chat.AnyTool && len(q.options.Tools) > 0
	for _, t := range q.options.Tools {
		known = known || t.Name == name
	}
	if !known {
		return wrong("tool_choice", "tool_choice names a tool that is not among the tools")
	}
	q.options.ToolChoice = name
	return nil
}

// checkForms refuses tools together with what they cannot be together with. A call that is
// demanded ends where it is whole: a stop text could only cut it.
func (q *ask) checkForms() error {
	if q.options.ToolChoice != "" {
		q.options.Stop = nil
	}
	if len(q.options.Tools) > 0 && (q.options.JSON || q.options.JSONSchema != nil) {
		return absent("response_format", "an answer cannot have a format and call tools in this version; leave one of them out")
	}
	return nil
}

// callID is the id of a call as every template takes it: Mistral's want nine letters
// and digits. The same id gives the same one, so that what was read is read once.
func callID(id string) string {
	plain := len(id) == 9
	for _, r := range id {
		plain = plain && (r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	}
	if plain || id == "" {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:9])
}

// newCallID is the id of a call of ours.
func newCallID() string { return strings.ToLower(newID(""))[:9] }

// toolCallJSON is a call in OpenAI's form. In a stream the index tells calls apart.
type toolCallJSON struct {
	Index    *int             `json:"index,omitempty"`
	ID       string           `json:"id,omitempty"`
	Type     string           `json:"type,omitempty"`
	Function toolFunctionJSON `json:"function"`
}

type toolFunctionJSON struct {
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments,omitempty"` // JSON as a text
}

// callsOf puts the calls of a message into our form.
func callsOf(list []toolCallJSON) (out []chat.ToolCall, err error) {
	for _, c := range list {
		x := chat.ToolCall{ID: callID(c.ID), Name: c.Function.Name, Arguments: c.Function.Arguments}
		if strings.TrimSpace(x.Arguments) == "" {
			x.Arguments = "{}"
		}
		if x.Name == "" || !isObject(x.Arguments) {
			return nil, wrong("messages", "a call of a tool needs a name, and arguments that are a JSON object as a text")
		}
		out = append(out, x)
	}
	return out, nil
}

// isObject reports whether a text is a JSON object.
func isObject(text string) bool {
	return strings.HasPrefix(strings.TrimSpace(text), "{") && json.Valid([]byte(text)) && depth([]byte(text)) <= maxDepth
}

// usesTools reports whether a request has tools, calls of them, or what they answered.
func (q *ask) usesTools() bool {
	if len(q.options.Tools) > 0 {
		return true
	}
	for _, m := range q.messages {
		if m.Role == "tool" || len(m.Calls) > 0 {
			return true
		}
	}
	return false
}

// withoutTools leaves out the tools that a model cannot ask for, and returns a sentence about that.
// Where a call is demanded, or was made before, it refuses them.
func (q *ask) withoutTools() (note string, err error) {
	const why = "the chat template of this model teaches no calls of tools, or in a form that is not supported"
	offered := len(q.options.Tools) > 0
	if q.options.ToolChoice == "" {
		q.options.Tools = nil
	}
	switch {
	case q.usesTools():
		return "", absent("tools", why+"; leave the tools out, or use a model that was made for them")
	case offered:
		return "the tools were left out, because " + why, nil
	}
	return "", nil
}
