package weights

import (
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
)

// hostile are files that break a rule of the format, with a part of the message. The
// fuzz corpus and the comparison with the reference reader use them as well.
func hostile() []struct {
	name string
	data []byte
	want string
} {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	two := func(a, b string, n int) []byte {
		return raw(`{"a":`+entry("0,8", a)+`,"b":`+entry("0,8", b)+`}`, n)
	}
	return []struct {
		name string
		data []byte
		want string
	}{
		// The length.
		{"empty file", nil, "0 bytes"},
		{"one byte", []byte{2}, "1 bytes"},
		{"seven bytes", make([]byte, 7), "7 bytes"},
		{"length zero", make([]byte, 8), "does not begin with '{'"},
		{"length zero, data", make([]byte, 100), "does not begin with '{'"},
		{"length beyond the file by one", lying(3, "{}", 0), "but the file has only 10"},
		{"length beyond the file", lying(90_000_000, "{}", 0), "but the file has only 10"},
		{"length at the limit", lying(100_000_000, "{}", 0), "but the file has only 10"},
		{"length over the limit", lying(100_000_001, "{}", 0), "limit of 100000000"},
		{"length 2^31", lying(1<<31, "{}", 0), "limit"},
		{"length 2^32", lying(1<<32, "{}", 0), "limit"},
		{"length 2^63", lying(1<<63, "{}", 0), "limit"},
		{"length 2^64-8, so that 8 more wrap", lying(math.MaxUint64-7, "{}", 0), "limit"},
		{"length 2^64-1", lying(math.MaxUint64, "{}", 0), "limit"},
		{"length one short", lying(1, "{}", 0), "ends where"},
		{"big-endian length", append([]byte{0, 0, 0, 0, 0, 0, 0, 2}, "{}"...), "limit"},

		// The text.
		{"text only", raw("hello", 0), "does not begin with '{'"},
		{"array", raw("[]", 0), "does not begin with '{'"},
		{"null", raw("null", 0), "does not begin with '{'"},
		{"space before", raw(" {}", 0), "does not begin with '{'"},
		{"byte order mark", raw("\xef\xbb\xbf{}", 0), "does not begin with '{'"},
		{"UTF-16", raw("{\x00}\x00", 0), "a string should come"},
		{"not UTF-8 in a name", raw("{\"a\xff\":"+entry()+"}", 8), "not UTF-8"},
		{"half a character", raw("{\"a\xc3\":"+entry()+"}", 8), "not UTF-8"},
		{"encoded surrogate", raw("{\"\xed\xa0\x80\":"+entry()+"}", 8), "not UTF-8"},
		{"overlong encoding", raw("{\"\xc0\x80\":"+entry()+"}", 8), "not UTF-8"},
		{"open object", raw("{", 0), "ends where"},
		{"open name", raw(`{"a`, 0), "ends where"},
		{"name without a value", raw(`{"a"}`, 0), "':' should come"},
		{"no colon", raw(`{"a"{}}`, 0), "':' should come"},
		{"comma at the end", raw(`{"a":`+entry()+`,}`, 8), "a string should come"},
		{"comma at the start", raw(`{,"a":`+entry()+`}`, 8), "a string should come"},
		{"two objects", raw("{}{}", 0), "its end should come"},
		{"NUL padding", raw("{}\x00\x00", 0), "its end should come"},
		{"comment", raw("{}//", 0), "its end should come"},
		{"single quotes", raw(`{'a':1}`, 0), "a string should come"},
		{"bare name", raw(`{a:1}`, 0), "a string should come"},
		{"control character in a name", raw("{\"a\x01\":"+entry()+"}", 8), "printable"},
		{"unknown escape", raw(`{"\x61":`+entry()+`}`, 8), "an escape"},
		{"short escape", raw(`{"\u00":`+entry()+`}`, 8), "an escape"},
		{"signed escape", raw(`{"\u+061":`+entry()+`}`, 8), "an escape"},
		{"lone high surrogate", raw(`{"\ud800":`+entry()+`}`, 8), "surrogate"},
		{"lone low surrogate", raw(`{"\udc00":`+entry()+`}`, 8), "surrogate"},
		{"two high surrogates", raw(`{"\ud800\ud800":`+entry()+`}`, 8), "surrogate"},
		{"10,000 arrays deep", raw(`{"a":`+deep(10_000)+`}`, 0), "an object should come"},
		{"10,000 deep in an extra field", one(8, `"F32"`, `"F32","x":`+deep(10_000)), "too deep"},
		{"126 deep in an extra field", one(8, `"F32"`, `"F32","x":`+deep(126)), "too deep"},
		{"number out of range in an extra field", one(8, `"F32"`, `"F32","x":1e999`), "a value should come"},
		{"bad number in an extra field", one(8, `"F32"`, `"F32","x":01`), "',' or '}'"},
		{"bad word in an extra field", one(8, `"F32"`, `"F32","x":nul`), "a value should come"},

		// Repetitions.
		{"tensor twice", raw(`{"a":`+entry()+`,"a":`+entry()+`}`, 8), "the tensor a comes twice"},
		{"tensor twice, two ranges", raw(`{"a":`+entry()+`,"a":`+entry("0,8", "8,16")+`}`, 16), "the tensor a comes twice"},
		{"tensor twice, once escaped", raw(`{"a":`+entry()+`,"\u0061":`+entry()+`}`, 8), "the tensor a comes twice"},
		{"dtype twice", one(8, `"F32"`, `"F32","dtype":"F32"`), "dtype comes twice"},
		{"shape twice", one(8, `"F32"`, `"F32","shape":[2]`), "shape comes twice"},
		{"data_offsets twice", one(8, `"F32"`, `"F32","data_offsets":[0,8]`), "data_offsets comes twice"},
		{"metadata twice", raw(`{"__metadata__":{},"__metadata__":{}}`, 0), "__metadata__ comes twice"},
		{"metadata twice, null", raw(`{"__metadata__":null,"__metadata__":{}}`, 0), "__metadata__ comes twice"},
		{"metadata key twice", raw(`{"__metadata__":{"k":"1","k":"2"}}`, 0), "k comes twice"},

		// Metadata.
		{"metadata number", raw(`{"__metadata__":{"k":1}}`, 0), "a string should come"},
		{"metadata null value", raw(`{"__metadata__":{"k":null}}`, 0), "a string should come"},
		{"metadata object value", raw(`{"__metadata__":{"k":{}}}`, 0), "a string should come"},
		{"metadata is text", raw(`{"__metadata__":"pt"}`, 0), "an object should come"},
		{"metadata is an array", raw(`{"__metadata__":[]}`, 0), "an object should come"},
		{"metadata spelled with an escape", raw(`{"__metadata\u005f_":{"k":1}}`, 0), "a string should come"},

		// Entries.
		{"entry is a number", raw(`{"a":1}`, 0), "the tensor a: an object"},
		{"entry is null", raw(`{"a":null}`, 0), "an object should come"},
		{"entry is an array", raw(`{"a":["F32",[2],[0,8]]}`, 8), "an object should come"},
		{"entry is empty", raw(`{"a":{}}`, 0), "is missing"},
		{"no dtype", raw(`{"a":{"shape":[2],"data_offsets":[0,8]}}`, 8), "is missing"},
		{"no shape", raw(`{"a":{"dtype":"F32","data_offsets":[0,8]}}`, 8), "is missing"},
		{"no data_offsets", raw(`{"a":{"dtype":"F32","shape":[2]}}`, 8), "is missing"},
		{"dtype is a number", one(8, `"F32"`, `32`), "a string should come"},
		{"dtype is null", one(8, `"F32"`, `null`), "a string should come"},
		{"dtype in lower case", one(8, `F32`, `f32`), "the type f32 is unknown"},
		{"dtype unknown", one(8, `F32`, `Q4_0`), "the type Q4_0 is unknown"},
		{"dtype empty", one(8, `F32`, ``), `the type "" is unknown`},
		{"shape is a number", one(8, `[2]`, `2`), "an array should come"},
		{"shape is null", one(8, `[2]`, `null`), "an array should come"},
		{"shape with text", one(8, `[2]`, `["2"]`), "a whole number"},
		{"shape nested", one(8, `[2]`, `[[2]]`), "a whole number"},
		{"shape with a fraction", one(8, `[2]`, `[2.0]`), "a whole number"},
		{"shape with an exponent", one(8, `[2]`, `[2e0]`), "a whole number"},
		{"shape with a leading zero", one(8, `[2]`, `[02]`), "',' or ']' should come"},
		{"shape with a plus", one(8, `[2]`, `[+2]`), "a whole number"},
		{"shape negative", one(8, `[2]`, `[-2]`), "a whole number"},
		{"shape negative twice, product right", one(8, `[2]`, `[-1,-2]`), "a whole number"},
		{"shape minus zero", one(0, `[2]`, `[-0]`, `0,8`, `0,0`), "a whole number"},
		{"shape 2^63", one(8, `[2]`, `[9223372036854775808]`), "a whole number"},
		{"shape 2^64", one(8, `[2]`, `[18446744073709551616]`), "a whole number"},
		{"shape of 400 digits", one(8, `[2]`, `[`+strings.Repeat("9", 400)+`]`), "a whole number"},
		{"shape comma at the end", one(8, `[2]`, `[2,]`), "a whole number"},
		{"elements wrap to 2", one(8, `[2]`, `[4611686018427387904,4,2]`), "too large to be true"},
		{"elements wrap to 0", one(0, `[2]`, `[4294967296,4294967296]`, `0,8`, `0,0`), "too large to be true"},
		{"elements wrap, then zero", one(0, `[2]`, `[9223372036854775807,3,0]`, `0,8`, `0,0`), "too large to be true"},
		{"bytes wrap", one(8, `[2]`, `[4611686018427387906]`), "too large to be true"},
		{"bits wrap", one(8, `[2]`, `[576460752303423490]`), "too large to be true"},
		{"more elements than bytes", one(8, `[2]`, `[3]`), "needs 12 bytes, but the file gives it 8"},
		{"fewer elements than bytes", one(8, `[2]`, `[1]`), "needs 4 bytes, but the file gives it 8"},
		{"no elements, but bytes", one(8, `[2]`, `[0]`), "needs 0 bytes"},
		{"rank 0 with 8 bytes", one(8, `[2]`, `[]`), "needs 4 bytes"},
		{"narrower type", one(8, `F32`, `F16`), "needs 4 bytes"},
		{"wider type", one(8, `F32`, `F64`), "needs 16 bytes"},
		{"half a byte", one(2, `F32`, `F4`, `[2]`, `[3]`, `0,8`, `0,2`), "does not fill whole bytes"},
		{"six bits", one(1, `F32`, `F6_E2M3`, `[2]`, `[1]`, `0,8`, `0,1`), "does not fill whole bytes"},
		{"too many dimensions", one(8, `[2]`, `[2`+strings.Repeat(",1", 1<<20)+`]`), "too many dimensions"},

		// Ranges.
		{"end before begin", one(8, `0,8`, `8,0`), "before they begin"},
		{"range wraps", one(8, `0,8`, `9223372036854775807,7`), "before they begin"},
		{"offset negative", one(8, `0,8`, `-8,0`), "a whole number"},
		{"offset 2^63", one(8, `0,8`, `0,9223372036854775808`), "a whole number"},
		{"offset a fraction", one(8, `0,8`, `0,8.0`), "a whole number"},
		{"offset text", one(8, `0,8`, `0,"8"`), "a whole number"},
		{"offsets empty", one(8, `[0,8]`, `[]`), "fewer than two"},
		{"offsets one", one(8, `[0,8]`, `[8]`), "fewer than two"},
		{"offsets three", one(8, `[0,8]`, `[0,8,8]`), "more than two"},
		{"offsets an object", one(8, `[0,8]`, `{"0":8}`), "an array should come"},
		{"hole at the start", one(16, `0,8`, `8,16`), "8 bytes before the tensor a belong to no tensor"},
		{"hole between", two("0,8", "12,20", 20), "4 bytes before the tensor b"},
		{"bytes at the end", one(9), "1 bytes at its end"},
		{"another file at the end", append(one(8), one(8)...), "at its end"},
		{"overlap", two("0,8", "4,12", 12), "the tensor b overlaps"},
		{"same range", two("0,8", "0,8", 8), "the tensor b overlaps"},
		{"nested range", raw(`{"a":`+entry("[2]", "[4]", "0,8", "0,16")+`,"b":`+entry("0,8", "4,12")+`}`, 16), "the tensor b overlaps"},
		{"empty tensor inside another", raw(`{"a":`+entry()+`,"b":`+entry("[2]", "[0]", "0,8", "4,4")+`}`, 8), "overlaps"},
		{"empty tensor beyond the end", raw(`{"a":`+entry()+`,"b":`+entry("[2]", "[0]", "0,8", "9,9")+`}`, 8), "belong to no tensor"},
		{"cut by one byte", one(7), "cut short"},
		{"no data at all", one(0), "cut short"},
		{"last tensor cut", two("0,8", "8,16", 12), "cut short"},
		{"range far beyond the file", one(8, `[2]`, `[1000000000000]`, `0,8`, `0,4000000000000`), "cut short"},
	}
}

