// Package formula parses the LaTeX of mathematics as language models write it, to a small tree
// of plain data. Package typeset below it draws that tree.
//
// The text comes from a model and is not trusted. There are no macros, so parsing takes time
// in proportion to the length of the text, within limits of length and depth. What the package
// does not know is an error, and whoever asked shows the text as it is.
package formula

// Node is one of Row, Symbol, Operator, Text, Space, Script, Fraction, Root, Fenced, Middle,
// Delimiter, Accent, Bar, Stretched, Stack, Arrow, Array, Styled, Colored, Phantom, Boxed,
// Struck and Classed.
type Node interface{ isNode() }

// Row is formulas side by side.
type Row []Node

// Class says how much room a formula wants beside others.
type Class uint8

// The classes, as TeX has them.
const (
	Ord   Class = iota // a letter, a number
	Op                 // a big sign, the name of a function
	Bin                // between two operands: +
	Rel                // between two sides: =
	Open               // (
	Close              // )
	Punct              // ,
	Inner              // a fraction, what is within \left and \right
)

// Symbol is one character, already of its alphabet: an italic x is U+1D465.
type Symbol struct {
	Rune  rune
	Class Class
}

// Limits says where the scripts of an operator stand.
type Limits uint8

// The places of scripts.
const (
	Display Limits = iota // above and below in a formula of its own, else behind
	Always                // above and below
	Never                 // behind
)

// Operator is a big sign such as a sum, or the name of a function.
type Operator struct {
	Rune   rune   // 0: a name
	Name   string // in upright letters
	Body   Row    // anything else, of \mathop
	Limits Limits
}

// Text is words within a formula.
type Text struct {
	Text string
	Face Face
}

// Face is an alphabet.
type Face uint8

// The alphabets.
const (
	Normal Face = iota // letters italic, numbers upright
	Roman
	Bold
	Italic
	BoldItalic
	Calligraphic
	Fraktur
	Double
	Sans
	Mono
)

// Space is room, in em; less than nothing pulls things together.
type Space struct{ Em float64 }

// Script is a formula with others in small behind it, or above and below it.
type Script struct {
	Base     Node // nil: none
	Sub, Sup Row  // nil: none
}

// Style is the size of a formula.
type Style uint8

// The sizes. Own is that of the surroundings.
const (
	Own Style = iota
	DisplayStyle
	TextStyle
	ScriptStyle
	ScriptScriptStyle
)

// Fraction is one formula above another one.
type Fraction struct {
	Above, Below Row
	Bar          bool // a line between them
	Style        Style
	Left, Right  rune // around both; 0: none
	Continued    bool // of \cfrac: not in small
}

// Root is a root; Degree may be nil.
type Root struct{ Body, Degree Row }

// Fenced is a formula between signs that are as tall as it.
type Fenced struct {
	Left, Right rune // 0: none
	Body        Row
}

// Middle is a sign within a Fenced, as tall as those at its ends.
type Middle struct{ Rune rune }

// Delimiter is a bracket of one of four sizes.
type Delimiter struct {
	Rune  rune
	Size  int // 1 to 4
	Class Class
}

// Accent is a sign above a formula, or below it.
type Accent struct {
	Rune rune
	Body Row
	Wide bool // as wide as the formula, as far as the font has that
}

// Bar is a line above a formula, or below it.
type Bar struct {
	Body  Row
	Under bool
}

// Stretched is a brace or an arrow as wide as the formula below or above it.
type Stretched struct {
	Rune  rune
	Body  Row
	Under bool
}

// Stack is a formula with others in small above and below it.
type Stack struct {
	Base        Row
	Over, Under Row // nil: none
	Class       Class
}

// Arrow is an arrow as long as what stands above and below it.
type Arrow struct {
	Rune        rune
	Over, Under Row
}

// Kind is what an Array is.
type Kind uint8

// The kinds.
const (
	Matrix   Kind = iota
	Small         // within a line of text
	Cases         // with a brace on the left
	Aligned       // columns in pairs, which meet without room
	Gathered      // lines in the middle
	Stacked       // lines of small text below a sum
)

// Array is formulas in rows and columns. Its rows may have fewer cells than columns.
type Array struct {
	Kind        Kind
	Style       Style // of the cells
	Rows        [][]Row
	Align       string // of each column: l, c or r; the last holds for those after it, of Aligned the last two
	Bars        []int  // columns before which a line stands
	Lines       []int  // rows above which a line stands
	Left, Right rune   // 0: none
}

// Styled is a formula in another size.
type Styled struct {
	Style Style
	Body  Row
}

// Colored is a formula in a colour.
type Colored struct {
	Color Color
	Body  Row
}

// Phantom takes the room of a formula and shows nothing.
type Phantom struct {
	Body          Row
	Width, Height bool
	Shown         bool // shows it, but takes only the room said
}

// Boxed is a formula in a frame.
type Boxed struct{ Body Row }

// Struck is a formula with lines through it.
type Struck struct {
	Body     Row
	Up, Down bool
	Across   bool
}

// Classed is a formula that counts as of another class.
type Classed struct {
	Body  Row
	Class Class
}

func (Row) isNode()       {}
func (Symbol) isNode()    {}
func (Operator) isNode()  {}
func (Text) isNode()      {}
func (Space) isNode()     {}
func (Script) isNode()    {}
func (Fraction) isNode()  {}
func (Root) isNode()      {}
func (Fenced) isNode()    {}
func (Middle) isNode()    {}
func (Delimiter) isNode() {}
func (Accent) isNode()    {}
func (Bar) isNode()       {}
func (Stretched) isNode() {}
func (Stack) isNode()     {}
func (Arrow) isNode()     {}
func (Array) isNode()     {}
func (Styled) isNode()    {}
func (Colored) isNode()   {}
func (Phantom) isNode()   {}
func (Boxed) isNode()     {}
func (Struck) isNode()    {}
func (Classed) isNode()   {}
