package texts

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// Texts that say the same are one example: a hundred of them teach no more than one, and other texts keep their labels.
func TestEqualTextsAreOneExample(t *testing.T) {
	unit := func(x, y, z float64) []float32 {
		n := math.Sqrt(x*x + y*y + z*z)
		return []float32{float32(x / n), float32(y / n), float32(z / n)}
	}
	taught := func(copies int) (labels []string, shares []float32) {
		c := closeness{names: []string{"delivery", "praise"}, scale: TextScale, vectors: [][]float32{unit(1, 0, 0.3), unit(0, 1, 0.3)}}
		var items [][]float32
		var lines []string
		examples := map[int]string{}
		put := func(line string, v []float32) { items, lines = append(items, v), append(lines, line) }
		for k := range 4 {
			put(fmt.Sprint("late ", k), unit(1, 0.1*float64(k), 0.5))
		}
		put("so so", unit(0.9, 0.8, 0.2))
		for range copies {
			examples[len(items)] = "praise"
			put("thank you", unit(0.4, 1, 0.1))
		}
		c.learn(items, lines, nil, examples)
		for _, v := range items[:5] {
			list, _ := c.of(v)
			labels, shares = append(labels, list[0].Name), append(shares, list[0].Value)
		}
		return labels, shares
	}
	labels, shares := taught(1)
	many, sharesOfMany := taught(100)
	if !slices.Equal(labels, many) || !slices.Equal(shares, sharesOfMany) {
		t.Errorf("one example gives %v %v, a hundred equal ones %v %v", labels, shares, many, sharesOfMany)
	}
}

// Learning takes no text away from all labels: one that a label fits by its words is not without one afterwards.
func TestLearningLeavesNoTextWithoutALabel(t *testing.T) {
	c := closeness{vectors: [][]float32{{1, 0}, {0, 1}}, others: [][]float32{{0.5, 0.5}, {0.6, 0.5}}}
	text := []float32{0.95, 0.3}
	if !c.noneFits(text, 0.4) {
		t.Error("without lessons the cosine alone decides")
	}
	if c.learned = make([]lesson, 2); c.noneFits(text, 0.4) {
		t.Error("a text that a label fits by its words is said to fit none")
	}
}
