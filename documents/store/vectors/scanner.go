// Package vectors keeps the vectors of one collection and embedder in two files
// of rows, one of floats and one of bytes, and finds the rows nearest to a query.
package vectors

import (
	"encoding/binary"
	"math/bits"
)

// A Scanner multiplies a query with rows that lie end to end.
type Scanner interface {
	// Floats sets out[i] to the dot product of query with row i of rows
	// [len(out), len(query)].
	Floats(out, query, rows []float32)
	// Bytes is the same for rows of bytes, which are stride bytes apart. What is
	// between len(query) and stride does not count.
	Bytes(out, query []float32, rows []int8, stride int)
	// Bits sets out[i] to how many bits row i shares with four planes, those of
	// plane p counted 2^p times, and ones[i] to how many bits it has. The planes lie
	// end to end and are as long as a row, in words of 64 bits.
	Bits(out, ones []int32, planes []uint64, rows []byte, stride int)
}

// Portable is a Scanner in plain Go, for machines and tests without kernels.
type Portable struct{}

// Floats implements Scanner.
func (Portable) Floats(out, query, rows []float32) {
	for i := range out {
		row := rows[i*len(query):][:len(query)]
		var a, b, c, d float32
		j := 0
		for ; j+4 <= len(row); j += 4 {
			a += query[j] * row[j]
			b += query[j+1] * row[j+1]
			c += query[j+2] * row[j+2]
			d += query[j+3] * row[j+3]
		}
		for ; j < len(row); j++ {
			a += query[j] * row[j]
		}
		out[i] = (a + b) + (c + d)
	}
}

// Bytes implements Scanner.
func (Portable) Bytes(out, query []float32, rows []int8, stride int) {
	for i := range out {
		row := rows[i*stride:][:len(query)]
		var a, b, c, d float32
		j := 0
		for ; j+4 <= len(row); j += 4 {
			a += query[j] * float32(row[j])
			b += query[j+1] * float32(row[j+1])
			c += query[j+2] * float32(row[j+2])
			d += query[j+3] * float32(row[j+3])
		}
		for ; j < len(row); j++ {
			a += query[j] * float32(row[j])
		}
		out[i] = (a + b) + (c + d)
	}
}

// Bits implements Scanner.
func (Portable) Bits(out, ones []int32, planes []uint64, rows []byte, stride int) {
	for i := range out {
		var shared, all int
		words := len(planes) / 4
		for w := range words {
			word := binary.LittleEndian.Uint64(rows[i*stride+8*w:])
			for p := range 4 {
				shared += bits.OnesCount64(word&planes[p*words+w]) << p
			}
			all += bits.OnesCount64(word)
		}
		out[i], ones[i] = int32(shared), int32(all)
	}
}
