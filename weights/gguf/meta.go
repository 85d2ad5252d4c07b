package gguf

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
)

// ErrNoKey is wrapped by errors about missing metadata keys.
var ErrNoKey = errors.New("it is missing")

// Meta holds the metadata of a file: typed values under names such as
// "llama.block_count". A getter accepts every type that holds the number without
// loss; otherwise its error says what is wrong.
type Meta struct {
	values map[string]value
}

// value is one metadata value: a number or bool in bits, a string in texts, an
// array in texts or numbers.
type value struct {
	is      valueType
	of      valueType // of an array's elements
	bits    uint64
	texts   []string
	numbers []byte // as encoded in the file
}

// read reads one key and its value.
func (m *Meta) read(c *cursor) {
	key := c.string(maxKey, "a metadata key")
	v := value{is: valueType(c.uint32("the type of a value"))}
	_, twice := m.values[key]
	switch {
	case c.err != nil:
		return
	case key == "":
		c.fail("a metadata key is empty")
	case twice:
		c.fail("the metadata key %.80q comes twice", key)
	}
	what := fmt.Sprintf("the value of %.80q", key)
	switch {
	case v.is == arrayType:
		v.readArray(c, what)
	case v.is == stringType:
		v.texts = []string{c.string(maxString, what)}
	case int(v.is) < len(valueTypes):
		v.bits = c.number(valueTypes[v.is].bytes, what)
		if v.is == boolType && v.bits > 1 {
			c.fail("%s is a bool of %d", what, v.bits)
		}
	default:
		c.fail("%s is of an unknown type, %d", what, uint32(v.is))
	}
	if c.err == nil {
		m.values[key] = v
	}
}

func (v *value) readArray(c *cursor, what string) {
	v.of = valueType(c.uint32(what))
	n := c.uint64(what)
	if v.of == arrayType {
		c.fail("%s is an array of arrays", what)
	} else if int(v.of) >= len(valueTypes) {
		c.fail("%s is an array of an unknown type, %d", what, uint32(v.of))
	}
	if c.err != nil {
		return
	}
	size := valueTypes[v.of].bytes
	if n > maxHead || !c.has(n*uint64(size), what) {
		c.fail("%s would be an array of %d elements, more than the file has room for", what, n)
		return
	}
	if v.of == stringType {
		v.readStrings(c, int(n), what)
		return
	}
	v.numbers = c.bytes(int(n) * size)
	if v.of == boolType && slices.ContainsFunc(v.numbers, func(b byte) bool { return b > 1 }) {
		c.fail("%s has a bool that is neither 0 nor 1", what)
	}
}

func (v *value) readStrings(c *cursor, n int, what string) {
	if c.strings += n; c.strings > maxStrings {
		c.fail("its metadata have more than %d strings", maxStrings)
		return
	}
	v.texts = make([]string, n)
	for i := range v.texts {
		if v.texts[i] = c.string(maxString, what); c.err != nil {
			return
		}
	}
}

// Keys returns the names of all values, sorted.
func (m *Meta) Keys() []string { return slices.Sorted(maps.Keys(m.values)) }

// Has reports whether the key exists.
func (m *Meta) Has(key string) bool {
	_, ok := m.values[key]
	return ok
}

// Type returns the type of a value as the format names it, such as uint32 or array
// of string, or "" if the key is missing.
func (m *Meta) Type(key string) string {
	v, ok := m.values[key]
	if !ok {
		return ""
	}
	return v.typeName()
}

func (v value) typeName() string {
	if v.is == arrayType {
		return "array of " + v.of.String()
	}
	return v.is.String()
}

// Len returns the number of elements of an array, 1 for a single value and 0 if the
// key is missing.
func (m *Meta) Len(key string) int {
	v, ok := m.values[key]
	switch {
	case !ok:
		return 0
	case v.is == arrayType && v.of != stringType:
		return len(v.numbers) / valueTypes[v.of].bytes
	case v.is == arrayType:
		return len(v.texts)
	}
	return 1
}

// Uint returns an integer that is not negative.
func (m *Meta) Uint(key string) (uint64, error) {
	v, err := m.get(key)
	if err != nil {
		return 0, err
	}
	negative, n, ok := integer(v.is, v.bits)
	if !ok || negative {
		return 0, v.wrong(key, "an integer that is not negative")
	}
	return n, nil
}

// Int returns an integer.
func (m *Meta) Int(key string) (int, error) {
	v, err := m.get(key)
	if err != nil {
		return 0, err
	}
	n, ok := signed(v.is, v.bits)
	if !ok {
		return 0, v.wrong(key, "an integer")
	}
	return n, nil
}

