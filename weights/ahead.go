package weights

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"inglenook/filenames"
	"inglenook/weights/gguf"
)

// The head that guesses the token after the next one may lie beside a GGUF file, in one of its own:
// mtp-NAME.gguf in the model's folder, in one above, or in a folder MTP of either. Such a file
// states the sizes of the whole model, and has the layer behind the others under its number there.
// Most also repeat the table of words and the output layer, for programs that open them as a model;
// here the model's own serve for both.

const (
	aheadFolder  = "MTP"
	mostAhead    = 16 // such files that are opened to find the right one
	aheadJoins   = "eh_proj"
	predictsKey  = ".nextn_predict_layers"
	layersKey    = ".block_count"
	wordsListKey = "tokenizer.ggml.tokens"
)

// besides are the files beside a model's that may hold its head.
type besides struct {
	left   []string // files that were not opened yet, the likeliest first
	open   func(name string) (*header, error)
	joined string             // the file whose head the set has; "": it has none of them
	added  map[string]*stored // its tensors
	why    []unjoined         // of the files before it, or of all
}

// joinAhead adds the head of a file beside the model's to a set that has none, as if it were of
// that file. Whatever is wrong with such a file, the model is whole without it.
func (s *Set) joinAhead(fsys fs.FS, o Options) {
	architecture, _ := s.meta.String("general.architecture")
	names := architectures[architecture]
	if names.parts["nextn."+aheadJoins] == "" {
		return // heads of this architecture are not read
	}
	layers, err := modelLayers(s.meta, architecture)
	if err != nil || s.stored[names.inLayer(fmt.Sprint(layers), aheadJoins)+".weight"] != nil {
		return
	}
	s.beside.left = aheadFiles(fsys, s.name)
	s.beside.open = func(name string) (*header, error) { return openAhead(fsys, name, o, s.meta, layers) }
	s.joinNext()
}

// joinNext adds the head of the first file that was not opened yet and holds one.
func (s *Set) joinNext() {
	b := &s.beside
	for len(b.left) > 0 && b.joined == "" {
		name := b.left[0]
		b.left = b.left[1:]
		h, err := b.open(name)
		if err != nil {
			b.leave(name, s.name, err)
			continue
		}
		b.joined, b.added = name, map[string]*stored{}
		for n, t := range h.tensors {
			if s.stored[n] == nil {
				s.stored[n], b.added[n] = t, t
				s.bytes += t.end - t.begin
			}
		}
		s.files = append(s.files, h.file)
	}
}

// leave notes why the head of a file beside a model's is not used.
func (b *besides) leave(name, model string, why error) {
	text := fmt.Sprintf("a head that guesses what comes next lies beside the model and cannot be used, so there are no guesses from it: %v", why)
	b.why = append(b.why, unjoined{text, filenames.IsAheadOf(name, model)})
}

// OtherHead removes the head that the set got of a file beside it, for what is wrong with that, and
// adds the head of the next such file. Nobody else may use the set meanwhile.
func (s *Set) OtherHead(why error) {
	b := &s.beside
	if b.joined == "" {
		return
	}
	for n, t := range b.added {
		delete(s.stored, n)
		s.bytes -= t.end - t.begin
	}
	b.leave(b.joined, s.name, why)
	b.joined, b.added = "", nil
	s.joinNext()
}

// HeadScope is Scope for the tensors of the head: its error names the file that they come from.
func (s *Set) HeadScope() *Scope {
	c := s.Scope()
	if s.beside.joined != "" {
		c.problems.file, c.problems.hint = s.beside.joined, "download it again"
	}
	return c
}

// unjoined is why a file with a head was left alone, and whether it is named after the model.
type unjoined struct {
	why   string
	named bool
}

// Joined reports whether a GGUF file got the head of another one.
func (s *Set) Joined() bool { return s.beside.joined != "" }

// OfHead reports whether a tensor is of the head that the set got of a file beside it.
func (s *Set) OfHead(name string) bool { return s.beside.added[name] != nil }

// Unjoined returns one sentence for each file beside a GGUF file that holds a head that guesses
// what comes next, but none for this model; none where another such file has the right one.
func (s *Set) Unjoined() []string {
	if s.Joined() {
		return nil
	}
	var all []string
	for _, u := range s.beside.why {
		all = append(all, u.why)
	}
	return all
}

