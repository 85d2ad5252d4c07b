package support

import (
	_ "embed"
	"strconv"
	"strings"
)

// A unit is what a number counts: a kind of things that can be converted into each other,
// and how many of the kind's smallest one it is.
type unit struct {
	kind  string
	times float64
}

//go:embed units.txt
var unitList string

// units are the units that are known, by their names in small letters. units.txt has a
// line for each: kind, factor, names.
var units = func() map[string]unit {
	known := map[string]unit{}
	for line := range strings.Lines(unitList) {
		fields := strings.Fields(line)
		if len(fields) < 3 || strings.HasPrefix(line, "#") {
			continue
		}
		times, err := strconv.ParseFloat(fields[1], 64)
		if err != nil {
			panic("units.txt: " + line)
		}
		for _, name := range fields[2:] {
			known[name] = unit{fields[0], times}
		}
	}
	return known
}()

//go:embed numbers.txt
var numberList string

// numberWords are the words of numbers, by themselves; numbers.txt has a line for each
// value.
var numberWords = func() map[string]float64 {
	known := map[string]float64{}
	for line := range strings.Lines(numberList) {
		fields := strings.Fields(line)
		if len(fields) < 2 || strings.HasPrefix(line, "#") {
			continue
		}
		value, err := strconv.ParseFloat(fields[0], 64)
		if err != nil {
			panic("numbers.txt: " + line)
		}
		for _, word := range fields[1:] {
			known[word] = value
		}
	}
	return known
}()
