package vectors

import (
	"encoding/binary"
	"math"
)

// A row of bytes holds the values as multiples of a scale, then filling up to a
// multiple of four, then the scale, then the length of the difference to the
// vector itself. By the inequality of Cauchy and Schwarz, the dot product of a
// query with the row is wrong by no more than the query's length times that.
func bytesStride(dimension int) int { return padded(dimension) + 8 }

func padded(dimension int) int { return (dimension + 3) &^ 3 }

// quantizeRows returns rows of bytes for vectors [n, dimension].
func quantizeRows(flat []float32, dimension int) []byte {
	rows := make([]byte, 0, len(flat)/dimension*bytesStride(dimension))
	for ; len(flat) > 0; flat = flat[dimension:] {
		rows = appendRow(rows, flat[:dimension])
	}
	return rows
}

func appendRow(to []byte, v []float32) []byte {
	var largest float32
	for _, x := range v {
		largest = max(largest, max(x, -x))
	}
	scale := largest / 127
	var squares float64
	for _, x := range v {
		var level int8
		if scale > 0 {
			level = int8(math.Round(float64(x / scale)))
		}
		off := float64(x) - float64(level)*float64(scale)
		squares += off * off
		to = append(to, byte(level))
	}
	for i := len(v); i < padded(len(v)); i++ {
		to = append(to, 0)
	}
	to = binary.LittleEndian.AppendUint32(to, math.Float32bits(scale))
	return binary.LittleEndian.AppendUint32(to, math.Float32bits(float32(math.Sqrt(squares))))
}

// scaleAndError returns what follows the values of a row.
func scaleAndError(row []byte) (scale, err float32) {
	end := row[len(row)-8:]
	return math.Float32frombits(binary.LittleEndian.Uint32(end)), math.Float32frombits(binary.LittleEndian.Uint32(end[4:]))
}
