package pipeline

import (
	"errors"
	"io/fs"

	"inglenook/pipeline/chattemplate"
	"inglenook/pipeline/words"
	"inglenook/tokenizer"
)

// ChatTokenizer is a chat template together with its tokenizer.
type ChatTokenizer struct {
	*chattemplate.Template
	tok *tokenizer.Tokenizer
}

// OpenChatTokenizer opens tokenizer and chat template of a checkpoint as
// OpenTokenizer does.
func OpenChatTokenizer(checkpoint fs.FS, weightsFile string) (*ChatTokenizer, error) {
	text, err := words.Open(checkpoint, weightsFile)
	if err != nil {
		return nil, err
	}
	tok, err := text.Tokenizer()
	if err != nil {
		return nil, err
	}
	c, err := text.ChatTemplate(tok)
	if err != nil {
		return nil, errors.Join(err, tok.Close())
	}
	return &ChatTokenizer{c, tok}, nil
}

// Close closes the tokenizer.
func (c *ChatTokenizer) Close() error { return c.tok.Close() }
