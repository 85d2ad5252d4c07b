package weights

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"inglenook/weights/gguf/gguftest"
)

const (
	part1 = "model-00001-of-00003.gguf"
	part2 = "model-00002-of-00003.gguf"
	part3 = "model-00003-of-00003.gguf"
)

// splitModel is a model in three parts, each tensor in its own; the last has two.
func splitModel() map[string][]byte {
	files := map[string][]byte{}
	for i, name := range []string{part1, part2, part3} {
		pairs := splitPairs(uint16(i), 3, 4)
		if i == 0 {
			pairs = append(pairs, gguftest.Pair{Key: "general.architecture", Value: "qwen2"})
		}
		tensors := []gguftest.Tensor{floats(fmt.Sprintf("blk.%d.attn_q.weight", i), i+2, 4)}
		if i == 2 {
			tensors = append(tensors, floats("output.weight", 3, 3))
		}
		files[name] = gguftest.File(pairs, tensors)
	}
	return files
}

func splitPairs(number, count uint16, tensors int32) []gguftest.Pair {
	return []gguftest.Pair{{Key: "split.no", Value: number}, {Key: "split.count", Value: count}, {Key: "split.tensors.count", Value: tensors}}
}

// TestSplit opens a model in parts from the name of each, and from its folder.
func TestSplit(t *testing.T) {
	for _, name := range []string{"", part1, part2, part3} {
		s := mustOpen(t, folder(splitModel()), Options{File: name})
		if names := s.Names(); len(names) != 4 || names[0] != "lm_head.weight" {
			t.Errorf("%s has %q", name, names)
		}
		if architecture, _ := s.Meta().String("general.architecture"); architecture != "qwen2" {
			t.Errorf("%s is of the architecture %q", name, architecture)
		}
		for i := range 3 {
			name := fmt.Sprintf("model.layers.%d.self_attn.q_proj.weight", i)
			w, err := s.Tensor(name)
			must(t, err)
			if info, _ := s.Info(name); len(elements(t, w)) != 4*(i+2) || info.File != []string{part1, part2, part3}[i] {
				t.Errorf("%s: %+v", name, info)
			}
		}
	}
	below := map[string][]byte{"other.txt": nil}
	for name, data := range splitModel() {
		below["Q4/"+name] = data
	}
	mustOpen(t, folder(below), Options{File: "Q4/" + part2})
	single := gguftest.File(splitPairs(0, 1, 1), []gguftest.Tensor{floats("a", 2)})
	mustOpen(t, folder(map[string][]byte{"a-00001-of-00001.gguf": single}), Options{})
	mustOpen(t, folder(map[string][]byte{"a.gguf": single}), Options{})
}

