package engine

import (
	"math"
	"testing"
)

// halfFormat describes a 16-bit format from first principles, for the test.
type halfFormat struct {
	name           string
	exponent, bias int // bits of the exponent, its bias
	widen          func(uint16) float32
	narrow         func(float32) uint16
}

var halfFormats = []halfFormat{
	{"f16", 5, 15, F16ToF32, F32ToF16},
	{"bf16", 8, 127, BF16ToF32, F32ToBF16},
}

// value computes what the bits mean, in float64.
func (f halfFormat) value(h uint16) float64 {
	fractionBits := 15 - f.exponent
	exponent := int(h>>fractionBits) & (1<<f.exponent - 1)
	fraction := float64(h & (1<<fractionBits - 1))
	var v float64
	switch {
	case exponent == 1<<f.exponent-1 && fraction != 0:
		return math.NaN()
	case exponent == 1<<f.exponent-1:
		v = math.Inf(1)
	case exponent == 0:
		v = math.Ldexp(fraction, 1-f.bias-fractionBits)
	default:
		v = math.Ldexp(1+fraction/float64(int(1)<<fractionBits), exponent-f.bias)
	}
	if h>>15 != 0 {
		v = -v
	}
	return v
}

func TestHalfWidensAllValues(t *testing.T) {
	for _, f := range halfFormats {
		for h := range 1 << 16 {
			got, want := f.widen(uint16(h)), f.value(uint16(h))
			if math.IsNaN(want) {
				if got == got {
					t.Fatalf("%s %#04x = %v, want NaN", f.name, h, got)
				}
				continue
			}
			if float64(got) != want || math.Signbit(float64(got)) != math.Signbit(want) {
				t.Fatalf("%s %#04x = %v, want %v", f.name, h, got, want)
			}
			if back := f.narrow(got); back != uint16(h) {
				t.Fatalf("%s %#04x comes back as %#04x", f.name, h, back)
			}
		}
	}
}

// Between each value and the next one lie three points that matter: just
// below the middle, the middle (ties to even), and just above it.
func TestHalfRoundsToNearestEven(t *testing.T) {
	for _, f := range halfFormats {
		infinity := uint16(1<<f.exponent-1) << (15 - f.exponent)
		for h := range infinity {
			low, high := f.value(h), f.value(h+1)
			if h+1 == infinity { // rounds as if the next power of two existed
				high = 2*low - f.value(h-1)
			}
			middle := float32((low + high) / 2)
			if f.name == "bf16" && float64(middle) != (low+high)/2 {
				t.Fatalf("%s: the middle above %#04x is no float32", f.name, h)
			}
			even := h + h&1
			for _, c := range []struct {
				x    float32
				want uint16
			}{
				{math.Nextafter32(middle, 0), h},
				{middle, even},
				{math.Nextafter32(middle, float32(math.Inf(1))), h + 1},
			} {
				if got := f.narrow(c.x); got != c.want {
					t.Fatalf("%s: %v narrows to %#04x, want %#04x", f.name, c.x, got, c.want)
				}
				if got := f.narrow(-c.x); got != c.want|0x8000 {
					t.Fatalf("%s: %v narrows to %#04x, want %#04x", f.name, -c.x, got, c.want|0x8000)
				}
			}
		}
	}
}

func TestHalfExtremes(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, f := range halfFormats {
		if got := f.widen(f.narrow(inf)); got != inf {
			t.Errorf("%s: infinity becomes %v", f.name, got)
		}
		if got := f.widen(f.narrow(math.MaxFloat32)); got != inf {
			t.Errorf("%s: the largest float32 becomes %v, want infinity", f.name, got)
		}
		if got := f.narrow(math.SmallestNonzeroFloat32); got != 0 {
			t.Errorf("%s: the smallest float32 becomes %#04x, want 0", f.name, got)
		}
		for _, bits := range []uint32{0x7f800001, 0x7fc00000, 0xff800001, 0x7fffffff} {
			x := math.Float32frombits(bits)
			if got := f.widen(f.narrow(x)); got == got {
				t.Errorf("%s: NaN %#x becomes %v", f.name, bits, got)
			}
		}
	}
}
