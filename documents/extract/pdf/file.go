package pdf

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"inglenook/documents/extract/format"
)

// A File is an open PDF file.
type File struct {
	ctx     context.Context // of the one reading; every loop over objects looks at it
	data    []byte
	budget  *format.Budget
	limits  format.Limits
	entries map[int]entry
	trailer dict
	crypt   *crypt
	cache   map[int]object
	packs   map[int]*pack // open object streams, by their number
	opening map[int]bool  // objects that are being read: one may not need itself
	rebuilt bool          // the table was made by looking for objects
	failed  error         // the end of the context or of the budget

	fonts     map[int]*font
	forms     map[*stream][]byte // decoded
	formBytes int
}

// An entry of the cross-reference table says where an object is.
type entry struct {
	offset int // in the file, or with pack the index in its stream
	pack   int // the number of the object stream, or 0
	free   bool
}

// A pack is an object stream.
type pack struct {
	data    []byte
	numbers []int
	offsets []int
}

// maxObject bounds object numbers; Annex C of the standard gives 8,388,607.
const maxObject = 8_388_607

var errNoPages = errors.New("no pages")

// Open reads the structure of a file. The context ends everything that is done
// with the file later, too.
func Open(ctx context.Context, in format.Input) (*File, error) {
	limits := in.Limits.WithDefaults()
	f := &File{ctx: ctx, data: in.Data, limits: limits, budget: limits.NewBudget(int64(len(in.Data)))}
	if i := bytes.Index(f.data[:min(len(f.data), 1024)], []byte("%PDF-")); i > 0 {
		f.data = f.data[i:] // offsets count from the header
	}
	f.forget()
	f.readTables()
	if err := f.unlock(in.Password); err != nil {
		return nil, err
	}
	if f.pageTree() == nil {
		f.rebuild()
		if err := f.unlock(in.Password); err != nil {
			return nil, err
		}
	}
	if f.failed != nil {
		return nil, f.failed
	}
	if f.pageTree() == nil {
		return nil, format.DamagedBy(errNoPages)
	}
	return f, nil
}

// forget drops what was read with another table.
func (f *File) forget() {
	f.entries, f.cache = map[int]entry{}, map[int]object{}
	f.packs, f.opening = map[int]*pack{}, map[int]bool{}
	f.fonts, f.forms, f.formBytes = map[int]*font{}, map[*stream][]byte{}, 0
}

func (f *File) pageTree() dict {
	root := f.dict(f.trailer["Root"])
	pages := f.dict(root["Pages"])
	if pages == nil || pages["Kids"] == nil && pages["Type"] != name("Page") {
		return nil
	}
	return pages
}

// ended reports whether the context or the budget ended the work.
func (f *File) ended() bool {
	if f.failed == nil {
		f.failed = f.ctx.Err()
	}
	return f.failed != nil
}

// readTables follows the chain of cross-reference tables from the newest to the
// oldest.
func (f *File) readTables() {
	tail := f.data[max(0, len(f.data)-2048):]
	i := bytes.LastIndex(tail, []byte("startxref"))
	if i < 0 {
		f.rebuild()
		return
	}
	l := lexer{data: tail, at: i + len("startxref")}
	at, _ := l.next().(int64)
	seen := map[int64]bool{}
	pending := []int64{at}
	for len(pending) > 0 && !f.ended() {
		at, pending = pending[0], pending[1:]
		if at <= 0 || at >= int64(len(f.data)) || seen[at] {
			continue
		}
		seen[at] = true
		trailer := f.readTable(int(at))
		if trailer == nil {
			if f.trailer == nil {
				f.rebuild()
				return
			}
			continue
		}
		if f.trailer == nil {
			f.trailer = trailer
		}
		for _, key := range []name{"XRefStm", "Prev"} {
			if next, ok := trailer[key].(int64); ok {
				pending = append(pending, next)
			}
		}
	}
	if f.trailer == nil {
		f.rebuild()
	}
}