func TestSplitErrors(t *testing.T) {
	file := func(pairs []gguftest.Pair, names ...string) []byte {
		var tensors []gguftest.Tensor
		for _, n := range names {
			tensors = append(tensors, floats(n, 2, 4))
		}
		return gguftest.File(pairs, tensors)
	}
	cases := []struct {
		name   string
		change map[string][]byte // nil removes a file
		open   string
		want   string
	}{
		{"the second is missing", map[string][]byte{part2: nil}, part1, "1 of the 3 parts of model are missing (" + part2 + ")"},
		{"the first is missing", map[string][]byte{part1: nil}, part3, "1 of the 3 parts of model are missing (" + part1 + ")"},
		{"the first is missing, found", map[string][]byte{part1: nil}, "", "are missing (" + part1 + ")"},
		{"two are missing", map[string][]byte{part1: nil, part3: nil}, part2, "2 of the 3 parts"},
		{"all are missing", map[string][]byte{part1: nil, part2: nil, part3: nil}, part2, part2 + " is missing"},
		{"another number", map[string][]byte{part2: file(splitPairs(2, 3, 4), "b")}, part1, part2 + " does not belong to " + part1},
		{"another number, opened", map[string][]byte{part2: file(splitPairs(2, 3, 4), "b")}, part2, "is part 3 of 3 of a model and must be named so"},
		{"another count", map[string][]byte{part3: file(splitPairs(2, 4, 4), "b")}, part1, part3 + " does not belong"},
		{"another count, opened", map[string][]byte{part3: file(splitPairs(2, 4, 4), "b")}, part3, "is part 3 of 4"},
		{"another number of tensors", map[string][]byte{part3: file(splitPairs(2, 3, 5), "b")}, part1, "with 5 tensors"},
		{"a tensor too few", map[string][]byte{part3: file(splitPairs(2, 3, 4), "b")}, part1, "it should hold 4 tensors, but there are 3"},
		{"a tensor too many", map[string][]byte{part3: file(splitPairs(2, 3, 4), "b", "c", "d")}, part1, "but there are 5"},
		{"a tensor twice", map[string][]byte{part3: file(splitPairs(2, 3, 4), "b", "blk.0.attn_q.weight")}, part1, "comes twice"},
		{"a part that says nothing", map[string][]byte{part2: file(nil, "b")}, part1, part2 + " does not belong"},
		{"a part that says nothing, opened", map[string][]byte{part2: file(nil, "b")}, part2, "is named like part 2 of 3, but does not say so itself"},
		{"a damaged part", map[string][]byte{part2: []byte("GGUF")}, part1, part2 + " is damaged"},
		{"a pickle as a part", map[string][]byte{part2: []byte("\x80\x04\x95")}, part1, "can run code"},
		{"no parts", map[string][]byte{part1: file(splitPairs(0, 0, 4), "b")}, part1, "it says that it is part 1 of 0"},
		{"many parts", map[string][]byte{part1: file(splitPairs(0, 65535, 4), "b")}, part1, "it says that it is part 1 of 65535"},
		{"beyond the last", map[string][]byte{part1: file(splitPairs(3, 3, 4), "b")}, part1, "it says that it is part 4 of 3"},
		{"before the first", map[string][]byte{part1: file([]gguftest.Pair{{Key: "split.no", Value: int16(-1)}, {Key: "split.count", Value: int16(3)}, {Key: "split.tensors.count", Value: int32(4)}}, "b")}, part1, "part 0 of 3"},
		{"a count in words", map[string][]byte{part1: file([]gguftest.Pair{{Key: "split.count", Value: "three"}}, "b")}, part1, "an integer is wanted, but it is of the type string"},
		{"a count without a number", map[string][]byte{part1: file([]gguftest.Pair{{Key: "split.count", Value: uint16(3)}}, "b")}, part1, "it is missing"},
		{"another name", map[string][]byte{"a.gguf": splitModel()[part2]}, "a.gguf", "rename it to end in -00002-of-00003.gguf"},
		{"a name of fewer digits", map[string][]byte{"model-2-of-3.gguf": splitModel()[part2]}, "model-2-of-3.gguf", "rename it to end in -00002-of-00003.gguf"},
		{"parts of two models", map[string][]byte{"other-00001-of-00003.gguf": nil, "b.gguf": file(nil, "b")}, "", "several GGUF files"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			files := splitModel()
			for name, data := range c.change {
				if files[name] = data; data == nil {
					delete(files, name)
				}
			}
			refused(t, folder(files), Options{File: c.open}, c.want)
		})
	}
}

// TestFailedPartsAreClosed checks that no file stays open after an error.
func TestFailedPartsAreClosed(t *testing.T) {
	for _, broken := range []string{"", part1, part2, part3} {
		files := splitModel()
		if broken != "" {
			files[broken] = files[broken][:len(files[broken])-40]
		}
		counted := &countingFS{FS: folder(files)}
		s, err := Open(counted, Options{File: part2})
		if (err == nil) != (broken == "") {
			t.Fatal(broken, err)
		}
		if err == nil {
			must(t, s.Close())
		}
		if counted.opened == 0 || counted.opened != counted.closed {
			t.Errorf("with %q broken, %d files were opened and %d closed", broken, counted.opened, counted.closed)
		}
	}
}

// TestSplitStaysInside opens parts on disk, one of which is a link out of the folder.
func TestSplitStaysInside(t *testing.T) {
	dir := t.TempDir()
	for name, data := range splitModel() {
		write(t, filepath.Join(dir, "model", name), data)
	}
	write(t, filepath.Join(dir, part2), splitModel()[part2])
	must(t, os.Remove(filepath.Join(dir, "model", part2)))
	link(t, "../"+part2, filepath.Join(dir, "model", part2))
	root, err := os.OpenRoot(filepath.Join(dir, "model"))
	must(t, err)
	defer root.Close()
	refused(t, root.FS(), Options{File: part1}, "is a link to something outside of the model's folder")
	refused(t, root.FS(), Options{File: "../" + part2}, "not the name of a file inside")
}
