// Package convert writes the tokenizer.json that a model comes with elsewhere, from
// the other forms that vocabularies have: the metadata of a GGUF file (Vocabulary),
// BERT's vocab.txt (WordPiece), and the vocab.json and merges.txt of GPT-2's
// relatives (ByteLevel). So one library reads all of them, and ids are those of the
// model's own tokenizer.
package convert

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"inglenook/tokenizer/definition"
	"inglenook/tokenizer/rawjson"
)

// Vocabulary is a GGUF file's description of its tokenizer, in the metadata
// whose keys begin with "tokenizer."
// (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md). Each field
// names its key. A missing id is -1; any other missing value is empty or nil.
type Vocabulary struct {
	Model  string    // ggml.model: "llama", "gpt2", "bert", "t5" or "gemma4"
	Pre    string    // ggml.pre: how a "gpt2" splits text into words
	Tokens []string  // ggml.tokens: a token's index is its id
	Scores []float32 // ggml.scores: one a token, for "llama" and "t5"
	Types  []int32   // ggml.token_type: one a token
	Merges []string  // ggml.merges: "left right", for "gpt2" and "gemma4"

	BOS  int32 // ggml.bos_token_id
	EOS  int32 // ggml.eos_token_id
	EOT  int32 // ggml.eot_token_id
	UNK  int32 // ggml.unknown_token_id
	PAD  int32 // ggml.padding_token_id
	SEP  int32 // ggml.seperator_token_id, as the key is spelled
	CLS  int32 // ggml.cls_token_id
	MASK int32 // ggml.mask_token_id

	AddBOS                 *bool  // ggml.add_bos_token
	AddEOS                 *bool  // ggml.add_eos_token
	AddSpacePrefix         *bool  // ggml.add_space_prefix
	RemoveExtraWhitespaces *bool  // ggml.remove_extra_whitespaces
	Charsmap               []byte // ggml.precompiled_charsmap: SentencePiece's normalizing
	Lowercase              *bool  // ggml.normalizer.lowercase
	StripAccents           *bool  // ggml.normalizer.strip_accents

	PairsOfBERT bool // not in GGUF files: pairs stand between the tokens of BERT's kind

	ChatTemplate string // chat_template
	Architecture string // general.architecture
}

// The types of tokens, as GGUF numbers them. Any other number, such as 0,
// means a normal token.
const (
	NormalType      = 1
	UnknownType     = 2
	ControlType     = 3
	UserDefinedType = 4
	UnusedType      = 5
	ByteType        = 6
)

// Converted is a tokenizer.json made of a Vocabulary, and what that leaves open.
type Converted struct {
	JSON     []byte
	Named    map[string]string // role ("eos_token", …) -> token
	Warnings []string          // sentences for the user
}

// Convert writes the tokenizer.json that a model with such a vocabulary comes
// with elsewhere. SentencePiece's scores become a list of merges (see
// scores.go). The warnings say what the vocabulary leaves open and ids depend
// on. The error completes the sentence "this vocabulary can't be used: …".
func (v Vocabulary) Convert() (Converted, error) {
	b := builder{Vocabulary: v}
	data, err := b.tokenizerJSON()
	if err != nil {
		return Converted{}, err
	}
	return Converted{JSON: data, Named: b.named(), Warnings: b.warnings}, nil
}

// builder makes a tokenizer.json of a Vocabulary and fills in what the
// Vocabulary leaves open.
type builder struct {
	Vocabulary
	ids      map[string]int32
	warnings []string
}

// recipe is a tokenizer.json without its added tokens and its template.
type recipe struct {
	normalizer, preTokenizer, decoder definition.Component
	model                             definition.Model
}