func TestHostileHeaders(t *testing.T) {
	cases := hostile()
	if len(cases) < 80 {
		t.Errorf("only %d cases", len(cases))
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			err := refused(t, single(c.data), Options{}, c.want)
			checkSentence(t, err, "model.safetensors is damaged")
			checkSentence(t, err, ": download the model again")
		})
	}
}

func TestUnusualButValid(t *testing.T) {
	cases := []struct {
		name    string
		data    []byte
		tensors int
	}{
		{"no tensors", raw("{}", 0), 0},
		{"only metadata", raw(`{"__metadata__":{"format":"pt"}}`, 0), 0},
		{"metadata null", raw(`{"__metadata__":null,"a":`+entry()+`}`, 8), 1},
		{"metadata last", raw(`{"a":`+entry()+`,"__metadata__":{"k":""}}`, 8), 1},
		{"padding", raw(`{"a":`+entry()+"}   \t\r\n ", 8), 1},
		{"space everywhere", raw("{ \"a\"\n:\t"+`{ "dtype" : "F32" , "shape" : [ 2 ] , "data_offsets" : [ 0 , 8 ] } }`, 8), 1},
		{"fields in another order", raw(`{"a":{"data_offsets":[0,8],"shape":[2],"dtype":"F32"}}`, 8), 1},
		{"extra fields", one(8, `"F32"`, `"F32","x":[{"y":[null,true,false,-1.5e-3,"z"]}],"x":1`), 1},
		{"125 deep in an extra field", one(8, `"F32"`, `"F32","x":`+strings.Repeat("[", 125)+strings.Repeat("]", 125)), 1},
		{"tensors out of order", raw(`{"b":`+entry("0,8", "8,16")+`,"a":`+entry()+`}`, 16), 2},
		{"rank 0", one(4, `[2]`, `[]`, `0,8`, `0,4`), 1},
		{"empty", one(0, `[2]`, `[0]`, `0,8`, `0,0`), 1},
		{"empty with a huge side", one(0, `[2]`, `[0,9223372036854775807,9223372036854775807]`, `0,8`, `0,0`), 1},
		{"two empty in one place", raw(`{"a":`+entry("[2]", "[0]", "0,8", "0,0")+`,"b":`+entry("[2]", "[0]", "0,8", "0,0")+`}`, 0), 2},
		{"empty before, at and after", raw(`{"a":`+entry()+`,"b":`+entry("[2]", "[0]", "0,8", "0,0")+`,"c":`+entry("[2]", "[0]", "0,8", "8,8")+`}`, 8), 3},
		{"empty name", raw(`{"":`+entry()+`}`, 8), 1},
		{"name of NUL and escapes", raw(`{"\u0000\"\\\/\b\f\n\r\t":`+entry()+`}`, 8), 1},
		{"name beyond the first plane", raw(`{"\ud83d\ude00":`+entry()+`}`, 8), 1},
		{"name like a path", raw(`{"../../etc/passwd":`+entry()+`}`, 8), 1},
		{"rank 64", one(8, `[2]`, `[2`+strings.Repeat(",1", 63)+`]`), 1},
		{"types without arithmetic", raw(`{"a":`+entry("F32", "F8_E5M2", "[2]", "[8]")+`,"b":`+entry("F32", "F4", "[2]", "[2]", "0,8", "8,9")+`}`, 9), 2},
		{"not numbers", encode("", tensor{"a", "F32", []int{2}, []byte{0, 0, 0xc0, 0x7f, 0, 0, 0x80, 0x7f}}), 1},
		{"sample", sample(), 11},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := mustOpen(t, single(c.data), Options{})
			if n := len(s.Names()); n != c.tensors {
				t.Errorf("%d tensors, want %d", n, c.tensors)
			}
			for _, name := range s.Names() {
				if w, err := s.Tensor(name); err == nil && w.Bytes() > len(c.data) {
					t.Errorf("%s is said to have %d bytes", name, w.Bytes())
				} else if err != nil {
					checkSentence(t, err, "cannot compute with")
				}
			}
		})
	}
}

