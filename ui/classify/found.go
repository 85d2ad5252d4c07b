package classify

import (
	"cmp"
	"fmt"
	"image"
	"slices"
	"strings"

	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// found is what a run gave, with what it was asked.
type found struct {
	texts.ClassifyResult
	asked request
	lines []string       // the texts, and of pictures the names
	from  []texts.Origin // of the texts
	small []image.Image  // of each picture, nil for a text
	part  bool           // others were left out
	own   map[int]string // the labels that a person gave texts by hand, by text
	were  map[int][]int  // the ids of the texts that a person edited to get these, by the ids of these

	learned int   // from how many of own the labels learned
	changed []int // the texts that have another label since

	earlier map[int][]string  // labels given by hand before, which the list of labels lacked when another took their place; by text, the last first
	gone    map[same][]string // those of texts that are not there any more, the present one first
}

// line is one thing that was found in a text.
type line struct {
	name  string
	note  string
	value float64 // from 0 to 1
	plain bool    // the value is no share of anything
}

// in lists what was found in text i, the best first.
func (f *found) in(i int) (list []line) {
	switch {
	case f.Entities != nil:
		for _, e := range f.Entities[i] {
			list = append(list, line{name: f.lines[i][e.Start:e.End], note: texts.KindOfName(e.Label), value: float64(e.Score)})
		}
	case f.Words != nil:
		for gap, words := range f.Words[i] {
			for _, w := range words {
				note := ""
				if len(f.Words[i]) > 1 {
					note = fmt.Sprintf("gap %d", gap+1)
				}
				list = append(list, line{name: w.Name, note: note, value: float64(w.Value)})
			}
		}
	default:
		for _, l := range f.Labels[i] {
			list = append(list, line{name: l.Name, value: float64(l.Value), plain: f.Kind == "values"})
		}
	}
	return list
}

// bars are what was found in text i as it is listed: labels keep their places whatever text is in view.
func (f *found) bars(i int) []line {
	list := f.in(i)
	if order := f.fixed(); order != nil {
		slices.SortStableFunc(list, func(a, b line) int { return cmp.Compare(placeIn(order, a.name), placeIn(order, b.name)) })
	}
	return list
}

// marks are the places of text i that the model marked.
func (f *found) marks(i int) (list []kit.Mark) {
	if f.Entities == nil {
		return nil
	}
	for _, e := range f.Entities[i] {
		list = append(list, kit.Mark{Start: e.Start, End: e.End, Label: texts.KindOfName(e.Label)})
	}
	return list
}

// best says in a few words what was found in text i, and how sure that is.
func (f *found) best(i int) (what string, sure line) {
	list := f.in(i)
	switch {
	case f.Entities != nil && len(list) > 0:
		names := make([]string, len(list))
		for k, l := range list {
			names[k] = l.name
		}
		return strings.Join(names, ", "), line{}
	case f.Words != nil && len(list) > 0:
		var words []string
		for _, gap := range f.Words[i] {
			words = append(words, gap[0].Name)
		}
		return strings.Join(words, ", "), list[0]
	case f.Words != nil:
		return "no gap", line{}
	case len(list) == 0:
		return "nothing found", line{}
	}
	if f.byHand(i) {
		return f.own[i], line{}
	}
	switch f.Verdict(i) {
	case texts.Outside:
		return "maybe " + list[0].name, line{}
	case texts.Close:
		return list[0].name + " or " + list[1].name + "?", list[0]
	case texts.Improbable:
		return list[0].name + "?", list[0]
	}
	return strings.Join(f.Of(i), ", "), list[0]
}

// byHand reports whether a person gave text i its label.
func (f *found) byHand(i int) bool {
	_, ok := f.own[i]
	return ok && f.mayGive()
}

// verdict is how far the best label of text i can be trusted: one that a person gave it, without doubt.
func (f *found) verdict(i int) texts.Verdict {
	if f.byHand(i) {
		return texts.Sure
	}
	return f.Verdict(i)
}

// doubt says what is to be said of the labels of text i; "": nothing.
func (f *found) doubt(i int) string {
	switch {
	case f.byHand(i) && f.foreign(i):
		return fmt.Sprintf("You gave it the label “%s”, which is not on the list of labels now.", kit.Brief(f.own[i]))
	case f.byHand(i):
		return "You gave it this label."
	}
	best := func(k int) string { return kit.Brief(f.Labels[i][k].Name) }
	switch f.Verdict(i) {
	case texts.Outside:
		return fmt.Sprintf("No label fits well. Even “%s” is no closer to it than labels about something else. If one must be chosen:", best(0))
	case texts.Close:
		return fmt.Sprintf("Unsure: “%s” and “%s” fit almost equally well.", best(0), best(1))
	case texts.Improbable:
		return "Unsure: the model finds none of its labels likely."
	}
	return ""
}

// says writes the value of a line.
func (l line) says() string {
	if l.plain {
		return fmt.Sprintf("%.3f", l.value)
	}
	return kit.Percent(l.value)
}

// title names what the rows show.
func (f *found) title() string {
	switch {
	case f.Entities != nil:
		return "Names in each text"
	case f.Words != nil:
		return "Best words for the gaps"
	}
	return "Best label for each " + strings.TrimPrefix(f.one(), "a ")
}

// meaning says what the numbers mean.
func (f *found) meaning() string {
	judged := f.Match != nil && f.seen() > 0
	switch {
	case judged && f.seen() == len(f.lines):
		return "How probable the model finds it that each of your labels fits. Several may fit a picture, or none."
	case judged:
		return "How well each of your labels fits. The shares of a text add up to 100 %, even if no label fits it. Each label of a picture has a probability of its own."
	case f.Cosines != nil:
		return "How well each of your labels fits, compared with the others. The shares of " + f.one() + " add up to 100 %."
	case f.Kind == "softmax":
		return "How probable the model finds each of its labels. Those of a text add up to 100 %."
	case f.Kind == "sigmoid":
		return "How probable the model finds each of its labels. A text may have several."
	case f.Kind == "entities":
		return "What the model marks in each text, and how sure it is."
	case f.Kind == "words":
		return "The words that the model finds most probable for each gap."
	}
	return "The numbers that the model gives each text."
}

// one names one of the items: "a text", "a picture", "a text or picture".
func (f *found) one() string {
	switch f.seen() {
	case 0:
		return "a text"
	case len(f.lines):
		return "a picture"
	}
	return "a text or picture"
}

// facts say what it took.
func (f *found) facts() string {
	facts := []string{f.items() + " in " + kit.Duration(f.Took), f.Model.Title()}
	if f.Device != "" {
		facts = append(facts, "computed by "+panel.DeviceName(f.Device))
	}
	if f.learned > 0 {
		facts = append(facts, "learned from "+kit.Count(f.learned, "text")+" by hand")
	}
	return strings.Join(facts, "  ·  ")
}

// details say how the numbers came about; "": there is no more to say.
func (f *found) details() string {
	all := f.codes()
	if f.Cosines != nil {
		how := func(picture bool, shares string) string {
			return fmt.Sprintf("Each label was read as a sentence, such as “%s” The model says how close in meaning %s is to each of them. %s",
				strings.ReplaceAll(texts.ClassifyRequest{Sentence: f.asked.sentence}.SentenceFor(picture), "{}", split(f.asked.labels)[0]), map[bool]string{false: "the text", true: "the picture"}[picture], shares)
		}
		shares := func(scale float64) string {
			return fmt.Sprintf("Of two labels, one that is closer by %.2f gets nearly three times the share of the other.", 1/scale)
		}
		seen := f.seen()
		if seen < len(f.lines) {
			all = append(all, how(false, shares(texts.TextScale)))
			if f.learned > 0 {
				all = append(all, "A label is closer also to texts that are like those to which you gave it by hand.")
			}
			if f.NoneFits != nil {
				all = append(all, "No label fits well where labels about something else are as close to the text. Not every such text is noticed.")
			}
		}
		switch {
		case seen > 0 && f.Match != nil:
			all = append(all, how(true, fmt.Sprintf("It turns that into a probability for each label: 50 %% where they are %.2f close, with 1 as the closest.", -f.Match.Bias/f.Match.Scale)))
		case seen > 0:
			all = append(all, how(true, shares(texts.PictureScale)))
		}
	}
	return strings.Join(all, " ")
}

// codes say what the model itself calls the kinds of names that it marked.
func (f *found) codes() (all []string) {
	for _, list := range f.Entities {
		for _, e := range list {
			if kind := texts.KindOfName(e.Label); kind != e.Label && len(all) < 20 {
				if says := fmt.Sprintf("%s is %s", kind, kit.Brief(e.Label)); !slices.Contains(all, says) {
					all = append(all, says)
				}
			}
		}
	}
	if all == nil {
		return nil
	}
	return []string{"In the model's own words: " + strings.Join(all, ", ") + "."}
}

// seen is how many of the texts are pictures.
func (f *found) seen() (n int) {
	for _, small := range f.small {
		if small != nil {
			n++
		}
	}
	return n
}

// items counts what was classified: "3 texts", "2 pictures", "3 texts and 2 pictures".
func (f *found) items() string {
	seen := f.seen()
	written := len(f.lines) - seen
	switch {
	case seen == 0:
		return kit.Count(written, "text")
	case written == 0:
		return kit.Count(seen, "picture")
	}
	return kit.Count(written, "text") + " and " + kit.Count(seen, "picture")
}

// remarks list what a reader of the result must know.
func (f *found) remarks() string {
	var all []string
	for _, n := range append(append([]string{}, f.Notices...), f.Notes...) {
		all = append(all, kit.Sentence(n))
	}
	return strings.Join(append(all, panel.FallbackSentences(f.Fallbacks)...), "  ")
}
