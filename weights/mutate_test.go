package weights

import (
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"testing"
)

// mutant returns a copy of a valid file with damage number i of a seed: one byte, an
// 8-byte integer, a number in the header, or a stretch that is removed, doubled or
// moved. If the header's length changes, half of the mutants have the length corrected,
// so that the damage reaches the deeper checks.
func mutant(whole []byte, i uint64) []byte {
	random := rand.New(rand.NewPCG(i, 20))
	b := slices.Clone(whole)
	header := 8 + int(binary.LittleEndian.Uint64(b))
	at := func(end int) int { return random.IntN(end) }
	switch random.IntN(8) {
	case 0: // anywhere
		b[at(len(b))] = byte(random.IntN(256))
	case 1: // in the header, with a character that means something there
		b[8+at(header-8)] = `{}[]:,"\0129-.eE tn`[random.IntN(19)]
	case 2: // the length, or 8 bytes anywhere
		value := []uint64{0, 1, 7, 8, uint64(len(b)), uint64(len(b)) - 8, uint64(len(b)) + 1, 1e8, 1e8 + 1, 1 << 31, 1 << 32, 1 << 63, ^uint64(0), ^uint64(7), random.Uint64(), random.Uint64N(4096)}
		pos := 0
		if random.IntN(2) == 0 {
			pos = at(len(b) - 8)
		}
		binary.LittleEndian.PutUint64(b[pos:], value[random.IntN(len(value))])
	case 3, 4: // a number in the header
		b = otherNumber(b, header, random)
	case 5: // a stretch removed
		from := at(len(b))
		to := min(from+1+random.IntN(40), len(b))
		b = resized(slices.Delete(b, from, to), header, from, from-to, random)
	case 6: // a stretch doubled elsewhere
		from := at(len(b))
		part := slices.Clone(b[from:min(from+1+random.IntN(40), len(b))])
		to := at(len(b))
		b = resized(slices.Insert(b, to, part...), header, to, len(part), random)
	case 7: // two bytes of the header exchanged
		x, y := 8+at(header-8), 8+at(header-8)
		b[x], b[y] = b[y], b[x]
	}
	return b
}

// otherNumber replaces one number of the header by another one.
func otherNumber(b []byte, header int, random *rand.Rand) []byte {
	var starts []int
	isDigit := func(c byte) bool { return c >= '0' && c <= '9' }
	for i := 9; i < header; i++ {
		if isDigit(b[i]) && !isDigit(b[i-1]) {
			starts = append(starts, i)
		}
	}
	from := starts[random.IntN(len(starts))]
	to := from
	for isDigit(b[to]) {
		to++
	}
	old, _ := strconv.ParseUint(string(b[from:to]), 10, 64)
	choices := []string{
		"0", "1", "-1", "2.0", "1e3", "00", "", "4294967296", "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616",
		strconv.FormatUint(old+1, 10), strconv.FormatUint(old*2, 10), strconv.FormatUint(old/2, 10), strconv.FormatUint(random.Uint64N(1000), 10),
	}
	text := choices[random.IntN(len(choices))]
	return resized(slices.Replace(b, from, to, []byte(text)...), header, from, len(text)-(to-from), random)
}

// resized corrects the header's length in half of the cases where a change by grown
// bytes at pos was within the header.
func resized(b []byte, header, pos, grown int, random *rand.Rand) []byte {
	if pos >= 8 && pos < header && len(b) >= 8 && random.IntN(2) == 0 {
		binary.LittleEndian.PutUint64(b, uint64(header-8+grown))
	}
	return b
}

func TestMutations(t *testing.T) { mutations(t, 0, 20_000) }

// mutations opens the mutants from..to of a file, and reads those that open.
func mutations(t *testing.T, from, to uint64) {
	whole := sample()
	accepted := 0
	var before, after runtime.MemStats
	for i := from; i < to; i++ {
		data := mutant(whole, i)
		fsys := single(data)
		runtime.ReadMemStats(&before)
		s, err := Open(fsys, Options{})
		runtime.ReadMemStats(&after)
		if spent := after.TotalAlloc - before.TotalAlloc; spent > 1<<20 {
			t.Fatalf("mutation %d: %d bytes allocated for a file of %d", i, spent, len(data))
		}
		if err != nil {
			checkSentence(t, err, "model.safetensors")
			continue
		}
		accepted++
		readAll(t, s, len(data))
		s.Close()
	}
	n := int(to - from)
	t.Logf("%d of %d damaged files are valid still", accepted, n)
	if accepted < n/100 || accepted > n*9/10 {
		t.Errorf("%d of %d were accepted: the mutations test nothing", accepted, n)
	}
}

// readAll reads every weight of a set whose file has size bytes.
func readAll(t testing.TB, s *Set, size int) {
	t.Helper()
	for _, name := range s.Names() {
		w, err := s.Tensor(name)
		if err != nil {
			checkSentence(t, err, "cannot compute with")
			continue
		}
		if w.Rows < 0 || w.Cols < 0 || w.Bytes() < 0 || w.Bytes() > size {
			t.Fatalf("%q is said to be [%d %d] of %v", name, w.Rows, w.Cols, w.DType)
		}
		p := make([]byte, w.Bytes())
		if n, err := w.Source().ReadAt(p, 0); n != len(p) {
			t.Fatalf("%q: %d of %d bytes, %v", name, n, len(p), err)
		}
	}
}
