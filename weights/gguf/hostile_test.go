package gguf

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"inglenook/weights/gguf/gguftest"
)

// hostileFile is a file that must be refused, and why.
type hostileFile struct {
	name string
	data []byte
	want string // a part of the message
}

// hostile are handcrafted files, each wrong in one way.
func hostile() []hostileFile {
	join, head, value, info, text := slices.Concat[[]byte], gguftest.Head, gguftest.Value, gguftest.Info, gguftest.Text
	u32 := func(n uint32) []byte { return gguftest.Number(n) }
	u64 := func(n uint64) []byte { return gguftest.Number(n) }
	good := info("a", 0, 0, 8) // 32 bytes
	// one is a file with one tensor and n bytes of data.
	one := func(entry []byte, n int) []byte { return padded(join(head(3, 1, 0), entry), 32, n) }
	aligned := func(v any) []byte {
		return padded(join(head(3, 1, 1), value("general.alignment", v), good), 64, 64)
	}
	files := []hostileFile{
		{"nothing", nil, "cut short"},
		{"half a magic", []byte("GG"), "cut short"},
		{"only the magic", []byte("GGUF"), "cut short"},
		{"another magic", []byte("GGML" + strings.Repeat("\x00", 20)), "is no GGUF file"},
		{"the magic backwards", []byte("FUGG" + strings.Repeat("\x00", 20)), "is no GGUF file"},
		{"lower case magic", []byte("gguf" + strings.Repeat("\x00", 20)), "is no GGUF file"},
		{"a web page", []byte("<!DOCTYPE html><html></html>"), "is no GGUF file"},
		{"version 0", head(0, 0, 0), "version is 0"},
		{"version 1", head(1, 0, 0), "version 1 of the GGUF format"},
		{"version 4", head(4, 0, 0), "version 4"},
		{"the last version", head(math.MaxUint32, 0, 0), "version 4294967295"},
		{"big-endian 3", head(3<<24, 0, 0), "big-endian"},
		{"big-endian 2", head(2<<24, 0, 0), "big-endian"},
		{"no counts", head(3, 0, 0)[:8], "cut short"},
		{"one count", head(3, 0, 0)[:16], "cut short"},

		{"a key without length", join(head(3, 0, 1), make([]byte, 14)), "key is empty"},
		{"an empty key", join(head(3, 0, 1), value("", uint64(1))), "key is empty"},
		{"a key longer than the format allows", join(head(3, 0, 1), value(strings.Repeat("k", 1<<16), uint8(1))), "at most 65535"},
		{"a key twice", join(head(3, 0, 2), value("k", uint8(1)), value("k", uint8(1))), "comes twice"},
		{"a key twice with another type", join(head(3, 0, 2), value("k", uint8(1)), value("k", "text")), "comes twice"},
		{"a type of 13", join(head(3, 0, 1), text("k"), u32(13), u64(0)), "unknown type, 13"},
		{"a type of 255", join(head(3, 0, 1), text("k"), u32(255), u64(0)), "unknown type, 255"},
		{"the last type", join(head(3, 0, 1), text("k"), u32(math.MaxUint32), u64(0)), "unknown type, 4294967295"},
		{"a bool of 2", join(head(3, 0, 1), text("k"), u32(7), []byte{2}, u64(0)), "bool of 2"},
		{"an array with a bool of 3", join(head(3, 0, 1), text("k"), u32(9), u32(7), u64(2), []byte{1, 3}), "neither 0 nor 1"},
		{"a string with only a length", join(head(3, 0, 1), text("key"), u32(8), u64(1)), "cut short"},

		{"an array of arrays", join(head(3, 0, 1), text("k"), u32(9), u32(9), u64(1), u32(4), u64(1), u32(0)), "array of arrays"},
		{"an array of many empty arrays", join(head(3, 0, 1), text("k"), u32(9), u32(9), u64(1<<20), make([]byte, 12<<10)), "array of arrays"},
		{"an array of type 13", join(head(3, 0, 1), text("k"), u32(9), u32(13), u64(1), u64(0)), "array of an unknown type, 13"},
		{"an array of the last type", join(head(3, 0, 1), text("k"), u32(9), u32(math.MaxUint32), u64(1), u64(0)), "array of an unknown type"},
		{"an array without a length", join(head(3, 0, 1), text("key"), u32(9), u32(4)), "cut short"},
		{"a string in an array is too long", join(head(3, 0, 1), text("k"), u32(9), u32(8), u64(1), u64(100), []byte("short")), "cut short"},
		{"more strings than any vocabulary", join(head(3, 0, 1), text("k"), u32(9), u32(8), u64(maxStrings+1), make([]byte, 8*(maxStrings+1))), "more than 2097152 strings"},

		{"an alignment of 0", aligned(uint32(0)), "no power of two"},
		{"an alignment of 1", aligned(uint32(1)), "no power of two"},
		{"an alignment of 4", aligned(uint32(4)), "no power of two"},
		{"an alignment of 24", aligned(uint32(24)), "no power of two"},
		{"an alignment of 33", aligned(uint32(33)), "no power of two"},
		{"the last alignment", aligned(uint32(math.MaxUint32)), "no power of two"},
		{"an alignment beyond the file", aligned(uint32(1 << 31)), "cut short"},
		{"an alignment of uint64", aligned(uint64(32)), "uint64 instead of uint32"},
		{"an alignment of int32", aligned(int32(32)), "int32 instead of uint32"},
		{"an alignment of uint8", aligned(uint8(32)), "uint8 instead of uint32"},
		{"an alignment of text", aligned("32"), "string instead of uint32"},
		{"alignments", aligned([]uint32{32}), "array instead of uint32"},

		{"a tensor without a name", one(info("", 0, 0, 8), 64), "has no name"},
		{"a name of 256 bytes", one(info(strings.Repeat("n", 256), 0, 0, 8), 64), "at most 255"},
		{"a tensor twice", padded(join(head(3, 2, 0), good, info("a", 0, 32, 8)), 32, 64), "comes twice"},
		{"five dimensions", one(info("a", 0, 0, 8, 1, 1, 1, 1), 64), "5 dimensions"},
		{"many dimensions", one(join(text("a"), u32(math.MaxUint32), make([]byte, 64)), 64), "4294967295 dimensions"},
		{"no type", join(head(3, 1, 0), info("abcdefgh", 0, 0, 8)[:28]), "cut short"},
		{"no offset", join(head(3, 1, 0), info("abcdefgh", 0, 0, 8)[:32]), "cut short"},

		{"the type 4 of the past", one(info("a", 4, 0, 32), 64), "type 4"},
		{"the type 5 of the past", one(info("a", 5, 0, 32), 64), "type 5"},
		{"a type of the future", one(info("a", 99, 0, 32), 64), "type 99"},
		{"the last type of tensor", one(info("a", math.MaxUint32, 0, 32), 64), "type 4294967295"},
		{"half a block of Q8_0", one(info("a", 8, 0, 16, 2), 64), "blocks of 32 (Q8_0) do not fill"},
		{"a row of Q4_K of 32", one(info("a", 12, 0, 32, 8), 256), "blocks of 256 (Q4_K) do not fill"},
		{"a scalar of Q8_0", one(info("a", 8, 0), 64), "blocks of 32 (Q8_0) do not fill"},
		{"a row of IQ2_XXS of 257", one(info("a", 16, 0, 257), 128), "blocks of 256 (IQ2_XXS) do not fill"},

		{"no data", one(good, 0), "cut short"},
		{"half the data", one(good, 31), "cut short"},
		{"no padding before the data", join(head(3, 1, 0), good), "cut short"},
		{"data beyond the end", one(info("a", 0, 64, 8), 64), "cut short"},
		{"an offset beyond the end", one(info("a", 0, 1<<40, 8), 64), "cut short"},
		{"not aligned", one(info("a", 0, 8, 8), 64), "alignment 32 does not divide"},
		{"not aligned to the file's own", padded(join(head(3, 1, 1), value("general.alignment", uint32(64)), info("a", 0, 32, 8)), 64, 128), "alignment 64 does not divide"},
		{"two tensors at one place", padded(join(head(3, 2, 0), good, info("b", 0, 0, 8)), 32, 64), "overlap"},
		{"two tensors that overlap", padded(join(head(3, 2, 0), info("a", 0, 0, 9), info("b", 0, 32, 8)), 32, 64), "overlap"},
		{"two tensors that overlap, the later first", padded(join(head(3, 2, 0), info("b", 0, 32, 8), info("a", 0, 0, 64)), 32, 512), "overlap"},
	}
	for _, n := range []uint64{1, 2, 1 << 10, 1 << 31, 1 << 32, 1 << 48, 1 << 63, math.MaxUint64 - 64} {
		files = append(files,
			hostileFile{fmt.Sprintf("%d tensors that are not there", n), head(3, n, 0), "tensors"},
			hostileFile{fmt.Sprintf("%d keys that are not there", n), head(3, 0, n), "metadata keys"},
			hostileFile{fmt.Sprintf("a key of %d bytes more than there are", n), join(head(3, 0, 1), u64(n+13), make([]byte, 12+n%2)), "metadata key"},
			hostileFile{fmt.Sprintf("a string of %d bytes more than there are", n), join(head(3, 0, 1), text("key"), u32(8), u64(n+3), []byte("ab")), "value of"},
			hostileFile{fmt.Sprintf("a name of %d bytes more than there are", n), join(head(3, 1, 0), u64(n+24), make([]byte, 24)), "name of a tensor"},
		)
		for kind, v := range valueTypes {
			if kind := valueType(kind); kind != arrayType {
				files = append(files, hostileFile{fmt.Sprintf("an array of %d %v too many", n, kind), join(head(3, 0, 1), text("k"), u32(9), u32(uint32(kind)), u64(n), make([]byte, v.bytes-1)), "value of"})
			}
		}
	}
	for _, n := range []uint64{math.MaxUint64, math.MaxUint64 - 7, 1<<64 - 1<<32} {
		files = append(files,
			hostileFile{fmt.Sprintf("a key of %d bytes", n), join(head(3, 0, 1), u64(n), make([]byte, 16)), "metadata key"},
			hostileFile{fmt.Sprintf("a string of %d bytes", n), join(head(3, 0, 1), text("key"), u32(8), u64(n)), "value of"},
			hostileFile{fmt.Sprintf("a name of %d bytes", n), join(head(3, 1, 0), u64(n), make([]byte, 24)), "name of a tensor"},
		)
	}
	for _, side := range []uint64{1 << 31, 1 << 32, 1 << 40, 1 << 61, 1<<62 - 1, 1 << 62} {
		files = append(files,
			hostileFile{fmt.Sprintf("a side of %d", side), one(info("a", 0, 0, side), 64), ""},
			hostileFile{fmt.Sprintf("two sides of %d", side), one(info("a", 0, 0, side, side), 64), "too large"},
			hostileFile{fmt.Sprintf("sides that make 0 with %d", side), one(info("a", 0, 0, side, 1<<32, 1<<33, 2), 64), "too large"},
			hostileFile{fmt.Sprintf("four sides of %d", side), one(info("a", 24, 0, side, side, side, side), 64), "too large"},
			hostileFile{fmt.Sprintf("blocks of %d", side), one(info("a", 8, 0, side&^31, side), 64), ""},
		)
	}
	for _, side := range []uint64{0, 1 << 63, math.MaxUint64} {
		files = append(files,
			hostileFile{fmt.Sprintf("a row of %d", side), one(info("a", 0, 0, side), 64), "a side of"},
			hostileFile{fmt.Sprintf("%d rows", side), one(info("a", 0, 0, 8, side), 64), "a side of"},
			hostileFile{fmt.Sprintf("%d in the last place", side), one(info("a", 0, 0, 8, 1, 1, side), 64), "a side of"},
		)
	}
	for _, offset := range []uint64{1 << 63, math.MaxUint64, math.MaxUint64 - 31, 1<<63 - 32, 1<<63 - 64} {
		files = append(files, hostileFile{fmt.Sprintf("an offset of %d", offset), one(info("a", 0, offset, 8), 64), "the tensor"})
	}
	return files
}

func TestHostile(t *testing.T) {
	files := hostile()
	t.Logf("%d handcrafted files", len(files))
	for _, c := range files {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			f, err := parse(c.data)
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			if err == nil {
				t.Fatal("it was opened")
			}
			check(t, c.data, f, err)
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("the message is %q, it should contain %q", err, c.want)
			}
			if spent := after.TotalAlloc - before.TotalAlloc; took > patience || spent > uint64(len(c.data))+1<<20 {
				t.Errorf("it took %v and %d bytes", took, spent)
			}
		})
	}
}
