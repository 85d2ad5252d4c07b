// linear_vec for the types in codebooks (see codebooks.metal). A part is 16 neighbouring
// values.

struct Sixteen {
    float4 x[4];
};

template <typename Type>
struct VecCodebook {
    enum { VALUES = Type::block, BYTES = Type::bytes, PARTS = 16, ROWS = 4 };
    typedef Sixteen X;
    static inline X load(device const float * x, int part) {
        device const float4 * v = (device const float4 *) (x + part * 16);
        Sixteen s;
        for (int i = 0; i < 4; i++) { s.x[i] = v[i]; }
        return s;
    }
    static inline float dot(device const uchar * w, thread const X & x, int part) {
        float v[16];
        Type::values(w, part, v);
        float sum = 0.0f;
        for (int i = 0; i < 4; i++) { sum = multiply_add(float4(v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3]), x.x[i], sum); }
        return Type::scale(w, part) * sum;
    }
};
