package pieces

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// FuzzAnswers: whatever a server sends, reading it ends, within the limits, and never fails but by an error.
func FuzzAnswers(f *testing.F) {
	for _, s := range []string{
		"data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: [DONE]\n\n", "event: error\ndata: x\n\n", "error: {}\n\n", ": c\n\nid: 3\n\n",
		"{\"message\":{\"content\":\"a\"}}\n{\"done\":true}\n", "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":-1,\"function\":{\"arguments\":{}}}]}}]}\n\n",
	} {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, sent string, sse bool) {
		const most = 1 << 16
		events := NewEvents(iotest.OneByteReader(strings.NewReader(sent)), sse, Limits{Line: most, All: most})
		var calls Calls
		for n := 0; ; n++ {
			data, err := events.Next()
			if err != nil {
				break
			}
			if n > len(sent) {
				t.Fatal("more events than bytes")
			}
			parse := Ollama
			if sse {
				parse = OpenAI
			}
			p, err := parse(data)
			if err == nil && (p.Usage.Prompt < 0 || p.Usage.Completion < 0) {
				t.Errorf("counts %+v", p.Usage)
			}
			calls.Add(p.Calls)
		}
		if got := calls.Done(nil); len(got.Calls) > 0 {
			t.Errorf("calls without tools: %+v", got.Calls)
		}
	})
}

// TestLimits: a line and an answer beyond their limits are refused, whichever way they come.
func TestLimits(t *testing.T) {
	for name, sent := range map[string]string{
		"a line": "data: " + strings.Repeat("x", 200), "an event": strings.Repeat("data: 1234567\n", 20), "all": strings.Repeat("\n", 2000), "no lines": strings.Repeat("x", 200),
	} {
		events := NewEvents(strings.NewReader(sent), true, Limits{Line: 100, All: 1000})
		var err error
		for err == nil {
			_, err = events.Next()
		}
		if !errors.Is(err, ErrTooLong) {
			t.Errorf("%s: %v", name, err)
		}
	}
	events := NewEvents(iotest.ErrReader(io.ErrClosedPipe), true, Limits{Line: 100, All: 100})
	if _, err := events.Next(); !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
}
