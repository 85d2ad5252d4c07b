package cli

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/vecmath"
)

// classify --labels: the bundled model finds the subject of texts among labels that it never saw
// before, and says what it cannot do with labels.
func TestOwnLabels(t *testing.T) {
	subjects := map[string]string{
		"Our dog barks whenever somebody rings the bell.":       "animals",
		"The train to the coast leaves at half past seven.":     "travel",
		"Cook the pasta for ten minutes, then drain it.":        "cooking",
		"Borrowing money has become more expensive this month.": "money",
	}
	var in []string
	for text := range subjects {
		in = append(in, text)
	}
	args := []string{"classify", "--device", "cpu", "--labels", "animals, travel,cooking", "--labels", "money"}
	got := decode[[]classifiedJSON](t, inglenook(t, strings.Join(in, "\n"), append(args, "--json")...).ok(t).stdout)
	if len(got) != len(in) {
		t.Fatalf("%d results", len(got))
	}
	for i, one := range got {
		if len(one.Labels) != 4 || one.Kind != "softmax" || one.Tokens == 0 {
			t.Fatalf("%+v", one)
		}
		if one.Labels[0].Label != subjects[in[i]] {
			t.Errorf("%s is about %+v", in[i], one.Labels)
		}
		sharesOf(t, one.Labels, 20)
	}
	if out := inglenook(t, "", append(args, "a cat")...).ok(t).stdout; strings.Count(out, "\n") != 5 || !strings.HasPrefix(out, "a cat\n") {
		t.Errorf("%q", out)
	}
	const deberta = "../pipeline/testdata/classify-deberta"
	for says, args := range map[string][]string{
		"at least two labels":                {"--labels", "cat,", "tea"},
		"a single label has nothing to be":   {"--labels", "cat,cat", "tea"},
		"write {} once":                      {"--labels", "cat,dog", "--sentence", "about", "tea"},
		"there are none; give --labels":      {"--sentence", "About {}.", "tea"},
		"needs labels to choose from":        {"--image", "a.png"},
		"give pictures alone":                {"--labels", "cat,dog", "--image", "a.png", "tea"},
		"has results of its own":             {"--labels", "cat,dog", "--model", deberta, "tea"},
		"starter-embed reads no pictures":    {"--labels", "cat,dog", "--image", "../pipeline/pictures/testdata/wide.png"},
		"is a language model, which writes":  {"--labels", "cat,dog", "--model", "starter-chat", "tea"},
		"has no head for labels or words, s": {"tea"},
	} {
		if o := inglenook(t, "", append([]string{"classify"}, args...)...); o.code == 0 || !strings.Contains(o.stderr, says) || strings.Count(o.stderr, "\n") != 1 {
			t.Errorf("%v: code %d, %q", args, o.code, o.stderr)
		}
	}
}

// classify --image: the shares of labels come from the cosines of the vectors that embed gives.
func TestOwnLabelsOfPictures(t *testing.T) {
	const source, folder = "../models/testdata/heads/clip", "../pipeline/pictures/testdata/"
	model := t.TempDir()
	for _, name := range []string{"config.json", "model.safetensors"} {
		data, err := os.ReadFile(filepath.Join(source, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(model, name), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	const words = `{"model":{"type":"WordLevel","unk_token":"w","vocab":{"w":0,"w1":1,"cat":2,"dog":3,"bird":4,"<end>":63}},
		"added_tokens":[{"id":63,"content":"<end>","special":true}],"pre_tokenizer":{"type":"WhitespaceSplit"},
		"post_processor":{"type":"TemplateProcessing","single":[{"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"<end>","type_id":0}}],
			"pair":[{"Sequence":{"id":"A","type_id":0}},{"Sequence":{"id":"B","type_id":0}}],"special_tokens":{"<end>":{"id":"<end>","ids":[63],"tokens":["<end>"]}}}}`
	if err := os.WriteFile(filepath.Join(model, "tokenizer.json"), []byte(words), 0o600); err != nil {
		t.Fatal(err)
	}
	pictures := []string{"--image", folder + "wide.png", "--image", folder + "rgb.jpg"}
	vectors := func(args ...string) (all [][]float32) {
		for _, line := range lines(inglenook(t, "", append([]string{"embed", "--json", "--device", "cpu", "--model", model}, args...)...).stdout) { // with a note about the other half
			all = append(all, decode[embedLine](t, line).Embedding)
		}
		return all
	}
	seen, read := vectors(pictures...), vectors("look: cat", "look: dog", "look: bird")
	out := inglenook(t, "", append([]string{"classify", "--json", "--device", "cpu", "--model", model, "--labels", "cat,dog,bird", "--sentence", "look: {}"}, pictures...)...).ok(t).stdout
	got := decode[[]classifiedJSON](t, out)
	if len(got) != 2 {
		t.Fatalf("%s", out)
	}
	for i, one := range got {
		sharesOf(t, one.Labels, 100)
		for k, name := range []string{"cat", "dog", "bird"} {
			for _, l := range one.Labels {
				if want := vecmath.Cosine(seen[i], read[k]); l.Label == name && math.Abs(float64(*l.Cosine)-want) > 1e-5 {
					t.Errorf("picture %d and %s: %v instead of %v", i, name, *l.Cosine, want)
				}
			}
		}
	}
}

// sharesOf checks that labels stand in their order, and that their numbers are the softmax of
// their cosines.
func sharesOf(t *testing.T, all []labelJSON, scale float64) {
	t.Helper()
	sum := 0.0
	for _, l := range all {
		if l.Cosine == nil {
			t.Fatalf("no cosine: %+v", l)
		}
		sum += math.Exp(scale * float64(*l.Cosine))
	}
	for i, l := range all {
		if want := math.Exp(scale*float64(*l.Cosine)) / sum; math.Abs(float64(l.Score)-want) > 1e-4 {
			t.Errorf("%s has %v instead of %v", l.Label, l.Score, want)
		}
		if i > 0 && l.Score > all[i-1].Score {
			t.Errorf("%s stands too low", l.Label)
		}
	}
}

// A classifier where texts are compared, and where one wants to chat, leads to where it belongs.
func TestClassifiersElsewhere(t *testing.T) {
	const deberta = "../pipeline/testdata/classify-deberta"
	embedded := inglenook(t, "", "embed", "--device", "cpu", "--model", deberta, "tea")
	chatted := inglenook(t, "", "chat", "--model", deberta, "--prompt", "tea")
	if embedded.code != 0 || !strings.Contains(embedded.stderr, "inglenook classify") || chatted.code == 0 || !strings.Contains(chatted.stderr, "inglenook classify") {
		t.Errorf("embed says %q, chat %q", embedded.stderr, chatted.stderr)
	}
}
