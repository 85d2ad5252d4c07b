//go:build quality

package pipeline_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"inglenook/pipeline"
)

// TestQualityStarterChat asks the bundled language model the held-out prompts. Each line
// has a kind, a pattern that a right answer matches, and the prompt. The pattern MODEL
// means that the answer must decline. An answer that does not end by itself, or repeats
// ten words, is wrong.
func TestQualityStarterChat(t *testing.T) {
	g := openGenerator(t, starterChat, pipeline.GeneratorOptions{})
	for _, file := range []string{"heldout.tsv", "tried.tsv"} {
		data, err := os.ReadFile("../training/chat/" + file)
		if err != nil {
			t.Fatal(err)
		}
		total, good := map[string]int{}, map[string]int{}
		for line := range strings.Lines(string(data)) {
			part := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
			a := asked(t, g, strings.ReplaceAll(part[2], `\n`, "\n"))
			total[part[0]]++
			if rightAnswer(part[1], a) {
				good[part[0]]++
			} else {
				t.Logf("%s: %s: %s | %s", file, part[0], part[2], a.text)
			}
		}
		t.Logf("%s: %v right of %v", file, good, total)
		for kind, bar := range map[string]float64{"app": 0.9, "world": 0.9, "passage": 0.7} {
			if float64(good[kind]) < bar*float64(total[kind]) {
				t.Errorf("%s: %d of %d right about %s, want %.0f %%", file, good[kind], total[kind], kind, 100*bar)
			}
		}
	}
}

func rightAnswer(wanted string, a told) bool {
	switch {
	case a.finished.Reason != pipeline.FinishStop || strings.TrimSpace(a.text) == "" || repeats(a.text, 10):
		return false
	case wanted == "MODEL":
		return declines.MatchString(a.text)
	}
	return regexp.MustCompile("(?s)"+wanted).MatchString(a.text) && !declines.MatchString(strings.ReplaceAll(a.text, "starter model that", ""))
}

// repeats reports whether a text has the same n words in a row twice.
func repeats(text string, words int) bool {
	all, seen := strings.Fields(text), map[string]bool{}
	for i := 0; i+words <= len(all); i++ {
		run := strings.Join(all[i:i+words], " ")
		if seen[run] {
			return true
		}
		seen[run] = true
	}
	return false
}
