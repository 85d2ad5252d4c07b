package tools

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"inglenook/plain"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Tool is something that a model may ask to be run.
type Tool struct {
	Server      string // its name
	Name        string // as the server knows it
	Called      string // as a model calls it: letters, digits, - and _, and no other tool has it
	Description string
	Parameters  json.RawMessage // a JSON schema of an object
}

// Limits of what a server says about its tools.
const (
	maxTools       = 64
	maxToolName    = 64
	maxDescription = 1200     // characters
	maxParameters  = 16 << 10 // bytes
	maxNesting     = 32       // of parameters
)

// mark names a tool in the list of those that run without a question. It changes with
// what the server says about the tool, so that another tool under the same name is asked
// about again.
func (t Tool) mark() string {
	sum := sha256.Sum256([]byte(t.Description + "\x00" + string(t.Parameters)))
	return t.Name + " " + hex.EncodeToString(sum[:8])
}

// toolOf returns a tool of a server in our form, or why it is left out.
func toolOf(server string, t *mcp.Tool) (Tool, error) {
	if t == nil || t.Name == "" || len(t.Name) > 4*maxToolName {
		return Tool{}, fmt.Errorf("a tool has no name, or one that is too long")
	}
	out := Tool{Server: server, Name: t.Name, Called: called(t.Name), Description: plain.Text(strings.TrimSpace(t.Description), maxDescription)}
	data, err := json.Marshal(t.InputSchema)
	var schema map[string]any
	switch {
	case err != nil || json.Unmarshal(data, &schema) != nil || schema == nil:
		return out, fmt.Errorf("the tool %s says about its parameters what is no JSON schema", plain.Line(t.Name, maxToolName))
	case len(data) > maxParameters || depth(schema) > maxNesting:
		return out, fmt.Errorf("the parameters of the tool %s are too many to be told to a model", plain.Line(t.Name, maxToolName))
	case schema["type"] != nil && schema["type"] != "object":
		return out, fmt.Errorf("the parameters of the tool %s are no object", plain.Line(t.Name, maxToolName))
	}
	schema["type"] = "object"
	delete(schema, "$schema")
	if out.Parameters, err = json.Marshal(shown(schema)); err != nil {
		return out, err
	}
	return out, nil
}

// called is a name in the characters that every family's template takes.
func called(name string) string {
	name = strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
	return name[:min(len(name), maxToolName)]
}

// distinct gives each tool a name that no other one has.
func distinct(list []Tool) {
	taken := map[string]bool{}
	for i := range list {
		t := &list[i]
		for n, base := 2, t.Called; taken[t.Called]; n++ {
			end := fmt.Sprintf("_%d", n)
			t.Called = base[:min(len(base), maxToolName-len(end))] + end
		}
		taken[t.Called] = true
	}
}

// depth is how deep objects and lists lie in each other.
func depth(v any) int {
	most := 0
	switch v := v.(type) {
	case map[string]any:
		for _, x := range v {
			most = max(most, depth(x))
		}
	case []any:
		for _, x := range v {
			most = max(most, depth(x))
		}
	default:
		return 0
	}
	return most + 1
}

// shown makes hidden characters in the texts of a schema visible.
func shown(v any) any {
	switch v := v.(type) {
	case string:
		return plain.Visible(v)
	case map[string]any:
		for k, x := range v {
			v[k] = shown(x)
		}
	case []any:
		for i, x := range v {
			v[i] = shown(x)
		}
	}
	return v
}
