package weights

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// tensor is one entry of a file made by encode.
type tensor struct {
	name, dtype string
	shape       []int
	data        []byte
}

// encode writes a valid safetensors file.
func encode(metadata string, ts ...tensor) []byte {
	var fields []string
	var data []byte
	if metadata != "" {
		fields = append(fields, `"__metadata__":`+metadata)
	}
	for _, t := range ts {
		end := len(data) + len(t.data)
		shape := strings.ReplaceAll(fmt.Sprint(t.shape), " ", ",")
		fields = append(fields, fmt.Sprintf(`%q:{"dtype":%q,"shape":%s,"data_offsets":[%d,%d]}`, t.name, t.dtype, shape, len(data), end))
		data = append(data, t.data...)
	}
	return append(raw("{"+strings.Join(fields, ",")+"}", 0), data...)
}

// raw writes any text as the header, with its true length, and n bytes after it.
func raw(header string, n int) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), counting(n)...)
}

// lying writes a header with a wrong length.
func lying(length uint64, header string, n int) []byte {
	b := raw(header, n)
	binary.LittleEndian.PutUint64(b, length)
	return b
}

// counting returns n bytes 0, 1, 2, …
func counting(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i)
	}
	return b
}

// entry returns the description of one F32 tensor of two elements, with parts replaced.
func entry(replace ...string) string {
	s := `{"dtype":"F32","shape":[2],"data_offsets":[0,8]}`
	if len(replace) > 0 {
		s = strings.NewReplacer(replace...).Replace(s)
	}
	return s
}

// one returns a file whose only tensor is entry(replace...), over n bytes.
func one(n int, replace ...string) []byte {
	return raw(`{"a":`+entry(replace...)+`}`, n)
}

// sample is a valid file of about 2 kB with every kind of entry.
func sample() []byte {
	return encode(`{"format":"pt","note":"a \"quoted\" word, \u00e9 and \ud83d\ude00"}`,
		tensor{"embeddings.word_embeddings.weight", "F32", []int{16, 8}, counting(512)},
		tensor{"embeddings.position_ids", "I64", []int{1, 4}, counting(32)},
		tensor{"encoder.layer.0.attention.self.query.weight", "F16", []int{8, 8}, counting(128)},
		tensor{"encoder.layer.0.attention.self.query.bias", "F16", []int{8}, counting(16)},
		tensor{"encoder.layer.0.attention.output.LayerNorm.gamma", "BF16", []int{8}, counting(16)},
		tensor{"encoder.layer.0.attention.output.LayerNorm.beta", "BF16", []int{8}, counting(16)},
		tensor{"scale", "F64", []int{}, counting(8)},
		tensor{"nothing", "F32", []int{0, 8}, nil},
		tensor{"kernel", "F32", []int{2, 3, 4}, counting(96)},
		tensor{"quantized", "F8_E4M3", []int{4, 4}, counting(16)},
		tensor{"packed", "F4", []int{3, 2}, counting(3)},
	)
}

// folder is a model's folder in memory.
func folder(files map[string][]byte) fstest.MapFS {
	m := fstest.MapFS{}
	for name, data := range files {
		m[name] = &fstest.MapFile{Data: data}
	}
	return m
}

// single is a folder with one model.safetensors.
func single(data []byte) fstest.MapFS { return folder(map[string][]byte{singleFile: data}) }

func mustOpen(t testing.TB, fsys fs.FS, o Options) *Set {
	t.Helper()
	s, err := Open(fsys, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// refused opens a file that must be refused and checks the error.
func refused(t testing.TB, fsys fs.FS, o Options, want string) error {
	t.Helper()
	s, err := Open(fsys, o)
	if err == nil {
		s.Close()
		t.Fatal("it was opened")
	}
	checkSentence(t, err, want)
	return err
}

// checkSentence checks that a message is one short line, contains want, and ends with
// what to do.
func checkSentence(t testing.TB, err error, want string) {
	t.Helper()
	text := err.Error()
	if !strings.Contains(text, want) {
		t.Errorf("the message is %.500q, it should contain %q", text, want)
	}
	if strings.Contains(text, "\n") || len(text) > 1500 {
		t.Errorf("the message is not one sentence: %.500q", text)
	}
}
