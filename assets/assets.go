// Package assets holds what is built into the program: the icon, the bundled
// models starter-embed and starter-chat, and three documents to try a search on. It
// holds data only; what it means is read elsewhere.
package assets

import (
	"embed"
	"io/fs"
)

//go:embed starter starter-chat samples
var files embed.FS

// StarterEmbed is the checkpoint folder of starter-embed, a small encoder for
// sentence embeddings: config.json, modules.json, tokenizer.json, weights and a
// model card.
func StarterEmbed() fs.FS { return folder("starter") }

// StarterChat is the checkpoint folder of starter-chat, a tiny language model that
// knows the program: starter-chat.gguf and a model card.
func StarterChat() fs.FS { return folder("starter-chat") }

// Samples are the documents that come with the program, as files of a folder.
func Samples() fs.FS { return folder("samples") }

func folder(name string) fs.FS {
	sub, err := fs.Sub(files, name)
	if err != nil {
		// fs.Sub refuses only an invalid name, and this one is not.
		return files
	}
	return sub
}

//go:embed icon.png
var icon []byte

// Icon is the program's icon, a PNG picture.
func Icon() []byte { return icon }
