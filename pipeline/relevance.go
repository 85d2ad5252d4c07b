package pipeline

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"inglenook/pipeline/smallfile"
)

// relevance selects the output of a classifier that is the score of a document. A single
// output is the score itself. Of several labels, the score is that of the one that means
// relevant: its probability, unless the checkpoint states another activation.
type relevance struct {
	labels int
	label  int    // by its index
	name   string // of one of several, quoted for messages
}

// relevant are the names of labels that speak for a document.
var relevant = []string{"relevant", "entailment", "yes", "true", "positive"}

// labels returns the names of the labels, "" where the checkpoint has none.
func (s source) labels() ([]string, error) {
	names := make([]string, s.config.Labels)
	if meta := s.set.Meta(); meta != nil {
		key := s.config.ModelType + ".classifier.output_labels"
		if !meta.Has(key) {
			return names, nil
		}
		stated, err := meta.Strings(key)
		copy(names, stated)
		return names, err
	}
	var config struct {
		Names map[string]any `json:"id2label"`
	}
	if _, err := smallfile.JSON(s.folder, "config.json", &config); err != nil {
		return nil, err
	}
	for i := range names {
		names[i], _ = config.Names[strconv.Itoa(i)].(string)
	}
	return names, nil
}

// relevance finds the label by its name. Of two labels without such a name it is the
// second, as classifiers are trained.
func (s source) relevance() (relevance, error) {
	labels := s.config.Labels
	if labels == 1 {
		return relevance{labels: 1}, nil
	}
	names, err := s.labels()
	if err != nil {
		return relevance{}, err
	}
	var found []int
	for i, name := range names {
		if slices.Contains(relevant, strings.ToLower(name)) {
			found = append(found, i)
		}
	}
	if len(found) == 0 && labels == 2 {
		found = []int{1}
	}
	if len(found) != 1 {
		return relevance{}, fmt.Errorf("this classifier has %d labels (%.100q), and not one of them says that a document is relevant (%s), so it cannot rank documents; choose a reranker (a cross-encoder with one label)",
			labels, names, strings.Join(relevant, ", "))
	}
	name := fmt.Sprintf("number %d", found[0])
	if s := names[found[0]]; s != "" {
		name = fmt.Sprintf("%.40q", s)
	}
	return relevance{labels, found[0], name}, nil
}

// note returns a sentence on which label is the score, or "" if there is only one.
func (r relevance) note() string {
	if r.labels == 1 {
		return ""
	}
	return fmt.Sprintf("this classifier has %d labels: the score is the probability of the label %s", r.labels, r.name)
}

// probability is the softmax of the label's output.
func (r relevance) probability(row []float32) float32 {
	most, sum := float64(slices.Max(row)), 0.0
	for _, x := range row {
		sum += math.Exp(float64(x) - most)
	}
	return float32(math.Exp(float64(row[r.label])-most) / sum)
}
