package library

import (
	"path"
	"slices"
	"strings"

	"inglenook/app/base"
)

// otherFormats are the formats of models that are not read here, by the ends of their files' names.
var otherFormats = map[string]string{
	".bin": pyTorch, ".pt": pyTorch, ".pth": pyTorch, ".ckpt": pyTorch, ".pkl": pyTorch, ".pickle": pyTorch,
	".onnx": "ONNX", ".h5": "Keras", ".keras": "Keras", ".tflite": "TensorFlow Lite", ".pb": "TensorFlow", ".msgpack": "Flax", ".mlmodel": "Core ML", ".llamafile": "llamafile", ".nemo": "NeMo", ".engine": "TensorRT",
}

// pyTorch is the one among them whose files can run code when they are opened.
const pyTorch = "PyTorch"

// otherFormat is the format of a model that is not read here, by the name of a file; "": it is none.
func otherFormat(name string) string { return otherFormats[strings.ToLower(path.Ext(name))] }

// notRead says of a file in another format that it is not read, and what to get.
func notRead(name, format string) error {
	if format == pyTorch {
		return notModel("%s is in a format that can run code when it is opened, so Inglenook does not read it; get the model as safetensors or GGUF", name)
	}
	return notModel("%s is in the format %s, which Inglenook does not read; get the model as safetensors or GGUF", name, format)
}

// noModel says of a folder in which no model was found what lies there instead.
func (s *search) noModel(folder string) error {
	name := base.ShortPath(folder)
	switch {
	case s.seen == 0:
		return notModel("%s is empty; choose the folder or the file of a model", name)
	case len(s.others) > 0:
		var formats []string
		for _, file := range s.others {
			if f := otherFormat(file); !slices.Contains(formats, f) {
				formats = append(formats, f)
			}
		}
		if len(formats) > 1 {
			return notModel("%s has models in the formats %s alone, which Inglenook does not read; get the model as safetensors or GGUF", name, strings.Join(formats, ", "))
		}
		return notRead(s.others[0]+" in "+name, formats[0])
	}
	return notModel("%s has no model in it; a model is a folder with config.json and .safetensors files, or a .gguf file", name)
}
