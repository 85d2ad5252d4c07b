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
			nil, "number,text,label,by whom,remark,a,b\n1,\"Ada met Bob, in Paris\",b,model,,0.25,0.5\n2,nobody,,,no label fits,0.75,0.25\n",
		},
		"by hand": {
			ClassifyResult{Kind: "softmax", Cosines: [][]float32{{1}}, Labels: [][]Label{{label("b", 0.5), label("a", 0.5)}, {label("a", 0.5), label("b", 0.5)}}},
			map[int]string{1: "b"},
			"number,text,label,by whom,remark,a,b\n1,\"Ada met Bob, in Paris\",b,model,unsure,0.5,0.5\n2,nobody,b,by hand,,0.5,0.5\n",
		},
		"in a person's order": {
			ClassifyResult{Kind: "softmax", Cosines: [][]float32{{1}}, Names: []string{"b", "c", "b", "a"}, Labels: [][]Label{{label("a", 0.75), label("b", 0.25)}, {label("b", 0.75), label("a", 0.25)}}},
			nil, "number,text,label,by whom,remark,b,a\n1,\"Ada met Bob, in Paris\",a,model,,0.25,0.75\n2,nobody,b,model,,0.75,0.25\n",
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
	for code := range kindsOfNames {
		if KindOfName(code) == code {
			t.Errorf("%s stays as it is", code)
		}
	}
}

// A result can be joined to the table that its texts came from: all of its columns and rows are there, in its order,
// and none of the new columns has the name of one that was there.
func TestWriteSheet(t *testing.T) {
	table, err := (&Service{}).ReadTexts(t.Context(), textFile(t, "orders.csv", "id,text,label\n7,\"came\nlate\",x\n8,,y\n9,-5,z\n10,=SUM(A1),\n"))
	if err != nil || len(table.Lines) != 3 {
		t.Fatalf("%+v, %v", table, err)
	}
	lines, from := []string{"typed"}, []Origin{{}}
	for i := 2; i >= 0; i-- { // whatever the order of the list
		lines, from = append(lines, table.Lines[i]), append(from, table.OriginOf("/orders.csv", i))
	}
	r := ClassifyResult{Kind: "softmax", Names: []string{"a", "b"}, Cosines: [][]float32{}}
	for range lines {
		r.Labels = append(r.Labels, []Label{{Name: "a", Value: 0.75}, {Name: "b", Value: 0.25}})
	}
	own := map[int]string{3: "mine"}
	for _, c := range []struct {
		all  bool
		want string
	}{
		{true, "id,text,label,number,row,label 2,by whom,remark,a,b\n7,\"came\nlate\",x,4,2,mine,by hand,,0.75,0.25\n8,,y,,3,,,,,\n9,-5,z,3,4,a,model,,0.75,0.25\n10,'=SUM(A1),,2,5,a,model,,0.75,0.25\n,typed,,1,,a,model,,0.75,0.25\n"},
		{false, "id,text,label,number,row,label 2,by whom,remark,a,b\n7,\"came\nlate\",x,4,2,mine,by hand,,0.75,0.25\n9,-5,z,3,4,a,model,,0.75,0.25\n10,'=SUM(A1),,2,5,a,model,,0.75,0.25\n,typed,,1,,a,model,,0.75,0.25\n"},
	} {
		var b strings.Builder
		if err := r.WriteSheet(&b, lines, own, from, c.all); err != nil || b.String() != c.want {
			t.Errorf("all %v: wrote\n%swant\n%s(%v)", c.all, b.String(), c.want, err)
		}
	}
}

// A text that was edited since its table was read is exported as it is now, beside its label.
func TestEditedTextsInSheets(t *testing.T) {
	table, err := (&Service{}).ReadTexts(t.Context(), textFile(t, "orders.csv", "id,text,team\n7,came late,x\n8,  two  spaces ,y\n"))
	if err != nil || len(table.Lines) != 2 {
		t.Fatalf("%+v, %v", table, err)
	}
	r := ClassifyResult{Kind: "softmax", Names: []string{"a", "b"}, Cosines: [][]float32{}}
	for range 2 {
		r.Labels = append(r.Labels, []Label{{Name: "a", Value: 0.75}, {Name: "b", Value: 0.25}})
	}
	var b strings.Builder
	err = r.WriteSheet(&b, []string{"came early", table.Lines[1]}, nil, []Origin{table.OriginOf("/o.csv", 0), table.OriginOf("/o.csv", 1)}, true)
	if err != nil || !strings.Contains(b.String(), "7,came early,x,1,") || strings.Contains(b.String(), "late") || !strings.Contains(b.String(), "8,\"  two  spaces \",y,2,") {
		t.Errorf("wrote %s, %v", b.String(), err)
	}
}

// A spreadsheet takes no text of an export for a formula, and numbers stay numbers.
func TestNoFormulas(t *testing.T) {
	for text, want := range map[string]string{"": "", "late": "late", "=1+1": "'=1+1", "+1": "+1", "-2,5 %": "-2,5 %", "-1+2": "'-1+2", "- late": "'- late", "-": "'-", "@SUM(1)": "'@SUM(1)", "\tx": "'\tx"} {
		if got := cell(text); got != want {
			t.Errorf("%q became %q, not %q", text, got, want)
		}
	}
	var b strings.Builder
	ranked := RerankResult{Ranking: []Ranked{{Index: 0, Score: 1}}}
	if err := WriteRankings(&b, "=question", []string{"=text"}, nil, []RerankResult{ranked}, nil); err != nil || !strings.Contains(b.String(), "'=question,'=text,1") {
		t.Errorf("a ranking: %q, %v", b.String(), err)
	}
	b.Reset()
	compared := SimilarityResult{Texts: []string{"=text"}, Matrix: [][]float32{{1}}, Groups: Groups{Of: []int{0}, Count: 1, Words: [][]string{{"w"}}}}
	if err := compared.WriteCSV(&b); err != nil || b.String() != "text,'=text\n'=text,1.000000\n" {
		t.Errorf("a matrix: %q, %v", b.String(), err)
	}
	b.Reset()
	if err := compared.WriteGroups(&b); err != nil || !strings.Contains(b.String(), "1,'=text,1,w") {
		t.Errorf("groups: %q, %v", b.String(), err)
	}
}
