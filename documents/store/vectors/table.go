package vectors

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"unsafe"

	"inglenook/mapped"
	"inglenook/regular"
)

// ErrDamaged says that a file of rows is not what was written.
var ErrDamaged = errors.New("the file of vectors is damaged")

// headerSize is where row 0 begins.
const headerSize = 64

// A table is a file of rows of one size behind a header. Rows are written with
// ordinary writes, so that a full disk is an error and not a fault, and read
// through a mapping.
type table struct {
	file    *os.File
	stride  int          // bytes of a row
	rows    int          // whole rows in the file
	mapping mapped.Bytes // of the file and of room to grow; nil where files cannot be mapped
}

// header returns the first bytes of a table: what it is, its stride, and the sum
// of what its rows mean.
func header(kind string, stride int, meaning string) []byte {
	h := make([]byte, headerSize)
	copy(h, "inglenook")
	copy(h[9:16], kind)
	binary.LittleEndian.PutUint32(h[16:], 1) // version
	binary.LittleEndian.PutUint32(h[20:], uint32(stride))
	sum := sha256.Sum256([]byte(meaning))
	copy(h[24:56], sum[:])
	return h
}

// openTable opens a table or makes an empty one. A file with another header is
// ErrDamaged.
func openTable(path, kind string, stride int, meaning string, readOnly bool) (*table, error) {
	flag := os.O_RDWR | os.O_CREATE
	if readOnly {
		flag = os.O_RDONLY
	}
	f, err := regular.OpenOwn(path, flag, 0o600)
	if err != nil {
		return nil, err
	}
	t := &table{file: f, stride: stride}
	want := header(kind, stride, meaning)
	if err := t.readHeader(want, readOnly); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, t.refresh()
}

func (t *table) readHeader(want []byte, readOnly bool) error {
	got := make([]byte, headerSize)
	n, err := t.file.ReadAt(got, 0)
	switch {
	case n == 0 && errors.Is(err, io.EOF) && !readOnly:
		if _, err := t.file.WriteAt(want, 0); err != nil {
			return err
		}
		return t.file.Sync()
	case err != nil && !errors.Is(err, io.EOF):
		return err
	case !bytes.Equal(got, want):
		return ErrDamaged
	}
	return nil
}

// refresh learns how many rows the file has, and maps it anew if it outgrew the
// mapping.
func (t *table) refresh() error {
	info, err := t.file.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	t.rows = int((size - headerSize) / int64(t.stride))
	if int64(len(t.mapping)) >= size && t.mapping != nil {
		return nil
	}
	if err := t.release(); err != nil {
		return err
	}
	const least = 16 << 20
	m, err := mapped.Map(t.file, size+max(size/4, least))
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	t.mapping = m
	return err
}

func (t *table) release() error {
	if t.mapping == nil {
		return nil
	}
	m := t.mapping
	t.mapping = nil
	return m.Unmap()
}

// write writes whole rows from row first on.
func (t *table) write(first int, rows []byte) error {
	_, err := t.file.WriteAt(rows, headerSize+int64(first)*int64(t.stride))
	return err
}

// read returns n rows from row first on: a part of the mapping, which may go to
// C, or rows in buffer. Every page of the mapping is touched here first, since
// a file that became shorter is an error in Go and the end of the program in C.
func (t *table) read(first, n int, buffer *[]byte) (rows []byte, err error) {
	start, size := headerSize+int64(first)*int64(t.stride), n*t.stride
	if first < 0 || first+n > t.rows {
		return nil, ErrDamaged
	}
	if t.mapping == nil {
		if cap(*buffer) < size {
			*buffer = make([]byte, size)
		}
		rows = (*buffer)[:size]
		_, err = t.file.ReadAt(rows, start)
		return rows, err
	}
	rows = t.mapping[start:][:size:size]
	return rows, damaged(t.mapping.Touch(int(start), size))
}

// gather copies rows, which are in the table, to the beginning of block. A fault
// becomes ErrDamaged.
func (t *table) gather(rows []int64, block []byte) (err error) {
	if t.mapping == nil {
		for i, row := range rows {
			if _, err := t.file.ReadAt(block[i*t.stride:][:t.stride], headerSize+row*int64(t.stride)); err != nil {
				return err
			}
		}
		return nil
	}
	return damaged(t.mapping.Guard(func() {
		for i, row := range rows {
			copy(block[i*t.stride:][:t.stride], t.mapping[headerSize+int(row)*t.stride:])
		}
	}))
}

// damaged says of a fault that the file is damaged.
func damaged(err error) error {
	if errors.Is(err, mapped.ErrShrunk) {
		return ErrDamaged
	}
	return err
}

func (t *table) close() error { return errors.Join(t.release(), t.file.Close()) }

// asFloats and asBytes show bytes as what they hold. All machines that we build
// for are little-endian.
func asFloats(b []byte) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/4)
}

func asBytes(b []byte) []int8 {
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
}
