package weights

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
)

const (
	shard1 = "model-00001-of-00002.safetensors"
	shard2 = "model-00002-of-00002.safetensors"
)

// sharded is a valid folder of two shards: a and b in the first, c in the second.
func sharded() map[string][]byte {
	return map[string][]byte{
		indexFile: []byte(`{"metadata":{"total_parameters":12,"total_size":40},"weight_map":{"a":"` + shard1 + `","b":"` + shard1 + `","c":"` + shard2 + `"}}`),
		shard1:    encode(`{"format":"pt"}`, tensor{"a", "F32", []int{2, 2}, counting(16)}, tensor{"b", "F16", []int{4}, counting(8)}),
		shard2:    encode(`{"format":"pt","part":"2"}`, tensor{"c", "BF16", []int{2, 4}, counting(16)}),
	}
}

func TestShards(t *testing.T) {
	for _, noMap := range []bool{false, true} {
		s := mustOpen(t, folder(sharded()), Options{NoMap: noMap})
		if got := fmt.Sprint(s.Names(), s.Bytes(), s.Metadata()); got != "[a b c] 40 map[format:pt part:2]" {
			t.Error(got)
		}
		info, ok := s.Info("c")
		if !ok || info.File != shard2 || info.Bytes != 16 || info.DType != "BF16" || fmt.Sprint(info.Shape) != "[2 4]" {
			t.Errorf("c: %+v", info)
		}
		w, err := s.Tensor("c")
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, 16)
		if _, err := w.Source().ReadAt(got, 0); err != nil || string(got) != string(counting(16)) {
			t.Errorf("c holds % x, %v", got, err)
		}
	}
}

