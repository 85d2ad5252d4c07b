//go:build soak

package documents_test

import (
	"os"
	"testing"
)

func TestSoakKill(t *testing.T) { killOften(t, 500) }

func TestSoakMoveKilled(t *testing.T) { killMoves(t, 200) }

func TestSoakMoveServerKilled(t *testing.T) { killMovesServer(t, 200) }

// TestSoakQuestions indexes all documents beside the repository with the bundled model
// and with a larger one, and asks every question.
func TestSoakQuestions(t *testing.T) {
	questions := append(sharedQuestions(t), pageQuestions...)
	for _, m := range []struct{ name, dir string }{
		{"starter-embed", ""},
		{"all-MiniLM-L6-v2", "../../../shared/models/all-MiniLM-L6-v2"},
	} {
		t.Run(m.name, func(t *testing.T) {
			if _, err := os.Stat(m.dir); m.dir != "" && err != nil {
				t.Skip("the model is not beside this repository")
			}
			s := newService(t)
			indexed(t, s, m.dir, shared)
			for _, q := range questions {
				ask(t, s, q)
			}
		})
	}
}
