package grammar

import (
	"math"
	"strconv"
	"strings"
)

// maxDigits is the maximum number of digits of a number. Different texts with so
// few digits are different float64 values, so that a bound holds for every reader.
const maxDigits = 15

// interval is a range of numbers.
type interval struct {
	low, high         float64 // -Inf and +Inf: no bound
	openLow, openHigh bool    // the bound itself is excluded
	integer           bool
	step, places      int // only multiples of step/10^places; a step of 0 means any
}

// number reads a JSON number of the interval. Numbers without any bound may have an
// exponent of up to two digits.
func (b *builder) number(in interval) int32 {
	if math.IsInf(in.low, -1) && math.IsInf(in.high, 1) && !in.integer && in.step == 0 {
		return b.anyNumber()
	}
	var alts []int32
	if in.high > 0 || in.high == 0 && !in.openHigh {
		low := bound{value: max(in.low, 0), open: in.low >= 0 && in.openLow}
		alts = append(alts, b.magnitude(low, bound{in.high, in.openHigh}, in))
	}
	if in.low < 0 {
		low := bound{max(-in.high, 0), in.high >= 0 || in.openHigh}
		alts = append(alts, b.byte('-', b.magnitude(low, bound{-in.low, in.openLow}, in)))
	}
	return b.split(alts...)
}

// anyNumber reads any JSON number (RFC 8259, section 6) of limited length.
func (b *builder) anyNumber() int32 {
	digits := func(most int, next int32) int32 { // one or more
		at := b.bytes(edge{'0', '9', next})
		for range most - 1 {
			at = b.bytes(edge{'0', '9', b.split(next, at)})
		}
		return at
	}
	exponent := digits(2, b.finish)
	exponent = b.split(exponent, b.bytes(edge{'+', '+', exponent}, edge{'-', '-', exponent}))
	exponent = b.split(b.finish, b.bytes(edge{'e', 'e', exponent}, edge{'E', 'E', exponent}))
	fraction := b.split(exponent, b.byte('.', digits(maxDigits, exponent)))
	more := b.split(fraction, digits(maxDigits-1, fraction))
	whole := b.bytes(edge{'0', '0', fraction}, edge{'1', '9', more})
	return b.split(whole, b.byte('-', whole))
}

type bound struct {
	value float64
	open  bool
}

// decimal holds a bound's digits: the whole part without leading zeros, the
// fraction without trailing zeros.
type decimal struct {
	whole, fraction string
	open            bool
}

func (v bound) decimal() decimal {
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(v.value, 'f', -1, 64), ".")
	return decimal{whole, fraction, v.open}
}

// magnitude reads a number without sign from low to high. Its digits are compared
// with those of the bounds from left to right. Of in, only what is no bound counts.
func (b *builder) magnitude(low, high bound, in interval) int32 {
	d := digits{b: b, low: low.decimal(), kind: numberKind{in.integer, in.step, in.places}, made: map[digitState]int32{}}
	most := maxDigits
	if d.bounded = !math.IsInf(high.value, 1); d.bounded {
		d.high = high.decimal()
		most = min(most, len(d.high.whole))
	}
	var alts []int32
	for n := len(d.low.whole); n <= most; n++ {
		alts = append(alts, d.node(digitState{
			length: n,
			onLow:  n == len(d.low.whole), onHigh: d.bounded && n == len(d.high.whole),
		}))
	}
	return b.split(alts...)
}

// digits makes the nodes of a magnitude.
type digits struct {
	b         *builder
	low, high decimal
	bounded   bool // there is a high
	kind      numberKind
	made      map[digitState]int32
}

// numberKind is what holds for the digits of a number apart from bounds.
type numberKind struct {
	integer      bool
	step, places int // as in interval
}

// digitState is a position in a number: how many digits were read of a whole part
// of known length, or of the fraction, and whether they equal those of each bound.
type digitState struct {
	length, at    int
	fraction      bool
	onLow, onHigh bool
	remainder     int // of the digits so far, divided by the step
}

func (d *digits) node(s digitState) int32 {
	made := d.made
	if !s.onLow && !s.onHigh {
		made = d.b.free(d.kind) // no bound applies any more: the same for all numbers
		if d.kind.integer && s.at > 1 {
			s.length, s.at = s.length-s.at+1, 1 // only the digits that are left matter
		}
	}
	if n, ok := made[s]; ok {
		return n
	}
	n := d.b.bytes()
	made[s] = n
	if !s.fraction && s.at < s.length {
		d.digit(n, s, d.low.whole, d.high.whole)
		return n
	}
	goesOn := d.b.bytes()
	if s.fraction {
		d.digit(goesOn, s, d.low.fraction, d.high.fraction)
	} else if !d.kind.integer {
		first := digitState{length: s.length, fraction: true, onLow: s.onLow, onHigh: s.onHigh}
		d.b.lead(goesOn, edge{'.', '.', d.node(first)})
	}
	alts := []int32{goesOn}
	if d.within(s) {
		alts = append(alts, d.b.finish)
	}
	d.b.nodes[n] = node{op: opSplit, alts: alts}
	return n
}

// digit adds the edges of the next digit to a node. While the number equals a bound so far,
// the digit must not cross the bound's digit, which is 0 after its last.
func (d *digits) digit(at int32, s digitState, low, high string) {
	if s.fraction && (s.length+s.at >= maxDigits || d.kind.step > 0 && s.at >= d.kind.places) {
		return
	}
	from, until := byte('0'), byte('9')
	if !s.fraction && s.at == 0 && s.length > 1 {
		from = '1'
	}
	lowest, highest := digitAt(low, s.at), digitAt(high, s.at)
	if s.onLow {
		from = max(from, lowest)
	}
	if s.onHigh {
		until = highest
	}
	var edges []edge
	for c := from; c <= until; c++ {
		next := s
		next.at++
		if d.kind.step > 0 {
			next.remainder = (10*s.remainder + int(c-'0')) % d.kind.step
		}
		next.onLow = s.onLow && c == lowest
		next.onHigh = s.onHigh && c == highest
		to := d.node(next)
		if last := len(edges) - 1; last >= 0 && edges[last].to == to {
			edges[last].high = c
		} else {
			edges = append(edges, edge{c, c, to})
		}
	}
	d.b.lead(at, edges...)
}

// free returns the nodes of digits that no bound limits.
func (b *builder) free(kind numberKind) map[digitState]int32 {
	if b.freeDigits[kind] == nil {
		b.freeDigits[kind] = map[digitState]int32{}
	}
	return b.freeDigits[kind]
}

func digitAt(digits string, i int) byte {
	if i < len(digits) {
		return digits[i]
	}
	return '0'
}

// within reports whether the number may end in a state.
func (d *digits) within(s digitState) bool {
	if s.fraction && s.at == 0 {
		return false // a point without digits
	}
	seen := 0 // digits of the fraction
	if s.fraction {
		seen = s.at
	}
	if d.kind.step > 0 {
		remainder := s.remainder
		for range d.kind.places - seen {
			remainder = remainder * 10 % d.kind.step
		}
		if remainder != 0 {
			return false
		}
	}
	if s.onLow && (seen < len(d.low.fraction) || d.low.open) {
		return false
	}
	return !s.onHigh || seen < len(d.high.fraction) || !d.high.open
}
