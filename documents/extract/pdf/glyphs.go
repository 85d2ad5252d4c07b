package pdf

import (
	"strconv"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"
)

// glyphText returns the characters that a glyph's name stands for, or "". It
// follows the Adobe Glyph List Specification, with the names that fonts of Latin,
// Greek and Cyrillic text and of TeX use.
func glyphText(glyph name) string {
	base, _, _ := strings.Cut(string(glyph), ".") // "a.sc" is a small capital
	if base == "" {
		return ""
	}
	if strings.Contains(base, "_") { // a ligature
		var all strings.Builder
		for part := range strings.SplitSeq(base, "_") {
			all.WriteString(oneGlyph(part))
		}
		return all.String()
	}
	return oneGlyph(base)
}

func oneGlyph(base string) string {
	if len(base) == 1 {
		return base
	}
	if known, ok := knownGlyphs()[base]; ok {
		return known
	}
	if hex, ok := strings.CutPrefix(base, "uni"); ok && len(hex) >= 4 && len(hex)%4 == 0 {
		var all strings.Builder
		for ; hex != ""; hex = hex[4:] {
			all.WriteString(fromHex(hex[:4]))
		}
		return all.String()
	}
	if hex, ok := strings.CutPrefix(base, "u"); ok && len(hex) >= 4 && len(hex) <= 6 {
		if text := fromHex(hex); text != "" {
			return text
		}
	}
	if text := cyrillic(base); text != "" {
		return text
	}
	for _, a := range accents {
		if letter, ok := strings.CutSuffix(base, a.name); ok && letter != "" {
			if letter == "dotlessi" {
				letter = "i"
			}
			if of := oneGlyph(letter); of != "" && len([]rune(of)) == 1 {
				return norm.NFC.String(of + a.mark)
			}
		}
	}
	return ""
}

func fromHex(hex string) string {
	n, err := strconv.ParseUint(hex, 16, 32)
	if err != nil || n == 0 || n > 0x10ffff || n >= 0xd800 && n < 0xe000 {
		return ""
	}
	return string(rune(n))
}

// accents are the ends of names of letters with accents. Of two that fit, the longer one
// comes first.
var accents = []struct{ name, mark string }{
	{"hungarumlaut", "\u030b"},
	{"circumflex", "\u0302"},
	{"commaaccent", "\u0327"},
	{"dotaccent", "\u0307"},
	{"dieresis", "\u0308"},
	{"dotbelow", "\u0323"},
	{"cedilla", "\u0327"},
	{"macron", "\u0304"},
	{"ogonek", "\u0328"},
	{"acute", "\u0301"},
	{"grave", "\u0300"},
	{"tilde", "\u0303"},
	{"caron", "\u030c"},
	{"breve", "\u0306"},
	{"tonos", "\u0301"},
	{"hook", "\u0309"},
	{"horn", "\u031b"},
	{"ring", "\u030a"},
}

// cyrillic reads the names afii10017 (А) and up, which fonts of Cyrillic have.
func cyrillic(base string) string {
	digits, ok := strings.CutPrefix(base, "afii100")
	if !ok {
		return ""
	}
	n, err := strconv.Atoi(digits)
	switch {
	case err != nil:
		return ""
	case n == 23:
		return "Ё"
	case n == 71:
		return "ё"
	case n >= 17 && n <= 22:
		return string(rune('А' + n - 17))
	case n >= 24 && n <= 49:
		return string(rune('Ж' + n - 24))
	case n >= 65 && n <= 70:
		return string(rune('а' + n - 65))
	case n >= 72 && n <= 97:
		return string(rune('ж' + n - 72))
	}
	return map[int]string{
		50: "Ґ", 51: "Ђ", 52: "Ѓ", 53: "Є", 54: "Ѕ", 55: "І", 56: "Ї", 57: "Ј", 58: "Љ", 59: "Њ", 60: "Ћ", 61: "Ќ", 62: "Ў",
		98: "ґ", 99: "ђ",
	}[n]
}

// knownGlyphs returns the names that follow no rule.
var knownGlyphs = sync.OnceValue(func() map[string]string {
	known := map[string]string{"space": " ", "nbspace": " ", "nonbreakingspace": " ", "hyphen": "-", "sfthyphen": "-", "visiblespace": " "}
	fields := strings.Fields(glyphNames)
	for i := 0; i+1 < len(fields); i += 2 {
		known[fields[i]] = fields[i+1]
	}
	return known
})