func (b *builder) tokenizerJSON() ([]byte, error) {
	if err := b.checkTokens(); err != nil {
		return nil, err
	}
	b.settleRoles()
	var r recipe
	var err error
	switch b.Model {
	case "llama":
		r, err = b.sentencePiece()
	case "gpt2":
		r, err = b.byteLevel()
	case "gemma4":
		r, err = b.mergedPieces()
	case "bert":
		r, err = b.wordPiece()
	case "t5":
		r, err = b.unigram()
	case "":
		err = fmt.Errorf("it doesn't say of what kind it is (tokenizer.ggml.model)")
	default:
		err = fmt.Errorf("it is of the kind %.60q, which is not known here; known are llama, gpt2, gemma4, bert and t5", b.Model)
	}
	if err != nil {
		return nil, err
	}
	head, err := json.Marshal(map[string]any{
		"version":        "1.0",
		"added_tokens":   b.added(),
		"normalizer":     r.normalizer,
		"pre_tokenizer":  r.preTokenizer,
		"decoder":        r.decoder,
		"post_processor": b.template(),
	})
	if err != nil {
		return nil, fmt.Errorf("it can't be written as a tokenizer.json: %w", err)
	}
	out := make([]byte, 0, len(head)+len(r.model.Vocab)+len(r.model.Merges)+1024)
	out = append(append(out, head[:len(head)-1]...), `,"model":`...)
	return append(r.model.AppendTo(out), '}'), nil
}

// checkTokens builds the table from tokens to ids.
func (b *builder) checkTokens() error {
	switch n := len(b.Tokens); {
	case n == 0:
		return fmt.Errorf("it has no tokens")
	case n > definition.MaxTokens:
		return fmt.Errorf("it has %d tokens, more than %d", n, definition.MaxTokens)
	case len(b.Types) > 0 && len(b.Types) < n:
		return fmt.Errorf("it has %d tokens, but says only of %d what type they are", n, len(b.Types))
	}
	b.ids = make(map[string]int32, len(b.Tokens))
	for i := range b.Tokens {
		token := b.token(int32(i))
		switch other, twice := b.ids[token]; {
		case len(token) > definition.MaxTokenBytes:
			return fmt.Errorf("its token %d has %d bytes, more than %d", i, len(token), definition.MaxTokenBytes)
		case !utf8.ValidString(token):
			return fmt.Errorf("its token %d, %.60q, is not UTF-8 text", i, token)
		case twice:
			return fmt.Errorf("its tokens %d and %d are both %.60q", other, i, token)
		}
		b.ids[token] = int32(i)
	}
	return nil
}

// token returns the text of a token. An empty one would match everywhere.
func (b *builder) token(id int32) string {
	if b.Tokens[id] == "" {
		return fmt.Sprintf("[EMPTY_%d]", id)
	}
	return b.Tokens[id]
}

// checkScores checks that every token has a score.
func (b *builder) checkScores() error {
	if len(b.Scores) < len(b.Tokens) {
		return fmt.Errorf("it has %d tokens and %d scores, and its kind (%s) needs a score for each token", len(b.Tokens), len(b.Scores), b.Model)
	}
	for i, s := range b.Scores[:len(b.Tokens)] {
		if s-s != 0 { // NaN or infinite
			return fmt.Errorf("the score of its token %d, %.60q, is %v", i, b.Tokens[i], s)
		}
	}
	return nil
}

// vocabObject writes the tokens as a JSON object with their ids.
func (b *builder) vocabObject(name func(id int32) string) []byte {
	out := make([]byte, 0, 24*len(b.Tokens))
	out = append(out, '{')
	for i := range b.Tokens {
		out = append(quoteToken(out, name(int32(i))), ':')
		out = append(fmt.Appendf(out, "%d", i), ',')
	}
	return append(out[:len(out)-1], '}')
}

// quoteToken is quote with a fast path for a token that needs no escapes.
func quoteToken(out []byte, s string) []byte {
	for i := range len(s) {
		if s[i] < ' ' || s[i] == '"' || s[i] == '\\' {
			return rawjson.Quote(out, s)
		}
	}
	return append(append(append(out, '"'), s...), '"')
}
