// Package assets holds what is built into the program: the icon and the
// bundled model starter-embed. It holds data only; what it means is read
// elsewhere.
package assets

import (
	"embed"
	"io/fs"
)

//go:embed starter
var files embed.FS

// StarterEmbed is the checkpoint folder of starter-embed, a small encoder for
// sentence embeddings: config.json, modules.json, tokenizer.json, weights and a
// model card.
func StarterEmbed() fs.FS {
	sub, err := fs.Sub(files, "starter")
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
