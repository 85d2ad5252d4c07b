package downloads

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"inglenook/app/base"
	"inglenook/app/fit"
	"inglenook/hub"
	"inglenook/hub/cache"
	"inglenook/hub/repo"
	"inglenook/pipeline"
	"inglenook/regular"
)

const (
	maxSmallFile   = 1 << 20  // of a configuration that is read whole
	maxHeader      = 48 << 20 // of a file of weights; the largest vocabularies make some 10 MB
	firstLook      = 512 << 10
	maxPreviews    = 40
	previewsFolder = "previews"
)

// peekCompat judges a variant by its configuration and the header of its weights,
// which are kept in the cache folder under the commit: asked again, with another
// context, they are there.
func (d *Service) peekCompat(ctx context.Context, client *hub.Client, info hub.Info, v Variant, r fit.CompatRequest) (fit.Compat, error) {
	folder, err := cache.FolderName(info.ID)
	if err != nil {
		return fit.Compat{}, err
	}
	top := filepath.Join(d.paths.Cache, previewsFolder)
	kept := filepath.Join(top, folder+"@"+info.Commit)
	dir := filepath.Join(kept, v.Format)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fit.Compat{}, fmt.Errorf("the header of %s cannot be kept: %w", info.ID, base.PlainError(err))
	}
	_ = os.Chtimes(kept, time.Time{}, time.Now())
	prunePreviews(top)
	root, err := regular.OpenRoot(ctx, dir)
	if err != nil {
		return fit.Compat{}, err
	}
	defer root.Close()
	p := peeker{client: client, info: info, root: root}
	r.Model = dir
	if v.Format == "gguf" {
		file := firstPart(v.weights)
		if err := p.growGGUF(ctx, file); err != nil {
			return fit.Compat{}, err
		}
		r.Model = filepath.Join(dir, filepath.FromSlash(file.Path))
	} else if err := p.tensors(ctx, v); err != nil {
		return fit.Compat{}, err
	}
	c, err := d.fit.Compat(ctx, r)
	c.Model = info.ID
	c.Notes = slices.DeleteFunc(c.Notes, aboutMissing)
	return c, err
}

// aboutMissing recognizes notes that say that the weights themselves are not there.
func aboutMissing(note string) bool {
	return strings.Contains(note, "cut short") || strings.Contains(note, "holds no weights") || strings.Contains(note, "is missing")
}

// firstPart is the file of which the others of a split one are further parts.
func firstPart(files []repo.File) repo.File {
	return slices.MinFunc(files, func(a, b repo.File) int { return cmp.Compare(a.Path, b.Path) })
}

// peeker fetches parts of a repository's files.
type peeker struct {
	client *hub.Client
	info   hub.Info
	root   *os.Root
}

// have returns what was fetched of a file before.
func (p peeker) have(ctx context.Context, name string) []byte {
	data, err := fs.ReadFile(regular.FS(ctx, p.root), name)
	if err != nil {
		return nil
	}
	return data
}

func (p peeker) keep(name string, data []byte) error {
	err := p.root.MkdirAll(path.Dir(name), 0o700)
	if err == nil {
		err = p.root.WriteFile(name, data, 0o600)
	}
	if err != nil {
		return fmt.Errorf("the header of %s cannot be kept: %w", p.info.ID, base.PlainError(err))
	}
	return nil
}

// grow fetches the file's bytes up to n, and keeps them.
func (p peeker) grow(ctx context.Context, f repo.File, n int64) ([]byte, error) {
	data := p.have(ctx, f.Path)
	n = min(n, f.Size)
	if int64(len(data)) >= n {
		return data, nil
	}
	more, err := p.client.Peek(ctx, p.info.ID, p.info.Commit, f, int64(len(data)), n)
	if err != nil {
		return nil, base.InContext(ctx, err)
	}
	data = append(data, more...)
	return data, p.keep(f.Path, data)
}

// growGGUF fetches more and more of a GGUF file until its header is whole.
func (p peeker) growGGUF(ctx context.Context, f repo.File) error {
	folder, err := fs.Sub(regular.FS(ctx, p.root), path.Dir(f.Path))
	if err != nil {
		return err
	}
	for n := int64(firstLook); ; n *= 4 {
		n = min(n, f.Size, maxHeader)
		if _, err := p.grow(ctx, f, n); err != nil {
			return err
		}
		outline, err := pipeline.OpenOutline(folder, pipeline.OutlineOptions{WeightsFile: path.Base(f.Path)})
		if err == nil {
			return outline.Close()
		}
		if n >= min(f.Size, maxHeader) {
			return nil // what is wrong with it, compat says
		}
	}
}

// tensors fetches what describes a safetensors checkpoint: its small JSON files and
// the headers of its weights.
func (p peeker) tensors(ctx context.Context, v Variant) error {
	for _, f := range v.Files {
		if !f.Fetched || path.Ext(f.Path) != ".json" || f.Bytes > maxSmallFile && !strings.HasSuffix(f.Path, ".index.json") || isVocabulary(f.Path) {
			continue
		}
		i := slices.IndexFunc(p.info.Files, func(h repo.File) bool { return h.Path == f.Path })
		if _, err := p.grow(ctx, p.info.Files[i], min(f.Bytes, maxHeader)); err != nil {
			return err
		}
	}
	for _, f := range v.weights {
		if err := p.safetensorsHeader(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// isVocabulary reports whether a file describes texts and not the network.
func isVocabulary(name string) bool {
	return slices.Contains([]string{"tokenizer.json", "vocab.json", "special_tokens_map.json", "added_tokens.json"}, path.Base(name))
}

// safetensorsHeader fetches the length in the first eight bytes and what it says
// (the format's own description).
func (p peeker) safetensorsHeader(ctx context.Context, f repo.File) error {
	data, err := p.grow(ctx, f, 128<<10)
	if err != nil {
		return err
	}
	if len(data) < 8 {
		return errors.New(f.Path + " is too short to be a safetensors file")
	}
	n := binary.LittleEndian.Uint64(data)
	if n > maxHeader-8 {
		return fmt.Errorf("%s says that its header has %s, which no model needs; the file is damaged", f.Path, humanize.Bytes(n))
	}
	_, err = p.grow(ctx, f, 8+int64(n))
	return err
}

// prunePreviews drops the headers that were not asked for in the longest time.
func prunePreviews(top string) {
	entries, err := os.ReadDir(top)
	if err != nil || len(entries) <= maxPreviews {
		return
	}
	when := map[string]time.Time{}
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			when[e.Name()] = info.ModTime()
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return when[a.Name()].Compare(when[b.Name()]) })
	for _, e := range entries[:len(entries)-maxPreviews] {
		_ = os.RemoveAll(filepath.Join(top, e.Name()))
	}
}
