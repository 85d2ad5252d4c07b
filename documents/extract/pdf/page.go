package pdf

import (
	"inglenook/documents/extract/format"
)

// A page is what its content is read from.
type page struct {
	contents  object
	resources dict
	rotate    int // quarter turns clockwise
}

const maxTreeDepth = 64

// pages ranges over the pages in order. A node of the tree counts once, so a
// circle ends.
func (f *File) pages(yield func(page) bool) {
	seen := map[int]bool{}
	count := 0
	var walk func(node object, inherited page, depth int) bool
	walk = func(node object, inherited page, depth int) bool {
		if r, ok := node.(ref); ok {
			if seen[r.number] {
				return true
			}
			seen[r.number] = true
		}
		d := f.dict(node)
		if d == nil || depth > maxTreeDepth || f.ended() {
			return !f.ended()
		}
		if r := f.dict(d["Resources"]); r != nil {
			inherited.resources = r
		}
		if d["Rotate"] != nil {
			inherited.rotate = f.integer(d["Rotate"], 0) / 90
		}
		if kids := f.array(d["Kids"]); kids != nil && f.name(d["Type"]) != "Page" {
			for _, kid := range kids {
				if !walk(kid, inherited, depth+1) {
					return false
				}
			}
			return true
		}
		if count++; count > f.limits.Pages {
			f.failed = format.Errorf(format.TooLarge, "it has more than %d pages", f.limits.Pages)
			return false
		}
		inherited.contents = d["Contents"]
		return yield(inherited)
	}
	walk(f.dict(f.trailer["Root"])["Pages"], page{}, 0)
}

// content returns the bytes of a page's content; its streams are one text.
func (f *File) content(p page) []byte {
	switch c := f.resolve(p.contents).(type) {
	case *stream:
		return f.decode(c)
	case array:
		var all []byte
		for _, part := range c {
			if s := f.stream(part); s != nil {
				all = append(append(all, f.decode(s)...), '\n')
			}
		}
		return all
	}
	return nil
}

// maxKept bounds the decoded forms that are kept for the next page.
const maxKept = 32 << 20

// formContent decodes a form. Those that many pages show are decoded once.
func (f *File) formContent(s *stream) []byte {
	if kept, ok := f.forms[s]; ok {
		return kept
	}
	data := f.decode(s)
	if f.formBytes += len(data); f.formBytes <= maxKept {
		f.forms[s] = data
	}
	return data
}

// fontOf returns a font, loaded once.
func (f *File) fontOf(o object) *font {
	r, isRef := o.(ref)
	if isRef {
		if ft, ok := f.fonts[r.number]; ok {
			return ft
		}
	}
	d := f.dict(o)
	if d == nil {
		return nil
	}
	ft := f.loadFont(d)
	if isRef {
		f.fonts[r.number] = ft
	}
	return ft
}

// glyphs runs a page's content. It returns what the page shows as text, and
// whether it shows pictures.
func (f *File) glyphs(p page) (glyphs []glyph, pictures bool) {
	in := &interpreter{file: f, state: graphics{ctm: identity, scale: 1}, text: identity, line: identity}
	in.run(f.content(p), p.resources, 0)
	for i := range in.glyphs {
		g := &in.glyphs[i]
		g.turn = uint8((int(g.turn) - p.rotate + 400) & 3)
	}
	return in.glyphs, in.images
}
