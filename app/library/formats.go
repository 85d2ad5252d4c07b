package library

import (
	"slices"
	"strings"

	"inglenook/app/base"
	"inglenook/filenames"
)

// notRead says of a file in another format that it is not read, and what to get.
func notRead(name string, format filenames.Foreign) error {
	return notModel("%s is in %s, which Inglenook does not read; "+filenames.GetInstead, name, format.InWords())
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
			if f, _ := filenames.Format(file); !slices.Contains(formats, f.Name) {
				formats = append(formats, f.Name)
			}
		}
		if len(formats) > 1 {
			return notModel("%s has models in the formats %s alone, which Inglenook does not read; "+filenames.GetInstead, name, strings.Join(formats, ", "))
		}
		format, _ := filenames.Format(s.others[0])
		return notRead(s.others[0]+" in "+name, format)
	}
	return notModel("%s has no model in it; a model is a folder with config.json and .safetensors files, or a .gguf file", name)
}
