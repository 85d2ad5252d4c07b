package pdf

import (
	"bytes"
	"compress/flate"
	"io"

	"inglenook/documents/extract/format"
)

// maxFilters bounds a chain; two are usual.
const maxFilters = 8

// decode returns a stream's bytes after its filters. Where a filter fails, what it
// gave so far counts; after a filter of pictures there is nothing.
func (f *File) decode(s *stream) []byte {
	data := s.raw
	if f.crypt != nil && s.dict["Type"] != name("XRef") {
		data = f.crypt.stream(f, s)
	}
	filters, params := f.list(s.dict, "Filter", "F"), f.list(s.dict, "DecodeParms", "DP")
	if len(filters) > maxFilters {
		return nil
	}
	for i, filter := range filters {
		var param dict
		if i < len(params) {
			param = f.dict(params[i])
		}
		if f.ended() {
			return nil
		}
		data = f.filter(f.name(filter), param, data)
	}
	return data
}

// list returns a value that may stand alone or in an array; inline images have
// short keys.
func (f *File) list(d dict, long, short name) array {
	value := d[long]
	if value == nil {
		value = d[short]
	}
	switch v := f.resolve(value).(type) {
	case nil:
		return nil
	case array:
		return v
	default:
		return array{v}
	}
}

func (f *File) filter(filter name, param dict, data []byte) []byte {
	switch filter {
	case "FlateDecode", "Fl":
		return f.predict(param, f.inflate(data))
	case "LZWDecode", "LZW":
		return f.predict(param, f.take(unLZW(data, f.integer(param["EarlyChange"], 1) != 0, f.most())))
	case "ASCII85Decode", "A85":
		return f.take(unASCII85(data))
	case "ASCIIHexDecode", "AHx":
		l := lexer{data: data}
		s, _ := l.hex().(text)
		return f.take([]byte(s))
	case "RunLengthDecode", "RL":
		return f.take(unRunLength(data, f.most()))
	case "Crypt":
		return data
	}
	return nil
}

// most is how many bytes one filter may give; with one more, take fails.
func (f *File) most() int { return int(f.budget.Left()) + 1 }

// take counts decoded bytes.
func (f *File) take(data []byte) []byte {
	if err := f.budget.Take(int64(len(data))); err != nil {
		f.failed = err
		return nil
	}
	return data
}

func (f *File) inflate(data []byte) []byte {
	if len(data) > 2 && data[0]&0x0f == 8 && (int(data[0])<<8|int(data[1]))%31 == 0 {
		data = data[2:] // the header of zlib; its checksum at the end is often wrong, and not read
	}
	r := flate.NewReader(bytes.NewReader(data))
	defer r.Close()
	var out bytes.Buffer
	_, err := io.Copy(&out, f.budget.Reader(f.ctx, r))
	if f.ctx.Err() != nil {
		f.failed = f.ctx.Err()
	} else if reason, ok := format.ReasonOf(err); ok && reason == format.TooLarge {
		f.failed = err
		return nil
	}
	return out.Bytes()
}

// predict undoes the prediction of PNG or TIFF.
func (f *File) predict(param dict, data []byte) []byte {
	predictor := f.integer(param["Predictor"], 1)
	if predictor < 2 {
		return data
	}
	colors := max(1, min(32, f.integer(param["Colors"], 1)))
	bits := max(1, min(16, f.integer(param["BitsPerComponent"], 8)))
	columns := max(1, min(1<<24, f.integer(param["Columns"], 1)))
	row, pixel := (columns*colors*bits+7)/8, max(1, colors*bits/8)
	if predictor == 2 {
		if bits == 8 {
			for start := 0; start < len(data); start += row {
				line := data[start:min(len(data), start+row)]
				for i := pixel; i < len(line); i++ {
					line[i] += line[i-pixel]
				}
			}
		}
		return data
	}
	out := make([]byte, 0, len(data))
	above := make([]byte, min(row, len(data)))
	for len(data) > 1 {
		kind := data[0]
		line := data[1:min(len(data), row+1)]
		data = data[1+len(line):]
		unfilterPNG(kind, line, above, pixel)
		out = append(out, line...)
		copy(above, line)
	}
	return out
}

