package texts

import (
	"cmp"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strconv"
	"time"

	"inglenook/app/held"
	"inglenook/app/library"
	"inglenook/engine"
	"inglenook/vecmath"
)

// SimilarityRequest asks how much texts resemble one another.
type SimilarityRequest struct {
	Model    string // any name that [App.Resolve] takes; "" is the bundled model
	Device   string // "" and "auto" are the best one
	Weights  string // how weights are held; "": as they are stored
	AsKept   bool   // weights are held as was chosen for the model, where Weights leaves it open
	Texts    []string
	Pictures []string // path of each that is a picture and whose text is its name, else ""; nil: none is
	Prompt   string   // put before each text; "" is the model's default prompt
	NoPrompt bool     // not even the model's default prompt
	Task     string   // one of those that the model has weights for; "": its usual one
	Many     bool     // up to [MostMapped] texts, without a matrix where there are more than [MostCompared]
}

// SimilarityResult holds the cosine of every pair of n texts, and what it took.
type SimilarityResult struct {
	Texts     []string
	Pictures  []string     // as in the request
	Vectors   [][]float32  // [n, dimension], each of length 1
	Matrix    [][]float32  // [n, n], cosines, 1 on the diagonal; nil: there are too many texts
	Points    [][2]float64 // the two principal components, within -1 and 1
	Explained [2]float64   // share of the variance that each component explains
	Groups    Groups       // of texts that belong together
	Tokens    []int        // of each text
	Truncated []bool       // the text was longer than the model takes

	Took       time.Duration // tokenizing and embedding
	Load       time.Duration // opening the model; 0 when it was open already
	TextsPerS  float64
	TokensPerS float64
	Model      library.Model
	Device     string    // that really computed
	Held       held.Held // how weights are held, as was chosen for the model; zero: as in the request
	Fallbacks  []engine.Fallback
	Notices    []string // as in EmbedResult; they are in Note, too
	Note       string   // one sentence that belongs beside the result; may be empty
}

// Neighbour is a text by its index, with its cosine to the text asked about.
type Neighbour struct {
	Index int
	Score float32
}

// Nearest returns the n texts most similar to text i, the best first, without
// text i itself.
func (r SimilarityResult) Nearest(i, n int) []Neighbour {
	many := max(len(r.Matrix), len(r.Vectors))
	if i < 0 || i >= many || n <= 0 {
		return nil
	}
	all := make([]Neighbour, 0, many-1)
	for j, score := range r.Row(i) {
		if j != i {
			all = append(all, Neighbour{j, score})
		}
	}
	bestFirst(all)
	return all[:min(n, len(all))]
}

// Row returns the cosines of text i with all texts.
func (r SimilarityResult) Row(i int) []float32 {
	if r.Matrix != nil {
		return r.Matrix[i]
	}
	row := make([]float32, len(r.Vectors))
	for j := range row {
		row[j] = r.Cosine(i, j)
	}
	return row
}

// Cosine returns that of texts i and j.
func (r SimilarityResult) Cosine(i, j int) float32 {
	switch {
	case r.Matrix != nil:
		return r.Matrix[i][j]
	case i == j:
		return 1
	}
	return float32(min(1, max(-1, vecmath.Dot(r.Vectors[i], r.Vectors[j]))))
}

// Closest returns all texts by their cosine to another vector of the same model, the best
// first.
func (r SimilarityResult) Closest(vector []float32) []Neighbour {
	scores := normalized(append([][]float32{vector}, r.Vectors...))
	all := make([]Neighbour, len(r.Vectors))
	for i, v := range scores[1:] {
		all[i] = Neighbour{i, float32(vecmath.Dot(scores[0], v))}
	}
	bestFirst(all)
	return all
}

func bestFirst(all []Neighbour) {
	slices.SortStableFunc(all, func(a, b Neighbour) int { return cmp.Compare(b.Score, a.Score) })
}

// WriteCSV writes the matrix with the texts as the first row and the first
// column, as RFC 4180 has it.
func (r SimilarityResult) WriteCSV(w io.Writer) error {
	if r.Matrix == nil {
		return errors.New("there are too many texts for a matrix, so there is none to save; compare fewer texts")
	}
	out := csv.NewWriter(w)
	if err := out.Write(append([]string{"text"}, cells(r.Texts)...)); err != nil {
		return err
	}
	for i, text := range r.Texts {
		row := make([]string, 0, len(r.Texts)+1)
		row = append(row, cell(text))
		for _, v := range r.Matrix[i] {
			row = append(row, strconv.FormatFloat(float64(v), 'f', 6, 32))
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// normalized returns copies of length 1; a vector of zeros stays as it is.
func normalized(vectors [][]float32) [][]float32 {
	out := make([][]float32, len(vectors))
	for i, v := range vectors {
		out[i] = slices.Clone(v)
		norm := vecmath.Length(v)
		if norm == 0 {
			continue
		}
		for k := range out[i] {
			out[i][k] = float32(float64(v[k]) / norm)
		}
	}
	return out
}

// cosines fills the symmetric matrix [n, n] of the dot products of vectors of
// length 1. It asks row by row whether to go on.
func cosines(vectors [][]float32, row func(done int) error) ([][]float32, error) {
	n := len(vectors)
	cells := make([]float32, n*n)
	m := make([][]float32, n)
	for i := range m {
		m[i] = cells[i*n : (i+1)*n]
	}
	for i := range vectors {
		if err := row(i); err != nil {
			return nil, err
		}
		m[i][i] = 1
		for j := range i {
			c := float32(min(1, max(-1, vecmath.Dot(vectors[i], vectors[j]))))
			m[i][j], m[j][i] = c, c
		}
	}
	return m, nil
}
