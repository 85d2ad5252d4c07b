// Package syntax reads the source of a template and returns the tree of its
// statements and expressions, as jinja2's lexer and parser do. Package jinja
// evaluates the tree.
package syntax

// Expr is a node of an expression: one of the types below whose names end in Expr.
type Expr interface{ isExpr() }

// Stmt is a node of a template's body: one of the types whose names end in Stmt.
type Stmt interface{ isStmt() }

func (*ConstExpr) isExpr()   {}
func (*NameExpr) isExpr()    {}
func (*AttrExpr) isExpr()    {}
func (*ItemExpr) isExpr()    {}
func (*SliceExpr) isExpr()   {}
func (*CallExpr) isExpr()    {}
func (*FilterExpr) isExpr()  {}
func (*TestExpr) isExpr()    {}
func (*UnaryExpr) isExpr()   {}
func (*BinaryExpr) isExpr()  {}
func (*LogicExpr) isExpr()   {}
func (*CompareExpr) isExpr() {}
func (*ConcatExpr) isExpr()  {}
func (*IfExpr) isExpr()      {}
func (*ListExpr) isExpr()    {}
func (*DictExpr) isExpr()    {}

func (*TextStmt) isStmt()     {}
func (*OutStmt) isStmt()      {}
func (*IfStmt) isStmt()       {}
func (*ForStmt) isStmt()      {}
func (*SetStmt) isStmt()      {}
func (*SetBlockStmt) isStmt() {}
func (*MacroStmt) isStmt()    {}
func (*CallStmt) isStmt()     {}
func (*FilterStmt) isStmt()   {}
func (*WithStmt) isStmt()     {}
func (*ScopeStmt) isStmt()    {}
func (*LoopStmt) isStmt()     {}

// The nodes of expressions. Of is what a node applies to; Line is that of the source, from 1.
type (
	ConstExpr struct{ Value any }
	NameExpr  struct {
		Name string
		Line int
	}
	AttrExpr struct {
		Of   Expr
		Name string
		Line int
	}
	ItemExpr struct {
		Of, Key Expr
		Line    int
	}
	SliceExpr struct { // of[from:to:step]; any may be nil
		Of, From, To, Step Expr
		Line               int
	}
	CallExpr struct {
		Of   Expr
		Args ArgExprs
		Line int
	}
	FilterExpr struct {
		Of   Expr // nil: the text of a filter block or set block
		Name string
		Args ArgExprs
		Line int
	}
	TestExpr struct {
		Of   Expr
		Name string
		Args ArgExprs
		Line int
	}
	UnaryExpr struct {
		Op   string // "not", "-", "+"
		Of   Expr
		Line int
	}
	BinaryExpr struct {
		Op   string
		A, B Expr
		Line int
	}
	LogicExpr struct { // and, or: return one of the operands
		And  bool
		A, B Expr
	}
	CompareExpr struct { // a < b <= c
		First Expr
		Rest  []operand
		Line  int
	}
	operand struct {
		Op string
		Of Expr
	}
	ConcatExpr struct {
		Parts []Expr
		Line  int
	}
	IfExpr struct {
		Test, Then Expr
		Otherwise  Expr // nil: undefined
	}
	ListExpr struct {
		Items []Expr
		Tuple bool
	}
	DictExpr struct {
		Keys, Values []Expr
		Line         int
	}
)

// ArgExprs are the arguments of a call: a, *list, name=b, **dict.
type ArgExprs struct {
	Pos   []Expr
	Star  Expr
	Names []string
	Named []Expr
	Stars Expr
}

// The nodes of a template's body.
type (
	TextStmt struct{ Text string }
	OutStmt  struct {
		Of   Expr
		Line int
	}
	IfStmt struct {
		Tests     []Expr
		Bodies    [][]Stmt
		Otherwise []Stmt
	}
	ForStmt struct {
		Target    Target
		Of, Test  Expr
		Recursive bool
		Body      []Stmt
		Otherwise []Stmt
		Line      int
	}
	SetStmt struct {
		Target Target
		Value  Expr
		Line   int
	}
	SetBlockStmt struct {
		Target Target
		Filter Expr // nil: none
		Body   []Stmt
		Line   int
	}
	MacroStmt struct{ Def *MacroDef }
	CallStmt  struct { // the body is the macro "caller" of the call
		Call *CallExpr
		Body *MacroDef
	}
	FilterStmt struct {
		Filter Expr
		Body   []Stmt
	}
	WithStmt struct {
		Targets []Target
		Values  []Expr
		Body    []Stmt
		Line    int
	}
	ScopeStmt struct{ Body []Stmt } // generation
	LoopStmt  struct{ Signal Signal }
)

// Target is the left side of an assignment.
type Target struct {
	Name string   // a name, or that of a namespace
	Attr string   // not "": the namespace's attribute
	Many []Target // not nil: a tuple to unpack
	line int
}

// MacroDef is a macro, or the block of a call tag.
type MacroDef struct {
	Name     string
	Params   []string
	Defaults []Expr // of the last params
	Body     []Stmt
	Line     int

	// Whether the body mentions these names; a macro accepts only what it
	// mentions.
	Caller, Varargs, Kwargs bool
}

// Signal is a break or continue that propagates to its loop.
type Signal string

const (
	BreakLoop    Signal = "break"
	ContinueLoop Signal = "continue"
)

// Error returns the word.
func (s Signal) Error() string { return string(s) }

// IsSignal reports whether an error is a break or continue.
func IsSignal(err error) bool {
	_, ok := err.(Signal)
	return ok
}