// readTable reads one cross-reference table or stream and returns its trailer, or
// nil. Entries that are known are newer and stay.
func (f *File) readTable(at int) dict {
	l := &lexer{data: f.data, at: at}
	if l.next() == keyword("xref") {
		return f.readPlainTable(l)
	}
	l.at = at
	_, o := f.readDefinition(l)
	s, ok := o.(*stream)
	if !ok || !f.readTableStream(s) {
		return nil
	}
	return s.dict
}

func (f *File) readPlainTable(l *lexer) dict {
	for {
		switch o := l.next().(type) {
		case keyword:
			if o != "trailer" {
				return nil
			}
			d, _ := l.next().(dict)
			return d
		case int64:
			count, ok := l.next().(int64)
			if !ok || o < 0 || count < 0 {
				return nil
			}
			for i := range count {
				offset, ok1 := l.next().(int64)
				_, ok2 := l.next().(int64)
				use, ok3 := l.next().(keyword)
				if !ok1 || !ok2 || !ok3 || o+i > maxObject || f.ended() {
					return nil
				}
				f.learn(int(o+i), entry{offset: int(max(0, min(offset, int64(len(f.data))))), free: use != "n"})
			}
		default:
			return nil
		}
	}
}

func (f *File) learn(number int, e entry) {
	if _, known := f.entries[number]; !known {
		f.entries[number] = e
	}
}

func (f *File) readTableStream(s *stream) bool {
	data := f.decode(s)
	widths := f.array(s.dict["W"])
	if len(widths) < 3 {
		return false
	}
	var w [3]int
	for i := range w {
		w[i] = f.integer(widths[i], 0)
		if w[i] < 0 || w[i] > 8 {
			return false
		}
	}
	size := w[0] + w[1] + w[2]
	index := f.array(s.dict["Index"])
	if index == nil {
		index = array{int64(0), s.dict["Size"]}
	}
	for ; len(index) >= 2; index = index[2:] {
		first, count := f.integer(index[0], -1), f.integer(index[1], 0)
		for i := 0; i < count && size > 0 && len(data) >= size; i++ {
			kind := 1
			if w[0] > 0 {
				kind = bigEndian(data[:w[0]])
			}
			a, b := bigEndian(data[w[0]:w[0]+w[1]]), bigEndian(data[w[0]+w[1]:size])
			data = data[size:]
			number := first + i
			if number < 0 || number > maxObject {
				continue
			}
			switch kind {
			case 0:
				f.learn(number, entry{free: true})
			case 1:
				f.learn(number, entry{offset: a})
			case 2:
				f.learn(number, entry{offset: b, pack: a})
			}
		}
	}
	return true
}

func bigEndian(b []byte) int {
	n := 0
	for _, c := range b {
		n = n<<8 | int(c)
	}
	return n
}

// object returns an object by its number, or nil.
func (f *File) object(number int) object {
	if o, ok := f.cache[number]; ok {
		return o
	}
	if f.opening[number] || f.ended() {
		return nil
	}
	e, ok := f.entries[number]
	if !ok || e.free {
		return nil
	}
	f.opening[number] = true
	defer delete(f.opening, number)
	o := f.load(number, e)
	f.cache[number] = o
	return o
}

func (f *File) load(number int, e entry) object {
	if e.pack > 0 {
		return f.unpack(e.pack, number, e.offset)
	}
	if e.offset <= 0 || e.offset >= len(f.data) {
		return nil
	}
	id, o := f.readDefinition(&lexer{data: f.data, at: e.offset})
	if id.number != number {
		if !f.rebuilt { // the table lies; look for the objects instead
			f.rebuild()
			return f.object2(number)
		}
		return nil
	}
	return f.decrypted(o, id)
}

// object2 reads an object after its table was rebuilt, while it counts as being
// read.
func (f *File) object2(number int) object {
	e, ok := f.entries[number]
	if !ok || e.free {
		return nil
	}
	return f.load(number, e)
}

