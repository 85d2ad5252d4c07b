// Elementary functions on vectors. The polynomials were fitted for this file, by
// weighted least squares in 50 digits with the weights moved towards the largest
// error. The errors below are those of the fit, before rounding to f32. A NaN stays
// a NaN in all of them.

static const float LOG2E = 1.44269504f;

// exp_of: e^x = 2^n·e^r with |r| ≤ ln2/2, e^r by a polynomial of degree 6
// (relative error 3e-9). x is clamped to -87..88.
INLINE vf exp_of(vf x) {
	x = smaller(splat(88.0f), larger(splat(-87.0f), x));
	const vf round = splat(12582912.0f); // 1.5·2^23: adding it rounds to an integer
	vf shifted = muladd(x, splat(LOG2E), round);
	vf n = shifted - round;
	vf r = muladd(n, splat(-0.693359375f), x); // ln2 in two parts: n times the first is exact
	r = muladd(n, splat(2.12194440e-4f), r);
	vf p = splat(0.0013814484f);
	p = muladd(p, r, splat(0.008368781f));
	p = muladd(p, r, splat(0.041668393f));
	p = muladd(p, r, splat(0.1666652f));
	p = muladd(p, r, splat(0.49999994f));
	p = muladd(p * r, r, r) + 1.0f;
	return (vf)((vu)p + ((vu)shifted << 23)); // unsigned, because unused lanes may overflow
}

// exp2_of: 2^x for x from -126 to 127 or NaN, in the same way with a polynomial of
// degree 5 (relative error 9e-8). Softmax uses it, with log2e in its scale.
INLINE vf exp2_of(vf x) {
	const vf round = splat(12582912.0f);
	vf shifted = x + round;
	vf r = x - (shifted - round);
	vf p = splat(0.0013264396f);
	p = muladd(p, r, splat(0.009671729f));
	p = muladd(p, r, splat(0.055507366f));
	p = muladd(p, r, splat(0.2402224f));
	p = muladd(p, r, splat(0.693147f));
	p = muladd(p, r, splat(1.0f));
	return (vf)((vu)p + ((vu)shifted << 23)); // unsigned, because unused lanes may overflow
}

// normal_cdf is Φ(x) = ½ + x·P(x²)/Q(x²) (absolute error 1e-8).
INLINE vf normal_cdf(vf x) {
	x = smaller(splat(5.5f), larger(splat(-5.5f), x));
	vf t = x * x;
	vf p = splat(2.285017508540932e-08f);
	p = muladd(p, t, splat(6.326721177174477e-06f));
	p = muladd(p, t, splat(0.00016661142581142485f));
	p = muladd(p, t, splat(0.00466383621096611f));
	p = muladd(p, t, splat(0.033646468073129654f));
	p = muladd(p, t, splat(0.3989422619342804f));
	vf q = splat(1.198548375214159e-06f);
	q = muladd(q, t, splat(7.288155029527843e-05f));
	q = muladd(q, t, splat(0.0018720419611781836f));
	q = muladd(q, t, splat(0.028525758534669876f));
	q = muladd(q, t, splat(0.2510053813457489f));
	q = muladd(q, t, splat(1.0f));
	return muladd(x, p / q, splat(0.5f));
}

// tanh_of is x·P(x²)/Q(x²) (relative error 2e-8), and ±1 beyond ±9.
INLINE vf tanh_of(vf x) {
	x = smaller(splat(9.0f), larger(splat(-9.0f), x));
	vf t = x * x;
	vf p = splat(1.3355047734364689e-08f);
	p = muladd(p, t, splat(2.0609550119843334e-05f));
	p = muladd(p, t, splat(0.003495625453069806f));
	p = muladd(p, t, splat(0.1338105946779251f));
	p = muladd(p, t, splat(1.0f));
	vf q = splat(7.776770871714689e-07f);
	q = muladd(q, t, splat(0.0003285689454060048f));
	q = muladd(q, t, splat(0.025877133011817932f));
	q = muladd(q, t, splat(0.4671437442302704f));
	q = muladd(q, t, splat(1.0f));
	return x * p / q;
}

INLINE vf sigmoid(vf x) { return 1.0f / (1.0f + exp_of(-x)); }

INLINE vf activate(const int activation, vf x) {
	switch (activation) {
	case ACT_GELU:
		return x * normal_cdf(x);
	case ACT_GELU_TANH: // ½x·(1 + tanh(√(2/π)·(x + 0.044715·x³)))
		return 0.5f * x * (1.0f + tanh_of(0.79788456f * x * (1.0f + 0.044715f * x * x)));
	case ACT_QUICK_GELU:
		return x * sigmoid(1.702f * x);
	case ACT_RELU:
		return larger(splat(0), x);
	case ACT_SILU:
		return x * sigmoid(x);
	case ACT_TANH:
		return tanh_of(x);
	case ACT_SIGMOID:
		return sigmoid(x);
	default:
		return x;
	}
}
