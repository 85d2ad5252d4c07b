package pieces

import (
	"encoding/json"
	"slices"
	"strings"

	"inglenook/pipeline"
)

// CallPart is a piece of a call.
type CallPart struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"` // a piece of text; of Ollama an object
	} `json:"function"`
}

// Calls are the calls of an answer, put together.
type Calls struct {
	list  []pipeline.ToolCall
	index []int
	over  bool // there were more, or longer ones, than any answer needs
}

// Limits of calls, so that a server cannot fill the memory.
const (
	mostCalls     = 64
	mostArguments = 1 << 20 // bytes
	mostToolName  = 300     // bytes
)

// Add puts pieces where they belong.
func (c *Calls) Add(parts []CallPart) {
	for i, p := range parts {
		at := i
		if p.Index != nil {
			at = *p.Index
		}
		k := slices.Index(c.index, at)
		if k < 0 || p.Index == nil {
			if len(c.list) == mostCalls {
				c.over = true
				return
			}
			c.list, c.index = append(c.list, pipeline.ToolCall{}), append(c.index, at)
			k = len(c.list) - 1
		}
		c.grow(&c.list[k], p)
	}
}

func (c *Calls) grow(call *pipeline.ToolCall, p CallPart) {
	text := string(p.Function.Arguments)
	var inner string
	if json.Unmarshal(p.Function.Arguments, &inner) == nil {
		text = inner
	}
	if len(call.Arguments)+len(text) > mostArguments || len(call.Name)+len(p.Function.Name) > mostToolName || len(p.ID) > mostToolName {
		c.over = true
		return
	}
	if p.ID != "" {
		call.ID = p.ID
	}
	call.Name += p.Function.Name
	call.Arguments += text
}

// Asked are the calls of an answer.
type Asked struct {
	Calls   []pipeline.ToolCall // those that can be made
	Unknown []string            // names of tools that were not offered
	Broken  bool                // one has no name, or arguments that cannot be read
}

// Done sorts the calls by whether they can be made with the tools that were offered.
func (c *Calls) Done(offered []pipeline.Tool) Asked {
	a := Asked{Broken: c.over}
	for _, x := range c.list {
		if strings.TrimSpace(x.Arguments) == "" || x.Arguments == "null" {
			x.Arguments = "{}"
		}
		known := slices.ContainsFunc(offered, func(t pipeline.Tool) bool { return t.Name == x.Name })
		switch {
		case x.Name == "" || known && !isObject(x.Arguments):
			a.Broken = true
		case !known:
			if !slices.Contains(a.Unknown, x.Name) {
				a.Unknown = append(a.Unknown, x.Name)
			}
		default:
			a.Calls = append(a.Calls, x)
		}
	}
	return a
}

// isObject reports whether arguments are what tools take.
func isObject(arguments string) bool {
	var fields map[string]json.RawMessage
	return json.Unmarshal([]byte(arguments), &fields) == nil && fields != nil
}
