package server

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"

	"inglenook/app/library"
	"inglenook/app/texts"
	"inglenook/plain"
)

// embeddingRequest is the body of /v1/embeddings.
type embeddingRequest struct {
	Model      string  `json:"model"`
	Input      prompts `json:"input"`
	Encoding   string  `json:"encoding_format"`
	Dimensions *int    `json:"dimensions"`
	Task       string  `json:"task"` // as Jina's API has it
}

// vector is written as numbers or, in base64, as float32 with the low byte first.
type vector struct {
	values []float32
	base64 bool
}

// MarshalJSON implements json.Marshaler.
func (v vector) MarshalJSON() ([]byte, error) {
	if !v.base64 {
		return json.Marshal(v.values)
	}
	data := make([]byte, 0, 4*len(v.values))
	for _, x := range v.values {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
	}
	return json.Marshal(base64.StdEncoding.EncodeToString(data))
}

type embeddingJSON struct {
	Object    string `json:"object"`
	Index     int    `json:"index"`
	Embedding vector `json:"embedding"`
}

// maxTexts is how many texts may be embedded or scored at once.
const maxTexts = 2048

// embeddings turns texts into vectors.
func (c *call) embeddings() error {
	var r embeddingRequest
	if err := c.read(&r); err != nil {
		return err
	}
	m, err := c.reads(r.Model)
	if err != nil {
		return err
	}
	if r.Encoding != "" && r.Encoding != "float" && r.Encoding != "base64" {
		return wrong("encoding_format", "encoding_format has to be float or base64")
	}
	if r.Task != "" && !slices.Contains(m.Tasks, r.Task) {
		return noTask(m, r.Task)
	}
	input, err := c.texts(m.ID, r.Input, "input", maxTexts)
	if err != nil {
		return err
	}
	if i := slices.Index(input, ""); i >= 0 { // as OpenAI has it
		return wrong("input", "text %d of input is empty, so there is nothing to embed; leave it out", i+1)
	}
	got, err := c.embed(m.ID, r.Task, input, r.Dimensions)
	if err != nil {
		return err
	}
	data := make([]embeddingJSON, len(got.Vectors))
	for i, v := range got.Vectors {
		data[i] = embeddingJSON{"embedding", i, vector{v, r.Encoding == "base64"}}
	}
	where := truthOf(got.Device, got.Fallbacks, got.Notices, got.Notes)
	if r.Input.ids != nil { // those of another model cannot always be told apart
		where.Notes = append(where.Notes, "The token ids were read as those of this model's own tokenizer.")
	}
	c.tell(where)
	return c.writeJSON(http.StatusOK, map[string]any{
		"object": "list", "data": data, "model": c.shown(m), "inglenook": where,
		"usage": map[string]int{"prompt_tokens": c.note.PromptTokens, "total_tokens": c.note.PromptTokens},
	})
}

// noTask refuses a task for which a model has no weights.
func noTask(m library.Model, task string) error {
	if len(m.Tasks) == 0 {
		return wrong("task", "this model has no tasks to choose from; leave the task out")
	}
	return wrong("task", "this model has no task “%s”; it has %s", plain.Line(task, 40), strings.Join(m.Tasks, ", "))
}

// embed waits for the turn and embeds for a task, the model's usual one if it is empty;
// dimensions, if given, shorten the vectors.
func (c *call) embed(model, task string, input []string, dimensions *int) (got texts.EmbedResult, err error) {
	leave, err := c.queues.enter(c.r.Context(), model, 1)
	if err != nil {
		return got, err
	}
	defer leave()
	got, err = c.app.Embed(c.r.Context(), texts.EmbedRequest{Model: model, Target: c.reading(), Task: task, Texts: input}, nil)
	if err != nil {
		return got, err
	}
	for _, n := range got.Tokens {
		c.note.PromptTokens += n
	}
	full := len(got.Vectors[0])
	if dimensions == nil || *dimensions == full {
		return got, nil
	}
	if *dimensions < 1 || *dimensions > full {
		return got, wrong("dimensions", "the vectors of this model have %d numbers, so dimensions has to be from 1 to %d", full, full)
	}
	for i, v := range got.Vectors {
		got.Vectors[i] = shorten(v, *dimensions)
	}
	got.Notes = append(got.Notes, fmt.Sprintf("The vectors were cut from %d to %d numbers. That keeps their meaning only with models that were trained for it.", full, *dimensions))
	return got, nil
}

// shorten keeps the first n numbers of a vector and makes its length 1 again.
func shorten(v []float32, n int) []float32 {
	sum := 0.0
	for _, x := range v[:n] {
		sum += float64(x) * float64(x)
	}
	out := make([]float32, n)
	for i, x := range v[:n] {
		if sum > 0 {
			out[i] = float32(float64(x) / math.Sqrt(sum))
		}
	}
	return out
}
