package weights

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"inglenook/engine"
	"inglenook/filenames"
)

// The file names that Open looks for.
const (
	singleFile = "model.safetensors"
	indexFile  = "model.safetensors.index.json"
	extension  = ".safetensors"
	indexEnd   = ".safetensors.index.json"
)

// Options configure how a checkpoint is opened.
type Options struct {
	// NoMap reads the files instead of mapping them: for network disks, where mapped
	// pages arrive late or never.
	NoMap bool
	// File is the weights file, the index or any part of a split GGUF file, relative
	// to the model's folder and with slashes ("2_Dense/model.safetensors"). If it is
	// empty, Open finds the file.
	File string
	// Quantize is the type to which the model's matrices of F32, F16, BF16 or F64
	// are converted on reading: Q8_0 or Q4_K. The zero value, F32, leaves them as
	// they are. Vectors, norms, position tables and matrices that are quantized
	// already always stay; [Set.Notes] reports other matrices that could not be
	// converted.
	Quantize engine.DType
	// Packing says how MLX quantized the matrices of a safetensors checkpoint, as its
	// config.json states; nil if it did not.
	Packing *Packing
	// Adapter says what is added to the matrices of the checkpoint; nil: nothing.
	Adapter *Adapter
	// Ahead also takes the head that guesses the token after the next one from a file beside a
	// GGUF file of a model that has none itself: mtp-NAME.gguf.
	Ahead bool
	// Outline opens a checkpoint for its metadata only: the weights have types and
	// shapes but no data. The data need not exist: a file may end after its header.
	Outline bool
	// Imagine is the type, such as "BF16", that an outline assigns to tensors
	// without a header: those of an index whose files are missing, or all requested
	// tensors if there are no weights. If it is empty, missing weights are an error.
	Imagine string
}

// Open reads the tensor directory of the checkpoint in fsys, the model's folder:
// model.safetensors, else model.safetensors.index.json with its shards, else the
// only *.safetensors, else the only *.gguf, with the other parts if it is split. It
// reads no weights yet. Every error is a sentence for the user.
func Open(fsys fs.FS, o Options) (*Set, error) {
	if err := checkQuantize(o.Quantize); err != nil {
		return nil, err
	}
	name, err := choose(fsys, o.File)
	var s *Set
	switch {
	case errors.Is(err, errNoWeights) && o.Outline && o.Imagine != "":
		s = imagined("config.json", o.Imagine, nil)
	case err != nil:
		return nil, err
	default:
		if s, err = openSet(fsys, name, o); err != nil {
			return nil, err
		}
		if o.Ahead && s.meta != nil {
			s.joinAhead(fsys, o)
		}
		if o.Packing != nil {
			if err := s.unpack(o.Packing); err != nil {
				return nil, errors.Join(err, s.Close())
			}
		}
		if o.Adapter != nil {
			if err := s.adapt(o.Adapter); err != nil {
				return nil, errors.Join(err, s.Close())
			}
		}
	}
	s.quantize.to, s.outline = o.Quantize, o.Outline
	return s, nil
}

// DescribesItself reports whether [Open] would find one or several GGUF files.
// Such a checkpoint needs no config.json.
func DescribesItself(fsys fs.FS, file string) bool {
	if file != "" {
		return filenames.IsGGUF(file)
	}
	name, err := choose(fsys, "")
	var several *SeveralError
	return err == nil && filenames.IsGGUF(name) || errors.As(err, &several)
}

// openSet opens a file in the format that its name indicates.
func openSet(fsys fs.FS, name string, o Options) (*Set, error) {
	switch {
	case filenames.IsGGUF(name):
		return openGGUF(fsys, name, o)
	case strings.HasSuffix(name, indexEnd):
		return openShards(fsys, name, o)
	}
	h, err := openHeader(fsys, name, o)
	if err != nil {
		return nil, err
	}
	return newSet(name, h), nil
}

// openHeader opens one safetensors file, which the tensors of the header keep open.
func openHeader(fsys fs.FS, name string, o Options) (*header, error) {
	f, err := openFile(fsys, name, o.NoMap)
	if err != nil {
		return nil, err
	}
	h, err := func() (*header, error) {
		var head [64]byte
		n, err := f.ReadAt(head[:], 0)
		if err != nil && err != io.EOF {
			return nil, err
		}
		if err := foreignContent(name, head[:n]); err != nil {
			return nil, err
		}
		return readHeader(f, o.Outline)
	}()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	h.file = f
	return h, nil
}

// choose returns the file to open.
func choose(fsys fs.FS, name string) (string, error) {
	if name != "" {
		if !fs.ValidPath(name) {
			return "", fmt.Errorf("%s is not the name of a file inside the model's folder", quote(name))
		}
		return name, foreignName(name)
	}
	for _, name := range []string{singleFile, indexFile} {
		if _, err := fs.Lstat(fsys, name); !errors.Is(err, fs.ErrNotExist) {
			return name, nil
		}
	}
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return "", fmt.Errorf("the model's folder cannot be listed: %w", plain(err))
	}
	return chooseAmong(fsys, entries)
}

// chooseAmong returns the only safetensors file, else the only GGUF file, or an
// error that says what the folder contains instead.
func chooseAmong(fsys fs.FS, entries []fs.DirEntry) (string, error) {
	var found, ggufs []string
	var refused error
	var part string
	for _, e := range entries {
		name := e.Name()
		switch {
		case e.IsDir() || strings.HasPrefix(name, "."): // macOS leaves ._model.safetensors
		case filenames.Part(name) != "":
			part = name
		case path.Ext(name) == extension:
			found = append(found, name)
		case filenames.IsGGUF(name):
			ggufs = append(ggufs, name)
		case refused == nil || !errors.Is(refused, ErrPickle):
			if err := foreignFile(fsys, name); err != nil {
				refused = err
			}
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return "", fmt.Errorf("the folder holds several weight files (%s) but no %s that joins them: add the index, or open one of the files", list(found), indexFile)
	case len(ggufs) == 1 || len(ggufs) > 1 && oneModel(ggufs):
		return ggufs[0], nil
	case len(ggufs) > 1:
		return "", &SeveralError{ggufs}
	case refused != nil:
		return "", refused
	case part != "":
		return "", fmt.Errorf("%s holds %s: choose the folder of the model itself", quote(part), filenames.Part(part))
	}
	return "", errNoWeights
}

// SeveralError is returned for a folder with several models.
type SeveralError struct {
	Files []string // in the folder
}

func (e *SeveralError) Error() string {
	return fmt.Sprintf("the folder holds several GGUF files (%s): open one of them", list(e.Files))
}

var errNoWeights = fmt.Errorf("the folder holds no weights (%s, %s or a GGUF file): choose the folder of a model in one of these formats", singleFile, indexFile)

// foreignFile rejects a file by its name, or a *.bin by its content (its extension
// alone means nothing).
func foreignFile(fsys fs.FS, name string) error {
	if err := foreignName(name); err != nil || path.Ext(name) != ".bin" {
		return err
	}
	f, err := openFile(fsys, name, true)
	if err != nil {
		return nil // not a file of weights
	}
	defer f.Close()
	var head [64]byte
	n, _ := f.ReadAt(head[:], 0)
	return foreignContent(name, head[:n])
}