func TestHostileIndexes(t *testing.T) {
	const good = `"a":"` + shard1 + `","b":"` + shard1 + `","c":"` + shard2 + `"`
	weightMap := func(entries string) string { return `{"weight_map":{` + entries + `}}` }
	named := func(file string) string {
		return weightMap(strings.Replace(good, shard2, file, 1))
	}
	extra := func(name, file string) string { return weightMap(good + `,"` + name + `":"` + file + `"`) }
	cases := []struct {
		name, index, want string // want "" opens
	}{
		{"as it should be", weightMap(good), ""},
		{"metadata null", `{"metadata":null,"weight_map":{` + good + `}}`, ""},
		{"total_size null", `{"metadata":{"total_size":null},"weight_map":{` + good + `}}`, ""},
		{"total_size written as a fraction", `{"metadata":{"total_size":40.0},"weight_map":{` + good + `}}`, ""},
		{"other metadata", `{"metadata":{"x":{"y":[1]}},"weight_map":{` + good + `},"more":[{}]}`, ""},
		{"a tensor that the index leaves out", weightMap(`"a":"` + shard1 + `","c":"` + shard2 + `"`), ""},

		{"empty file", "", "an object should come"},
		{"not JSON", "<html>", "an object should come"},
		{"cut", `{"weight_map":{"a":"` + shard1, "ends where"},
		{"array", "[]", "an object should come"},
		{"not UTF-8", weightMap("\"a\xff\":\"" + shard1 + `"`), "not UTF-8"},
		{"no weight_map", `{"metadata":{}}`, "names no tensor"},
		{"weight_map empty", `{"weight_map":{}}`, "names no tensor"},
		{"weight_map an array", `{"weight_map":["a"]}`, "an object should come"},
		{"weight_map null", `{"weight_map":null}`, "an object should come"},
		{"weight_map twice", `{"weight_map":{` + good + `},"weight_map":{` + good + `}}`, "weight_map comes twice"},
		{"a file that is a number", weightMap(`"a":1`), "a string should come"},
		{"a file that is an array", weightMap(`"a":["` + shard1 + `"]`), "a string should come"},
		{"tensor twice", weightMap(`"a":"` + shard1 + `",` + good), "the tensor a comes twice"},
		{"too deep", `{"x":` + strings.Repeat("[", 100_000) + `}`, "too deep"},

		{"one shard missing", named("model-00003-of-00002.safetensors"), "1 of the 2 files that " + indexFile + " names are missing (model-00003-of-00002.safetensors)"},
		{"both shards missing", weightMap(`"a":"x.safetensors","c":"y.safetensors"`), "2 of the 2 files that " + indexFile + " names are missing (x.safetensors, y.safetensors)"},
		{"tensor in the other shard", weightMap(strings.Replace(good, shard1, shard2, 1)), "the tensor a is in " + shard1 + " and not in " + shard2},
		{"tensor in no shard", extra("d", shard1), "the tensor d is not in " + shard1},

		{"parent folder", named("../model.safetensors"), "leads out of"},
		{"parent folder within", named("sub/../" + shard2), "leads out of"},
		{"current folder", named("./" + shard2), "leads out of"},
		{"absolute path", named("/etc/model.safetensors"), "leads out of"},
		{"backslashes", named(`..\\model.safetensors`), "leads out of"},
		{"drive letter", named(`C:model.safetensors`), "leads out of"},
		{"network share", named(`//server/share/model.safetensors`), "leads out of"},
		{"URL", named(`https://example.org/model.safetensors`), "leads out of"},
		{"NUL", named(`model\u0000.safetensors`), "leads out of"},
		{"empty name", named(""), "leads out of"},
		{"slash at the end", named("model.safetensors/"), "leads out of"},
		{"two slashes", named("sub//model.safetensors"), "leads out of"},
		{"a folder", named("folder.safetensors"), "not an ordinary file"},
		{"another ending", named("model.json"), "not a safetensors file"},
		{"the index itself", named(indexFile), "not a safetensors file"},
		{"a pickle", named("pytorch_model-00001-of-00002.bin"), "can run code"},
		{"a pickle by ending", named("weights.pt"), "can run code"},
		{"1,001 files", weightMap(manyShards(1001)), "more than 1000 files"},

		{"total_size too large", `{"metadata":{"total_size":41},"weight_map":{` + good + `}}`, "promises 41 bytes of weights, but they hold 40"},
		{"total_size too small", `{"metadata":{"total_size":39},"weight_map":{` + good + `}}`, "promises 39 bytes"},
		{"total_size zero", `{"metadata":{"total_size":0},"weight_map":{` + good + `}}`, "promises 0 bytes"},
		{"total_size negative", `{"metadata":{"total_size":-40},"weight_map":{` + good + `}}`, "not a number of bytes"},
		{"total_size text", `{"metadata":{"total_size":"40"},"weight_map":{` + good + `}}`, "not a number of bytes"},
		{"total_size out of range", `{"metadata":{"total_size":1e999},"weight_map":{` + good + `}}`, "not a number of bytes"},
		{"total_size twice", `{"metadata":{"total_size":40,"total_size":40},"weight_map":{` + good + `}}`, "total_size comes twice"},
		{"metadata a number", `{"metadata":1,"weight_map":{` + good + `}}`, "an object should come"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			files := sharded()
			files[indexFile] = []byte(c.index)
			files["folder.safetensors/inside"] = nil
			if c.want == "" {
				mustOpen(t, folder(files), Options{})
				return
			}
			checkSentence(t, refused(t, folder(files), Options{}, c.want), indexOrFile(c.want))
		})
	}
}

// indexOrFile returns what a message must name: the index, unless the message names
// another file already.
func indexOrFile(want string) string {
	if strings.Contains(want, "ordinary") {
		return "folder.safetensors"
	}
	return indexFile
}

func manyShards(n int) string {
	var entries []string
	for i := range n {
		entries = append(entries, fmt.Sprintf(`"t%d":"model-%d.safetensors"`, i, i))
	}
	return strings.Join(entries, ",")
}

