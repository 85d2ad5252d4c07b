package tools

import (
	"encoding/json"
	"fmt"
	"strings"

	"inglenook/plain"

	"github.com/dustin/go-humanize"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// MaxResult is how many bytes of a result a model gets at most.
const MaxResult = 16 << 10

// Result is what a call came to.
type Result struct {
	Text   string // for the model
	Failed bool   // Text says why there is no result
}

// failure is the result of a call that came to nothing.
func failure(format string, values ...any) Result {
	return Result{Text: fmt.Sprintf(format, values...), Failed: true}
}

// resultOf puts the answer of a server into words, at most limit bytes of them.
func resultOf(r *mcp.CallToolResult, limit int) Result {
	var texts []string
	for _, c := range r.Content {
		switch c := c.(type) {
		case *mcp.TextContent:
			texts = append(texts, c.Text)
		case *mcp.ImageContent:
			texts = append(texts, fmt.Sprintf("(a picture of %s, which is not read)", humanize.Bytes(uint64(len(c.Data)))))
		case *mcp.AudioContent:
			texts = append(texts, fmt.Sprintf("(a recording of %s, which is not read)", humanize.Bytes(uint64(len(c.Data)))))
		case *mcp.ResourceLink:
			texts = append(texts, "(a link, which is not followed: "+plain.Line(c.Name, 80)+" "+plain.Line(c.URI, 300)+")")
		case *mcp.EmbeddedResource:
			if c.Resource != nil && c.Resource.Text != "" {
				texts = append(texts, c.Resource.Text)
			} else {
				texts = append(texts, "(a file, which is not read)")
			}
		}
	}
	if len(texts) == 0 && r.StructuredContent != nil {
		if data, err := json.Marshal(r.StructuredContent); err == nil {
			texts = append(texts, string(data))
		}
	}
	text := Cut(strings.Join(texts, "\n"), limit)
	switch {
	case strings.TrimSpace(text) != "":
	case r.IsError:
		text = "The tool failed and did not say why."
	default:
		text = "The tool answered nothing."
	}
	return Result{text, r.IsError}
}

// Cut makes hidden characters of a text visible and keeps limit bytes of it, with a
// sentence where there were more.
func Cut(text string, limit int) string {
	if limit <= 0 || limit > MaxResult {
		limit = MaxResult
	}
	whole := len(text)
	if whole > limit {
		text = strings.ToValidUTF8(text[:limit], "")
	}
	if text = plain.Visible(text); len(text) > limit { // codes are longer than what they stand for
		text = strings.ToValidUTF8(text[:limit], "")
	}
	if whole > limit {
		text += fmt.Sprintf("\n(Cut: this is the first %s of %s.)", humanize.Bytes(uint64(limit)), humanize.Bytes(uint64(whole)))
	}
	return text
}