// aheadFiles lists the files beside a model's that may hold its head, the likeliest first.
func aheadFiles(fsys fs.FS, model string) []string {
	var names []string
	for dir := path.Dir(model); ; dir = path.Dir(dir) {
		entries, _ := fs.ReadDir(fsys, dir) // a folder that cannot be listed has none
		for _, e := range entries {
			switch {
			case filenames.IsAhead(e.Name()):
				names = append(names, path.Join(dir, e.Name()))
			case strings.EqualFold(e.Name(), aheadFolder):
				inside, _ := fs.ReadDir(fsys, path.Join(dir, e.Name()))
				for _, f := range inside {
					if filenames.IsAhead(f.Name()) {
						names = append(names, path.Join(dir, e.Name(), f.Name()))
					}
				}
			}
		}
		if dir == "." || dir == "/" {
			break
		}
	}
	rank := func(name string) int {
		if filenames.IsAheadOf(name, model) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(filenames.Rank(filenames.Quant(a)), filenames.Rank(filenames.Quant(b))))
	})
	return names[:min(len(names), mostAhead)]
}

// modelLayers returns how many layers a model has without those that guess.
func modelLayers(meta *gguf.Meta, architecture string) (int, error) {
	all, err := meta.Int(architecture + layersKey)
	if err != nil {
		return 0, err
	}
	ahead, err := meta.Int(architecture + predictsKey)
	if err != nil && !errors.Is(err, gguf.ErrNoKey) {
		return 0, err
	}
	return all - ahead, nil
}

// openAhead opens a file with the head for a model, and returns the head's tensors.
func openAhead(fsys fs.FS, name string, o Options, model *gguf.Meta, layers int) (_ *header, err error) {
	p, err := openPart(fsys, name, o)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.file.Close())
		}
	}()
	if err := sameModel(p.head.Meta, model, layers); err != nil {
		return nil, fmt.Errorf("%s was made for %w", quote(name), err)
	}
	architecture, _ := model.String("general.architecture")
	from := ggufFile{names: architectures[architecture], heads: heads{p.head.Meta, architecture}, all: map[string]bool{}}
	h := &header{tensors: map[string]*stored{}, file: p.file}
	for _, t := range p.head.Tensors {
		if layer, _, _ := splitTensor(t.Name); layer == fmt.Sprint(layers) {
			if err := from.add(t, []*header{h}); err != nil {
				return nil, damaged(name, err)
			}
		}
	}
	if h.tensors[from.names.inLayer(fmt.Sprint(layers), aheadJoins)+".weight"] == nil {
		return nil, fmt.Errorf("%s lacks the tensor %s", quote(name), quote(fmt.Sprintf("blk.%d.nextn.%s.weight", layers, aheadJoins)))
	}
	return h, nil
}

// sameModel returns an error where a head was made for another model than this one.
func sameModel(head, model *gguf.Meta, layers int) error {
	want, _ := model.String("general.architecture")
	if got, err := head.String("general.architecture"); err != nil || got != want {
		return fmt.Errorf("a model of the architecture %q, and this one is of %q", got, want)
	}
	got, err := modelLayers(head, want)
	if err != nil {
		return fmt.Errorf("an unknown model (%w)", err)
	}
	if got != layers {
		return fmt.Errorf("a model with %d layers, and this one has %d", got, layers)
	}
	for _, size := range []string{".embedding_length", ".attention.head_count", ".attention.key_length"} {
		a, errA := head.Ints(want + size)
		b, errB := model.Ints(want + size)
		if errA == nil && errB == nil && !slices.Equal(a, b) && len(a) == len(b) {
			return fmt.Errorf("a model of other sizes (%s is %s instead of %s)", want+size, plainList(a), plainList(b))
		}
	}
	a, errA := head.Strings(wordsListKey)
	b, errB := model.Strings(wordsListKey)
	if errA == nil && errB == nil && !slices.Equal(a, b) {
		return errors.New("another vocabulary")
	}
	return nil
}

// plainList writes numbers for a sentence.
func plainList(list []int) string { return strings.Trim(fmt.Sprint(list), "[]") }
