package tokenizer

import (
	"errors"
	"io/fs"

	"inglenook/tokenizer/convert"
	"inglenook/tokenizer/definition"
)

// Open reads the tokenizer of a checkpoint's folder: tokenizer.json, or if there
// is none vocab.txt (WordPiece, BERT's own format) or vocab.json and merges.txt
// (byte-level, GPT-2's own format) or a SentencePiece model, with the settings
// in tokenizer_config.json, special_tokens_map.json and config.json beside it.
func Open(fsys fs.FS) (*Tokenizer, error) { return open(fsys, definition.ReadConfig(fsys)) }

// OpenLowercase is Open for a checkpoint whose sentence-transformers settings
// demand lower-case texts.
func OpenLowercase(fsys fs.FS) (*Tokenizer, error) {
	config := definition.ReadConfig(fsys)
	config.Lowercase = true
	return open(fsys, config)
}

var errMissing = errors.New("this folder has no tokenizer.json, no vocab.txt, no vocab.json with merges.txt and no tokenizer.model, so its texts can't be turned into tokens; add the model's tokenizer.json")

// sentencePieceFiles are the names of SentencePiece models.
var sentencePieceFiles = []string{"tokenizer.model", "sentencepiece.bpe.model", "spiece.model", "spm.model"}

// Missing returns an error if a folder has no file of which Open makes a tokenizer.
func Missing(fsys fs.FS) error {
	for _, name := range append([]string{"tokenizer.json", "vocab.txt", "vocab.json"}, sentencePieceFiles...) {
		if _, err := fs.Stat(fsys, name); err == nil {
			return nil
		}
	}
	return errMissing
}

func open(fsys fs.FS, config definition.Config) (*Tokenizer, error) {
	data, err := definition.ReadLimited(fsys, "tokenizer.json", definition.MaxFileBytes)
	if errors.Is(err, fs.ErrNotExist) {
		data, err = fromOlderFiles(fsys, &config)
	}
	if err != nil {
		return nil, err
	}
	return openJSON(data, config)
}

// fromOlderFiles makes a tokenizer.json of the files that came before it. It sets the name
// that errors about them have.
func fromOlderFiles(fsys fs.FS, config *definition.Config) ([]byte, error) {
	vocab, err := definition.ReadLimited(fsys, "vocab.txt", definition.MaxFileBytes)
	if err == nil {
		config.Name = "vocab.txt"
		data, err := convert.WordPiece(vocab, *config)
		if err != nil {
			return nil, refuse(config.Name, err)
		}
		return data, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	vocab, err = definition.ReadLimited(fsys, "vocab.json", definition.MaxFileBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return fromSentencePiece(fsys, config)
	}
	if err != nil {
		return nil, err
	}
	merges, err := definition.ReadLimited(fsys, "merges.txt", definition.MaxFileBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("this folder has a vocab.json and no merges.txt, and both are needed to turn texts into tokens; add the model's merges.txt or its tokenizer.json")
	}
	if err != nil {
		return nil, err
	}
	config.Name = "vocab.json"
	data, err := convert.ByteLevel(vocab, merges, addedTokens(fsys), *config)
	if err != nil {
		return nil, refuse(config.Name, err)
	}
	return data, nil
}

// addedTokens reads added_tokens.json, which is optional, as all files beside.
func addedTokens(fsys fs.FS) map[string]int32 {
	added := map[string]int32{}
	_ = definition.ReadJSON(fsys, "added_tokens.json", &added)
	return added
}

// fromSentencePiece makes a tokenizer.json of a SentencePiece model.
func fromSentencePiece(fsys fs.FS, config *definition.Config) ([]byte, error) {
	for _, name := range sentencePieceFiles {
		model, err := definition.ReadLimited(fsys, name, definition.MaxFileBytes)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		config.Name = name
		made, err := convert.SentencePiece(model, addedTokens(fsys), *config)
		if err != nil {
			return nil, refuse(name, err)
		}
		for role, token := range made.Named {
			if config.Named[role] == "" {
				config.Named[role] = token
			}
		}
		return made.JSON, nil
	}
	return nil, errMissing
}

// FromVocabulary opens the tokenizer that a GGUF file's vocabulary describes.
// Warnings reports what the vocabulary leaves open and ids depend on.
func FromVocabulary(v convert.Vocabulary) (*Tokenizer, error) {
	const name = "this file's vocabulary"
	made, err := v.Convert()
	if err != nil {
		return nil, refuse(name, err)
	}
	t, err := openJSON(made.JSON, definition.Config{Name: name, Named: made.Named})
	if err != nil {
		return nil, err
	}
	t.chatTemplate, t.warnings = v.ChatTemplate, made.Warnings
	return t, nil
}
