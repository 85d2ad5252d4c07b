package gguf

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestMeta(t *testing.T) {
	f, err := parse(sample())
	if err != nil {
		t.Fatal(err)
	}
	m := f.Meta
	const wrong = "the metadata"
	cases := []struct {
		got  func() (any, error)
		want any // a string that begins with wrong is a part of an error
	}{
		{func() (any, error) { return m.Int("u8") }, 200},
		{func() (any, error) { return m.Int("i8") }, -100},
		{func() (any, error) { return m.Int("u16") }, 60000},
		{func() (any, error) { return m.Int("i16") }, -30000},
		{func() (any, error) { return m.Int("u32") }, 4_000_000_000},
		{func() (any, error) { return m.Int("i32") }, -2_000_000_000},
		{func() (any, error) { return m.Int("i64") }, math.MinInt64},
		{func() (any, error) { return m.Int("u64") }, wrong + " u64: an integer is wanted, but it is of the type uint64 (1.8446744073709552e+19)"},
		{func() (any, error) { return m.Int("f32") }, wrong + " f32: an integer is wanted, but it is of the type float32 (0.5)"},
		{func() (any, error) { return m.Int("yes") }, wrong + " yes: an integer is wanted, but it is of the type bool"},
		{func() (any, error) { return m.Int("types") }, wrong + " types: an integer is wanted, but it is of the type array of int32"},
		{func() (any, error) { return m.Uint("u8") }, uint64(200)},
		{func() (any, error) { return m.Uint("u64") }, uint64(math.MaxUint64)},
		{func() (any, error) { return m.Uint("i8") }, wrong + " i8: an integer that is not negative is wanted, but it is of the type int8 (-100)"},
		{func() (any, error) { return m.Uint("empty") }, wrong + " empty: an integer that is not negative"},
		{func() (any, error) { return m.Float("f32") }, 0.5},
		{func() (any, error) { return m.Float("f64") }, 1e100},
		{func() (any, error) { return m.Float("i16") }, -30000.0},
		{func() (any, error) { return m.Float("u64") }, 0x1p64},
		{func() (any, error) { return m.Float("i64") }, -0x1p63},
		{func() (any, error) { return m.Float("no") }, wrong + " no: a number is wanted"},
		{func() (any, error) { return m.Float("tokens") }, wrong + " tokens: a number is wanted, but it is of the type array of string"},
		{func() (any, error) { return m.Bool("yes") }, true},
		{func() (any, error) { return m.Bool("no") }, false},
		{func() (any, error) { return m.Bool("u8") }, wrong + " u8: a bool is wanted"},
		{func() (any, error) { return m.String("general.architecture") }, "llama"},
		{func() (any, error) { return m.String("empty") }, ""},
		{func() (any, error) { return m.String("u8") }, wrong + " u8: a string is wanted"},
		{func() (any, error) { return m.String("tokens") }, wrong + " tokens: a string is wanted"},
		{func() (any, error) { return m.Strings("nothing") }, []string{}},
		{func() (any, error) { return m.Strings("empty") }, wrong + " empty: an array of strings is wanted"},
		{func() (any, error) { return m.Strings("types") }, wrong + " types: an array of strings"},
		{func() (any, error) { return m.Ints("types") }, []int{1, -1, 3}},
		{func() (any, error) { return m.Ints("bytes") }, []int{0, 255}},
		{func() (any, error) { return m.Ints("small") }, []int{-1, 1}},
		{func() (any, error) { return m.Ints("wide") }, []int{1, 1 << 40}},
		{func() (any, error) { return m.Ints("long") }, []int{-1 << 40}},
		{func() (any, error) { return m.Ints("shorts") }, []int{1, 2}},
		{func() (any, error) { return m.Ints("negatives") }, []int{-1, -2}},
		{func() (any, error) { return m.Ints("unsigned") }, []int{7}},
		{func() (any, error) { return m.Ints("i8") }, []int{-100}},
		{func() (any, error) { return m.Ints("scores") }, wrong + " scores: an array of integers is wanted, but it is of the type array of float32"},
		{func() (any, error) { return m.Ints("tokens") }, wrong + " tokens: an array of integers"},
		{func() (any, error) { return m.Ints("u64") }, wrong + " u64: an array of integers"},
		{func() (any, error) { return m.Floats("scores") }, []float32{0, -1, 2.5}},
		{func() (any, error) { return m.Floats("doubles") }, []float32{0.25}},
		{func() (any, error) { return m.Floats("types") }, []float32{1, -1, 3}},
		{func() (any, error) { return m.Floats("f32") }, []float32{0.5}},
		{func() (any, error) { return m.Floats("flags") }, wrong + " flags: an array of numbers"},
		{func() (any, error) { return m.Bools("flags") }, []bool{true, false, true}},
		{func() (any, error) { return m.Bools("yes") }, []bool{true}},
		{func() (any, error) { return m.Bools("bytes") }, wrong + " bytes: an array of bools"},
	}
	for _, c := range cases {
		got, err := c.got()
		if text, ok := c.want.(string); ok && strings.HasPrefix(text, wrong) {
			if err == nil || !strings.Contains(err.Error(), text) || errors.Is(err, ErrNoKey) {
				t.Errorf("%v, %v instead of an error: %s", got, err, text)
			}
		} else if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v, %v instead of %v", got, err, c.want)
		}
	}
	if tokens, err := m.Strings("tokens"); err != nil || len(tokens) != 60 || tokens[59] != "token-59" {
		t.Errorf("%q, %v", tokens, err)
	}
}

func TestMetaTypes(t *testing.T) {
	f, err := parse(sample())
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"u8": "uint8 1", "tokens": "array of string 60", "types": "array of int32 3", "wide": "array of uint64 2", "nothing": "array of string 0", "empty": "string 1", "absent": " 0"} {
		if got := fmt.Sprint(f.Meta.Type(key), " ", f.Meta.Len(key)); got != want || f.Meta.Has(key) != (key != "absent") {
			t.Errorf("%s: %q instead of %q", key, got, want)
		}
	}
	_, err = f.Meta.Int("absent")
	if !errors.Is(err, ErrNoKey) || err.Error() != "the metadata absent: it is missing" {
		t.Error(err)
	}
}