func TestEveryTruncation(t *testing.T) {
	whole := sample()
	if len(whole) < 1800 || len(whole) > 4000 {
		t.Errorf("the sample has %d bytes", len(whole))
	}
	mustOpen(t, single(whole), Options{})
	for n := range whole {
		refused(t, single(whole[:n]), Options{}, "is damaged")
	}
}

// TestHeaderMemory opens files that consist of a header and need as much memory for each
// byte as possible.
func TestHeaderMemory(t *testing.T) {
	repeat := func(n int, each func(i int) string) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(each(i))
		}
		return b.String()
	}
	tiny := func(i int) string {
		return fmt.Sprintf(`"%x":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}`, i)
	}
	cases := []struct {
		name, header, want string // want "" opens
	}{
		{"as many tensors as allowed", "{" + repeat(maxTensors, tiny) + "}", ""},
		{"more tensors than allowed", "{" + repeat(maxTensors+1, tiny) + "}", "more than 131072 tensors"},
		{"more metadata than allowed", `{"__metadata__":{` + repeat(1<<17, func(i int) string { return fmt.Sprintf(`"%x":""`, i) }) + "}}", "more than 65536 metadata"},
		{"one shape of 2 million sides", `{"a":{"dtype":"U8","shape":[` + repeat(2_000_000, func(int) string { return "0" }) + `],"data_offsets":[0,0]}}`, "too many dimensions"},
		{"one name of 40 MB", `{"` + strings.Repeat("a", 40_000_000) + `":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}`, ""},
		{"one escaped name of 40 MB", `{"` + strings.Repeat(`\n`, 20_000_000) + `":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}`, ""},
		{"40 MB of padding", "{}" + strings.Repeat(" ", 40_000_000), ""},
		{"40 MB of brackets", `{"a":` + strings.Repeat("[", 40_000_000) + `}`, "an object should come"},
		{"an extra field of 40 MB", one40MB(), ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			data := raw(c.header, 0)
			c.header = ""
			fsys := single(data)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			s, err := Open(fsys, Options{})
			runtime.ReadMemStats(&after)
			if spent := int64(after.TotalAlloc-before.TotalAlloc) - int64(len(data)); spent > 64<<20 {
				t.Errorf("%d MiB beyond the file's own size of %d MiB", spent>>20, len(data)>>20)
			}
			switch {
			case err == nil && c.want == "":
				s.Close()
			case err == nil:
				t.Error("it was opened")
			case c.want == "":
				t.Error(err)
			default:
				checkSentence(t, err, c.want)
			}
		})
	}
}

func one40MB() string {
	return `{"a":` + entry("[2]", "[0]", "0,8", `0,0],"x":[`+strings.Repeat("[],", 13_000_000)+"0") + `}`
}

// TestLengthBeforeMemory checks that a short file with a large header length is refused
// before memory for the header is allocated.
func TestLengthBeforeMemory(t *testing.T) {
	fsys := single(lying(maxHeader, "{}", 0))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	refused(t, fsys, Options{}, "but the file has only")
	runtime.ReadMemStats(&after)
	if spent := after.TotalAlloc - before.TotalAlloc; spent > 1<<20 {
		t.Errorf("%d bytes were allocated", spent)
	}
	if binary.LittleEndian.Uint64(fsys[singleFile].Data) != maxHeader {
		t.Error("the case is not what it says")
	}
}
