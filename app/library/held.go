package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"inglenook/app/base"
	"inglenook/filenames"
)

// The search for the models of a folder stops at these bounds: somebody may have chosen
// a home folder.
const (
	maxHeldDepth   = 3 // folders below the chosen one
	maxHeldEntries = 10_000
	maxHeldModels  = 100
)

// held lists the models that a place holds: itself, unless it is a folder with others.
// A folder without any is listed too where it was meant to be one, so that its description says what
// is missing.
func held(ctx context.Context, chosen Location) ([]Location, error) {
	if chosen.Source != SourceFolder {
		return []Location{chosen}, nil
	}
	folder, closer, err := chosen.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	s := search{ctx: ctx, folder: folder}
	names, err := s.look(".", 0)
	if err == nil && len(names) > maxHeldModels {
		err = errTooMuch
	}
	if err == errTooMuch {
		return nil, fmt.Errorf("%s holds too much to look for models in all of it; choose the folder or the file of a model", base.ShortPath(chosen.Path))
	}
	if err != nil {
		return nil, err
	}
	if len(names) == 0 && s.described {
		return []Location{chosen}, nil
	}
	if len(names) == 0 {
		return nil, s.noModel(chosen.Path)
	}
	var list []Location
	for _, name := range names {
		p := chosen
		if name != "." {
			if p, err = pathPlace(ctx, filepath.Join(chosen.Path, filepath.FromSlash(name))); err != nil {
				return nil, err
			}
		}
		list = append(list, p)
	}
	return list, nil
}

var errTooMuch = errors.New("a folder holds too much")

// search looks for models below a folder.
type search struct {
	ctx    context.Context
	folder fs.FS
	seen   int // entries

	others    []string // files of models in formats that are not read here
	described bool     // there is something of a model that can be read, which tells what is missing
}

// look returns the folders and GGUF files that are models, dir itself among them. Links
// to folders are not followed, nor links that lead out of the place.
func (s *search) look(dir string, depth int) (models []string, err error) {
	entries, err := fs.ReadDir(s.folder, dir)
	if stopped := s.ctx.Err(); stopped != nil {
		return nil, stopped
	}
	if err != nil {
		return nil, nil // a folder without rights holds nothing for this person
	}
	if s.seen += len(entries); s.seen > maxHeldEntries {
		return nil, errTooMuch
	}
	var files, folders []string
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			folders = append(folders, name)
		case e.Type().IsRegular() || e.Type()&fs.ModeSymlink != 0 && s.isFile(name):
			files = append(files, name)
		}
	}
	if isCheckpoint(files) {
		return []string{dir}, nil
	}
	for _, name := range files {
		if _, foreign := filenames.Format(name); foreign {
			s.others = append(s.others, name)
		}
		s.described = s.described || dir == "." && slices.Contains([]string{"config.json", "modules.json"}, name) || filenames.IsWeights(name)
	}
	own := ggufModels(files)
	if depth < maxHeldDepth {
		for _, folder := range folders {
			more, err := s.look(folder, depth+1)
			if err != nil {
				return nil, err
			}
			models = append(models, more...)
		}
	}
	if len(own) == 1 && len(models) == 0 && !slices.ContainsFunc(files, isSafetensors) {
		return []string{dir}, nil // which has the better name
	}
	return append(own, models...), nil
}

func (s *search) isFile(name string) bool {
	info, err := fs.Stat(s.folder, name)
	return err == nil && info.Mode().IsRegular()
}

// isCheckpoint reports whether the files of a folder make it one model, to which its
// sub-folders belong.
func isCheckpoint(files []string) bool {
	has := func(name string) bool {
		return slices.ContainsFunc(files, func(f string) bool { return path.Base(f) == name })
	}
	return has("modules.json") || has("model_index.json") || has("config.json") && slices.ContainsFunc(files, isSafetensors)
}

func isSafetensors(name string) bool {
	return filenames.IsWeights(name) && !filenames.IsGGUF(name) && filenames.Part(name) == ""
}

// ggufModels returns the GGUF files that are models: of a split one its first part.
func ggufModels(files []string) (models []string) {
	split := map[string]bool{}
	for _, name := range files {
		if !filenames.IsGGUF(name) || filenames.Part(name) != "" {
			continue
		}
		if filenames.IsSplit(name) {
			stem := filenames.Stem(name)
			if split[stem] {
				continue
			}
			split[stem] = true
		}
		models = append(models, name)
	}
	return models
}
