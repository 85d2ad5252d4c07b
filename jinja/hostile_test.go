package jinja

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

// grow makes a template that doubles something n times.
func grow(start, step, use string) string {
	return "{% set ns = namespace(x=" + start + ") %}{% for i in range(64) %}{% set ns.x = " + step + " %}{% endfor %}" + use
}

func nest(open, close string, n int) string {
	return strings.Repeat(open, n) + "1" + strings.Repeat(close, n)
}

// hostile templates need too much time, memory, depth or text, or ask for things that they
// must not have. None may render.
var hostile = map[string]string{
	"loops in loops":             strings.Repeat("{% for a in range(99999) %}", 4) + strings.Repeat("{% endfor %}", 4),
	"loop that prints":           "{% for a in range(99999) %}{% for b in range(99999) %}{{ b }}{% endfor %}{% endfor %}",
	"loop that prints much":      "{% for a in range(99999) %}" + strings.Repeat("text ", 1000) + "{% endfor %}",
	"loop of empty loops":        "{% for a in range(99999) %}{% for b in [] %}{% endfor %}{% for c in range(99999) %}{% endfor %}{% endfor %}",
	"loop with filter":           "{% for a in range(99999) if a < 0 %}{% endfor %}" + strings.Repeat("{% for a in range(99999) if a < 0 %}{% endfor %}", 200),
	"huge range":                 "{{ range(10 ** 12) }}",
	"huge range negative":        "{{ range(0, -10 ** 15, -1) | list }}",
	"huge range in a loop":       "{% for i in range(10 ** 12) %}x{% endfor %}",
	"range of the largest":       "{{ range(-9223372036854775807, 9223372036854775807) | list }}",
	"long string":                "{{ 'x' * 10 ** 12 }}",
	"long string, other order":   "{{ 10 ** 12 * 'x' }}",
	"long string by overflow":    "{{ 'abcdefgh' * (2 ** 61) }}",
	"long list":                  "{{ [1] * 10 ** 12 }}",
	"long tuple":                 "{{ ((1, 2) * 10 ** 9) | length }}",
	"long list of lists":         "{{ [[]] * (2 ** 62) }}",
	"strings doubled":            grow("'x'", "ns.x ~ ns.x", "{{ ns.x }}"),
	"strings added":              grow("'x'", "ns.x + ns.x", ""),
	"lists doubled":              grow("[1]", "ns.x + ns.x", ""),
	"shared lists printed":       grow("[1]", "[ns.x, ns.x]", "{{ ns.x }}"),
	"shared lists as JSON":       grow("[1]", "[ns.x, ns.x]", "{{ ns.x | tojson }}"),
	"shared lists compared":      "{% set a = namespace(x=[1]) %}{% set b = namespace(x=[1]) %}{% for i in range(64) %}{% set a.x = [a.x, a.x] %}{% set b.x = [b.x, b.x] %}{% endfor %}{{ a.x == b.x }}",
	"shared tuples as keys":      grow("(1,)", "(ns.x, ns.x)", "{{ {ns.x: 1} }}"),
	"shared lists sorted":        "{% set a = namespace(x=[1]) %}{% set b = namespace(x=[1]) %}{% for i in range(64) %}{% set a.x = [a.x, a.x] %}{% set b.x = [b.x, b.x] %}{% endfor %}{{ [a.x, b.x] | sort }}",
	"dicts doubled":              grow("{'a': 1}", "{'a': ns.x, 'b': ns.x}", "{{ ns.x | tojson }}"),
	"a namespace in itself":      "{% set ns = namespace() %}{% set ns.me = ns %}{{ ns }}",
	"namespaces in a ring":       "{% set a = namespace() %}{% set b = namespace(a=a) %}{% set a.b = [b] %}{{ b }}",
	"deep list printed":          "{% set ns = namespace(x=[]) %}{% for i in range(99999) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x }}",
	"deep list as JSON":          "{% set ns = namespace(x=[]) %}{% for i in range(99999) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x | tojson }}",
	"deep lists compared":        "{% set a = namespace(x=[]) %}{% set b = namespace(x=[]) %}{% for i in range(50000) %}{% set a.x = [a.x] %}{% set b.x = [b.x] %}{% endfor %}{{ a.x == b.x }}",
	"deep tuple as key":          "{% set ns = namespace(x=()) %}{% for i in range(9999) %}{% set ns.x = (ns.x,) %}{% endfor %}{{ {ns.x: 1} }}",
	"replace that grows":         grow("'aaaaaaaaaaaaaaaa'", "ns.x.replace('a', 'aaaaaaaaaaaaaaaa')", "{{ ns.x }}"),
	"replace of nothing":         "{% set ns = namespace(x='a') %}{% for i in range(99) %}{% set ns.x = ns.x | replace('', 'bbbbbbbb') %}{% endfor %}",
	"join that grows":            grow("'aaaaaaaa'", "ns.x.join(ns.x)", "{{ ns.x }}"),
	"join filter that grows":     "{{ range(99999) | join('x' * 99999) }}",
	"format that grows":          grow("'x'", "'%s%s%s' | format(ns.x, ns.x, ns.x)", "{{ ns.x }}"),
	"wide percent format":        "{{ '%999999999d' % 1 }}",
	"wide percent from values":   "{{ '%*d' % (999999999999, 1) }}",
	"precise percent format":     "{{ '%.999999999f' % 1 }}",
	"wide str.format":            "{{ '{:>999999999}'.format(1) }}",
	"wide str.format in field":   "{{ '{:{}}'.format(1, 999999999) }}",
	"many wide formats":          "{% for i in range(99999) %}{{ '%999999d' % 1 }}{% endfor %}",
	"center":                     "{{ 'x'.center(10 ** 12) }}",
	"center filter":              "{{ 'x' | center(10 ** 12) }}",
	"ljust":                      "{{ 'x'.ljust(10 ** 15, '-') }}",
	"zfill":                      "{{ '1'.zfill(10 ** 12) }}",
	"expandtabs":                 "{{ ('\\t' * 99999).expandtabs(10 ** 9) }}",
	"indent by much":             "{{ ('a\\n' * 99999) | indent(10 ** 9) }}",
	"indent by a long string":    "{{ ('a\\n' * 99999) | indent('x' * 99999) }}",
	"JSON indented by much":      "{{ [[1]] | tojson(indent=10 ** 12) }}",
	"JSON indented deep":         "{% set ns = namespace(x=[]) %}{% for i in range(900) %}{% set ns.x = [ns.x, 1] %}{% endfor %}{{ ns.x | tojson(indent=100000) }}",
	"JSON with long separators":  "{{ range(99999) | list | tojson(separators=('x' * 9999, ':')) }}",
	"batch filled up":            "{{ [1] | batch(10 ** 12, 0) | list }}",
	"slice into many":            "{{ [1] | slice(10 ** 12) | list }}",
	"power":                      "{{ 10 ** 1000000000 }}",
	"power of powers":            "{{ 9 ** 9 ** 9 ** 9 }}",
	"macro that calls itself":    "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
	"macros in a ring":           "{% macro f() %}{{ g() }}{% endmacro %}{% macro g() %}{{ f() }}{% endmacro %}{{ f() }}",
	"macro that calls twice":     "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(60) }}",
	"macro in its own default":   "{% macro f(x=f()) %}{% endmacro %}{{ f() }}",
	"caller that calls itself":   "{% macro f() %}{% call f() %}{{ caller() }}{% endcall %}{{ caller() }}{% endmacro %}{% call f() %}x{% endcall %}",
	"recursive loop for ever":    "{% set ns = namespace() %}{% set ns.x = [1] %}{% for i in ns.x recursive %}{{ loop(ns.x) }}{% endfor %}",
	"deep brackets":              "{{ " + nest("(", ")", 10_000) + " }}",
	"deep lists":                 "{{ " + nest("[", "]", 10_000) + " }}",
	"deep dicts":                 "{{ " + nest("{1:", "}", 10_000) + " }}",
	"deep calls":                 "{{ " + nest("f(", ")", 10_000) + " }}",
	"deep subscripts":            "{{ " + nest("a[", "]", 10_000) + " }}",
	"many signs":                 "{{ " + strings.Repeat("-", 100_000) + "1 }}",
	"many nots":                  "{{ " + strings.Repeat("not ", 50_000) + "1 }}",
	"many conditions":            "{{ " + strings.Repeat("1 if 1 else ", 20_000) + "1 }}",
	"many ifs without else":      "{{ 1" + strings.Repeat(" if 1", 40_000) + " }}",
	"many operators":             "{{ 1" + strings.Repeat("+1", 100_000) + " }}",
	"many powers":                "{{ 1" + strings.Repeat("**1", 50_000) + " }}",
	"many attributes":            "{{ a" + strings.Repeat(".a", 100_000) + " }}",
	"many filters":               "{{ 1" + strings.Repeat("|abs", 50_000) + " }}",
	"many tests":                 "{{ 1" + strings.Repeat(" is defined", 20_000) + " }}",
	"many ors":                   "{{ 0" + strings.Repeat(" or 0", 40_000) + " }}",
	"deep ifs":                   strings.Repeat("{% if 1 %}", 20_000) + strings.Repeat("{% endif %}", 8_000),
	"deep fors":                  strings.Repeat("{% for a in [1] %}", 5_000) + strings.Repeat("{% endfor %}", 5_000),
	"deep macros":                strings.Repeat("{% macro m() %}", 5_000) + strings.Repeat("{% endmacro %}", 5_000),
	"deep set targets":           "{% set " + strings.Repeat("(", 10_000) + "a" + strings.Repeat(")", 10_000) + " = 1 %}",
	"unknown filter in brackets": "{{ " + nest("(", ")", 120) + strings.Repeat("|nonsense", 60) + " }}",
	"a source of a megabyte":     strings.Repeat("x", 1<<20),
	"tags without end":           strings.Repeat("{{", 60_000),
	"comments without end":       strings.Repeat("{#", 100_000),
	"raw blocks without end":     strings.Repeat("{% raw %}{% endraw", 10_000),
	"include":                    "{% include '/etc/passwd' %}",
	"include of a list":          "{% include ['/etc/passwd', 'x'] ignore missing %}",
	"import":                     "{% import '/etc/passwd' as x %}{{ x }}",
	"from import":                "{% from '/etc/passwd' import x %}",
	"extends":                    "{% extends '/etc/passwd' %}",
	"class of a string":          "{{ ''.__class__.__mro__[1].__subclasses__() }}",
	"class by item":              "{{ ''['__class__']['__mro__'] }}",
	"class by filter":            "{{ (''|attr('__class__'))|attr('__mro__')|list|first.x }}",
	"globals of a macro":         "{% macro f() %}{% endmacro %}{{ f.__globals__.os }}",
	"globals of a function":      "{{ range.__globals__['os'].popen('id') }}",
	"class by str.format":        "{{ '{0.__class__.__mro__}'.format('') }}",
	"class by format_map":        "{{ '{a.__class__.__mro__}'.format_map({'a': 1}) }}",
	"init of a namespace":        "{{ namespace.__init__.__globals__ }}",
	"underscore in a namespace":  "{% set ns = namespace() %}{% set ns.__class__ = 1 %}",
	"self":                       "{{ self._TemplateReference__context }}",
	"change of the messages":     "{{ messages.append(1) }}",
	"change of a message":        "{{ messages[0].update({'role': 'system'}) }}",
	"change through setdefault":  "{{ messages[0].setdefault('x', 1) }}",
	"sum of lists":               "{{ ([[1] * 999] * 9999) | sum(start=[]) | length }}",
	"sort of much":               "{% for i in range(999) %}{% set x = range(99999) | sort(reverse=true) %}{% endfor %}",
	"in of much":                 "{% set x = range(99999) | list %}{% for i in range(99999) %}{% set y = -1 in x %}{% endfor %}",
	"search of much":             "{% set x = 'a' * 999999 %}{% for i in range(99999) %}{% set y = ('a' * 1000 ~ 'b') in x %}{% endfor %}",
	"index of characters":        "{% set x = 'é' * 999999 %}{% for i in range(99999) %}{% set y = x[999990] %}{% endfor %}",
	"strip of much":              "{% set x = 'a' * 99999 %}{% for i in range(99999) %}{% set y = x.strip('xyz' * 999 ~ 'a') %}{% endfor %}",
	"split of much":              "{% set x = 'a ' * 99999 %}{% for i in range(999) %}{% set y = x.split() %}{% endfor %}",
	"upper of much":              "{% set x = 'a' * 999999 %}{% for i in range(9999) %}{% set y = x | upper %}{% endfor %}",
	"groups of much":             "{% for i in range(999) %}{% set y = range(9999) | map('string') | groupby('0') %}{% endfor %}",
	"unique of much":             "{% for i in range(999) %}{% set y = range(99999) | unique | list %}{% endfor %}",
	"changed":                    "{% set x = 'a' * 999999 %}{% for i in range(99999) %}{{ loop.changed(x) }}{% endfor %}",
	"kwargs of much":             "{% macro m() %}{{ kwargs }}{% endmacro %}{% set ns = namespace(d={}) %}{% for i in range(99999) %}{% set ns.d = dict(ns.d, **{i | string: i}) %}{% endfor %}{{ m(**ns.d) }}",
	"strftime of much":           "{{ strftime_now('%c' * 9999999) }}",
	"error text of a megabyte":   "{{ raise_exception('x' * 5000000) }}",
	"set blocks":                 "{% for i in range(99999) %}{% set x %}" + strings.Repeat("y", 10_000) + "{% endset %}{% endfor %}",
	"filter blocks":              "{% for i in range(99999) %}{% filter upper %}" + strings.Repeat("y", 10_000) + "{% endfilter %}{% endfor %}",
	"lists kept":                 "{% set ns = namespace(x=none) %}{% for i in range(99999) %}{% set ns.x = [ns.x, {}, {'a': i}, [i], namespace(a=i)] %}{% endfor %}{{ ns.x[0][0][0].nothing.more }}",
}

