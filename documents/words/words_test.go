package words

import "testing"

// The stems are those of Porter's own list.
func TestStem(t *testing.T) {
	for word, want := range map[string]string{
		"caresses": "caress", "ponies": "poni", "cats": "cat", "feed": "feed", "agreed": "agre", "plastered": "plaster",
		"motoring": "motor", "sing": "sing", "conflated": "conflat", "hopping": "hop", "falling": "fall", "hissing": "hiss",
		"filing": "file", "happy": "happi", "sky": "sky", "relational": "relat", "conditional": "condit", "rational": "ration",
		"digitizer": "digit", "vietnamization": "vietnam", "predication": "predic", "operator": "oper", "feudalism": "feudal",
		"decisiveness": "decis", "hopefulness": "hope", "formaliti": "formal", "triplicate": "triplic", "formative": "form",
		"electrical": "electr", "goodness": "good", "revival": "reviv", "allowance": "allow", "inference": "infer",
		"airliner": "airlin", "adjustable": "adjust", "replacement": "replac", "adoption": "adopt", "communism": "commun",
		"activate": "activ", "effective": "effect", "probate": "probat", "rate": "rate", "cease": "ceas", "controll": "control", "roll": "roll",
		"größe": "große", "Été": "et",
	} {
		if got := Stem(word); got != want {
			t.Errorf("stem of %s: %s, not %s", word, got, want)
		}
	}
}
