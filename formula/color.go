package formula

import (
	"strconv"
	"strings"
)

// Color is a colour as it was written; the zero value is none. Whoever draws it sees to its
// contrast.
type Color struct {
	R, G, B uint8
	Some    bool
}

// colors are the names of colours that writers of mathematics use.
var colors = map[string]uint32{
	"black": 0x000000, "white": 0xffffff, "red": 0xff0000, "green": 0x00ff00, "blue": 0x0000ff, "cyan": 0x00ffff, "magenta": 0xff00ff, "yellow": 0xffff00,
	"gray": 0x808080, "grey": 0x808080, "darkgray": 0x404040, "lightgray": 0xbfbfbf, "orange": 0xff8000, "purple": 0xbf0040, "violet": 0x800080,
	"brown": 0xbf8040, "pink": 0xffbfbf, "lime": 0xbfff00, "olive": 0x808000, "teal": 0x008080, "navy": 0x000080, "maroon": 0x800000,
	"darkblue": 0x00008b, "darkred": 0x8b0000, "darkgreen": 0x006400, "lightblue": 0xadd8e6, "lightgreen": 0x90ee90, "gold": 0xffd700, "indigo": 0x4b0082,
	"crimson": 0xdc143c, "tomato": 0xff6347, "coral": 0xff7f50, "salmon": 0xfa8072, "turquoise": 0x40e0d0, "steelblue": 0x4682b4,
	"royalblue": 0x4169e1, "forestgreen": 0x228b22, "seagreen": 0x2e8b57, "skyblue": 0x87ceeb, "dodgerblue": 0x1e90ff, "slateblue": 0x6a5acd,
	"darkorange": 0xff8c00, "orchid": 0xda70d6, "plum": 0xdda0dd, "chocolate": 0xd2691e, "goldenrod": 0xdaa520, "firebrick": 0xb22222,
}

// color parses the colour of \color and \textcolor: a name, a mixture of names, or numbers.
func (p *parser) color() Color {
	model, _ := p.option()
	source, ok := p.raw()
	if !ok {
		p.fail("a colour has no name in braces")
		return Color{}
	}
	c, ok := colorOf(model, strings.TrimSpace(source))
	if !ok {
		p.fail("the colour %s is not known", source)
	}
	return c
}

// colorOf reads a colour; model is the one of LaTeX that its numbers are of, or empty.
func colorOf(model, source string) (Color, bool) {
	switch model {
	case "":
		if hex, ok := strings.CutPrefix(source, "#"); ok {
			return hexColor(hex)
		}
		return mixed(strings.Split(source, "!"))
	case "HTML":
		return hexColor(source)
	case "RGB":
		return numbers(source, 1)
	case "rgb":
		return numbers(source, 255)
	case "gray":
		return numbers(source+","+source+","+source, 255)
	}
	return Color{}, false
}

// named is the colour of a name.
func named(name string) (Color, bool) {
	v, ok := colors[strings.ToLower(strings.TrimSpace(name))]
	return Color{uint8(v >> 16), uint8(v >> 8), uint8(v), ok}, ok
}

// mixed reads blue, blue!40 (with white) and blue!40!black.
func mixed(parts []string) (Color, bool) {
	c, ok := named(parts[0])
	for i := 1; i < len(parts) && ok; i += 2 {
		share, err := strconv.ParseFloat(parts[i], 64)
		if err != nil || !(share >= 0 && share <= 100) {
			return Color{}, false
		}
		other := Color{255, 255, 255, true}
		if i+1 < len(parts) {
			if other, ok = named(parts[i+1]); !ok {
				return Color{}, false
			}
		}
		mix := func(a, b uint8) uint8 { return uint8((float64(a)*share+float64(b)*(100-share))/100 + 0.5) }
		c = Color{mix(c.R, other.R), mix(c.G, other.G), mix(c.B, other.B), true}
	}
	return c, ok
}

// hexColor reads RRGGBB or RGB.
func hexColor(s string) (Color, bool) {
	if len(s) == 3 {
		s = string([]byte{s[0], s[0], s[1], s[1], s[2], s[2]})
	}
	v, err := strconv.ParseUint(s, 16, 32)
	if err != nil || len(s) != 6 {
		return Color{}, false
	}
	return Color{uint8(v >> 16), uint8(v >> 8), uint8(v), true}, true
}

// numbers reads three numbers with commas between them, of which each is 255 when it is
// multiplied.
func numbers(s string, by float64) (Color, bool) {
	parts := strings.Split(s, ",")
	if len(parts) != 3 {
		return Color{}, false
	}
	var list [3]uint8
	for i, part := range parts {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if v *= by; err != nil || !(v >= 0 && v <= 255) {
			return Color{}, false
		}
		list[i] = uint8(v + 0.5)
	}
	return Color{list[0], list[1], list[2], true}, true
}
