package downloads

import (
	"context"
	"errors"
	"slices"
	"strings"

	"inglenook/app/base"
	"inglenook/app/library"
	"inglenook/hub"
	"inglenook/hub/fault"
	"inglenook/hub/repo"
)

// SearchRequest asks the Hub for models.
type SearchRequest struct {
	Text   string
	Task   string // one of the Kind constants; "": any
	Format string // "safetensors", "gguf"; "": any
	Limit  int    // 0: 50
}

// Found is a model of the Hub, as its search describes it.
type Found struct {
	ID         string
	Task       string // one of the Kind constants, or the Hub's own name
	Licence    string
	Gated      bool
	Downloads  int64 // of the last 30 days
	Parameters int64 // 0: unknown
	Bytes      int64 // of its smallest form, as its parameters let expect; 0: unknown
	Formats    []string
}

// hubTasks are the Hub's names of what models are for.
var hubTasks = map[string]string{
	library.KindChat: "text-generation", library.KindText: "text-generation", library.KindEmbedding: "sentence-similarity",
	library.KindTask: "text2text-generation", library.KindReranker: "text-ranking", library.KindEncoder: "fill-mask",
}

// usualBits are what a parameter takes in the smallest form that is common.
var usualBits = map[string]int64{"gguf": 5, "safetensors": 16}

// SearchHub asks the Hub for models, those that are downloaded most often first.
// Repositories without weights that can be read here are left out.
func (d *Service) SearchHub(ctx context.Context, r SearchRequest) ([]Found, error) {
	ctx, client, done, err := d.hub.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	if r.Limit == 0 {
		r.Limit = 50
	}
	list, err := client.Search(ctx, hub.Query{Text: r.Text, Task: hubTasks[r.Task], Format: r.Format, Limit: r.Limit})
	if err != nil {
		return nil, base.InContext(ctx, err)
	}
	found := []Found{}
	for _, info := range list {
		if f := foundOf(info); len(f.Formats) > 0 {
			found = append(found, f)
		}
	}
	return found, nil
}

func foundOf(info hub.Info) Found {
	f := Found{ID: info.ID, Task: info.Task, Licence: info.License, Gated: info.Gated, Downloads: info.Downloads, Parameters: info.Parameters}
	for _, format := range []string{"safetensors", "gguf"} {
		has := func(file repo.File) bool { return strings.HasSuffix(strings.ToLower(file.Path), "."+format) }
		if !slices.ContainsFunc(info.Files, has) && (len(info.Files) > 0 || !slices.Contains(info.Tags, format)) {
			continue
		}
		f.Formats = append(f.Formats, format)
		if bytes := f.Parameters * usualBits[format] / 8; f.Bytes == 0 || bytes < f.Bytes {
			f.Bytes = bytes
		}
	}
	return f
}

// Refused reports whether an error means that the Hub wants terms accepted, or a token.
func Refused(err error) bool { return errors.Is(err, fault.ErrGated) }

// Unreachable reports whether an error means that there is no connection to the Hub.
func Unreachable(err error) bool { return errors.Is(err, fault.ErrUnreachable) }
