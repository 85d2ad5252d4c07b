package pool

import "testing"

// What a busy model does is said in words for each kind of work.
func TestWorkOf(t *testing.T) {
	for job, want := range map[string]string{
		"chat": "it writes an answer", "rerank": "it ranks texts", "embed": "it reads texts or pictures, as for Documents or Similarity",
		"embed pictures": "it reads texts or pictures, as for Documents or Similarity", "forward": "it is being measured or tried",
	} {
		if got := workOf(job); got != want {
			t.Errorf("%s: %q", job, got)
		}
	}
}
