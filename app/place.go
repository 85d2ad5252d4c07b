package app

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"inglenook/assets"
	"inglenook/hub"
	"inglenook/weights"
)

// StarterEmbed is the id of the bundled embedding model.
const StarterEmbed = "starter-embed"

// place is where a checkpoint lies. Its files are opened below root only, by
// os.Root: a link or a name in the checkpoint that leads out of it is refused.
type place struct {
	id, name, source string
	path             string // what the person would call it; empty for the bundle
	root             string // folder that bounds everything; empty for the bundle
	sub              string // the checkpoint's folder within root, with slashes; "." is root itself
	weightsFile      string // one .safetensors or .gguf file of the folder, when that was chosen
}

func bundledPlace() place {
	return place{id: StarterEmbed, name: StarterEmbed, source: SourceBundled}
}

// folderPlace is a folder given by its absolute path. A snapshot folder of a
// Hub cache consists of links to ../../blobs, so there the whole repository
// folder is the bound.
func folderPlace(dir string) place {
	p := place{id: dir, name: filepath.Base(dir), source: SourceFolder, path: dir, root: dir, sub: "."}
	if snapshots := filepath.Dir(dir); filepath.Base(snapshots) == "snapshots" {
		repo := filepath.Dir(snapshots)
		if id, ok := hub.IDOfFolder(filepath.Base(repo)); ok {
			p.name = id
		}
		p.root, p.sub = repo, path.Join("snapshots", filepath.Base(dir))
	}
	return p
}

// filePlace is one .safetensors or .gguf file; the other files of its folder belong to it.
func filePlace(file string) place {
	p := folderPlace(filepath.Dir(file))
	p.id, p.path, p.source = file, file, SourceFile
	p.weightsFile = filepath.Base(file)
	p.name = p.name + "/" + p.weightsFile
	if target, err := filepath.EvalSymlinks(file); err == nil && p.sub == "." && weights.IsGGUF(target) && weights.IsGGUF(file) {
		// The person named this link, and a GGUF file needs nothing beside it
		// but the further parts that lie where it lies.
		p.root, p.weightsFile = filepath.Dir(target), filepath.Base(target)
	}
	return p
}

// strayLink is a link in the folder that leads to something outside of it.
func (p place) strayLink(folder fs.FS) string {
	entries, _ := fs.ReadDir(folder, ".")
	for _, e := range entries {
		if e.Type()&fs.ModeSymlink == 0 {
			continue
		}
		_, inside := fs.Stat(folder, e.Name())
		_, anywhere := os.Stat(filepath.Join(p.root, filepath.FromSlash(p.sub), e.Name()))
		if inside != nil && anywhere == nil {
			return e.Name()
		}
	}
	return ""
}

// open returns the checkpoint's folder. The closer must stay open as long as
// files are opened through it.
func (p place) open() (fs.FS, io.Closer, error) {
	if p.root == "" {
		return assets.StarterEmbed(), io.NopCloser(nil), nil
	}
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return nil, nil, fileError(p.path, err)
	}
	folder, err := fs.Sub(root.FS(), p.sub)
	if err != nil {
		root.Close()
		return nil, nil, fmt.Errorf("%s is no folder name", p.sub)
	}
	return folder, root, nil
}

// The listing of a model's files stops at these bounds: somebody may have
// chosen a home folder.
const (
	maxListedFiles = 1000
	maxListedDepth = 2
)

// files lists the checkpoint's files, links followed within the bound, and a
// stamp that changes when one of them is replaced.
func (p place) files(folder fs.FS) (list []ModelFile, stamp string) {
	var marks strings.Builder
	_ = fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		hidden := name != "." && strings.HasPrefix(entry.Name(), ".")
		if entry.IsDir() {
			if hidden || strings.Count(name, "/") >= maxListedDepth {
				return fs.SkipDir
			}
			return nil
		}
		if hidden || !p.owns(name) {
			return nil
		}
		info, err := fs.Stat(folder, name)
		if err != nil || !info.Mode().IsRegular() {
			return nil
		}
		list = append(list, ModelFile{name, info.Size()})
		fmt.Fprintln(&marks, name, info.Size(), info.ModTime().UnixNano())
		if len(list) >= maxListedFiles {
			return fs.SkipAll
		}
		return nil
	})
	return list, marks.String()
}

// owns reports whether a file of the folder belongs to the model. Where one weights
// file was chosen, the others do not, unless they are further parts of it; and
// a GGUF file holds all that there is to a model.
func (p place) owns(name string) bool {
	if p.weightsFile == "" || name == p.weightsFile {
		return true
	}
	if weights.IsGGUF(p.weightsFile) {
		part := ggufPart.FindString(p.weightsFile)
		return part != "" && ggufPart.ReplaceAllString(name, "") == strings.TrimSuffix(p.weightsFile, part)
	}
	return !isWeights(name)
}

// ggufPart is the end of the name of one part of a split GGUF file.
var ggufPart = regexp.MustCompile(`-\d{5}-of-\d{5}\.gguf$`)

// isWeights reports whether a file holds weights that we read, by its name.
func isWeights(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".safetensors" || ext == ".gguf"
}
