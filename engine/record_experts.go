package engine

import "fmt"

// Mixtures of experts (Shazeer et al. 2017, arXiv:1701.06538) are three operations:
// Route picks the experts of each row, Experts multiplies each row with the weights of its
// experts, and Mix adds the results up. Each pick of a row is a slot; a row has TopK.

// Route picks the TopK experts of each row: logits [n, experts]; result [n,
// 2·TopK], the numbers of the experts and then their weights. The score of an expert
// is the softmax of the row's logits, or the sigmoid of its logit. Those with the
// largest score plus bias are picked, the largest first, and of equal ones the
// first. The weight is the score, divided by the row's sum of them if wanted, times
// Factor and times the expert's scale. A row in which a logit or a bias is NaN gets
// the first experts with weights of NaN. bias and scale are nil or weights [1,
// experts]. Operands: logits, bias, scale.
func (g *Graph) Route(logits, bias, scale *Tensor, p RouteParams) *Tensor {
	if g.err != nil {
		return &Tensor{}
	}
	if err := needFloats(OpRoute, "logits", logits); err != nil {
		return g.Fail(err)
	}
	for _, w := range []*Tensor{bias, scale} {
		if w == nil {
			continue
		}
		if err := needWeight(OpRoute, "vector", w, 1, logits.Cols); err != nil {
			return g.Fail(err)
		}
	}
	switch {
	case p.TopK < 1 || p.TopK > logits.Cols:
		return g.Fail(fmt.Errorf("route %s: %d experts of %d cannot be picked", logits.label(), p.TopK, logits.Cols))
	case logits.Cols > maxExperts:
		return g.Fail(fmt.Errorf("route %s: %d experts are more than %d", logits.label(), logits.Cols, maxExperts))
	case !(p.Epsilon >= 0) || !finite(p.Epsilon, p.Factor):
		return g.Fail(fmt.Errorf("route %s: epsilon %v and factor %v cannot be", logits.label(), p.Epsilon, p.Factor))
	}
	return withParams(g.floats(OpRoute, logits.Name, logits.Rows, 2*p.TopK, logits, bias, scale), p)
}

// maxExperts bounds the experts of a layer.
const maxExperts = 1 << 12

// Experts multiplies each row of x with the weights of its experts: routes from
// Route, w [out, in] for each expert, bias [experts, out] or nil. x is [n, in], or
// [n, TopK·in] with a part for each slot. Result [n, TopK·out], the slots side by
// side. Operands: x, routes, w, bias.
func (g *Graph) Experts(x, routes, w, bias *Tensor) *Tensor {
	if g.err != nil {
		return &Tensor{}
	}
	if err := needFloats(OpExperts, w.label(), x); err != nil {
		return g.Fail(err)
	}
	p, err := needRoutes(OpExperts, w.label(), routes, x.Rows)
	if err != nil {
		return g.Fail(err)
	}
	if err := needWeight(OpExperts, "weight", w, 0, 0); err != nil {
		return g.Fail(err)
	}
	experts := routes.Src[0].Cols
	switch {
	case w.Parts != experts || w.Rows%experts != 0:
		return g.Fail(fmt.Errorf("experts %s: the weight %s is %d matrices, needed are %d", w.Name, w.shape(), w.Parts, experts))
	case x.Cols != w.Cols && x.Cols != p.TopK*w.Cols:
		return g.Fail(fmt.Errorf("experts %s: x %s does not fit %d columns", w.Name, x.shape(), w.Cols))
	}
	out := w.Rows / experts
	if bias != nil {
		if err := needWeight(OpExperts, "bias", bias, experts, out); err != nil {
			return g.Fail(err)
		}
	}
	return g.floats(OpExperts, w.Name, x.Rows, p.TopK*out, x, routes, w, bias)
}

// Mix adds up the slots of each row, each times its weight: y [n, TopK·d], routes
// from Route; result [n, d]. Operands: y, routes.
func (g *Graph) Mix(y, routes *Tensor) *Tensor {
	if g.err != nil {
		return &Tensor{}
	}
	if err := needFloats(OpMix, y.label(), y); err != nil {
		return g.Fail(err)
	}
	p, err := needRoutes(OpMix, y.label(), routes, y.Rows)
	if err != nil {
		return g.Fail(err)
	}
	if y.Cols%p.TopK != 0 {
		return g.Fail(fmt.Errorf("mix %s: %d columns are not %d slots", y.label(), y.Cols, p.TopK))
	}
	return g.floats(OpMix, y.Name, y.Rows, y.Cols/p.TopK, y, routes)
}

// needRoutes requires the result of Route for so many rows.
func needRoutes(op Op, at string, routes *Tensor, rows int) (RouteParams, error) {
	if routes == nil || routes.Op != OpRoute {
		return RouteParams{}, fmt.Errorf("%s %s: needs the result of Route", op, at)
	}
	if routes.Rows != rows {
		return RouteParams{}, fmt.Errorf("%s %s: %d rows have %d rows of routes", op, at, rows, routes.Rows)
	}
	return routes.Params.(RouteParams), nil
}