// readDefinition reads "12 0 obj … endobj". The id is zero where there is none.
func (f *File) readDefinition(l *lexer) (ref, object) {
	number, ok1 := l.next().(int64)
	generation, ok2 := l.next().(int64)
	if !ok1 || !ok2 || l.next() != keyword("obj") || number <= 0 || number > maxObject {
		return ref{}, nil
	}
	id := ref{int(number), int(generation)}
	o := l.next()
	switch v := o.(type) {
	case keyword:
		return id, nil
	case int64: // may be a reference
		at := l.at
		if g, ok := l.next().(int64); ok && l.next() == keyword("R") && v > 0 && v <= maxObject {
			return id, ref{int(v), int(g)}
		}
		l.at = at
	case dict:
		at := l.at
		if l.next() == keyword("stream") {
			return id, &stream{dict: v, raw: f.streamBytes(l, v), id: id}
		}
		l.at = at
	}
	return id, o
}

// streamBytes returns the bytes after the word stream. Their length is the
// dictionary's if endstream follows there, else they end before that word.
func (f *File) streamBytes(l *lexer, d dict) []byte {
	start := l.at
	if bytes.HasPrefix(f.data[start:], []byte("\r\n")) {
		start += 2
	} else if start < len(f.data) && (f.data[start] == '\n' || f.data[start] == '\r') {
		start++
	}
	length := f.integer(d["Length"], -1)
	if length >= 0 && length <= len(f.data)-start {
		after := lexer{data: f.data[:min(len(f.data), start+length+20)], at: start + length}
		if k, ok := after.next().(keyword); ok && strings.HasPrefix(string(k), "endstream") {
			return f.data[start : start+length]
		}
	}
	rest := f.data[min(start, len(f.data)):]
	if i := bytes.Index(rest, []byte("endstream")); i >= 0 {
		rest = rest[:i]
	} else if i := bytes.Index(rest, []byte("endobj")); i >= 0 {
		rest = rest[:i]
	}
	return bytes.TrimSuffix(bytes.TrimSuffix(rest, []byte("\n")), []byte("\r"))
}

// unpack returns an object of an object stream.
func (f *File) unpack(number, wanted, index int) object {
	p, ok := f.packs[number]
	if !ok {
		p = f.openPack(number)
		f.packs[number] = p
	}
	if p == nil {
		return nil
	}
	if index < 0 || index >= len(p.numbers) || p.numbers[index] != wanted {
		index = -1
		for i, n := range p.numbers {
			if n == wanted {
				index = i
			}
		}
		if index < 0 {
			return nil
		}
	}
	l := lexer{data: p.data, at: p.offsets[index]}
	o := l.next()
	if _, ok := o.(keyword); ok {
		return nil
	}
	if first, ok := o.(int64); ok {
		if g, ok := l.next().(int64); ok && l.next() == keyword("R") && first > 0 && first <= maxObject {
			return ref{int(first), int(g)}
		}
	}
	return o
}

func (f *File) openPack(number int) *pack {
	if e := f.entries[number]; e.pack > 0 {
		return nil // an object stream in an object stream
	}
	s, ok := f.object(number).(*stream)
	if !ok || f.name(s.dict["Type"]) != "ObjStm" {
		return nil
	}
	first := f.integer(s.dict["First"], 0)
	count := f.integer(s.dict["N"], 0)
	p := &pack{data: f.decode(s)}
	if first < 0 || first > len(p.data) {
		return nil
	}
	head := lexer{data: p.data[:first]}
	for range count {
		n, ok1 := head.next().(int64)
		offset, ok2 := head.next().(int64)
		if !ok1 || !ok2 || n < 0 || n > maxObject || offset < 0 || offset > int64(len(p.data)-first) {
			break
		}
		p.numbers = append(p.numbers, int(n))
		p.offsets = append(p.offsets, first+int(offset))
	}
	return p
}
