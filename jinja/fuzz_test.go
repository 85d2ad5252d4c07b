package jinja

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

var small = Limits{Steps: 20_000, Depth: 500, Output: 64 << 10, Memory: 1 << 20, Time: time.Minute}

// bounded renders within small limits and checks that they hold.
func bounded(t *testing.T, source string, given map[string]any) {
	tmpl, err := Parse("fuzz", source)
	if err != nil {
		if !strings.HasPrefix(err.Error(), "chat template fuzz, ") && !strings.Contains(err.Error(), "that a template may have") {
			t.Fatalf("the error names no place: %v", err)
		}
		return
	}
	out, err := tmpl.Render(t.Context(), given, small)
	if err != nil && !strings.Contains(err.Error(), "fuzz") {
		t.Fatalf("the error does not name the template: %v", err)
	}
	if most := small.Output + outputPerByte*(1<<14); len(out) > most {
		t.Fatalf("%d bytes of text", len(out))
	}
	if errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("20,000 steps took more than %v", small.Time)
	}
}

func FuzzTemplate(f *testing.F) {
	e := readExpected(f)
	for _, p := range e.Probes {
		f.Add(p.Source)
	}
	for _, r := range e.Renders {
		if r.Conversation == "one" {
			f.Add(templateSource(f, r.Template))
		}
	}
	for _, source := range hostile {
		if len(source) < 2000 {
			f.Add(source)
		}
	}
	given := vars(f, string(e.ProbeVars))
	for name, v := range vars(f, string(e.Conversations["call"])) {
		given[name] = v
	}
	f.Fuzz(func(t *testing.T, source string) { bounded(t, source, given) })
}

// TestCut cuts templates off at every byte.
func TestCut(t *testing.T) {
	e := readExpected(t)
	given := vars(t, string(e.Conversations["call"]))
	for _, name := range []string{"typed-tools.jinja", "spaces.jinja", "thinking.jinja"} {
		source := templateSource(t, name)
		for i := range len(source) {
			bounded(t, source[:i], given)
			if i%5 == 0 {
				bounded(t, source[i:], given)
			}
		}
	}
}

// TestConcurrent renders one template from many goroutines with the same
// variables.
func TestConcurrent(t *testing.T) {
	e := readExpected(t)
	tmpl, err := Parse("shared", templateSource(t, "typed-tools.jinja"))
	if err != nil {
		t.Fatal(err)
	}
	given := vars(t, string(e.Conversations["call"]))
	want, err := tmpl.Render(t.Context(), given, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	for range 8 {
		go func() {
			var failed error
			for range 20 {
				got, err := tmpl.Render(context.Background(), given, Limits{})
				if err == nil && got != want {
					err = errors.New("another text: " + got)
				}
				failed = errors.Join(failed, err)
			}
			done <- failed
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestFromJSON(t *testing.T) {
	for _, c := range []struct{ data, want, problem string }{
		{`{"b": 1, "a": [2.0, 1e2, -3, null, true, "é"]}`, `{"b": 1, "a": [2.0, 100.0, -3, null, true, "é"]}`, ""},
		{`18446744073709551616`, `18446744073709551616`, ""},
		{`{"a": 1, "b": 2, "a": 3}`, `{"a": 3, "b": 2}`, ""},
		{``, ``, "no JSON"},
		{`{"a": [1, 2`, ``, "ends in the middle"},
		{`{"a"`, ``, "ends in the middle"},
		{`1 2`, ``, "more after"},
		{`{"a": nope}`, ``, "invalid"},
		{strings.Repeat("[", 1000), ``, "deep"},
		{strings.Repeat("9", 6000), ``, "too large"},
	} {
		v, err := FromJSON(strings.NewReader(c.data))
		if c.problem != "" {
			if err == nil || !strings.Contains(err.Error(), c.problem) {
				t.Errorf("%.40s gives %v, not %q", c.data, err, c.problem)
			}
			continue
		}
		got, err := render(t, "{{ v | tojson }}", map[string]any{"v": v})
		if err != nil || got != c.want {
			t.Errorf("%s becomes %s, %v", c.data, got, err)
		}
	}
}

// TestVars passes Go values to a template.
func TestVars(t *testing.T) {
	given := map[string]any{"a": map[string]any{"z": 1, "b": []any{nil, true, 2.5, int64(3)}}, "bad": "x\xffy"}
	got, err := render(t, "{{ a | tojson }} {{ bad }}", given)
	if want := `{"b": [null, true, 2.5, 3], "z": 1} x` + "\uFFFD" + `y`; err != nil || got != want {
		t.Errorf("got %s, %v", got, err)
	}
	if _, err := render(t, "", map[string]any{"c": make(chan int)}); err == nil || !strings.Contains(err.Error(), "chan int") {
		t.Errorf("a channel gives %v", err)
	}
	deep := any("x")
	for range 1000 {
		deep = []any{deep}
	}
	if _, err := render(t, "", map[string]any{"c": deep}); err == nil || !strings.Contains(err.Error(), "deep") {
		t.Errorf("a deep list gives %v", err)
	}
	upper := MapStrings(&List{[]any{"a", int64(1)}}, strings.ToUpper).(*List)
	if upper.Items[0] != "A" || upper.Items[1] != int64(1) {
		t.Errorf("mapped to %v", upper.Items)
	}
}
