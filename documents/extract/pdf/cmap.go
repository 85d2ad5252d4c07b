package pdf

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// A cmap maps character codes to text (a ToUnicode map) or to glyph numbers.
type cmap struct {
	spaces [5][]codeRange // by the length of a code
	single map[uint32]string
	ranges []textRange // sorted by lo once they are all there
	cids   []cidRange
	wide   bool // codes are two bytes where no space says otherwise
}

type codeRange struct{ lo, hi uint32 }

type textRange struct {
	lo, hi uint32
	text   []rune // of lo; the last character grows with the code
}

type cidRange struct {
	lo, hi uint32
	cid    int
}

// maxMapped bounds the entries of one map.
const maxMapped = 200_000

// parseCMap reads the program of a map, as far as it is data.
func parseCMap(data []byte) *cmap {
	m := &cmap{single: map[uint32]string{}}
	l := lexer{data: data}
	var operands array
	for {
		o := l.next()
		k, ok := o.(keyword)
		if !ok {
			if len(operands) < 3*maxMapped {
				operands = append(operands, o)
			}
			continue
		}
		switch k {
		case end:
			sort.SliceStable(m.ranges, func(i, j int) bool { return m.ranges[i].lo < m.ranges[j].lo })
			return m
		case "endcodespacerange":
			m.addSpaces(operands)
		case "endbfchar":
			for ; len(operands) >= 2 && len(m.single) < maxMapped; operands = operands[2:] {
				if code, ok := operands[0].(text); ok {
					m.single[codeOf(code)] = textOf(operands[1])
				}
			}
		case "endbfrange":
			m.addRanges(operands)
		case "endcidchar", "endcidrange":
			m.addCIDs(operands, k == "endcidrange")
		}
		operands = operands[:0]
	}
}

func (m *cmap) addSpaces(operands array) {
	for ; len(operands) >= 2; operands = operands[2:] {
		lo, ok1 := operands[0].(text)
		hi, ok2 := operands[1].(text)
		if ok1 && ok2 && len(lo) == len(hi) && len(lo) >= 1 && len(lo) <= 4 && len(m.spaces[len(lo)]) < 100 {
			m.spaces[len(lo)] = append(m.spaces[len(lo)], codeRange{codeOf(lo), codeOf(hi)})
		}
	}
}

func (m *cmap) addRanges(operands array) {
	for ; len(operands) >= 3 && len(m.ranges) < maxMapped; operands = operands[3:] {
		first, ok1 := operands[0].(text)
		last, ok2 := operands[1].(text)
		if !ok1 || !ok2 {
			continue
		}
		lo, hi := codeOf(first), codeOf(last)
		switch to := operands[2].(type) {
		case array:
			for i, one := range to {
				if code := lo + uint32(i); code <= hi && len(m.single) < maxMapped {
					m.single[code] = textOf(one)
				}
			}
		default:
			if t := []rune(textOf(to)); len(t) > 0 && hi >= lo {
				m.ranges = append(m.ranges, textRange{lo, hi, t})
			}
		}
	}
}

func (m *cmap) addCIDs(operands array, isRange bool) {
	step := 2
	if isRange {
		step = 3
	}
	for ; len(operands) >= step && len(m.cids) < maxMapped; operands = operands[step:] {
		lo, ok1 := operands[0].(text)
		hi, ok2 := operands[step-2].(text)
		cid, ok3 := operands[step-1].(int64)
		if ok1 && ok2 && ok3 && cid >= 0 && cid < 1<<16 {
			m.cids = append(m.cids, cidRange{codeOf(lo), codeOf(hi), int(cid)})
		}
	}
}

// codeOf is the number that the last four bytes of a code are.
func codeOf(t text) uint32 {
	n := uint32(0)
	for i := range len(t) {
		n = n<<8 | uint32(t[i])
	}
	return n
}

// textOf reads UTF-16 with its upper bytes first.
func textOf(o object) string {
	switch t := o.(type) {
	case text:
		if len(t) == 1 {
			return string(rune(t[0]))
		}
		units := make([]uint16, len(t)/2)
		for i := range units {
			units[i] = uint16(t[2*i])<<8 | uint16(t[2*i+1])
		}
		return strings.TrimRight(string(utf16.Decode(units)), "\x00")
	case name:
		return glyphText(t)
	}
	return ""
}

// text returns what a code stands for.
func (m *cmap) text(code uint32) (string, bool) {
	if t, ok := m.single[code]; ok {
		return t, true
	}
	i := sort.Search(len(m.ranges), func(i int) bool { return m.ranges[i].lo > code }) - 1
	if i < 0 || code > m.ranges[i].hi {
		return "", false
	}
	t := slices.Clone(m.ranges[i].text)
	t[len(t)-1] += rune(code - m.ranges[i].lo)
	return string(t), true
}

// cid returns the glyph's number of a code.
func (m *cmap) cid(code uint32) int {
	for _, r := range m.cids {
		if code >= r.lo && code <= r.hi {
			return r.cid + int(code-r.lo)
		}
	}
	return int(code)
}

// next cuts the first code from a string.
func (m *cmap) next(s string) (code uint32, length int) {
	known := false
	for n := 1; n <= 4 && n <= len(s); n++ {
		code = code<<8 | uint32(s[n-1])
		for _, r := range m.spaces[n] {
			known = true
			if r.contains(code, n) {
				return code, n
			}
		}
	}
	length = 1
	if (m.wide || known && m.spaces[1] == nil) && len(s) > 1 {
		length = 2
	}
	return codeOf(text(s[:length])), length
}

// contains compares byte by byte, as the standard wants it.
func (r codeRange) contains(code uint32, length int) bool {
	for i := range length {
		shift := 8 * i
		if b := byte(code >> shift); b < byte(r.lo>>shift) || b > byte(r.hi>>shift) {
			return false
		}
	}
	return true
}

// textEncodings are the predefined maps whose codes are text in an encoding of
// their own, by the start of their names.
var textEncodings = []struct {
	prefix   string
	encoding encoding.Encoding
}{
	{"90ms-RKSJ", japanese.ShiftJIS},
	{"90msp-RKSJ", japanese.ShiftJIS},
	{"83pv-RKSJ", japanese.ShiftJIS},
	{"EUC-", japanese.EUCJP},
	{"GBK", simplifiedchinese.GBK},
	{"GBpc-EUC", simplifiedchinese.GBK},
	{"GB-EUC", simplifiedchinese.GBK},
	{"B5pc", traditionalchinese.Big5},
	{"ETen-B5", traditionalchinese.Big5},
	{"HKscs-B5", traditionalchinese.Big5},
	{"KSC", korean.EUCKR},
}
