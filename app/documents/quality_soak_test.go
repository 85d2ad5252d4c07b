//go:build soak

package documents_test

import (
	"os"
	"testing"
)

// TestSharedQuestionsOfAll indexes all documents beside the repository with the
// bundled model and with a larger one, and asks every question.
func TestSharedQuestionsOfAll(t *testing.T) {
	questions := append(sharedQuestions(t), pageQuestions...)
	for _, model := range []string{"", "../../../shared/models/all-MiniLM-L6-v2"} {
		t.Run(model, func(t *testing.T) {
			if _, err := os.Stat(model); model != "" && err != nil {
				t.Skip("the model is not beside this repository")
			}
			s := newService(t)
			indexed(t, s, model, shared)
			for _, q := range questions {
				ask(t, s, q)
			}
		})
	}
}
