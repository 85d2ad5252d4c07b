// Package mathfont reads a font for mathematics: its glyphs, their sizes and outlines, and
// what its table "MATH" says about setting formulas: the distances, the tall and the wide
// variants of signs, and how signs of any length are put together.
package mathfont

import (
	"bytes"
	"fmt"
	"os"
	"sync"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/font/opentype/tables"
)

// Glyph is a glyph of a font.
type Glyph = font.GID

// Extent is the area of a glyph in units of the font, from the point where it is set. Y grows
// upwards.
type Extent struct {
	Advance                  float64 // to where the next glyph is set
	Left, Right, Bottom, Top float64 // of the ink
}

// Font is a font for mathematics. It is safe for concurrent use.
type Font struct {
	Units     float64 // of the em
	Constants Constants

	mu      sync.Mutex // the face remembers glyphs
	face    *font.Face
	extents map[Glyph]Extent
	shapes  map[Glyph][]opentype.Segment

	italics map[Glyph]float64
	accents map[Glyph]float64
	tall    map[Glyph]construction
	wide    map[Glyph]construction
	overlap float64             // least, of the parts of a sign
	small   []tables.GSUBLookup // which glyphs have other forms in scripts
}

// ReadText reads a font file without the table MATH, for words within formulas.
func ReadText(file []byte) (*Font, error) {
	face, err := font.ParseTTF(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("read font: %w", err)
	}
	return textFont(face), nil
}

// ReadFile reads the font at a place of a file, which may have several, for words within
// formulas. The file is read while the font is read, and closed then.
func ReadFile(path string, index int) (*Font, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read font: %w", err)
	}
	defer func() { _ = file.Close() }()
	loaders, err := opentype.NewLoaders(file)
	if err != nil {
		return nil, fmt.Errorf("read font %s: %w", path, err)
	}
	if index < 0 || index >= len(loaders) {
		return nil, fmt.Errorf("the file %s has %d fonts, not one at %d", path, len(loaders), index)
	}
	one, err := font.NewFont(loaders[index])
	if err != nil {
		return nil, fmt.Errorf("read font %s: %w", path, err)
	}
	return textFont(font.NewFace(one)), nil
}

func textFont(face *font.Face) *Font {
	return &Font{Units: float64(face.Upem()), face: face, extents: map[Glyph]Extent{}, shapes: map[Glyph][]opentype.Segment{}}
}

// Read reads a font file, in the format OpenType, with the table MATH.
func Read(file []byte) (*Font, error) {
	f, err := ReadText(file)
	if err != nil {
		return nil, err
	}
	loader, err := opentype.NewLoader(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("read font: %w", err)
	}
	table, err := loader.RawTable(opentype.MustNewTag("MATH"))
	if err != nil {
		return nil, fmt.Errorf("read table MATH: %w", err)
	}
	if err := f.readMath(table); err != nil {
		return nil, fmt.Errorf("read table MATH: %w", err)
	}
	f.small = lookups(f.face, opentype.MustNewTag("ssty"))
	return f, nil
}

// Glyph returns the glyph of a character; false: the font has none.
func (f *Font) Glyph(r rune) (Glyph, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.face.NominalGlyph(r)
}

// Extent returns the area of a glyph.
func (f *Font) Extent(g Glyph) Extent {
	f.mu.Lock()
	defer f.mu.Unlock()
	if e, ok := f.extents[g]; ok {
		return e
	}
	e := Extent{Advance: float64(f.face.HorizontalAdvance(g))}
	if x, ok := f.face.GlyphExtents(g); ok {
		e.Left, e.Right = float64(x.XBearing), float64(x.XBearing+x.Width)
		e.Top, e.Bottom = float64(x.YBearing), float64(x.YBearing+x.Height)
	}
	f.extents[g] = e
	return e
}

// Outline returns the outline of a glyph, in units of the font. It must not be changed.
func (f *Font) Outline(g Glyph) []opentype.Segment {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s, ok := f.shapes[g]; ok {
		return s
	}
	outline, _ := f.face.GlyphData(g).(font.GlyphOutline)
	f.shapes[g] = outline.Segments
	return outline.Segments
}

// Italic returns how far the upper end of a glyph leans over its advance.
func (f *Font) Italic(g Glyph) float64 { return f.italics[g] }

// AccentAt returns the place of an accent above a glyph, from where the glyph is set.
func (f *Font) AccentAt(g Glyph) float64 {
	if at, ok := f.accents[g]; ok {
		return at
	}
	e := f.Extent(g)
	return (e.Left + e.Right) / 2
}

// Small returns the form of a glyph for the first or the second level of scripts, or the
// glyph itself.
func (f *Font) Small(g Glyph, level int) Glyph {
	for _, sub := range f.small {
		switch sub := sub.(type) {
		case tables.SingleSubs:
			i, ok := sub.Cov().Index(tables.GlyphID(g))
			if !ok {
				continue
			}
			switch to := sub.Data.(type) {
			case tables.SingleSubstData1:
				return Glyph(int(g) + int(to.DeltaGlyphID))
			case tables.SingleSubstData2:
				if i < len(to.SubstituteGlyphIDs) {
					return Glyph(to.SubstituteGlyphIDs[i])
				}
			}
		case tables.AlternateSubs:
			i, ok := sub.Coverage.Index(tables.GlyphID(g))
			if !ok || i >= len(sub.AlternateSets) {
				continue
			}
			if forms := sub.AlternateSets[i].AlternateGlyphIDs; len(forms) > 0 {
				return Glyph(forms[min(level, len(forms))-1])
			}
		}
	}
	return g
}

// lookups returns the substitutions of a feature of a font.
func lookups(face *font.Face, tag opentype.Tag) (list []tables.GSUBLookup) {
	seen := map[uint16]bool{}
	for _, feature := range face.GSUB.Features {
		if feature.Tag != tag {
			continue
		}
		for _, i := range feature.LookupListIndices {
			if int(i) < len(face.GSUB.Lookups) && !seen[i] {
				seen[i] = true
				list = append(list, face.GSUB.Lookups[i].Subtables...)
			}
		}
	}
	return list
}
