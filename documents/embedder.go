package documents

import "context"

// An Embedder turns passages and queries into vectors of unit length.
type Embedder interface {
	// ID names the model, its revision, pooling and dimension. Vectors of two
	// ids are never compared.
	ID() string
	// Dimension is the length of every vector.
	Dimension() int
	// MaxTokens is how many tokens of a text the model reads, without those that
	// it adds at the ends.
	MaxTokens() int
	// CountTokens returns how many tokens each text has, without those that the
	// model adds at its ends.
	CountTokens(texts []string) ([]int, error)
	// EmbedPassages returns one vector a text, [texts, dimension].
	EmbedPassages(ctx context.Context, texts []string) ([][]float32, error)
	// EmbedQuery returns the vector of a question, [dimension]. A model that has
	// a prompt for questions puts it in front.
	EmbedQuery(ctx context.Context, text string) ([]float32, error)
}
