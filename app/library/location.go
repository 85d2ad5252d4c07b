package library

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"inglenook/app/base"
	"inglenook/assets"
	"inglenook/filenames"
	"inglenook/hub/cache"
	"inglenook/regular"
)

// The ids of the bundled models: one that embeds and one that writes.
const (
	StarterEmbed = "starter-embed"
	StarterChat  = "starter-chat"
)

// Location is where a checkpoint lies. Its files are opened below root only, by
// os.Root: a link or a name in the checkpoint that leads out of it is refused, and
// so is what is not a regular file.
type Location struct {
	ID, Name, Source string
	Path             string // what the person would call it; empty for a bundled model
	root             string // folder that bounds everything; empty for a bundled model
	bundle           func() fs.FS
	Sub              string // the checkpoint's folder within root, with slashes; "." is root itself
	WeightsFile      string // one .safetensors or .gguf file of the folder, when that was chosen
}

// bundled are the places of the models that come with the program.
var bundled = []Location{
	{ID: StarterEmbed, Name: StarterEmbed, Source: SourceBundled, bundle: assets.StarterEmbed},
	{ID: StarterChat, Name: StarterChat, Source: SourceBundled, bundle: assets.StarterChat, WeightsFile: "starter-chat.gguf"},
}

// folderPlace is a folder given by its absolute path. A snapshot folder of a
// Hub cache consists of links to ../../blobs, so there the whole repository
// folder is the bound.
func folderPlace(dir string) Location {
	p := Location{ID: dir, Name: filepath.Base(dir), Source: SourceFolder, Path: dir, root: dir, Sub: "."}
	if snapshots := filepath.Dir(dir); filepath.Base(snapshots) == "snapshots" {
		repo := filepath.Dir(snapshots)
		if id, ok := cache.IDOfFolder(filepath.Base(repo)); ok {
			p.Name = id
		}
		p.root, p.Sub = repo, path.Join("snapshots", filepath.Base(dir))
	}
	return p
}

// filePlace is one .safetensors or .gguf file; the other files of its folder belong to it.
func filePlace(ctx context.Context, file string) Location {
	p := folderPlace(filepath.Dir(file))
	p.ID, p.Path, p.Source = file, file, SourceFile
	p.WeightsFile = filepath.Base(file)
	p.Name = p.Name + "/" + p.WeightsFile
	if target, err := regular.EvalSymlinks(ctx, file); err == nil && p.Sub == "." && filenames.IsGGUF(target) && filenames.IsGGUF(file) {
		// The person named this link, and a GGUF file needs nothing beside it
		// but the further parts that lie where it lies.
		p.root, p.WeightsFile = filepath.Dir(target), filepath.Base(target)
	}
	return p
}

// Blame is the error about a checkpoint, or one about a link that leads out of its
// folder, where that may be the cause: a file that the error names is there.
func (p Location) Blame(ctx context.Context, folder fs.FS, err error) error {
	link := p.strayLink(ctx, folder)
	if link == "" || err == nil {
		return err
	}
	entries, _ := fs.ReadDir(folder, ".")
	for _, e := range entries {
		if e.Type().IsRegular() && strings.Contains(err.Error(), e.Name()) {
			return err
		}
	}
	return fmt.Errorf("%s is a link to something outside of the folder, which Inglenook does not follow; open what it leads to, or put that into the folder", link)
}

// strayLink is a link in the folder that leads to something outside of it.
func (p Location) strayLink(ctx context.Context, folder fs.FS) string {
	entries, _ := fs.ReadDir(folder, ".")
	for _, e := range entries {
		if e.Type()&fs.ModeSymlink == 0 {
			continue
		}
		_, inside := fs.Stat(folder, e.Name())
		_, anywhere := regular.Stat(ctx, filepath.Join(p.root, filepath.FromSlash(p.Sub), e.Name()))
		if inside != nil && anywhere == nil {
			return e.Name()
		}
	}
	return ""
}

// Open returns the checkpoint's folder. The closer must stay open as long as
// files are opened through it, and the context counts as long.
func (p Location) Open(ctx context.Context) (fs.FS, io.Closer, error) {
	if p.Source == SourceServer {
		return nil, nil, errElsewhere(p.Name)
	}
	if p.bundle != nil {
		return p.bundle(), io.NopCloser(nil), nil
	}
	root, err := regular.OpenRoot(ctx, p.root)
	if err != nil {
		return nil, nil, base.FileError(p.Path, err)
	}
	folder, err := fs.Sub(regular.FS(ctx, root), p.Sub)
	if err != nil {
		root.Close()
		return nil, nil, fmt.Errorf("%s is no folder name", p.Sub)
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
// stamp that changes when one of them is replaced, or a file beside a GGUF file from which the
// model takes the head that guesses for it.
func (p Location) files(folder fs.FS) (list []ModelFile, stamp string) {
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
		own := p.owns(name)
		if hidden || !own && !(filenames.IsGGUF(p.WeightsFile) && filenames.IsAhead(name)) {
			return nil
		}
		info, err := fs.Stat(folder, name)
		if err != nil || !info.Mode().IsRegular() {
			return nil
		}
		marks.WriteString(mark(folder, name, info))
		if !own {
			return nil
		}
		list = append(list, ModelFile{name, info.Size()})
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
func (p Location) owns(name string) bool {
	if p.WeightsFile == "" || name == p.WeightsFile {
		return true
	}
	if filenames.IsGGUF(p.WeightsFile) {
		return filenames.IsSplit(p.WeightsFile) && filenames.IsSplit(name) && filenames.Stem(name) == filenames.Stem(p.WeightsFile)
	}
	return !filenames.IsWeights(name)
}
