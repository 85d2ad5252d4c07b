package pipeline

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

// TestQuantizedElsewhere: weights that other tools have quantized are refused with one
// sentence that names the tool, with config.json alone and with the weights, in every
// way of opening them.
func TestQuantizedElsewhere(t *testing.T) {
	type tensor struct {
		name, dtype string
		shape       []int
		bytes       int
	}
	q := "model.layers.0.self_attn.q_proj"
	for tool, c := range map[string]struct {
		config  string
		tensors []tensor // instead of that matrix [64 32]
	}{
		"MLX nvfp4, 4 bits in groups of 16": {
			`"quantization": {"group_size": 16, "bits": 4, "mode": "nvfp4"}, "quantization_config": {"group_size": 16, "bits": 4, "mode": "nvfp4"}`,
			[]tensor{{q + ".weight", "U32", []int{64, 4}, 1024}, {q + ".scales", "F16", []int{64, 1}, 128}, {q + ".biases", "F16", []int{64, 1}, 128}},
		},
		"gptq": {
			`"quantization_config": {"quant_method": "gptq", "bits": 4, "group_size": 32}`,
			[]tensor{{q + ".qweight", "I32", []int{4, 64}, 1024}, {q + ".scales", "F16", []int{1, 64}, 128}, {q + ".qzeros", "I32", []int{1, 8}, 32}},
		},
		"bitsandbytes": {
			`"quantization_config": {"quant_method": "bitsandbytes", "load_in_8bit": true}`,
			[]tensor{{q + ".weight", "I8", []int{64, 32}, 2048}, {q + ".SCB", "F32", []int{64}, 256}},
		},
		"fp8": {
			`"quantization_config": {"quant_method": "fp8"}`,
			[]tensor{{q + ".weight", "F8_E4M3", []int{64, 32}, 2048}, {q + ".weight_scale_inv", "F32", []int{1, 1}, 4}},
		},
	} {
		files := tinyChat(t)
		files["config.json"].Data = []byte(strings.Replace(string(files["config.json"].Data), "{", "{"+c.config+",", 1))
		alone := fstest.MapFS{"config.json": files["config.json"]}

		whole := files["model.safetensors"].Data
		n := binary.LittleEndian.Uint64(whole)
		var header map[string]any
		if err := json.Unmarshal(whole[8:8+n], &header); err != nil {
			t.Fatal(err)
		}
		delete(header, q+".weight")
		data, at := []byte(nil), 0
		for name, x := range header { // the others lie as before, one after the other
			if info, ok := x.(map[string]any); ok && name != "__metadata__" {
				o := info["data_offsets"].([]any)
				from, to := int(o[0].(float64)), int(o[1].(float64))
				data = append(data, whole[8+int(n)+from:8+int(n)+to]...)
				info["data_offsets"] = []int{at, at + to - from}
				at += to - from
			}
		}
		for _, x := range c.tensors {
			header[x.name] = map[string]any{"dtype": x.dtype, "shape": x.shape, "data_offsets": []int{at, at + x.bytes}}
			data, at = append(data, make([]byte, x.bytes)...), at+x.bytes
		}
		text, err := json.Marshal(header)
		if err != nil {
			t.Fatal(err)
		}
		files["model.safetensors"].Data = append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...), data...)

		want := `quantized by "` + tool + `", which this version does not read: choose a revision with F32, F16 or BF16 weights, or a GGUF file`
		check := func(what string, err error) {
			t.Helper()
			if err == nil || !strings.HasSuffix(err.Error(), want) || len(err.Error()) > 250 {
				t.Errorf("%s, %s: it says %v", tool, what, err)
			}
		}
		_, err = OpenOutline(alone, OutlineOptions{})
		check("config.json alone", err)
		_, err = OpenOutline(files, OutlineOptions{})
		check("outline", err)
		_, err = openGenerator(context.Background(), files, oneThread(t), GeneratorOptions{})
		check("generator", err)
		if d, err := Describe(files, ""); err != nil || d.Supported || !strings.HasSuffix(d.Reason, want) {
			t.Errorf("%s: described as %+v, %v", tool, d, err)
		}
	}
}

// TestSupposedHead: the GGUF file that is predicted from config.json has its own output
// layer if config.json does not tie it.
func TestSupposedHead(t *testing.T) {
	config := string(tinyChat(t)["config.json"].Data)
	for _, format := range []string{"safetensors", "gguf"} {
		parameters := map[string]int64{}
		for _, tied := range []string{"true", "false"} {
			files := fstest.MapFS{"config.json": {Data: []byte(strings.Replace(config, `"tie_word_embeddings": true`, `"tie_word_embeddings": `+tied, 1))}}
			x, err := OpenOutline(files, OutlineOptions{Type: "F16", Format: format})
			if err != nil {
				t.Fatal(err)
			}
			parameters[tied] = x.Parameters
			x.Close()
		}
		if more := parameters["false"] - parameters["true"]; more != 64*32 {
			t.Errorf("%s: an output layer of its own has %d parameters, want %d", format, more, 64*32)
		}
	}
}

// TestMLXFiles: a checkpoint that MLX quantized is described, predicted without its
// weights, and writes. Other sizes of groups than its config.json states are refused.
func TestMLXFiles(t *testing.T) {
	files := tinyChat(t)
	for name, at := range map[string]string{"config.json": "qwen3/config.json", "model.safetensors": "qwen3/model.safetensors"} {
		data, err := os.ReadFile("../models/testdata/mlx/" + at)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	d, err := Describe(files, "")
	if err != nil || !d.Supported || d.DType != "Q4_1" || d.Parameters != 78208 {
		t.Errorf("described as %+v, %v", d, err)
	}
	x, err := OpenOutline(fstest.MapFS{"config.json": files["config.json"]}, OutlineOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if x.Parameters != d.Parameters || x.DType != "Q4_1" {
		t.Errorf("predicted from config.json: %d parameters of %s, want %d of %s", x.Parameters, x.DType, d.Parameters, d.DType)
	}
	x.Close()
	g, err := openGenerator(context.Background(), files, oneThread(t), GeneratorOptions{})
	if err != nil {
		t.Fatal(err)
	}
	g.Close()
	files["config.json"].Data = []byte(strings.ReplaceAll(string(files["config.json"].Data), `"group_size": 32`, `"group_size": 64`))
	if _, err := OpenOutline(files, OutlineOptions{}); err == nil || !strings.Contains(err.Error(), "does not fit its config.json") {
		t.Errorf("groups of another size: %v", err)
	}
}