func TestHostile(t *testing.T) {
	if len(hostile) < 50 {
		t.Fatalf("only %d hostile templates", len(hostile))
	}
	given := vars(t, `{"messages": [{"role": "user", "content": "Hello"}], "bos_token": "<s>"}`)
	var slowest time.Duration
	var largest uint64
	for name, source := range hostile {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			var out string
			tmpl, err := Parse("bad-model", source)
			if err == nil {
				out, err = tmpl.Render(t.Context(), given, Limits{})
			}
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			made := after.TotalAlloc - before.TotalAlloc

			if err == nil {
				t.Fatalf("it rendered %d bytes: %.80q", len(out), out)
			}
			if !strings.Contains(err.Error(), "bad-model") || len(err.Error()) > 800 {
				t.Errorf("the error does not name the template, or is too long: %.900s", err)
			}
			if made > 64<<20 { // all that was ever made bounds what was held at once
				t.Errorf("%d MB of memory", made/1e6)
			}
			// The limit on time ends it, later on a busy machine. Without a limit it would run for
			// minutes.
			if took > 20*DefaultLimits.Time {
				t.Errorf("it took %v", took)
			}
			slowest, largest = max(slowest, took), max(largest, made)
		})
	}
	t.Logf("%d hostile templates: the slowest %v, the largest %d MB", len(hostile), slowest.Round(time.Millisecond), largest/1e6)
}

