package chat

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"inglenook/app/documents"
	"inglenook/plain"
)

// aged returns a sentence for each file of the passages that is not what was indexed any
// more. The window keeps collections in step with their files; a terminal does not.
func aged(ctx context.Context, collectionOf func(documents.Result) string, passages []Part, found []documents.Result) (notes []string) {
	seen := map[string]bool{}
	for _, p := range passages {
		from, _ := SourceOf(p)
		i := slices.IndexFunc(found, func(r documents.Result) bool { return r.ID == from.ID })
		if i < 0 || seen[from.Path] {
			continue
		}
		seen[from.Path] = true
		changed, err := documents.HasChanged(ctx, found[i].Files[0])
		switch name := plain.Line(p.Name, maxNameBytes); {
		case errors.Is(err, fs.ErrNotExist):
			notes = append(notes, fmt.Sprintf("%s is gone; this is what was read of it. Index “%s” again.", name, collectionOf(found[i])))
		case changed:
			notes = append(notes, fmt.Sprintf("%s has changed since it was read; index “%s” again to ask the new text.", name, collectionOf(found[i])))
		}
	}
	return notes
}
