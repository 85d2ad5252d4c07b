package toolcall

import (
	"bytes"
	"encoding/json"
	"strings"
)

// parse reads calls: as JSON, or in the forms of Qwen 3 Coder, GLM and newer Mistrals.
func (r *Reader) parse(body string) ([]Call, bool) {
	body = strings.TrimSpace(body)
	switch {
	case strings.HasPrefix(body, "{"), strings.HasPrefix(body, "["):
		return parseJSON(body)
	case strings.HasPrefix(body, "<function="):
		return r.parseFunctions(body)
	case strings.Contains(body, "[ARGS]"):
		return parseArgs(body)
	}
	return r.parseKeys(body)
}

// object is a call as JSON, in the words of all families.
type object struct {
	ID         string          `json:"id"`
	Name       string          `json:"name"`
	ToolName   string          `json:"tool_name"` // Command R
	Arguments  json.RawMessage `json:"arguments"`
	Parameters json.RawMessage `json:"parameters"` // Llama, Command R
	Function   *object         `json:"function"`
}

// call checks a call.
func (o object) call() (Call, bool) {
	if o.Function != nil && o.Name == "" {
		id := o.ID
		o = *o.Function
		o.ID = id
	}
	if o.Name == "" {
		o.Name = o.ToolName
	}
	if len(o.Arguments) == 0 {
		o.Arguments = o.Parameters
	}
	arguments, ok := argumentsOf(o.Arguments)
	return Call{o.ID, o.Name, arguments}, ok && o.Name != ""
}

// argumentsOf is an object of arguments in one line. Some models write it as a text that holds JSON.
func argumentsOf(raw json.RawMessage) (string, bool) {
	raw = bytes.TrimSpace(raw)
	var text string
	if bytes.HasPrefix(raw, []byte(`"`)) && json.Unmarshal(raw, &text) == nil {
		raw = bytes.TrimSpace([]byte(text))
	}
	if len(raw) == 0 || string(raw) == "null" {
		return "{}", true
	}
	var b bytes.Buffer
	if raw[0] != '{' || json.Compact(&b, raw) != nil {
		return "", false
	}
	return b.String(), true
}

// parseJSON reads objects, or lists of them, one after the other; Llama puts a
// semicolon between them.
func parseJSON(body string) (calls []Call, ok bool) {
	for body != "" {
		d := json.NewDecoder(strings.NewReader(body))
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			return nil, false
		}
		var list []object
		if raw[0] == '[' {
			if json.Unmarshal(raw, &list) != nil {
				return nil, false
			}
		} else {
			list = make([]object, 1)
			if json.Unmarshal(raw, &list[0]) != nil {
				return nil, false
			}
		}
		for _, o := range list {
			c, ok := o.call()
			if !ok {
				return nil, false
			}
			calls = append(calls, c)
		}
		body = strings.TrimLeft(body[d.InputOffset():], space+";")
	}
	return calls, true
}

// parseArgs reads NAME[ARGS]{…}, several with [TOOL_CALLS] between them.
func parseArgs(body string) (calls []Call, ok bool) {
	for one := range strings.SplitSeq(body, "[TOOL_CALLS]") {
		name, arguments, ok := strings.Cut(one, "[ARGS]")
		name, id, _ := strings.Cut(name, "[CALL_ID]")
		object, fine := argumentsOf(json.RawMessage(arguments))
		if name = strings.TrimSpace(name); !ok || !fine || name == "" {
			return nil, false
		}
		calls = append(calls, Call{strings.TrimSpace(id), name, object})
	}
	return calls, true
}

// parseFunctions reads <function=NAME><parameter=KEY>VALUE</parameter>…</function>.
func (r *Reader) parseFunctions(body string) (calls []Call, ok bool) {
	for body != "" {
		head, ok := strings.CutPrefix(body, "<function=")
		name, inner, ok2 := strings.Cut(head, ">")
		inner, rest, ok3 := strings.Cut(inner, "</function>")
		if !ok || !ok2 || !ok3 {
			return nil, false
		}
		var b arguments
		for inner = strings.TrimSpace(inner); inner != ""; inner = strings.TrimSpace(inner) {
			head, ok := strings.CutPrefix(inner, "<parameter=")
			key, value, ok2 := strings.Cut(head, ">")
			value, more, ok3 := strings.Cut(value, "</parameter>")
			if !ok || !ok2 || !ok3 {
				return nil, false
			}
			b.add(r.tool(name), key, strings.TrimSuffix(strings.TrimPrefix(value, "\n"), "\n"))
			inner = more
		}
		calls = append(calls, Call{"", name, b.object()})
		body = strings.TrimSpace(rest)
	}
	return calls, true
}

// parseKeys reads a name, and lines of <arg_key>KEY</arg_key><arg_value>VALUE</arg_value>.
func (r *Reader) parseKeys(body string) ([]Call, bool) {
	name, inner, _ := strings.Cut(body, "<arg_key>")
	if inner != "" {
		inner = "<arg_key>" + inner
	}
	var b arguments
	name = strings.TrimSpace(name)
	for inner = strings.TrimSpace(inner); inner != ""; inner = strings.TrimSpace(inner) {
		head, ok := strings.CutPrefix(inner, "<arg_key>")
		key, rest, ok2 := strings.Cut(head, "</arg_key>")
		rest, ok3 := strings.CutPrefix(strings.TrimSpace(rest), "<arg_value>")
		value, more, ok4 := strings.Cut(rest, "</arg_value>")
		if !ok || !ok2 || !ok3 || !ok4 {
			return nil, false
		}
		b.add(r.tool(name), key, value)
		inner = more
	}
	return []Call{{"", name, b.object()}}, name != ""
}

// arguments is an object that grows.
type arguments struct{ strings.Builder }

// add puts a value in: JSON as it is, and text as a text, as the tool wants it.
func (b *arguments) add(t *Tool, key, value string) {
	if b.Len() > 0 {
		b.WriteByte(',')
	}
	name, _ := json.Marshal(key)
	b.Write(name)
	b.WriteByte(':')
	if t != nil && !t.wantsText(key) && json.Valid([]byte(value)) {
		b.WriteString(strings.TrimSpace(value))
		return
	}
	text, _ := json.Marshal(value)
	b.Write(text)
}

// object is all of it in one line.
func (b *arguments) object() string {
	text, _ := argumentsOf(json.RawMessage("{" + b.String() + "}"))
	return text
}
