package weights

import (
	"encoding/binary"
	"io"
	"math"
)

// rounded reads float64 numbers as float32. Offsets count float32 bytes.
type rounded struct{ src io.ReaderAt }

func (r rounded) ReadAt(p []byte, off int64) (int, error) {
	var wide [8 * 512]byte
	var narrow [4 * 512]byte
	n := 0
	for n < len(p) {
		// The elements that overlap the next part of p, which may begin or end
		// in the middle of one.
		at := off + int64(n)
		skip := int(at % 4)
		count := min((skip+len(p)-n+3)/4, len(narrow)/4)
		got, err := r.src.ReadAt(wide[:8*count], at/4*8)
		count = got / 8
		for i := range count {
			v := math.Float64frombits(binary.LittleEndian.Uint64(wide[8*i:]))
			binary.LittleEndian.PutUint32(narrow[4*i:], math.Float32bits(float32(v)))
		}
		if 4*count > skip {
			n += copy(p[n:], narrow[skip:4*count])
		}
		if err != nil && n < len(p) {
			return n, err
		}
	}
	return n, nil
}
