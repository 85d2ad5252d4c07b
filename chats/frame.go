package chats

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
)

// A frame is a record on disk: the marker, the length of the payload and a CRC-32C
// of that length and the payload (each four bytes, little endian), then the
// payload, whose first byte is the kind of the record. The marker's bytes do not
// occur in valid UTF-8, and all texts are kept valid, so that after damage the next
// frame is found at the next marker, and never within a text.
const (
	marker     = "\xf5\xc8\xfe\xa7"
	frameHead  = len(marker) + 8
	maxPayload = 64 << 20
)

// maxRecord is the maximum size of one change, and of all that a Writer writes: a
// message with its reply must fit one frame of a base.
const maxRecord = 24 << 20

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendFrame appends a frame with the payload that add appends.
func appendFrame(dst []byte, add func([]byte) []byte) []byte {
	start := len(dst)
	dst = append(dst, marker...)
	dst = append(dst, make([]byte, frameHead-len(marker))...)
	dst = add(dst)
	length := dst[start+len(marker):][:4]
	binary.LittleEndian.PutUint32(length, uint32(len(dst)-start-frameHead))
	binary.LittleEndian.PutUint32(dst[start+len(marker)+4:], checksum(length, dst[start+frameHead:]))
	return dst
}

func checksum(length, payload []byte) uint32 {
	return crc32.Update(crc32.Update(0, castagnoli, length), castagnoli, payload)
}

// extent is a part of a file.
type extent struct{ from, to int64 }

// frameReader returns the payloads of a file in order and records the damaged parts
// between them.
type frameReader struct {
	scanner *bufio.Scanner
	at      int64    // of the next frame
	last    extent   // the frame that was read last
	damage  []extent // parts that are not frames
	budget  int64    // bytes of payloads with a wrong checksum that may still be examined
}

// newFrameReader reads a file of a given size. A malicious file full of markers
// cannot cost more than a few times its size: the rest counts as damage.
func newFrameReader(r io.Reader, size int64) *frameReader {
	f := &frameReader{scanner: bufio.NewScanner(r), budget: maxPayload + 4*size}
	f.scanner.Buffer(make([]byte, min(256<<10, size+1)), maxPayload+frameHead+1)
	f.scanner.Split(f.split)
	return f
}

// next returns the next payload, which is valid until the next call, or nil at the
// end.
func (f *frameReader) next() []byte {
	if f.scanner.Scan() {
		return f.scanner.Bytes()[frameHead:]
	}
	return nil
}

// split finds the first frame in data and records the damage before it.
func (f *frameReader) split(data []byte, atEOF bool) (advance int, frame []byte, err error) {
	for advance < len(data) {
		rest := data[advance:]
		n, known := f.probe(rest, atEOF)
		if !known {
			break
		}
		if n > 0 {
			f.last = extent{f.at, f.at + int64(n)}
			f.at += int64(n)
			return advance + n, rest[:n], nil
		}
		skip := nextMarker(rest, atEOF)
		f.lose(extent{f.at, f.at + int64(skip)})
		f.at += int64(skip)
		advance += skip
	}
	return advance, nil, nil
}

// probe returns the length of the frame at the beginning of data, 0 if there is
// none. known is false if it needs more data to decide.
func (f *frameReader) probe(data []byte, atEOF bool) (n int, known bool) {
	switch {
	case len(data) < frameHead:
		return 0, atEOF
	case f.budget < 0 || string(data[:len(marker)]) != marker:
		return 0, true
	}
	length := data[len(marker):][:4]
	n = int(binary.LittleEndian.Uint32(length))
	switch {
	case n == 0 || n > maxPayload:
		return 0, true
	case frameHead+n > len(data):
		return 0, atEOF
	case checksum(length, data[frameHead:frameHead+n]) != binary.LittleEndian.Uint32(data[len(marker)+4:]):
		f.budget -= int64(n)
		return 0, true
	}
	return frameHead + n, true
}

// nextMarker returns how far from the beginning of data, which is not a frame,
// another frame could begin.
func nextMarker(data []byte, atEOF bool) int {
	if i := bytes.Index(data[1:], []byte(marker)); i >= 0 {
		return i + 1
	}
	if atEOF {
		return len(data)
	}
	return len(data) - len(marker) + 1
}

// lose records damage.
func (f *frameReader) lose(e extent) {
	if n := len(f.damage); n > 0 && f.damage[n-1].to == e.from {
		f.damage[n-1].to = e.to
		return
	}
	f.damage = append(f.damage, e)
}
