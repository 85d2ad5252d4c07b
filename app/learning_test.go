package app

import (
	"context"
	"slices"
	"testing"

	"inglenook/app/base"
	"inglenook/app/texts"
)

// messages are what guests of a hotel write, by who has to read it. The words of the labels tell little of that.
var messages = []struct {
	label string
	texts []string
}{
	{"front desk", []string{
		"Can I arrive after midnight on Friday?", "We would like to stay one more night.", "Please change my booking to two single rooms.",
		"At what time do we have to leave on Sunday?", "I forgot my passport in the safe.", "Could you order a taxi to the airport for six?",
		"Is there somewhere to leave our suitcases until the evening?", "My name is spelled wrongly on the reservation.",
		"Do you have a room with a view of the lake in May?", "I have to cancel the second night.",
	}},
	{"kitchen", []string{
		"The soup was cold when it came.", "Is there anything without nuts for my daughter?", "We waited forty minutes for the omelette.",
		"Could we have breakfast before seven?", "The vegetables were boiled to a paste.", "A table for eight tomorrow at half past seven, please.",
		"Do you have a menu for vegans?", "There was a hair in my salad.", "The coffee tastes burnt.", "I am allergic to shellfish.",
	}},
	{"rooms", []string{
		"There are no fresh towels in the bathroom.", "The sheets had not been changed.", "Could I have a second pillow?",
		"The bin was not emptied today.", "There is dust under the bed.", "We need more toilet paper.",
		"The carpet has a large stain.", "Nobody cleaned up while we were out.", "The mirror is full of fingerprints.", "Please bring another blanket, it is cold at night.",
	}},
	{"workshop", []string{
		"The heating makes a knocking noise.", "The lamp beside the bed flickers.", "Water drips from the tap all night.",
		"The lift is stuck on the third floor.", "The television shows no picture.", "The key card does not open the door.",
		"There is no hot water in the shower.", "The wireless network drops every few minutes.", "The window does not close.", "The socket near the desk has no power.",
	}},
}

// Labels that learn from three texts each are right more often about the others than their words alone, and a label
// without examples does not lose its texts.
func TestLabelsLearn(t *testing.T) {
	a := newRealApp(t)
	var names, lines, right []string
	examples := map[int]string{}
	for _, m := range messages {
		names = append(names, m.label)
		for k, text := range m.texts {
			if k < 3 {
				examples[len(lines)] = m.label
			}
			lines, right = append(lines, text), append(right, m.label)
		}
	}
	r := texts.ClassifyRequest{Labels: names, Texts: lines, Compare: true}
	r.Device = "cpu"
	classify := func(vectors [][]float32, examples map[int]string) (texts.ClassifyResult, int) {
		r.Vectors, r.Examples = vectors, examples
		got, err := a.Classify(context.Background(), r, nil)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for i := range lines {
			if i%10 >= 3 && got.Labels[i][0].Name == right[i] {
				n++
			}
		}
		return got, n
	}
	words, before := classify(nil, nil)
	again, same := classify(words.Vectors, nil)
	if same != before || !slices.Equal(again.Labels[7], words.Labels[7]) {
		t.Errorf("with known vectors %d are right, not %d", same, before)
	}
	var read []string
	r.Vectors, r.Examples = words.Vectors, examples
	learned, err := a.Classify(context.Background(), r, func(p base.Progress) {
		if !slices.Contains(read, p.Unit) {
			read = append(read, p.Unit)
		}
	})
	if err != nil || slices.Contains(read, "texts") {
		t.Errorf("it read %q again, error %v", read, err)
	}
	_, after := classify(words.Vectors, examples)
	t.Logf("of 28 texts %d are right by the words of the labels, %d after examples", before, after)
	if after < before+4 || learned.Model.ID == "" || learned.Device == "" {
		t.Errorf("%d are right, before %d; by %q on %q", after, before, learned.Model.ID, learned.Device)
	}
	few := map[int]string{}
	for i, name := range examples {
		if name == "kitchen" {
			few[i] = name
		}
	}
	one, _ := classify(words.Vectors, few)
	lost := 0
	for i := range lines {
		if words.Labels[i][0].Name == right[i] && right[i] != "kitchen" && one.Labels[i][0].Name == "kitchen" {
			lost++
		}
	}
	if lost > 1 {
		t.Errorf("%d texts of labels without examples went to the one with", lost)
	}
}
