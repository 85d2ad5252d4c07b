package chat

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"inglenook/app/documents"
	"inglenook/plain"
	"inglenook/regular"
)

// aged returns a sentence for each file of the passages that is not what was indexed any
// more. The window keeps collections in step with their files; a terminal does not.
func aged(ctx context.Context, collection string, passages []Part, found []documents.Result) (notes []string) {
	seen := map[string]bool{}
	for _, p := range passages {
		from, _ := SourceOf(p)
		for _, r := range found {
			if len(r.Files) == 0 || r.ID != from.ID || seen[r.Files[0].Path] {
				continue
			}
			f := r.Files[0]
			seen[f.Path] = true
			info, err := regular.Stat(ctx, f.Path)
			switch name := plain.Line(p.Name, maxNameBytes); {
			case errors.Is(err, fs.ErrNotExist):
				notes = append(notes, fmt.Sprintf("%s is gone; this is what was read of it. Index “%s” again.", name, collection))
			case err == nil && (info.Size() != f.Size || !info.ModTime().Equal(f.Modified)):
				notes = append(notes, fmt.Sprintf("%s has changed since it was read; index “%s” again to ask the new text.", name, collection))
			}
		}
	}
	return notes
}
