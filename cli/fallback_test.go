package cli

import (
	"bufio"
	"bytes"
	"context"
	"testing"

	"inglenook/app"
	talks "inglenook/app/chat"
	"inglenook/app/devices"
	"inglenook/app/texts"
)

const smoke = "the device metal failed (it smokes), so cpu takes over"

// A device that failed is reported on standard error, and in JSON beside the operations
// without a kernel.
func TestFallbacksOfVectors(t *testing.T) {
	d := &double{embed: func(context.Context, texts.EmbedRequest) (texts.EmbedResult, error) {
		return texts.EmbedResult{
			Vectors: [][]float32{{1}}, Tokens: []int{3}, Truncated: []bool{false}, Device: "cpu", Notices: []string{smoke},
			Fallbacks: []devices.Fallback{{Device: "metal", RunsOn: "cpu", Reason: "no kernel", Count: 7}},
		}, nil
	}}
	o := runWith(t, context.Background(), nil, func(app.Options) (App, error) { return d, nil }, "embed", "--json", "--stats", "x")
	want := "note: " + smoke + "\nnote: input runs on cpu, because metal has no kernel: no kernel\n"
	if o.code != 0 || o.stderr != want {
		t.Errorf("code %d, error output %q", o.code, o.stderr)
	}
	stats := decode[embedStatsJSON](t, lines(o.stdout)[1])
	if len(stats.Fallbacks) != 2 || stats.Fallbacks[1] != (fallbackJSON{"all", smoke}) || stats.Device != "cpu" {
		t.Errorf("%+v", stats)
	}
}

// A failure in the middle of an answer is reported at once, on a terminal below the unfinished
// line. The answer itself is unchanged.
func TestNoticeWithinAnAnswer(t *testing.T) {
	for _, c := range []struct {
		terminal, silent bool
		out              string
	}{{false, false, "one two\n"}, {true, false, "one \ntwo\n"}, {false, true, ""}} {
		var out, notes bytes.Buffer
		work := &call{out: bufio.NewWriter(&out), stderr: &notes, terminal: c.terminal, clearBar: func() {}}
		w := writer{call: work, silent: c.silent}
		w.token(talks.Token{ID: 1, Text: "one "})
		w.token(talks.Token{ID: 2, Text: "two", Notice: smoke})
		w.end(nil)
		if out.String() != c.out || notes.String() != "note: "+smoke+"\n" {
			t.Errorf("%+v: %q, %q", c, out.String(), notes.String())
		}
	}
	var a talks.Answer
	a.Finished.Notices = []string{smoke}
	if got := answerJSON(a, &talks.Writer{Notices: []string{"earlier"}}); len(got.Fallbacks) != 2 || got.Fallbacks[0].Reason != "earlier" || got.Fallbacks[1].Reason != smoke {
		t.Errorf("%+v", got.Fallbacks)
	}
}
