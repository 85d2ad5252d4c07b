package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"

	"inglenook/documents"
)

const dimension = 384

// hashed is an embedder without a model: the words of a text are hashed into its
// vector, so that texts which share words are near each other.
type hashed struct{}

var _ documents.Embedder = hashed{}

func (hashed) ID() string     { return "hashed words" }
func (hashed) Dimension() int { return dimension }
func (hashed) MaxTokens() int { return 256 }

func (hashed) CountTokens(texts []string) ([]int, error) {
	counts := make([]int, len(texts))
	for i, text := range texts {
		counts[i] = len(strings.Fields(text))
	}
	return counts, nil
}

func (h hashed) EmbedPassages(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i], _ = h.EmbedQuery(ctx, text)
	}
	return vectors, ctx.Err()
}

func (hashed) EmbedQuery(_ context.Context, text string) ([]float32, error) {
	v := make([]float32, dimension)
	for word := range strings.FieldsSeq(text) {
		sum := fnv.New64a()
		sum.Write([]byte(word))
		bits := sum.Sum64()
		for range 4 {
			if bits&1 == 0 {
				v[bits>>1%dimension]++
			} else {
				v[bits>>1%dimension]--
			}
			bits = bits*6364136223846793005 + 1442695040888963407
			bits ^= bits >> 29
		}
	}
	v[0] += 0.01 // no text is nothing
	var squares float64
	for _, x := range v {
		squares += float64(x) * float64(x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(squares))
	}
	return v, nil
}

// words writes made-up text: words as frequent as those of a language, and each
// file with a subject of its own, whose words come again and again.
type words struct {
	*rand.Rand
	subject int
}

func newWords(file int) words {
	r := rand.New(rand.NewPCG(uint64(file), 3))
	return words{r, r.IntN(2000)}
}

func (w words) word() string {
	if w.IntN(4) == 0 {
		return name(50_000 + 40*w.subject + w.IntN(40))
	}
	return name(int(math.Exp(w.Float64() * math.Log(50_000)))) // Zipf's law
}

func name(n int) string {
	return "w" + strings.Map(func(d rune) rune { return d - '0' + 'a' }, fmt.Sprint(n))
}

// sentences writes text of about so many bytes.
func (w words) sentences(bytes int) string {
	var b strings.Builder
	for b.Len() < bytes {
		for i := range 8 + w.IntN(16) {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(w.word())
		}
		b.WriteString(".\n")
		if w.IntN(6) == 0 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}
