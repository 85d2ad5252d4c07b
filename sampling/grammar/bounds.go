package grammar

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// largest is the largest number that is written.
const largest = 999_999_999_999_999

// bounded reads a number within the bounds of a schema.
func (c *compiler) bounded(v *value, integer bool) (int32, error) {
	in, err := c.interval(v, integer)
	if err != nil {
		return 0, err
	}
	if _, ok := c.intervals[in]; !ok {
		c.intervals[in] = c.number(in)
	}
	return c.intervals[in], nil
}

// interval returns the numbers that a schema allows.
func (c *compiler) interval(v *value, integer bool) (interval, error) {
	in := interval{low: math.Inf(-1), high: math.Inf(1), integer: integer}
	for _, name := range []string{"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"} {
		for _, k := range v.all(name) {
			limit, err := strconv.ParseFloat(k.text, 64)
			if k.kind != "number" || err != nil {
				return in, fmt.Errorf("%q has to be a number; it is %.40s", name, k.literal())
			}
			limit += 0 // no -0
			open := strings.HasPrefix(name, "exclusive")
			if strings.HasSuffix(strings.ToLower(name), "minimum") {
				in.raise(limit, open)
			} else {
				in.lower(limit, open)
			}
			if in.low > largest || in.high < -largest {
				return in, fmt.Errorf("%q is %.40s, but numbers are written with at most %d digits; ask for one nearer to 0", name, k.text, maxDigits)
			}
		}
	}
	for _, k := range v.all("format") {
		if limits, ok := numberFormats[k.text]; ok {
			in.raise(limits[0], false)
			in.lower(limits[1], false)
			in.integer = true
		}
	}
	const tiny = 1e-14 // the smallest number that is written
	if !in.integer && in.low < in.high && (in.low >= 0 && in.high < tiny && (in.low > 0 || in.openLow) || in.high <= 0 && in.low > -tiny && (in.high < 0 || in.openHigh)) {
		return in, fmt.Errorf("the numbers between %g and %g have more than %d digits; ask for numbers farther from 0", in.low, in.high, maxDigits)
	}
	return in, c.setSteps(&in, v)
}

func (in *interval) raise(limit float64, open bool) {
	if limit > in.low || limit == in.low && open {
		in.low, in.openLow = limit, open
	}
}

func (in *interval) lower(limit float64, open bool) {
	if limit < in.high || limit == in.high && open {
		in.high, in.openHigh = limit, open
	}
}

// Steps with more remainders than these are left to the checker.
const (
	maxStep     = 1000
	maxFineStep = 50 // of numbers with a fraction, or beside other steps
)

// setSteps reads multipleOf. Where it is there several times, one is enforced.
func (c *compiler) setSteps(in *interval, v *value) error {
	for _, k := range v.all("multipleOf") {
		step, ok := k.exact()
		if !ok || step.Sign() <= 0 {
			return fmt.Errorf(`"multipleOf" has to be a number above 0; it is %.40s`, k.literal())
		}
		if in.step > 0 {
			c.later("multipleOf")
			continue
		}
		places := 0
		for ten := big.NewRat(10, 1); !step.IsInt() && places < maxDigits; places++ {
			step.Mul(step, ten)
		}
		in.integer = in.integer || places == 0
		most := int64(maxStep)
		if !in.integer {
			most = maxFineStep
		}
		if !step.IsInt() || !step.Num().IsInt64() || step.Num().Int64() > most {
			c.later("multipleOf")
			continue
		}
		in.step, in.places = int(step.Num().Int64()), places
	}
	return nil
}

// exact returns a number without rounding it; false if the value is none, or one
// with an absurd exponent.
func (v *value) exact() (*big.Rat, bool) {
	if _, err := strconv.ParseFloat(v.text, 64); v.kind != "number" || err != nil {
		return nil, false
	}
	if at := strings.IndexAny(v.text, "eE"); at >= 0 {
		if exponent, err := strconv.Atoi(v.text[at+1:]); err != nil || exponent < -400 || exponent > 400 {
			return nil, false
		}
	}
	return new(big.Rat).SetString(v.text)
}
