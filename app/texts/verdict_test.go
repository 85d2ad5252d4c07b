package texts

import (
	"slices"
	"strings"
	"testing"
)

func labelled(values ...float32) []Label {
	var list []Label
	for i, v := range values {
		list = append(list, Label{Name: string(rune('a' + i)), Value: v})
	}
	return list
}

func label(name string, value float32) Label { return Label{Name: name, Value: value} }

func entity(kind string, start, end int) Entity {
	return Entity{Label: kind, Score: 1, Start: start, End: end}
}

// A label that another one nearly reaches is unsure, one that the model itself finds improbable too, and
// where no label fits a text has none. Numbers that are no probabilities are never judged.
func TestVerdict(t *testing.T) {
	own := [][]float32{{1}}
	for name, c := range map[string]struct {
		r    ClassifyResult
		want Verdict
		of   string
	}{
		"clear":            {ClassifyResult{Kind: "softmax", Cosines: own, Labels: [][]Label{labelled(0.4, 0.2, 0.2)}}, Sure, "a"},
		"close":            {ClassifyResult{Kind: "softmax", Cosines: own, Labels: [][]Label{labelled(0.5, 0.4, 0.1)}}, Close, "a"},
		"none fits":        {ClassifyResult{Kind: "softmax", Cosines: own, NoneFits: []bool{true}, Labels: [][]Label{labelled(0.9, 0.1)}}, Outside, ""},
		"its own":          {ClassifyResult{Kind: "softmax", Labels: [][]Label{labelled(0.6, 0.3, 0.1)}}, Sure, "a"},
		"its own, low":     {ClassifyResult{Kind: "softmax", Labels: [][]Label{labelled(0.4, 0.2, 0.2)}}, Improbable, "a"},
		"several":          {ClassifyResult{Kind: "sigmoid", Labels: [][]Label{labelled(0.9, 0.8, 0.1)}}, Sure, "a b"},
		"several, none":    {ClassifyResult{Kind: "sigmoid", Labels: [][]Label{labelled(0.2, 0.1)}}, Improbable, "a"},
		"numbers":          {ClassifyResult{Kind: "values", Labels: [][]Label{labelled(-3)}}, Sure, "a"},
		"nothing is known": {ClassifyResult{Kind: "entities"}, Sure, ""},
	} {
		if got, of := c.r.Verdict(0), strings.Join(c.r.Of(0), " "); got != c.want || of != c.of {
			t.Errorf("%s: %v, %q", name, got, of)
		}
	}
}

// The CSV has one row a text, whatever was found in it.
func TestClassifiedCSV(t *testing.T) {
	lines := []string{"Ada met Bob, in Paris", "nobody"}
	for name, c := range map[string]struct {
		r    ClassifyResult
		own  map[int]string
		want string
	}{
		"labels": {
			ClassifyResult{Kind: "softmax", Cosines: [][]float32{{1}}, NoneFits: []bool{false, true}, Labels: [][]Label{{label("b", 0.5), label("a", 0.25)}, {label("a", 0.75), label("b", 0.25)}}},
			nil, "number,text,label,remark,a,b\n1,\"Ada met Bob, in Paris\",b,,0.25,0.5\n2,nobody,,no label fits,0.75,0.25\n",
		},
		"by hand": {
			ClassifyResult{Kind: "softmax", Cosines: [][]float32{{1}}, Labels: [][]Label{{label("b", 0.5), label("a", 0.5)}, {label("a", 0.5), label("b", 0.5)}}},
			map[int]string{1: "b"},
			"number,text,label,remark,a,b\n1,\"Ada met Bob, in Paris\",b,unsure,0.5,0.5\n2,nobody,b,by hand,0.5,0.5\n",
		},
		"in a person's order": {
			ClassifyResult{Kind: "softmax", Cosines: [][]float32{{1}}, Names: []string{"b", "c", "b", "a"}, Labels: [][]Label{{label("a", 0.75), label("b", 0.25)}, {label("b", 0.75), label("a", 0.25)}}},
			nil, "number,text,label,remark,b,a\n1,\"Ada met Bob, in Paris\",a,,0.25,0.75\n2,nobody,b,,0.75,0.25\n",
		},
		"names": {
			ClassifyResult{Kind: "entities", Entities: [][]Entity{{entity("PER", 0, 3), entity("PER", 8, 11), entity("LOC", 16, 21)}, nil}},
			nil, "number,text,Person,Place\n1,\"Ada met Bob, in Paris\",Ada; Bob,Paris\n2,nobody,,\n",
		},
		"gaps": {
			ClassifyResult{Kind: "words", Words: [][][]Label{{labelled(0.5, 0.25), labelled(0.75, 0.125, 0.125)}, nil}},
			nil, "number,text,gap 1,gap 1 probability,gap 1 others,gap 2,gap 2 probability,gap 2 others\n1,\"Ada met Bob, in Paris\",a,0.5,b,a,0.75,b; c\n2,nobody,,,,,,\n",
		},
	} {
		var b strings.Builder
		if err := c.r.WriteCSV(&b, lines, c.own); err != nil || b.String() != c.want {
			t.Errorf("%s: %v\n%s", name, err, b.String())
		}
	}
}

func TestKindOfName(t *testing.T) {
	got := []string{KindOfName("PER"), KindOfName("per"), KindOfName("GPE"), KindOfName("Drug")}
	if !slices.Equal(got, []string{"Person", "Person", "Country or city", "Drug"}) {
		t.Errorf("%q", got)
	}
}
