package texts

import (
	"slices"
	"strings"
	"testing"
)

// The words that stand for a group are those that its texts share and the others do not have; forms of one
// word count once, and what all texts have does not count.
func TestKeywords(t *testing.T) {
	lines := []string{
		"The parcel came late.", "A parcel that the courier lost.", "Late parcels, and the courier was rude.", "The Courier left the parcel in the rain, late.",
		"The invoice is wrong.", "I was charged twice on the invoice.", "They charge me although the invoice is paid.",
		"Die Rechnung war falsch.",
	}
	g := Groups{Of: []int{0, 0, 0, 0, 1, 1, 1, 2}, Count: 3}
	got := g.keywords(lines, 3)
	for k, want := range []string{"parcel courier late", "invoice", ""} {
		sorted := func(words []string) []string { return slices.Sorted(slices.Values(words)) }
		if k < 2 && !slices.Equal(sorted(got[k]), sorted(strings.Fields(want))) {
			t.Errorf("group %d: %q instead of %q", k, got[k], want)
		}
	}
	if len(got[2]) != 2 || !slices.Contains(got[2], "Rechnung") {
		t.Errorf("a group of one text: %q", got[2])
	}
	if got := (Groups{Of: []int{0, 0, 1, 1}, Count: 2}).keywords([]string{"東京は夜", "大阪は昼", "1 2", "3 4"}, 3); len(got[0])+len(got[1]) != 0 {
		t.Errorf("without words: %q", got)
	}
}

// Words without which no sentence gets by stand for nothing, in English and in German, and neither do words that
// most texts have.
func TestStopWords(t *testing.T) {
	lines := []string{
		"The order was late and the courier was rude.", "The order came after the courier had gone.", "Where is the order that the courier took?",
		"Und dann war die Rechnung der Order falsch.", "Die Rechnung und der Order waren nicht richtig.", "The order has no lid.",
	}
	got := Groups{Of: []int{0, 0, 0, 1, 1, 0}, Count: 2}.keywords(lines, 3)
	if !slices.Equal(got[0], []string{"courier"}) || !slices.Equal(got[1], []string{"Rechnung"}) {
		t.Errorf("%q", got)
	}
}

// What every letter has around what it says does not stand for a group of letters.
func TestLetters(t *testing.T) {
	for text, want := range map[string]string{
		"From: Ann Low <ann@low.example> To: Tom Subject: Invoice 7 Dear Mr Brown, the sum is wrong. Kind regards, Ann":      "Invoice 7  the sum is wrong.",
		"Von: Ann Betreff: Rechnung Datum: 3.11. Sehr geehrte Frau Weiß, der Betrag ist falsch. Mit freundlichen Grüßen Ann": "Rechnung 3.11.  der Betrag ist falsch.",
		"Dear is the price, and the date: 3 May.": "Dear is the price, and the date: 3 May.",
		"Kind regards is how he began, and then he wrote three more pages about how the parcel was lost in the rain between two towns and nobody knew.": "Kind regards is how he began, and then he wrote three more pages about how the parcel was lost in the rain between two towns and nobody knew.",
	} {
		if got := strings.TrimSpace(contentOf(text)); got != want {
			t.Errorf("of %q\nremains %q\nnot     %q", text, got, want)
		}
	}
}

// The texts that are most like the others of their group come first.
func TestCentral(t *testing.T) {
	r := SimilarityResult{Vectors: [][]float32{{0, 1}, {1, 0}, {0.8, 0.6}, {0.6, 0.8}}}
	if got := r.Central([]int{1, 2, 3}); !slices.Equal(got, []int{2, 3, 1}) {
		t.Errorf("%v", got)
	}
	if got := r.Central(nil); len(got) != 0 {
		t.Errorf("none: %v", got)
	}
}

// The CSV of the groups has one row a text.
func TestGroupsCSV(t *testing.T) {
	r := SimilarityResult{Texts: []string{"a late parcel", "a wrong invoice", "a lost parcel"}}
	r.Groups = Groups{Of: []int{0, 1, 0}, Order: []int{0, 2, 1}, Count: 2}.WithWords(r.Texts)
	var b strings.Builder
	if err := r.WriteGroups(&b); err != nil || b.String() != "number,text,group,words\n1,a late parcel,1,parcel\n2,a wrong invoice,2,invoice; wrong\n3,a lost parcel,1,parcel\n" {
		t.Errorf("%v\n%s", err, b.String())
	}
	b.Reset()
	r.Groups = r.Groups.Renamed(1, "Bills")
	if err := r.WriteGroups(&b); err != nil || !strings.HasPrefix(b.String(), "number,text,group,words,name\n1,a late parcel,1,parcel,\n2,a wrong invoice,2,invoice; wrong,Bills\n") {
		t.Errorf("%v\n%s", err, b.String())
	}
	if err := (SimilarityResult{Texts: []string{"a"}}).WriteGroups(&b); err == nil {
		t.Error("texts without groups are written")
	}
}
