package formula

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// Signs by their commands, each followed by its character.
const (
	ordSigns = `infty ∞ partial ∂ nabla ∇ forall ∀ exists ∃ nexists ∄ emptyset ∅ varnothing ∅ hbar ℏ hslash ℏ ell ℓ wp ℘ Re ℜ Im ℑ
		aleph ℵ beth ℶ gimel ℷ daleth ℸ imath 𝚤 jmath 𝚥 prime ′ backprime ‵ angle ∠ measuredangle ∡ sphericalangle ∢ triangle △ square □ Box □
		blacksquare ■ Diamond ◇ lozenge ◊ bigstar ★ flat ♭ natural ♮ sharp ♯ clubsuit ♣ diamondsuit ♢ heartsuit ♡ spadesuit ♠
		neg ¬ lnot ¬ top ⊤ bot ⊥ complement ∁ eth ð mho ℧ ldots … dotsc … dotso … cdots ⋯ dotsb ⋯ dotsm ⋯ dotsi ⋯ vdots ⋮ ddots ⋱ iddots ⋰
		degree ° textdegree ° permil ‰ % % # # & & _ _ $ $ pounds £ euro € S § P ¶ copyright © checkmark ✓ dag † ddag ‡ vert | Vert ‖ | ‖ backslash \
		surd √ blacktriangle ▲ triangledown ▽ blacktriangledown ▼ blacklozenge ⧫ circledR ® yen ¥ AA Å aa å ae æ AE Æ oe œ OE Œ o ø O Ø ss ß`

	greekSigns = `alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ varkappa ϰ lambda λ
		mu μ nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ phi ϕ varphi φ chi χ psi ψ omega ω digamma ϝ
		Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω
		Alpha Α Beta Β Epsilon Ε Zeta Ζ Eta Η Iota Ι Kappa Κ Mu Μ Nu Ν Omicron Ο Rho Ρ Tau Τ Chi Χ`

	binSigns = `pm ± mp ∓ times × div ÷ cdot ⋅ cdotp ⋅ ast ∗ star ⋆ circ ∘ bullet ∙ cap ∩ cup ∪ sqcap ⊓ sqcup ⊔ vee ∨ lor ∨ wedge ∧ land ∧
		setminus ∖ smallsetminus ∖ wr ≀ oplus ⊕ ominus ⊖ otimes ⊗ oslash ⊘ odot ⊙ dagger † ddagger ‡ amalg ⨿ uplus ⊎ diamond ⋄ bigcirc ◯
		triangleleft ◁ triangleright ▷ bigtriangleup △ bigtriangledown ▽ dotplus ∔ ltimes ⋉ rtimes ⋊ boxplus ⊞ boxminus ⊟ boxtimes ⊠ boxdot ⊡
		barwedge ⊼ veebar ⊻ circledast ⊛ circledcirc ⊚ circleddash ⊝ intercal ⊺ divideontimes ⋇ Cap ⋒ Cup ⋓ lhd ⊲ rhd ⊳ unlhd ⊴ unrhd ⊵`

	relSigns = `leq ≤ le ≤ geq ≥ ge ≥ neq ≠ ne ≠ equiv ≡ approx ≈ cong ≅ sim ∼ simeq ≃ propto ∝ in ∈ ni ∋ owns ∋ notin ∉ subset ⊂ supset ⊃
		subseteq ⊆ supseteq ⊇ subsetneq ⊊ supsetneq ⊋ nsubseteq ⊈ nsupseteq ⊉ sqsubset ⊏ sqsupset ⊐ sqsubseteq ⊑ sqsupseteq ⊒ ll ≪ gg ≫ lll ⋘ ggg ⋙
		prec ≺ succ ≻ preceq ⪯ succeq ⪰ precsim ≾ succsim ≿ preccurlyeq ≼ succcurlyeq ≽ parallel ∥ nparallel ∦ perp ⊥ mid ∣ nmid ∤ models ⊨ vdash ⊢ dashv ⊣ vDash ⊨ Vdash ⊩
		nvdash ⊬ nvDash ⊭ asymp ≍ doteq ≐ doteqdot ≑ triangleq ≜ coloneqq ≔ coloneq ≔ eqqcolon ≕ bowtie ⋈ smile ⌣ frown ⌢ leqslant ⩽ geqslant ⩾ leqq ≦ geqq ≧
		lesssim ≲ gtrsim ≳ lessgtr ≶ gtrless ≷ lessapprox ⪅ gtrapprox ⪆ nless ≮ ngtr ≯ nleq ≰ ngeq ≱ nsim ≁ ncong ≇ approxeq ≊ thicksim ∼ thickapprox ≈ backsim ∽ eqsim ≂
		risingdotseq ≓ fallingdotseq ≒ circeq ≗ bumpeq ≏ Bumpeq ≎ varpropto ∝ Subset ⋐ Supset ⋑ trianglelefteq ⊴ trianglerighteq ⊵ vartriangleleft ⊲ vartriangleright ⊳ pitchfork ⋔ between ≬ because ∵ therefore ∴
		to → rightarrow → gets ← leftarrow ← leftrightarrow ↔ Rightarrow ⇒ Leftarrow ⇐ Leftrightarrow ⇔ longrightarrow ⟶ longleftarrow ⟵ longleftrightarrow ⟷
		Longrightarrow ⟹ Longleftarrow ⟸ Longleftrightarrow ⟺ implies ⟹ impliedby ⟸ iff ⟺ mapsto ↦ longmapsto ⟼ hookrightarrow ↪ hookleftarrow ↩
		uparrow ↑ downarrow ↓ updownarrow ↕ Uparrow ⇑ Downarrow ⇓ Updownarrow ⇕ nearrow ↗ searrow ↘ swarrow ↙ nwarrow ↖ rightharpoonup ⇀ rightharpoondown ⇁
		leftharpoonup ↼ leftharpoondown ↽ rightleftharpoons ⇌ leftrightharpoons ⇋ rightleftarrows ⇄ leftrightarrows ⇆ rightrightarrows ⇉ leftleftarrows ⇇ leadsto ⇝ rightsquigarrow ⇝
		nrightarrow ↛ nleftarrow ↚ nRightarrow ⇏ nLeftarrow ⇍ nleftrightarrow ↮ nLeftrightarrow ⇎ twoheadrightarrow ↠ twoheadleftarrow ↞ rightarrowtail ↣ leftarrowtail ↢ upharpoonright ↾ restriction ↾
		curvearrowright ↷ curvearrowleft ↶ circlearrowright ↻ circlearrowleft ↺ dashrightarrow ⇢ dashleftarrow ⇠ multimap ⊸ Vvdash ⊪ lt < gt > colon :`

	openSigns  = `lbrace { lbrack [ langle ⟨ lfloor ⌊ lceil ⌈ lvert | lVert ‖ lgroup ⟮ ulcorner ⌜ llbracket ⟦ lparen ( { {`
	closeSigns = `rbrace } rbrack ] rangle ⟩ rfloor ⌋ rceil ⌉ rvert | rVert ‖ rgroup ⟯ urcorner ⌝ rrbracket ⟧ rparen ) } }`

	bigSigns = `sum ∑ prod ∏ coprod ∐ bigcup ⋃ bigcap ⋂ bigoplus ⨁ bigotimes ⨂ bigodot ⨀ bigvee ⋁ bigwedge ⋀ bigsqcup ⨆ biguplus ⨄`
	intSigns = `int ∫ iint ∬ iiint ∭ iiiint ⨌ oint ∮ oiint ∯ oiiint ∰ smallint ∫`

	// Names of functions.
	limitNames = `lim max min sup inf det gcd Pr limsup:lim\sup liminf:lim\inf argmax:arg\max argmin:arg\min injlim:inj\lim projlim:proj\lim plim`
	plainNames = `sin cos tan cot sec csc arcsin arccos arctan arccot sinh cosh tanh coth sech csch arsinh arcosh artanh log ln lg exp deg dim hom ker arg
		arctg tg ctg cotg cosec sh ch th cth sgn lcm erf tr Tr rank`

	accentSigns = `hat 0302 check 030C breve 0306 acute 0301 grave 0300 tilde 0303 bar 0304 vec 20D7 dot 0307 ddot 0308 dddot 20DB ddddot 20DC mathring 030A`
)