// TestLimits reaches each limit by itself.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		source string
		limits Limits
		want   string
	}{
		{"{% for i in range(100) %}{% endfor %}", Limits{Steps: 100}, "more than 100 steps"},
		{"{{ [[[[[[1]]]]]] }}", Limits{Depth: 5}, "nested more than 5 deep"},
		{"{{ 'x' * 100 }}", Limits{Output: 99}, "more than 99 B of text"},
		{"{{ 'x' * 1000000 }}", Limits{Memory: 1 << 20}, ""},
		{"{{ 'x' * 10000000 }}", Limits{Memory: 1 << 20}, "more than 1.0 MB of memory"},
	} {
		tmpl, err := Parse("small", c.source)
		if err != nil {
			t.Fatal(err)
		}
		_, err = tmpl.Render(t.Context(), nil, c.limits)
		if c.want == "" {
			continue
		}
		if !errors.Is(err, ErrLimit) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "small") {
			t.Errorf("%s gives %v, not %q", c.source, err, c.want)
		}
	}
}

// TestCancel stops a template that would run on.
func TestCancel(t *testing.T) {
	tmpl, err := Parse("endless", "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}")
	if err != nil {
		t.Fatal(err)
	}
	no := Limits{Steps: 1 << 60, Memory: 1 << 60, Time: time.Minute}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	start := time.Now()
	if _, err := tmpl.Render(ctx, nil, no); !errors.Is(err, context.Canceled) || errors.Is(err, ErrLimit) {
		t.Errorf("cancelled, it ends with %v", err)
	}
	no.Time = 20 * time.Millisecond
	if _, err := tmpl.Render(t.Context(), nil, no); !errors.Is(err, ErrLimit) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("after its time it ends with %v", err)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("stopping took %v", took)
	}
}

