package pictures

import (
	"bytes"
	"encoding/binary"
	"iter"
)

// orientation returns how a file says that it is turned, by the tag of Exif 2.3 (1 to 8); 1
// where it says nothing that can be read.
func orientation(data []byte) int {
	tiff := exif(data)
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case len(tiff) < 8:
		return 1
	case bytes.HasPrefix(tiff, []byte("MM\x00*")):
		order = binary.BigEndian
	case !bytes.HasPrefix(tiff, []byte("II*\x00")):
		return 1
	}
	const tag, entry = 0x0112, 12
	at := uint64(order.Uint32(tiff[4:]))
	if at+2 > uint64(len(tiff)) {
		return 1
	}
	for n := order.Uint16(tiff[at:]); n > 0; n-- {
		e := at + 2 + entry*uint64(n-1)
		if e+entry > uint64(len(tiff)) || order.Uint16(tiff[e:]) != tag {
			continue
		}
		if v := order.Uint16(tiff[e+8:]); v >= 1 && v <= 8 {
			return int(v)
		}
	}
	return 1
}

// exif returns the Exif data of a PNG or JPEG file, nil where it has none.
func exif(data []byte) []byte {
	if bytes.HasPrefix(data, []byte("\x89PNG")) {
		for rest := data[8:]; len(rest) >= 12; {
			n := uint64(binary.BigEndian.Uint32(rest))
			if n+12 > uint64(len(rest)) {
				return nil
			}
			if string(rest[4:8]) == "eXIf" {
				return rest[8 : 8+n]
			}
			rest = rest[12+n:]
		}
		return nil
	}
	for marker, part := range parts(data) {
		if body, is := bytes.CutPrefix(part, []byte("Exif\x00\x00")); is && marker == 0xe1 {
			return body
		}
	}
	return nil
}

// progressive reports whether a JPEG file is stored in several passes.
func progressive(data []byte) bool {
	for marker := range parts(data) {
		if marker == 0xc2 {
			return true
		}
	}
	return false
}

// parts yields what a JPEG file has before its pixels, each with its marker.
func parts(data []byte) iter.Seq2[byte, []byte] {
	return func(yield func(byte, []byte) bool) {
		for rest := data[2:]; len(rest) >= 4 && rest[0] == 0xff && rest[1] != 0xda; {
			n := int(binary.BigEndian.Uint16(rest[2:]))
			if n < 2 || n+2 > len(rest) || !yield(rest[1], rest[4:2+n]) {
				return
			}
			rest = rest[2+n:]
		}
	}
}