// Float returns a number; integers are accepted too.
func (m *Meta) Float(key string) (float64, error) {
	v, err := m.get(key)
	if err != nil {
		return 0, err
	}
	f, ok := float(v.is, v.bits)
	if !ok {
		return 0, v.wrong(key, "a number")
	}
	return f, nil
}

// Bool returns a boolean.
func (m *Meta) Bool(key string) (bool, error) {
	v, err := m.get(key)
	if err != nil {
		return false, err
	}
	if v.is != boolType {
		return false, v.wrong(key, "a bool")
	}
	return v.bits == 1, nil
}

// String returns a string, which may be invalid UTF-8.
func (m *Meta) String(key string) (string, error) {
	v, err := m.get(key)
	if err != nil {
		return "", err
	}
	if v.is != stringType {
		return "", v.wrong(key, "a string")
	}
	return v.texts[0], nil
}

// Strings returns the elements of an array of strings; the caller must not modify
// them.
func (m *Meta) Strings(key string) ([]string, error) {
	v, err := m.get(key)
	if err != nil {
		return nil, err
	}
	if v.is != arrayType || v.of != stringType {
		return nil, v.wrong(key, "an array of strings")
	}
	return v.texts, nil
}

// Ints returns the elements of an array of integers; a single integer counts as an
// array of one.
func (m *Meta) Ints(key string) ([]int, error) {
	return elements(m, key, "an array of integers", signed)
}

// Floats returns the elements of an array of numbers, rounded to float32; a single
// number counts as an array of one.
func (m *Meta) Floats(key string) ([]float32, error) {
	return elements(m, key, "an array of numbers", func(t valueType, b uint64) (float32, bool) {
		f, ok := float(t, b)
		return float32(f), ok
	})
}

// Bools returns the elements of an array of booleans; a single one counts as an
// array of one.
func (m *Meta) Bools(key string) ([]bool, error) {
	return elements(m, key, "an array of bools", func(t valueType, b uint64) (bool, bool) { return b == 1, t == boolType })
}

// elements converts each element of an array of numbers or booleans.
func elements[T any](m *Meta, key, want string, convert func(valueType, uint64) (T, bool)) ([]T, error) {
	v, err := m.get(key)
	if err != nil {
		return nil, err
	}
	if v.is != arrayType {
		if one, ok := convert(v.is, v.bits); ok {
			return []T{one}, nil
		}
		return nil, v.wrong(key, want)
	}
	if v.of == stringType {
		return nil, v.wrong(key, want)
	}
	size := valueTypes[v.of].bytes
	list := make([]T, len(v.numbers)/size)
	for i := range list {
		var ok bool
		if list[i], ok = convert(v.of, decode(v.numbers[i*size:], size)); !ok {
			return nil, v.wrong(key, want)
		}
	}
	return list, nil
}

func (m *Meta) get(key string) (value, error) {
	v, ok := m.values[key]
	if !ok {
		return v, fmt.Errorf("the metadata %s: %w", key, ErrNoKey)
	}
	return v, nil
}

// wrong returns the error about a value of an unsuitable type or size.
func (v value) wrong(key, want string) error {
	return fmt.Errorf("the metadata %s: %s is wanted, but it is of the type %s%s", key, want, v.typeName(), v.shown())
}

// shown returns the number itself if it explains the error.
func (v value) shown() string {
	if n, ok := float(v.is, v.bits); ok {
		return fmt.Sprintf(" (%v)", n)
	}
	return ""
}

// integer returns a value as sign and magnitude; ok is false if it is not an
// integer.
func integer(t valueType, b uint64) (negative bool, magnitude uint64, ok bool) {
	var n int64
	switch t {
	case uint8Type, uint16Type, uint32Type, uint64Type:
		return false, b, true
	case int8Type:
		n = int64(int8(b))
	case int16Type:
		n = int64(int16(b))
	case int32Type:
		n = int64(int32(b))
	case int64Type:
		n = int64(b)
	default:
		return false, 0, false
	}
	if n < 0 {
		return true, -uint64(n), true
	}
	return false, uint64(n), true
}

// signed returns an integer that fits an int.
func signed(t valueType, b uint64) (int, bool) {
	negative, n, ok := integer(t, b)
	switch {
	case !ok:
		return 0, false
	case negative:
		return -int(n), n <= -math.MinInt
	}
	return int(n), n <= math.MaxInt
}

func float(t valueType, b uint64) (float64, bool) {
	switch t {
	case float32Type:
		return float64(math.Float32frombits(uint32(b))), true
	case float64Type:
		return math.Float64frombits(b), true
	}
	negative, n, ok := integer(t, b)
	if negative {
		return -float64(n), ok
	}
	return float64(n), ok
}
