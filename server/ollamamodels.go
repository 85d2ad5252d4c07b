package server

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"inglenook/app/base"
	"inglenook/app/library"
)

// numbered is a version as Ollama's clients can compare it.
var numbered = regexp.MustCompile(`^\d+\.\d+\.\d+`)

// ollamaVersion tells our version.
func (c *call) ollamaVersion() error {
	v := numbered.FindString(strings.TrimPrefix(base.Version().Version, "v"))
	if v == "" {
		v = "0.0.0" // a build of a developer has none
	}
	return c.writeJSON(http.StatusOK, map[string]string{"version": v})
}

// ollamaModel is a model as Ollama lists it.
type ollamaModel struct {
	Name     string        `json:"name"`
	Model    string        `json:"model"`
	Modified *time.Time    `json:"modified_at,omitempty"`
	Size     int64         `json:"size"`
	Digest   string        `json:"digest"`
	Details  ollamaDetails `json:"details"`

	Expires *time.Time `json:"expires_at,omitempty"` // of a model in memory, and what follows
	VRAM    *int64     `json:"size_vram,omitempty"`
	Context int        `json:"context_length,omitempty"`
}

type ollamaDetails struct {
	Parent     string   `json:"parent_model"`
	Format     string   `json:"format"`
	Family     string   `json:"family"`
	Families   []string `json:"families"`
	Parameters string   `json:"parameter_size"`
	Level      string   `json:"quantization_level"`
}

// ollamaModel describes a model. Its digest is one of its name: clients want
// something to tell models apart by.
func (s *Server) ollamaModel(m library.Model) ollamaModel {
	sum := sha256.Sum256([]byte(m.ID))
	family := strings.ToLower(m.Architecture)
	return ollamaModel{
		Name: s.shown(m), Model: s.shown(m), Size: m.Bytes, Digest: hex.EncodeToString(sum[:]),
		Details: ollamaDetails{Format: m.Format, Family: family, Families: []string{family}, Parameters: inMillions(m.Parameters), Level: strings.ToUpper(m.DType)},
	}
}

// inMillions is a number of parameters as Ollama writes it.
func inMillions(n int64) string {
	if n >= 1e9 {
		return fmt.Sprintf("%.1fB", float64(n)/1e9)
	}
	return fmt.Sprintf("%.2fM", float64(n)/1e6)
}

// ollamaTags lists the models.
func (c *call) ollamaTags() error {
	list, err := c.served(c.r.Context(), true)
	if err != nil {
		return err
	}
	models := []ollamaModel{}
	for _, m := range list {
		x := c.ollamaModel(m.Model)
		x.Modified = &c.Server.began
		models = append(models, x)
	}
	return c.writeJSON(http.StatusOK, map[string]any{"models": models})
}

// ollamaRunning lists the models in memory. They leave it for others, not by time.
func (c *call) ollamaRunning() error {
	list, err := c.served(c.r.Context(), false)
	if err != nil {
		return err
	}
	forever := c.Server.began.AddDate(100, 0, 0)
	models := []ollamaModel{}
	for _, m := range list {
		var size, vram int64
		open := false
		for _, o := range c.app.OpenModels() {
			if o.Model != m.ID {
				continue
			}
			open = true
			size += o.Bytes
			if o.Device != "cpu" {
				vram += o.Bytes
			}
		}
		if open {
			x := c.ollamaModel(m.Model)
			x.Size, x.VRAM, x.Expires, x.Context = size, &vram, &forever, c.modelJSON(m.Model).Context
			models = append(models, x)
		}
	}
	return c.writeJSON(http.StatusOK, map[string]any{"models": models})
}

// ollamaShow tells what is known of a model.
func (c *call) ollamaShow() error {
	var r struct {
		Model string `json:"model"`
		Name  string `json:"name"`
	}
	if err := c.read(&r); err != nil {
		return err
	}
	if r.Model == "" {
		r.Model = r.Name
	}
	m, err := c.find(untagged(r.Model), anyModel)
	if err != nil {
		return err
	}
	about := c.ollamaModel(m)
	family := about.Details.Family
	info := map[string]any{
		"general.architecture": family, "general.parameter_count": m.Parameters,
		family + ".context_length": c.modelJSON(m).Context,
	}
	var can []string
	if m.CanWrite() {
		can = append(can, "completion")
		if m.Tools {
			can = append(can, "tools")
		}
	}
	if !m.Writes() {
		can = append(can, "embedding")
		info[family+".embedding_length"] = m.Dimension
	}
	said, err := c.app.About(c.r.Context(), m)
	if err != nil {
		return notPlanned(c.r.Context(), err)
	}
	out := map[string]any{"details": about.Details, "model_info": info, "capabilities": can, "modified_at": c.Server.began, "modelfile": modelfile(about.Name, said)}
	for name, text := range map[string]string{"template": said.Template, "parameters": parameters(said), "license": said.Licence} {
		if text != "" {
			out[name] = text
		}
	}
	return c.writeJSON(http.StatusOK, out)
}

// modelfile is what Ollama would make the same model of. It has no template: those here are in another form.
func modelfile(name string, said library.About) string {
	text := "FROM " + name + "\n"
	for line := range strings.Lines(parameters(said)) {
		text += "PARAMETER " + strings.TrimSuffix(line, "\n") + "\n"
	}
	return text
}

// parameters are how tokens are chosen, as Ollama lists them: a name and a value in each line.
func parameters(said library.About) string {
	if said.Sampling == nil {
		return ""
	}
	how := *said.Sampling
	if how.Temperature == 0 { // the likeliest token, which these settings always keep
		how.TopK, how.TopP, how.MinP, how.TypicalP = 0, 1, 0, 1
	}
	lines := []string{fmt.Sprintf("%-30s %v", "temperature", how.Temperature)}
	for _, x := range []struct {
		name       string
		value, off float64
	}{
		{"top_k", float64(how.TopK), 0},
		{"top_p", how.TopP, 1},
		{"min_p", how.MinP, 0},
		{"typical_p", how.TypicalP, 1},
		{"repeat_penalty", how.RepeatPenalty, 1},
	} {
		if x.value != x.off {
			lines = append(lines, fmt.Sprintf("%-30s %v", x.name, x.value))
		}
	}
	return strings.Join(lines, "\n")
}