func TestDamagedShards(t *testing.T) {
	cases := []struct {
		name   string
		change func(files map[string][]byte)
		want   string
	}{
		{"cut short", func(f map[string][]byte) { f[shard2] = f[shard2][:len(f[shard2])-1] }, shard2 + " is damaged"},
		{"empty", func(f map[string][]byte) { f[shard1] = nil }, shard1 + " is damaged"},
		{"the first in the place of the second", func(f map[string][]byte) { f[shard2] = f[shard1] }, "is in two files"},
		{"exchanged", func(f map[string][]byte) { f[shard1], f[shard2] = f[shard2], f[shard1] }, "and not in"},
		{"a tensor in two", func(f map[string][]byte) {
			f[shard2] = encode("", tensor{"c", "F32", []int{2}, counting(8)}, tensor{"a", "F32", []int{2}, counting(8)})
		}, "the tensor a is in two files"},
		{"an unlisted tensor in two", func(f map[string][]byte) {
			f[indexFile] = []byte(`{"weight_map":{"a":"` + shard1 + `","c":"` + shard2 + `"}}`)
			f[shard2] = encode("", tensor{"c", "F32", []int{2}, counting(8)}, tensor{"b", "F32", []int{2}, counting(8)})
		}, "the tensor b is in two files"},
		{"of another type", func(f map[string][]byte) {
			f[shard2] = encode("", tensor{"c", "F32", []int{2, 4}, counting(32)})
		}, "promises 40 bytes of weights, but they hold 56"},
		{"a renamed pickle", func(f map[string][]byte) { f[shard1] = []byte("PK\x03\x04\x00\x00\x08\x08archive/data.pkl") }, "can run code"},
		{"a Git LFS pointer", func(f map[string][]byte) {
			f[shard1] = []byte("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 40\n")
		}, "Git LFS pointer"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			files := sharded()
			c.change(files)
			refused(t, folder(files), Options{}, c.want)
		})
	}
}

func TestShardsInFolders(t *testing.T) {
	files := sharded()
	index := strings.ReplaceAll(string(files[indexFile]), shard2, "parts/second/"+shard2)
	nested := map[string][]byte{
		"sub/" + indexFile:                []byte(index),
		"sub/" + shard1:                   files[shard1],
		"sub/parts/second/" + shard2:      files[shard2],
		"sub/parts/second/unrelated.json": nil,
	}
	s := mustOpen(t, folder(nested), Options{File: "sub/" + indexFile})
	if info, _ := s.Info("c"); info.File != "sub/parts/second/"+shard2 {
		t.Errorf("c is in %s", info.File)
	}
}

func TestEveryTruncationOfAnIndex(t *testing.T) {
	files := sharded()
	whole := files[indexFile]
	for n := range whole {
		files[indexFile] = whole[:n]
		refused(t, folder(files), Options{}, indexFile+" is damaged")
	}
}

func TestLargeIndexIsRefused(t *testing.T) {
	files := sharded()
	files[indexFile] = append(files[indexFile], make([]byte, maxIndex)...)
	refused(t, folder(files), Options{}, "an index has at most")
}

// TestFailedShardsAreClosed checks that no file stays open after an error.
func TestFailedShardsAreClosed(t *testing.T) {
	files := sharded()
	files[shard2] = files[shard2][:20]
	counted := &countingFS{FS: folder(files)}
	if _, err := Open(counted, Options{}); err == nil {
		t.Fatal("it was opened")
	}
	if counted.opened == 0 || counted.opened != counted.closed {
		t.Errorf("%d files opened, %d closed", counted.opened, counted.closed)
	}
	counted = &countingFS{FS: folder(sharded())}
	s, err := Open(counted, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Close(), s.Close()); err != nil || counted.opened != counted.closed {
		t.Errorf("%d files opened, %d closed, %v", counted.opened, counted.closed, err)
	}
}

// countingFS counts how many files are opened and closed. Its files can only
// be read from start to end.
type countingFS struct {
	fs.FS
	opened, closed int
}

type countedFile struct {
	fs.File
	of *countingFS
}

func (c *countingFS) Open(name string) (fs.File, error) {
	f, err := c.FS.Open(name)
	if err != nil {
		return nil, err
	}
	c.opened++
	return countedFile{f, c}, nil
}

func (f countedFile) Close() error { f.of.closed++; return f.File.Close() }
