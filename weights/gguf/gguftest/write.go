// Package gguftest writes GGUF files for tests: complete valid files, and the
// parts from which tests build broken ones.
package gguftest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
)

// Alignment is the default alignment of tensors, which metadata can override.
const Alignment = 32

// Pair is a metadata key with its value. The value's Go type (uint8, []string,
// …) determines its type in the file.
type Pair struct {
	Key   string
	Value any
}

// Tensor is a tensor with its bytes. Dims are in file order: the length of a
// row first.
type Tensor struct {
	Name string
	Type uint32
	Dims []uint64
	Data []byte
}

// File returns a valid file of version 3.
func File(pairs []Pair, tensors []Tensor) []byte {
	align := Alignment
	b := Head(3, uint64(len(tensors)), uint64(len(pairs)))
	for _, p := range pairs {
		b = append(b, Value(p.Key, p.Value)...)
		if a, ok := p.Value.(uint32); ok && p.Key == "general.alignment" {
			align = int(a)
		}
	}
	var data []byte
	for _, t := range tensors {
		b = append(b, Info(t.Name, t.Type, uint64(len(data)), t.Dims...)...)
		data = pad(append(data, t.Data...), align)
	}
	return append(pad(b, align), data...)
}

// Head returns the beginning of a file, up to its metadata.
func Head(version uint32, tensors, keys uint64) []byte {
	b := binary.LittleEndian.AppendUint32([]byte("GGUF"), version)
	b = binary.LittleEndian.AppendUint64(b, tensors)
	return binary.LittleEndian.AppendUint64(b, keys)
}

// Text returns a string as encoded in a file.
func Text(s string) []byte {
	return append(binary.LittleEndian.AppendUint64(nil, uint64(len(s))), s...)
}

// Number returns an encoded integer of 1, 2, 4 or 8 bytes, according to its Go
// type.
func Number(v any) []byte {
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// Value returns one encoded metadata key with its value.
func Value(key string, v any) []byte {
	kind, data := encode(v)
	return slices.Concat(Text(key), Number(kind), data)
}

// encode returns the type number and the bytes of a value.
func encode(v any) (kind uint32, data []byte) {
	switch v := v.(type) {
	case string:
		return 8, Text(v)
	case []string:
		data = slices.Concat(Number(uint32(8)), Number(uint64(len(v))))
		for _, s := range v {
			data = append(data, Text(s)...)
		}
		return 9, data
	}
	kinds := []any{uint8(0), int8(0), uint16(0), int16(0), uint32(0), int32(0), float32(0), false, nil, nil, uint64(0), int64(0), float64(0)}
	name := fmt.Sprintf("%T", v)
	for i, k := range kinds {
		switch name {
		case fmt.Sprintf("%T", k):
			return uint32(i), Number(v)
		case fmt.Sprintf("[]%T", k):
			list := Number(v)
			n := len(list) / len(Number(k))
			return 9, slices.Concat(Number(uint32(i)), Number(uint64(n)), list)
		}
	}
	panic(fmt.Sprintf("no type of the format holds %T", v))
}

// Info returns the directory entry of one tensor.
func Info(name string, kind uint32, offset uint64, dims ...uint64) []byte {
	b := append(Text(name), Number(uint32(len(dims)))...)
	for _, d := range dims {
		b = append(b, Number(d)...)
	}
	return slices.Concat(b, Number(kind), Number(offset))
}

func pad(b []byte, align int) []byte {
	return append(b, make([]byte, -len(b)&(align-1))...)
}