// TestRaise: the error contains the template's own message.
func TestRaise(t *testing.T) {
	_, err := render(t, "a\n{{ raise_exception('Roles must alternate') }}", nil)
	var own *Error
	if !errors.As(err, &own) || own.Message != "Roles must alternate" {
		t.Errorf("the error is %v", err)
	}
	if want := "chat template test, line 2: Roles must alternate"; fmt.Sprint(err) != want {
		t.Errorf("it reads %q, not %q", err, want)
	}
}

// TestLongChat renders a chat of very many turns, which the template collects one by one,
// like the most expensive of the known templates.
func TestLongChat(t *testing.T) {
	messages := &List{}
	for i := range 1500 {
		m := NewDict()
		m.Set("role", []string{"user", "assistant"}[i%2])
		m.Set("content", fmt.Sprintf("message %d %s", i, strings.Repeat("é", i%100)))
		messages.Items = append(messages.Items, m)
	}
	source := "{% set ns = namespace(text='') %}{% for m in messages %}{% set ns.text = ns.text + m.role ~ ': ' ~ m.content | trim ~ '\n' %}{% endfor %}{{ ns.text }}"
	out, err := render(t, source, map[string]any{"messages": messages})
	if err != nil || strings.Count(out, "\n") != 1500 {
		t.Errorf("%d turns, %v", strings.Count(out, "\n"), err)
	}
}
