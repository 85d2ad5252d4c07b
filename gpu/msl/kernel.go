package msl

import (
	"fmt"
	"strings"
)

// positions are the attributes for a kernel's position in its grid; true for
// those of up to three dimensions.
var positions = map[string]bool{
	"thread_position_in_grid": true, "threads_per_grid": true,
	"thread_position_in_threadgroup": true, "threads_per_threadgroup": true,
	"threadgroup_position_in_grid": true, "threadgroups_per_grid": true,
	"thread_index_in_threadgroup": false, "thread_index_in_simdgroup": false,
	"simdgroup_index_in_threadgroup": false, "simdgroups_per_threadgroup": false,
}

// maxBuffer is the highest index of Metal's argument table.
const maxBuffer = 30

// kernel parses the parameters of a kernel function.
func (p *parser) kernel(f function) {
	if !p.is(f.token-1, "void") {
		p.fail(p.tokens[f.token].start, "kernel %s has to return void", f.name)
	}
	var params []Param
	for start := f.from; start < f.to; {
		end := start
		for end < f.to && !p.is(end, ",") {
			if p.is(end, "(") || p.is(end, "[") {
				end = p.match[end]
			}
			end++
		}
		if param, ok := p.param(f.name, start, end); ok {
			params = append(params, param)
		}
		start = end + 1
	}
	p.together(f, params)
	if f.templated {
		if p.templates[f.name] != nil {
			p.fail(p.tokens[f.token].start, "a second kernel template with the name %s", f.name)
		}
		p.templates[f.name] = &template{params: params, token: f.token}
	} else {
		p.addKernel(Kernel{Name: f.name, Func: f.name, Params: params}, f.token)
	}
	for i := f.bodyFrom; i < f.bodyTo; i++ {
		p.noAttribute(i)
	}
}

// param parses type name [[attribute]]. It reports violations, and then ok is
// false.
func (p *parser) param(kernel string, from, to int) (param Param, ok bool) {
	at := to
	if p.is(to-1, "]") {
		at = p.match[to-1]
	}
	attribute := ""
	if at < to {
		attribute = p.attribute(at)
	}
	fail := func(format string, args ...any) (Param, bool) {
		p.fail(p.tokens[min(from, len(p.tokens)-1)].start, "kernel %s: %s", kernel, fmt.Sprintf(format, args...))
		return Param{}, false
	}
	if attribute == "" || at-2 < from || !p.isIdentifier(at-1) {
		return fail("%q: every parameter reads: type name [[attribute]]", shorten(p.words(from, to)))
	}
	p.take(at)
	param = Param{Name: p.str(at - 1), Type: p.words(from, at-1), Attribute: attribute, Index: -1}
	pointer, reference := p.is(at-2, "*"), p.is(at-2, "&")
	space := map[string]bool{}
	for i := from; i < at; i++ {
		space[p.str(i)] = true
	}
	switch dimensions, position := positions[attribute]; {
	case attribute == "buffer":
		param.Kind, param.Index = Buffer, p.index(at, maxBuffer)
		param.Written = space["device"] && !space["const"]
		switch {
		case space["device"] == space["constant"] || !pointer && !reference:
			return fail("buffer %s has to be a pointer or reference to device or constant memory, and is %q", param.Name, param.Type)
		case space["constant"] && reference:
			param.Struct = p.str(at - 3)
		}
	case attribute == "threadgroup":
		param.Kind, param.Index = Threadgroup, p.index(at, maxBuffer)
		if !space["threadgroup"] || !pointer {
			return fail("%s has to be a pointer to threadgroup memory, and is %q", param.Name, param.Type)
		}
		if param.Index != 0 {
			return fail("%s lies behind the threadgroup memory at index 0: a length at another index would stay set for the kernels after this one", param.Name)
		}
	case position:
		param.Kind = Position
		scalar := strings.TrimRight(param.Type, "23")
		if scalar != "uint" && scalar != "ushort" || scalar != param.Type && !dimensions {
			return fail("[[%s]] %s has the type %q, which has to be uint or ushort", attribute, param.Name, param.Type)
		}
		if p.match[at] != at+4 {
			return fail("[[%s]] has no argument", attribute)
		}
		return param, true
	default:
		return fail("[[%s]] is outside the dialect", attribute)
	}
	if param.Index < 0 {
		return fail("[[%s]] of %s wants a plain number up to %d", attribute, param.Name, maxBuffer)
	}
	return param, true
}

// together checks the parameters of one kernel against each other.
func (p *parser) together(f function, params []Param) {
	fail := func(format string, args ...any) {
		p.fail(p.tokens[f.token].start, "kernel %s: %s", f.name, fmt.Sprintf(format, args...))
	}
	seen := map[string]string{}
	dimension := ""
	for _, param := range params {
		place := param.Attribute
		if param.Kind != Position {
			place = fmt.Sprintf("%s(%d)", param.Attribute, param.Index)
		}
		if other := seen[place]; other != "" {
			fail("%s and %s are both [[%s]]", other, param.Name, place)
		}
		seen[place] = param.Name
		if positions[param.Attribute] {
			size := strings.TrimLeft(param.Type, "uinthsor")
			if dimension != "" && size+"." != dimension {
				fail("its positions have different dimensions")
			}
			dimension = size + "."
		}
	}
}
