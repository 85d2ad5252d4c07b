package pdf

import "golang.org/x/text/encoding/charmap"

// codes are the characters of a font's one-byte codes. An empty text is unknown.
type codes [256]string

// baseCodes returns one of the encodings that the standard defines.
func baseCodes(encoding name) *codes {
	var c codes
	for i := range c {
		switch encoding {
		case "MacRomanEncoding":
			c[i] = string(charmap.Macintosh.DecodeByte(byte(i)))
		case "WinAnsiEncoding":
			c[i] = string(charmap.Windows1252.DecodeByte(byte(i)))
		default:
			if i >= ' ' && i < 0x7f {
				c[i] = string(rune(i))
			}
		}
		if i < ' ' || c[i] == "\ufffd" || c[i] == "\u0081" {
			c[i] = ""
		}
	}
	switch encoding {
	case "WinAnsiEncoding":
		c[0xad] = "-"
		for _, bullet := range []int{0x7f, 0x81, 0x8d, 0x8f, 0x90, 0x9d} {
			c[bullet] = "•"
		}
	case "MacRomanEncoding":
		c[0xca] = " "
	default:
		c['\''], c['`'] = "’", "‘"
		i := 0xa1
		for _, r := range standardUpper {
			if r != '.' {
				c[i] = string(r)
			}
			i++
		}
		c[0xae], c[0xaf] = "fi", "fl"
	}
	return &c
}

// standardUpper is StandardEncoding from 0xA1 on; a point is a code without a
// character.
const standardUpper = "¡¢£⁄¥ƒ§¤'“«‹›...–†‡·.¶•‚„”»…‰.¿.`´ˆ˜¯˘˙¨.˚¸.˝˛ˇ—................Æ.ª....ŁØŒº.....æ...ı..łøœß"

// symbolCodes returns the characters of the font Symbol, by their places.
func symbolCodes() *codes {
	c := baseCodes("")
	at := func(from int, chars string) {
		for _, r := range chars {
			c[from] = string(r)
			from++
		}
	}
	at(0x41, "ΑΒΧ∆ΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ")
	at(0x61, "αβχδεφγηιϕκλµνοπθρστυϖωξψζ")
	at(0xa1, "ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…")
	at(0xc0, "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑")
	c[0x22], c[0x24], c[0x27], c[0x2a], c[0x2d] = "∀", "∃", "∋", "∗", "−"
	return c
}
