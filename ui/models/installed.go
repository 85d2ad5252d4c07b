package models

import (
	"path"
	"path/filepath"
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

// copyOf is the id of a model that is here under the name of a repository of the Hub, or that lies in
// a person's own folder under its last name, or as one of its files; false: there is none. A folder
// of that name with another architecture is another model.
func (l installedModels) copyOf(repository, architecture string, files ...string) (id string, ok bool) {
	if i := l.index(repository); i >= 0 {
		return l[i].ID, true
	}
	name := path.Base(repository)
	for _, m := range l {
		own := filepath.Base(m.Path)
		switch {
		case !m.Usable:
		case m.Source == library.SourceFolder && strings.EqualFold(own, name) && (architecture == "" || m.Architecture == "" || m.Architecture == architecture):
			return m.ID, true
		case m.Source == library.SourceFile && slices.ContainsFunc(files, func(f string) bool { return strings.EqualFold(own, path.Base(f)) }):
			return m.ID, true
		}
	}
	return "", false
}

// has reports whether a model is here.
func (l installedModels) has(id string) bool { return l.index(id) >= 0 }

// hasWeights reports whether the weights of a variant are among the files of a model.
func (l installedModels) hasWeights(id string, v downloads.Variant) bool {
	i := l.index(id)
	return i >= 0 && !slices.ContainsFunc(weightsOf(v), func(file string) bool {
		return !slices.ContainsFunc(l[i].Files, func(have library.ModelFile) bool { return have.Path == file })
	})
}

// weightsOf are the files of a variant that have its weights.
func weightsOf(v downloads.Variant) (files []string) {
	for _, f := range v.Files {
		if f.Fetched && (strings.HasSuffix(f.Path, ".gguf") || strings.HasSuffix(f.Path, ".safetensors")) {
			files = append(files, f.Path)
		}
	}
	return files
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
