package glyphs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"unicode"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
)

// withEvery returns a font file with another table of characters: those that it had,
// and every one that is not elsewhere, all of these as U+FFFD.
func withEvery(file []byte, elsewhere func(rune) bool) ([]byte, error) {
	face, err := font.ParseTTF(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	unknown, ok := face.NominalGlyph(unicode.ReplacementChar)
	if !ok {
		return nil, errors.New("the font has no glyph for U+FFFD")
	}
	var groups []group
	for r := range rune(unicode.MaxRune + 1) {
		glyph, ok := face.NominalGlyph(r)
		if !ok {
			if elsewhere(r) {
				continue
			}
			glyph = unknown
		}
		if n := len(groups); n > 0 && groups[n-1].glyph == glyph && groups[n-1].last == r-1 {
			groups[n-1].last = r
		} else {
			groups = append(groups, group{r, r, glyph})
		}
	}
	return withCmap(file, cmapOf(groups))
}

// group is a range of characters with the same glyph.
type group struct {
	first, last rune
	glyph       font.GID
}

// cmapOf writes the table "cmap" of a font with one subtable, whose format 13 maps
// ranges of characters to one glyph each.
// https://learn.microsoft.com/typography/opentype/spec/cmap
func cmapOf(groups []group) []byte {
	const windows, allOfUnicode = 3, 10
	table := binary.BigEndian.AppendUint16(nil, 0) // version
	table = binary.BigEndian.AppendUint16(table, 1)
	table = binary.BigEndian.AppendUint16(table, windows)
	table = binary.BigEndian.AppendUint16(table, allOfUnicode)
	table = binary.BigEndian.AppendUint32(table, 12) // where the subtable begins
	table = binary.BigEndian.AppendUint16(table, 13)
	table = binary.BigEndian.AppendUint16(table, 0)
	table = binary.BigEndian.AppendUint32(table, uint32(16+12*len(groups)))
	table = binary.BigEndian.AppendUint32(table, 0) // no language
	table = binary.BigEndian.AppendUint32(table, uint32(len(groups)))
	for _, g := range groups {
		table = binary.BigEndian.AppendUint32(table, uint32(g.first))
		table = binary.BigEndian.AppendUint32(table, uint32(g.last))
		table = binary.BigEndian.AppendUint32(table, uint32(g.glyph))
	}
	return table
}

// withCmap returns a font file with another table "cmap".
func withCmap(file, cmap []byte) ([]byte, error) {
	from, err := opentype.NewLoader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	var tables []opentype.Table
	for _, tag := range from.Tables() {
		content := cmap
		if tag != opentype.MustNewTag("cmap") {
			if content, err = from.RawTable(tag); err != nil {
				return nil, err
			}
		}
		tables = append(tables, opentype.Table{Content: content, Tag: tag})
	}
	return opentype.WriteTTF(tables), nil
}
