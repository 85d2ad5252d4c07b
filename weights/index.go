package weights

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits on an index, far above those of real checkpoints.
const (
	maxIndex   = 32 << 20 // bytes
	maxShards  = 1000     // each keeps a file open
	maxIndexed = 1 << 18  // tensors
)

// index is a model.safetensors.index.json: which shard holds which tensor.
type index struct {
	weightMap map[string]string
	totalSize float64 // bytes of all tensors together; -1 if not stated
}

// openShards opens an index and every shard that it names.
func openShards(fsys fs.FS, name string, o Options) (*Set, error) {
	x, err := readIndex(fsys, name)
	if err != nil {
		return nil, err
	}
	shards := slices.Sorted(maps.Values(x.weightMap))
	shards = slices.Compact(shards)
	if err := present(fsys, name, shards); err != nil {
		if o.Outline && o.Imagine != "" {
			return imagined(name, o.Imagine, x.weightMap), nil
		}
		return nil, err
	}
	var headers []*header
	for _, shard := range shards {
		h, err := openHeader(fsys, beside(name, shard), o)
		if err != nil {
			return nil, errors.Join(err, closeAll(headers))
		}
		headers = append(headers, h)
	}
	if err := x.check(shards, headers); err != nil {
		return nil, errors.Join(fmt.Errorf("%s does not fit its files: %w: download the model again", quote(name), err), closeAll(headers))
	}
	return newSet(name, headers...), nil
}

// beside returns the path of a shard, which is relative to its index.
func beside(name, shard string) string { return path.Join(path.Dir(name), shard) }

func closeAll(headers []*header) error {
	var errs []error
	for _, h := range headers {
		errs = append(errs, h.file.Close())
	}
	return errors.Join(errs...)
}

func readIndex(fsys fs.FS, name string) (*index, error) {
	f, err := openFile(fsys, name, true)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.size > maxIndex {
		return nil, damaged(name, fmt.Errorf("it has %d bytes, an index has at most %d", f.size, maxIndex))
	}
	text, err := readText(f, 0, f.size)
	if err != nil {
		return nil, err
	}
	x, err := parseIndex(text)
	if err != nil {
		return nil, damaged(name, err)
	}
	return x, nil
}

// parseIndex parses {"metadata": {"total_size": …}, "weight_map": {tensor:
// file}}.
func parseIndex(text string) (*index, error) {
	if !utf8.ValidString(text) {
		return nil, errors.New("the text is not UTF-8")
	}
	x := &index{totalSize: -1}
	j := &scanner{s: text}
	err := j.object(func(key string) error {
		switch key {
		case "metadata":
			return x.readMetadata(j)
		case "weight_map":
			return x.readWeightMap(j)
		}
		return j.skip()
	})
	if err == nil {
		err = j.end()
	}
	if err == nil && len(x.weightMap) == 0 {
		err = errors.New("its weight_map names no tensor")
	}
	return x, err
}

func (x *index) readMetadata(j *scanner) error {
	if j.null() {
		return nil
	}
	return j.object(func(key string) error {
		switch {
		case key != "total_size":
			return j.skip()
		case j.null():
			return nil
		}
		if x.totalSize >= 0 {
			return errors.New("total_size comes twice")
		}
		v, err := strconv.ParseFloat(j.number(), 64)
		if err != nil || v < 0 {
			return errors.New("total_size is not a number of bytes")
		}
		x.totalSize = v
		return nil
	})
}

func (x *index) readWeightMap(j *scanner) error {
	if x.weightMap != nil {
		return errors.New("weight_map comes twice")
	}
	x.weightMap = map[string]string{}
	shards := map[string]bool{}
	return j.object(func(tensor string) error {
		if _, twice := x.weightMap[tensor]; twice {
			return fmt.Errorf("the tensor %s comes twice", quote(tensor))
		}
		if len(x.weightMap) == maxIndexed {
			return fmt.Errorf("it names more than %d tensors", maxIndexed)
		}
		shard, err := j.string()
		if err != nil {
			return fmt.Errorf("the file of %s: %w", quote(tensor), err)
		}
		if !shards[shard] {
			if err := checkShard(shard); err != nil {
				return err
			}
			if shards[shard] = true; len(shards) > maxShards {
				return fmt.Errorf("it names more than %d files", maxShards)
			}
		}
		x.weightMap[tensor] = shard
		return nil
	})
}

// checkShard accepts the names of safetensors files in the index's own folder or
// below it, in a spelling that means the same on every system.
func checkShard(name string) error {
	if err := foreignName(name); err != nil {
		return err
	}
	if !fs.ValidPath(name) || strings.ContainsAny(name, "\\:\x00") {
		return fmt.Errorf("the file name %s leads out of the model's folder", quote(name))
	}
	if path.Ext(name) != extension {
		return fmt.Errorf("the file %s is not a safetensors file", quote(name))
	}
	return nil
}

// present returns one error that lists all missing shards.
func present(fsys fs.FS, name string, shards []string) error {
	paths := make([]string, len(shards))
	for i, shard := range shards {
		paths[i] = beside(name, shard)
	}
	missing := absent(fsys, paths)
	if missing == nil {
		return nil
	}
	return fmt.Errorf("%d of the %d files that %s names are missing (%s): download them, the model cannot run without", len(missing), len(shards), quote(name), list(missing))
}

// absent returns those of the files that do not exist, quoted.
func absent(fsys fs.FS, names []string) []string {
	var missing []string
	for _, name := range names {
		if _, err := fs.Stat(fsys, name); errors.Is(err, fs.ErrNotExist) {
			missing = append(missing, quote(name))
		}
	}
	return missing
}

// check compares the index with the tensors that the shards contain. Tensors
// missing from the index are ignored.
func (x *index) check(shards []string, headers []*header) error {
	at := map[string]string{} // tensor to the shard that holds it
	var total int64
	for i, h := range headers {
		for name, t := range h.tensors {
			if other, twice := at[name]; twice {
				return fmt.Errorf("the tensor %s is in two files, %s and %s", quote(name), quote(other), quote(shards[i]))
			}
			at[name] = shards[i]
			total += t.end - t.begin
		}
	}
	for name, shard := range x.weightMap {
		switch holder, ok := at[name]; {
		case !ok:
			return fmt.Errorf("the tensor %s is not in %s", quote(name), quote(shard))
		case holder != shard:
			return fmt.Errorf("the tensor %s is in %s and not in %s", quote(name), quote(holder), quote(shard))
		}
	}
	if x.totalSize >= 0 && x.totalSize != float64(total) {
		return fmt.Errorf("it promises %.0f bytes of weights, but they hold %d", x.totalSize, total)
	}
	return nil
}