// unfilterPNG undoes the filter of one row, in place (PNG, section 9).
func unfilterPNG(kind byte, line, above []byte, pixel int) {
	for i := range line {
		var left, corner byte
		if i >= pixel {
			left, corner = line[i-pixel], above[i-pixel]
		}
		switch kind {
		case 1:
			line[i] += left
		case 2:
			line[i] += above[i]
		case 3:
			line[i] += byte((int(left) + int(above[i])) / 2)
		case 4:
			line[i] += paeth(left, above[i], corner)
		}
	}
}

func paeth(left, above, corner byte) byte {
	estimate := int(left) + int(above) - int(corner)
	distance := func(c byte) int {
		d := estimate - int(c)
		return max(d, -d)
	}
	switch {
	case distance(left) <= distance(above) && distance(left) <= distance(corner):
		return left
	case distance(above) <= distance(corner):
		return above
	}
	return corner
}

// unLZW decodes LZW as PDF has it: codes of 9 to 12 bits, upper bits first. early
// means that codes grow one code early.
func unLZW(data []byte, early bool, most int) []byte {
	const (
		clearCode = 256
		endCode   = 257
		maxCodes  = 4096
	)
	type sequence struct {
		prefix int
		last   byte
		length int
	}
	table := make([]sequence, 258, maxCodes)
	for i := range 256 {
		table[i] = sequence{-1, byte(i), 1}
	}
	ahead := 0
	if early {
		ahead = 1
	}
	var out []byte
	width, previous := 9, -1
	bits, held := 0, 0
	for _, c := range data {
		bits, held = bits<<8|int(c), held+8
		if held < width {
			continue
		}
		held -= width
		code := bits >> held
		bits &= 1<<held - 1
		switch {
		case code == clearCode:
			table, width, previous = table[:258], 9, -1
			continue
		case code == endCode || code > len(table) || code == len(table) && previous < 0:
			return out
		}
		from := code
		if code == len(table) { // the sequence that this code is about to make
			from = previous
		}
		if len(out) > most {
			return out
		}
		start := len(out)
		out = append(out, make([]byte, table[from].length)...)
		for at, i := from, len(out)-1; at >= 0 && i >= start; at, i = table[at].prefix, i-1 {
			out[i] = table[at].last
		}
		first := out[start]
		if code == len(table) {
			out = append(out, first)
		}
		if previous >= 0 && len(table) < maxCodes {
			table = append(table, sequence{previous, first, table[previous].length + 1})
		}
		previous = code
		for width < 12 && len(table)+ahead >= 1<<width {
			width++
		}
	}
	return out
}

func unASCII85(data []byte) []byte {
	var out []byte
	var group uint32
	n := 0
	for _, c := range data {
		switch {
		case c == '~':
			if n > 1 {
				for i := n; i < 5; i++ {
					group = group*85 + 84
				}
				all := [4]byte{byte(group >> 24), byte(group >> 16), byte(group >> 8), byte(group)}
				out = append(out, all[:n-1]...)
			}
			return out
		case c == 'z' && n == 0:
			out = append(out, 0, 0, 0, 0)
		case c >= '!' && c <= 'u':
			group = group*85 + uint32(c-'!')
			if n++; n == 5 {
				out = append(out, byte(group>>24), byte(group>>16), byte(group>>8), byte(group))
				group, n = 0, 0
			}
		}
	}
	return out
}

func unRunLength(data []byte, most int) []byte {
	var out []byte
	for len(data) > 0 && len(out) <= most {
		n := int(data[0])
		data = data[1:]
		switch {
		case n < 128:
			n = min(n+1, len(data))
			out = append(out, data[:n]...)
			data = data[n:]
		case n == 128:
			return out
		case len(data) > 0:
			out = append(out, bytes.Repeat(data[:1], 257-n)...)
			data = data[1:]
		}
	}
	return out
}