// signs are all signs by the names of their commands, and by their characters.
type signs struct {
	byName map[string]Node
	byRune map[rune]Class
}

// table returns all signs.
var table = sync.OnceValue(func() *signs {
	t := &signs{map[string]Node{}, map[rune]Class{}}
	each := func(list string, add func(name string, r rune)) {
		fields := strings.Fields(list)
		for i := 0; i+1 < len(fields); i += 2 {
			r, _ := utf8.DecodeRuneInString(fields[i+1])
			add(fields[i], r)
		}
	}
	for class, list := range map[Class]string{Ord: ordSigns, Bin: binSigns, Rel: relSigns, Open: openSigns, Close: closeSigns} {
		each(list, func(name string, r rune) {
			t.byName[name] = Symbol{r, class}
			if r >= 0x80 {
				t.byRune[r] = max(t.byRune[r], class)
			}
		})
	}
	each(greekSigns, func(name string, r rune) { t.byName[name] = Symbol{r, Ord} })
	each(bigSigns, func(name string, r rune) { t.byName[name] = Operator{Rune: r} })
	each(intSigns, func(name string, r rune) { t.byName[name] = Operator{Rune: r, Limits: Never} })
	for _, name := range strings.Fields(limitNames) {
		name, shown, other := strings.Cut(name, ":")
		if !other {
			shown = name
		}
		t.byName[name] = Operator{Name: strings.ReplaceAll(shown, `\`, thinSpace)}
	}
	for _, name := range strings.Fields(plainNames) {
		t.byName[name] = Operator{Name: name, Limits: Never}
	}
	for _, name := range []string{"colon", "vert", "Vert", "|"} { // room only behind it; no class by the character
		delete(t.byRune, t.byName[name].(Symbol).Rune)
	}
	t.byName["colon"] = Symbol{':', Punct}
	return t
})

// thinSpace stands between the words of a name.
const thinSpace = "\u2009"

// ofRune returns a character that stands for itself.
func ofRune(r rune) Node {
	switch r {
	case '+':
		return Symbol{r, Bin}
	case '-', '−':
		return Symbol{'−', Bin}
	case '*':
		return Symbol{'∗', Bin}
	case '=', '<', '>', ':':
		return Symbol{r, Rel}
	case '(', '[':
		return Symbol{r, Open}
	case ')', ']', '!', '?':
		return Symbol{r, Close}
	case ',', ';':
		return Symbol{r, Punct}
	case '·':
		return Symbol{'⋅', Bin}
	case '∑', '∏', '∐', '⋃', '⋂':
		return Operator{Rune: r}
	case '∫', '∬', '∭', '∮':
		return Operator{Rune: r, Limits: Never}
	}
	return Symbol{r, table().byRune[r]}
}

// negated are signs with a stroke through them.
var negated = map[rune]rune{
	'=': '≠', '<': '≮', '>': '≯', '∈': '∉', '∋': '∌', '≤': '≰', '≥': '≱', '⊂': '⊄', '⊃': '⊅', '⊆': '⊈', '⊇': '⊉', '∼': '≁', '≃': '≄',
	'≡': '≢', '≈': '≉', '≅': '≇', '∥': '∦', '∣': '∤', '|': '∤', '∃': '∄', '⇒': '⇏', '→': '↛', '←': '↚', '↔': '↮', '⇔': '⇎', '⊢': '⊬', '⊨': '⊭', '≺': '⊀', '≻': '⊁',
}
