package sources

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"testing"

	"inglenook/app/chat"
)

// passage is one of a file.
func passage(id int64, text string) chat.Part {
	data, _ := json.Marshal(chat.Source{Collection: "papers", ID: id, Path: "/papers/boats.pdf", Page: int(id)})
	return chat.Part{Kind: chat.PartPassage, Name: "boats.pdf, page " + strconv.FormatInt(id, 10), Text: text, Data: data}
}

func found(passages, others []chat.Part) chat.Retrieved {
	return chat.Retrieved{Passages: passages, Others: others}
}

func texts(parts []chat.Part) (list []string) {
	for _, p := range parts {
		list = append(list, p.Text)
	}
	return list
}

func TestPicked(t *testing.T) {
	one, two, three, four := passage(1, "one"), passage(2, "two"), passage(3, "three"), passage(4, "four")
	var p Picked
	if p.Sees("") || p.Edited() || len(p.Items()) > 0 {
		t.Error("at first there is something")
	}
	p.Take("q", found([]chat.Part{one, two}, []chat.Part{three}), nil)
	if got := texts(p.Parts()); !slices.Equal(got, []string{"one", "two"}) || !p.Sees("q") || p.Sees("q?") {
		t.Errorf("found: %v", got)
	}
	aside := p // as a draft that is put aside
	p.Decide(one, false)
	p.Decide(three, true)
	if got := texts(p.Parts()); !slices.Equal(got, []string{"two", "three"}) || !p.Edited() || !p.Sees("something else") {
		t.Errorf("chosen: %v", got)
	}
	if got := texts(aside.Parts()); !slices.Equal(got, []string{"one", "two"}) || aside.Edited() {
		t.Errorf("what was put aside has changed to %v", got)
	}
	// Another search keeps what the person decided, also where it finds other passages.
	p.Take("q2", found([]chat.Part{four, one}, nil), nil)
	if got := texts(p.Parts()); !slices.Equal(got, []string{"four", "three"}) {
		t.Errorf("after another search: %v", got)
	}
	items := p.Items()
	if last := items[len(items)-1]; last.In || last.Part.Text != "one" {
		t.Errorf("what was left out cannot be added again: %+v", items)
	}
	p.Decide(one, true)
	if got := texts(p.Parts()); !slices.Contains(got, "one") {
		t.Errorf("added again: %v", got)
	}
}

// What was found is not what goes along where the search failed, is under way or found no
// answer: then the answer's own search decides.
func TestNotSeen(t *testing.T) {
	one := passage(1, "one")
	for name, p := range map[string]*Picked{
		"failed":  {Question: "q", Err: errors.New("no"), Found: found([]chat.Part{one}, nil)},
		"busy":    {Question: "q", Busy: true, Found: found([]chat.Part{one}, nil)},
		"missing": {Question: "q", Found: chat.Retrieved{Passages: []chat.Part{one}, Missing: "Nothing."}},
		"nothing": {Question: "q"},
	} {
		if p.Sees("q") {
			t.Errorf("%s: it is seen", name)
		}
	}
}

// Damaged records of passages are told apart by their texts.
func TestDamagedPassages(t *testing.T) {
	a, b := chat.Part{Kind: chat.PartPassage, Text: "a", Data: []byte("{")}, chat.Part{Kind: chat.PartPassage, Text: "b"}
	var p Picked
	p.Take("q", found([]chat.Part{a, b, a}, nil), nil)
	p.Decide(a, false)
	if got := texts(p.Parts()); !slices.Equal(got, []string{"b"}) {
		t.Errorf("left are %v", got)
	}
}
