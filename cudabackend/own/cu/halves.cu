// A row of numbers as halves: it is multiplied with a power of two that brings its largest
// value to the upper end of what a half holds. With PARTS of 2, it is the sum of two rows of
// halves, of which the second has what the first leaves.

namespace own {

// largest_finite returns the largest of m and the finite ones of four values; infinities stay
// what they are.
MSL_FN float largest_finite(float m, const float4 &v) {
    const float l = largest_of(v);
    return l < FLT_MAX ? max(m, l) : m;
}

// unit_of returns what a row is multiplied with, given its largest value, and puts the unit
// of its halves where the caller wants it.
MSL_FN float unit_of(float largest, float *unit, bool put) {
    const int exponent = max((int) (__float_as_uint(largest) >> 23) - 127, -100);
    if (put) *unit = power_of_two(exponent - 14);
    return power_of_two(14 - exponent);
}

// put_halves puts four values, places from one part to the next.
template <int PARTS> MSL_FN void put_halves(half *to, int places, const float4 &v, float scale) {
    const float scaled[4] = {v.x * scale, v.y * scale, v.z * scale, v.w * scale};
    unsigned upper[4], lower[4];
#pragma unroll
    for (int n = 0; n < 4; n++) {
        const half h(scaled[n]);
        upper[n] = h.v;
        lower[n] = half(fabsf(scaled[n]) < FLT_MAX ? scaled[n] - float(h) : 0.0f).v;
    }
    *(uint2 *) to = uint2(upper[0] | upper[1] << 16, upper[2] | upper[3] << 16);
    if (PARTS > 1) *(uint2 *) (to + places) = uint2(lower[0] | lower[1] << 16, lower[2] | lower[3] << 16);
}

// halves_of returns two values as halves, in the order in which they lie in memory.
MSL_FN unsigned halves_of(float a, float b) {
    unsigned both;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(b), "f"(a));
    return both;
}

// reciprocal returns that of a power of two.
MSL_FN float reciprocal(float power) { return __uint_as_float((254u << 23) - __float_as_uint(power)); }

} // namespace own
