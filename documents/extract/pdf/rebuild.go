package pdf

import (
	"bytes"
	"maps"
	"slices"
)

// rebuild makes the cross-reference table anew by looking for "12 0 obj" in the
// whole file, for files whose table is missing or wrong. The last definition of a
// number counts.
func (f *File) rebuild() {
	if f.rebuilt {
		return
	}
	f.rebuilt = true
	old := f.trailer
	keep := f.opening
	f.forget()
	f.opening = keep
	f.trailer = nil
	for at := 0; at < len(f.data) && !f.ended(); {
		i := bytes.Index(f.data[at:], []byte("obj"))
		if i < 0 {
			break
		}
		at += i + len("obj")
		if start, number := definitionBefore(f.data, at-len("obj")); number > 0 && number <= maxObject {
			f.entries[number] = entry{offset: start}
		}
	}
	f.findTrailers()
	if f.trailer == nil {
		f.trailer = dict{}
	}
	f.learnPacks()
	if f.trailer["Root"] == nil {
		f.findRoot()
	}
	for key, value := range old {
		if _, known := f.trailer[key]; !known {
			f.trailer[key] = value
		}
	}
}

// definitionBefore returns where the numbers before the word obj begin, and the
// first of them, or 0.
func definitionBefore(data []byte, at int) (start, number int) {
	if at > 0 && !isSpace(data[at-1]) && (data[at-1] < '0' || data[at-1] > '9') {
		return 0, 0 // endobj
	}
	at, generation := numberBefore(data, at)
	if generation < 0 {
		return 0, 0
	}
	return numberBefore(data, at)
}

// numberBefore returns where the number before a place begins, and the number, or
// -1.
func numberBefore(data []byte, at int) (int, int) {
	for at > 0 && isSpace(data[at-1]) {
		at--
	}
	endOfNumber := at
	for at > 0 && endOfNumber-at < 8 && data[at-1] >= '0' && data[at-1] <= '9' {
		at--
	}
	if at == endOfNumber {
		return at, -1
	}
	n := 0
	for _, c := range data[at:endOfNumber] {
		n = n*10 + int(c-'0')
	}
	return at, n
}

// findTrailers merges the keys of all trailers; those of the last one win.
func (f *File) findTrailers() {
	for at := 0; !f.ended(); {
		i := bytes.Index(f.data[at:], []byte("trailer"))
		if i < 0 {
			return
		}
		at += i + len("trailer")
		l := lexer{data: f.data, at: at}
		d, ok := l.next().(dict)
		if !ok {
			continue
		}
		if f.trailer == nil {
			f.trailer = dict{}
		}
		maps.Copy(f.trailer, d)
	}
}

// learnPacks adds the objects in object streams, and what cross-reference streams
// say of the root and of encryption.
func (f *File) learnPacks() {
	numbers := slices.Sorted(maps.Keys(f.entries))
	for _, number := range numbers {
		if f.ended() {
			return
		}
		l := lexer{data: f.data, at: f.entries[number].offset}
		for range 3 {
			l.next()
		}
		l.skipSpace()
		if !bytes.HasPrefix(l.data[l.at:], []byte("<<")) {
			continue
		}
		head := l.data[l.at:min(len(l.data), l.at+400)]
		switch {
		case bytes.Contains(head, []byte("/XRef")):
			if d, ok := l.next().(dict); ok && d["Root"] != nil {
				maps.Copy(f.trailer, d)
			}
		case bytes.Contains(head, []byte("/ObjStm")) && f.trailer["Encrypt"] == nil:
			if p := f.openPack(number); p != nil {
				f.packs[number] = p
				for i, packed := range p.numbers {
					f.learn(packed, entry{pack: number, offset: i})
				}
			}
		}
	}
}

// findRoot looks for the catalog among all objects.
func (f *File) findRoot() {
	for _, number := range slices.Sorted(maps.Keys(f.entries)) {
		if f.ended() {
			return
		}
		if d, ok := f.object(number).(dict); ok && d["Type"] == name("Catalog") {
			f.trailer["Root"] = ref{number, 0}
		}
	}
}
