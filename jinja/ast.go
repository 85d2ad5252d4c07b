package jinja

// expr is a node of an expression: one of the types below whose names end in Expr.
type expr interface{ isExpr() }

// stmt is a node of a template's body: one of the types whose names end in Stmt.
type stmt interface{ isStmt() }

func (*constExpr) isExpr()   {}
func (*nameExpr) isExpr()    {}
func (*attrExpr) isExpr()    {}
func (*itemExpr) isExpr()    {}
func (*sliceExpr) isExpr()   {}
func (*callExpr) isExpr()    {}
func (*filterExpr) isExpr()  {}
func (*testExpr) isExpr()    {}
func (*unaryExpr) isExpr()   {}
func (*binaryExpr) isExpr()  {}
func (*logicExpr) isExpr()   {}
func (*compareExpr) isExpr() {}
func (*concatExpr) isExpr()  {}
func (*ifExpr) isExpr()      {}
func (*listExpr) isExpr()    {}
func (*dictExpr) isExpr()    {}

func (*textStmt) isStmt()     {}
func (*outStmt) isStmt()      {}
func (*ifStmt) isStmt()       {}
func (*forStmt) isStmt()      {}
func (*setStmt) isStmt()      {}
func (*setBlockStmt) isStmt() {}
func (*macroStmt) isStmt()    {}
func (*callStmt) isStmt()     {}
func (*filterStmt) isStmt()   {}
func (*withStmt) isStmt()     {}
func (*scopeStmt) isStmt()    {}
func (*loopStmt) isStmt()     {}

type (
	constExpr struct{ value any }
	nameExpr  struct {
		name string
		line int
	}
	attrExpr struct {
		of   expr
		name string
		line int
	}
	itemExpr struct {
		of, key expr
		line    int
	}
	sliceExpr struct { // of[from:to:step]; any may be nil
		of, from, to, step expr
		line               int
	}
	callExpr struct {
		of   expr
		args argExprs
		line int
	}
	filterExpr struct {
		of   expr // nil: the text of a filter block or set block
		name string
		args argExprs
		line int
	}
	testExpr struct {
		of   expr
		name string
		args argExprs
		line int
	}
	unaryExpr struct {
		op   string // "not", "-", "+"
		of   expr
		line int
	}
	binaryExpr struct {
		op   string
		a, b expr
		line int
	}
	logicExpr struct { // and, or: return one of the operands
		and  bool
		a, b expr
	}
	compareExpr struct { // a < b <= c
		first expr
		rest  []operand
		line  int
	}
	operand struct {
		op string
		of expr
	}
	concatExpr struct {
		parts []expr
		line  int
	}
	ifExpr struct {
		test, then expr
		otherwise  expr // nil: undefined
	}
	listExpr struct {
		items []expr
		tuple bool
	}
	dictExpr struct {
		keys, values []expr
		line         int
	}
)

// argExprs are the arguments of a call: a, *list, name=b, **dict.
type argExprs struct {
	pos   []expr
	star  expr
	names []string
	named []expr
	stars expr
}

type (
	textStmt struct{ text string }
	outStmt  struct {
		of   expr
		line int
	}
	ifStmt struct {
		tests     []expr
		bodies    [][]stmt
		otherwise []stmt
	}
	forStmt struct {
		target    target
		of, test  expr
		recursive bool
		body      []stmt
		otherwise []stmt
		line      int
	}
	setStmt struct {
		target target
		value  expr
		line   int
	}
	setBlockStmt struct {
		target target
		filter expr // nil: none
		body   []stmt
		line   int
	}
	macroStmt struct{ def *macroDef }
	callStmt  struct { // the body is the macro "caller" of the call
		call *callExpr
		body *macroDef
	}
	filterStmt struct {
		filter expr
		body   []stmt
	}
	withStmt struct {
		targets []target
		values  []expr
		body    []stmt
		line    int
	}
	scopeStmt struct{ body []stmt } // generation
	loopStmt  struct{ signal signal }
)

// target is the left side of an assignment.
type target struct {
	name string   // a name, or that of a namespace
	attr string   // not "": the namespace's attribute
	many []target // not nil: a tuple to unpack
	line int
}

type macroDef struct {
	name     string
	params   []string
	defaults []expr // of the last params
	body     []stmt
	line     int

	// Whether the body mentions these names; a macro accepts only what it
	// mentions.
	caller, varargs, kwargs bool
}

// signal is a break or continue that propagates to its loop.
type signal string

const (
	breakLoop    signal = "break"
	continueLoop signal = "continue"
)

func (s signal) Error() string { return string(s) }

func isSignal(err error) bool {
	_, ok := err.(signal)
	return ok
}
