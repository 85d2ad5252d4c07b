package models

import (
	"slices"
	"strings"

	"inglenook/app/downloads"
	"inglenook/app/library"
	"inglenook/app/pool"
)

// installedModels are the models on this computer. The Hub takes ids in any case.
type installedModels []pool.Installed

func (l installedModels) index(id string) int {
	return slices.IndexFunc(l, func(i pool.Installed) bool { return strings.EqualFold(i.ID, id) })
}

// has reports whether a model is here.
func (l installedModels) has(id string) bool { return l.index(id) >= 0 }

// idOf is how an installed model is called, whatever the case it is asked in.
func (l installedModels) idOf(id string) string {
	if i := l.index(id); i >= 0 {
		return l[i].ID
	}
	return id
}

// hasWeights reports whether the weights of a variant are among the files of a model.
func (l installedModels) hasWeights(id string, v downloads.Variant) bool {
	i := l.index(id)
	return i >= 0 && !slices.ContainsFunc(v.Files, func(f downloads.PreviewFile) bool {
		weights := strings.HasSuffix(f.Path, ".gguf") || strings.HasSuffix(f.Path, ".safetensors")
		return f.Fetched && weights && !slices.ContainsFunc(l[i].Files, func(have library.ModelFile) bool { return have.Path == f.Path })
	})
}

// use is the first panel that a model can be used in: what its button says, and what
// that does; "": there is none.
func (l installedModels) use(id string, uses []Use) (name string, open func()) {
	i := l.index(id)
	if i < 0 || !l[i].Usable {
		return "", nil
	}
	for _, u := range uses {
		if _, ok := u.Fits(l[i].Model); ok {
			return "Use in " + u.In.Name, func() { u.Open(l[i].Model) }
		}
	}
	return "", nil
}