// glyphNames are names and what they stand for.
const glyphNames = `
exclam ! quotedbl " numbersign # dollar $ percent % ampersand & quotesingle ' parenleft ( parenright ) asterisk * plus +
comma , minus − period . slash / zero 0 one 1 two 2 three 3 four 4 five 5 six 6 seven 7 eight 8 nine 9 colon : semicolon ;
less < equal = greater > question ? at @ bracketleft [ backslash \ bracketright ] asciicircum ^ underscore _ grave ` + "`" + `
braceleft { bar | braceright } asciitilde ~ exclamdown ¡ cent ¢ sterling £ fraction ⁄ yen ¥ florin ƒ section § currency ¤
quotedblleft “ guillemotleft « guilsinglleft ‹ guilsinglright › fi fi fl fl ff ff ffi ffi ffl ffl longst st st st IJ IJ ij ij
endash – dagger † daggerdbl ‡ periodcentered · middot · paragraph ¶ bullet • quotesinglbase ‚ quotedblbase „ quotedblright ”
guillemotright » ellipsis … perthousand ‰ questiondown ¿ acute ´ circumflex ˆ tilde ˜ macron ¯ breve ˘ dotaccent ˙ dieresis ¨
ring ˚ cedilla ¸ hungarumlaut ˝ ogonek ˛ caron ˇ emdash — AE Æ ordfeminine ª Lslash Ł Oslash Ø OE Œ ordmasculine º ae æ
dotlessi ı lslash ł oslash ø oe œ germandbls ß quoteleft ‘ quoteright ’ onesuperior ¹ twosuperior ² threesuperior ³ Eth Ð eth ð
Thorn Þ thorn þ multiply × divide ÷ onehalf ½ onequarter ¼ threequarters ¾ brokenbar ¦ copyright © registered ® trademark ™
degree ° plusminus ± mu µ logicalnot ¬ Euro € euro € Dcroat Đ dcroat đ Hbar Ħ hbar ħ Tbar Ŧ tbar ŧ Eng Ŋ eng ŋ kra ĸ longs ſ
napostrophe ŉ Idotaccent İ dotlessj ȷ Germandbls ẞ Gcommaaccent Ģ gcommaaccent ģ Tcommaaccent Ţ tcommaaccent ţ Scommaaccent Ș
scommaaccent ș lcaron ľ tcaron ť dcaron ď Lcaron Ľ Ldot Ŀ ldot ŀ apostrophe ' hyphenminus - hyphentwo ‐ figuredash ‒ horizontalbar ―
Alpha Α Beta Β Gamma Γ Delta ∆ Epsilon Ε Zeta Ζ Eta Η Theta Θ Iota Ι Kappa Κ Lambda Λ Mu Μ Nu Ν Xi Ξ Omicron Ο Pi Π Rho Ρ Sigma Σ
Tau Τ Upsilon Υ Phi Φ Chi Χ Psi Ψ Omega Ω alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ
nu ν xi ξ omicron ο pi π rho ρ sigma σ sigma1 ς sigmafinal ς tau τ upsilon υ phi φ chi χ psi ψ omega ω theta1 ϑ phi1 ϕ omega1 ϖ
epsilon1 ε rho1 ϱ Upsilon1 ϒ alphatonos ά epsilontonos έ etatonos ή iotatonos ί omicrontonos ό upsilontonos ύ omegatonos ώ
infinity ∞ notequal ≠ lessequal ≤ greaterequal ≥ approxequal ≈ equivalence ≡ similar ∼ congruent ≅ proportional ∝ element ∈
notelement ∉ suchthat ∋ propersubset ⊂ propersuperset ⊃ reflexsubset ⊆ reflexsuperset ⊇ union ∪ intersection ∩ emptyset ∅
universal ∀ existential ∃ partialdiff ∂ gradient ∇ nabla ∇ product ∏ summation ∑ integral ∫ radical √ angle ∠ logicaland ∧
logicalor ∨ arrowleft ← arrowup ↑ arrowright → arrowdown ↓ arrowboth ↔ arrowdblleft ⇐ arrowdblright ⇒ arrowdblup ⇑ arrowdbldown ⇓
arrowdblboth ⇔ therefore ∴ perpendicular ⊥ asteriskmath ∗ dotmath ⋅ circleplus ⊕ circlemultiply ⊗ minute ′ second ″ prime ′ aleph ℵ
Ifraktur ℑ Rfraktur ℜ weierstrass ℘ lozenge ◊ spade ♠ club ♣ heart ♥ diamond ♦ checkmark ✓ estimated ℮ numero № bulletoperator ∙
leftarrow ← rightarrow → openbullet ◦ circle ○ square □ triangle △ H18533 ■ a1 ✁ ell ℓ planckover2pi ℏ dotlessj1 ȷ slurabove ⁀
parenlefttp ⎛ parenrighttp ⎞ bracketlefttp ⎡ bracketrighttp ⎤ summationtext ∑ summationdisplay ∑ integraltext ∫ integraldisplay ∫
producttext ∏ productdisplay ∏ radicalbig √ parenleftbig ( parenrightbig ) parenleftBig ( parenrightBig ) parenleftbigg (
parenrightbigg ) bracketleftbig [ bracketrightbig ] braceleftbig { bracerightbig } vextendsingle | floorleft ⌊ floorright ⌋
ceilingleft ⌈ ceilingright ⌉ angbracketleft ⟨ angbracketright ⟩ bardbl ‖ lessmuch ≪ greatermuch ≫ precedes ≺ follows ≻ mapsto ↦
onesuperior ¹ foursuperior ⁴ fivesuperior ⁵ sixsuperior ⁶ sevensuperior ⁷ eightsuperior ⁸ ninesuperior ⁹ zerosuperior ⁰
zerooldstyle 0 oneoldstyle 1 twooldstyle 2 threeoldstyle 3 fouroldstyle 4 fiveoldstyle 5 sixoldstyle 6 sevenoldstyle 7
eightoldstyle 8 nineoldstyle 9 oneinferior ₁ twoinferior ₂ threeinferior ₃ fourinferior ₄ onethird ⅓ twothirds ⅔ oneeighth ⅛
threeeighths ⅜ fiveeighths ⅝ seveneighths ⅞ afii61352 № afii10145 Ў afii10193 џ afii10101 є afii10103 і afii10104 ї afii10110 ў
franc ₣ lira ₤ peseta ₧ won ₩ rupee ₹ sheqel ₪ dong ₫ bitcoin ₿
`
