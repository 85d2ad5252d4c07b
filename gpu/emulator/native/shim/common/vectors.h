// Vectors for the shims: elements only by .x .y .z .w, and constructors from all
// elements or from one value for all. Whatever else Metal has does not compile here.
#pragma once
namespace metal {

template <typename T, int N> struct vec;

template <typename T> struct alignas(2 * sizeof(T)) vec<T, 2> {
    T x, y;
    MSL_FN vec() = default;
    MSL_FN explicit vec(T a) : x(a), y(a) {}
    MSL_FN vec(T a, T b) : x(a), y(b) {}
    template <typename U> MSL_FN explicit vec(vec<U, 2> o) : x(T(o.x)), y(T(o.y)) {}
};
template <typename T> struct alignas(4 * sizeof(T)) vec<T, 3> {
    T x, y, z;
    MSL_FN vec() = default;
    MSL_FN explicit vec(T a) : x(a), y(a), z(a) {}
    MSL_FN vec(T a, T b, T c) : x(a), y(b), z(c) {}
    template <typename U> MSL_FN explicit vec(vec<U, 3> o) : x(T(o.x)), y(T(o.y)), z(T(o.z)) {}
};
template <typename T> struct alignas(4 * sizeof(T)) vec<T, 4> {
    T x, y, z, w;
    MSL_FN vec() = default;
    MSL_FN explicit vec(T a) : x(a), y(a), z(a), w(a) {}
    MSL_FN vec(T a, T b, T c, T d) : x(a), y(b), z(c), w(d) {}
    template <typename U> MSL_FN explicit vec(vec<U, 4> o) : x(T(o.x)), y(T(o.y)), z(T(o.z)), w(T(o.w)) {}
};

#define MSL_OPERATOR(op) \
template <typename T> MSL_FN vec<T, 2> operator op(vec<T, 2> a, vec<T, 2> b) { return vec<T, 2>(a.x op b.x, a.y op b.y); } \
template <typename T> MSL_FN vec<T, 3> operator op(vec<T, 3> a, vec<T, 3> b) { return vec<T, 3>(a.x op b.x, a.y op b.y, a.z op b.z); } \
template <typename T> MSL_FN vec<T, 4> operator op(vec<T, 4> a, vec<T, 4> b) { return vec<T, 4>(a.x op b.x, a.y op b.y, a.z op b.z, a.w op b.w); } \
template <typename T, int N> MSL_FN vec<T, N> operator op(vec<T, N> a, T b) { return a op vec<T, N>(b); } \
template <typename T, int N> MSL_FN vec<T, N> operator op(T a, vec<T, N> b) { return vec<T, N>(a) op b; } \
template <typename T, int N> MSL_FN vec<T, N> &operator op##=(vec<T, N> &a, vec<T, N> b) { a = a op b; return a; } \
template <typename T, int N> MSL_FN vec<T, N> &operator op##=(vec<T, N> &a, T b) { a = a op vec<T, N>(b); return a; }
MSL_OPERATOR(+)
MSL_OPERATOR(-)
MSL_OPERATOR(*)
MSL_OPERATOR(/)
MSL_OPERATOR(&)
MSL_OPERATOR(|)
MSL_OPERATOR(>>)
MSL_OPERATOR(<<)
#undef MSL_OPERATOR
template <typename T> MSL_FN vec<T, 2> operator-(vec<T, 2> a) { return vec<T, 2>(-a.x, -a.y); }
template <typename T> MSL_FN vec<T, 3> operator-(vec<T, 3> a) { return vec<T, 3>(-a.x, -a.y, -a.z); }
template <typename T> MSL_FN vec<T, 4> operator-(vec<T, 4> a) { return vec<T, 4>(-a.x, -a.y, -a.z, -a.w); }

template <typename T> MSL_FN T dot(vec<T, 2> a, vec<T, 2> b) { return a.x * b.x + a.y * b.y; }
template <typename T> MSL_FN T dot(vec<T, 3> a, vec<T, 3> b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
template <typename T> MSL_FN T dot(vec<T, 4> a, vec<T, 4> b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

template <typename T> MSL_FN T max(T a, T b) { return a < b ? b : a; }
template <typename T> MSL_FN T min(T a, T b) { return b < a ? b : a; }
template <typename T> MSL_FN vec<T, 4> max(vec<T, 4> a, vec<T, 4> b) { return vec<T, 4>(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z), max(a.w, b.w)); }
template <typename T> MSL_FN vec<T, 4> min(vec<T, 4> a, vec<T, 4> b) { return vec<T, 4>(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z), min(a.w, b.w)); }
template <typename T> MSL_FN T clamp(T v, T low, T high) { return v < low ? low : (v > high ? high : v); }
template <typename T> MSL_FN T select(T a, T b, bool second) { return second ? b : a; }

template <typename To, typename From> MSL_FN To as_type(From f) {
    static_assert(sizeof(To) == sizeof(From), "as_type wants equal sizes");
    To t;
    MSL_MEMCPY(&t, &f, sizeof t);
    return t;
}

} // namespace metal

#define MSL_VECTORS(X) \
    X(float, 2) X(float, 3) X(float, 4) X(half, 2) X(half, 3) X(half, 4) \
    X(char, 2) X(char, 3) X(char, 4) X(uchar, 2) X(uchar, 3) X(uchar, 4) \
    X(short, 2) X(short, 3) X(short, 4) X(ushort, 2) X(ushort, 3) X(ushort, 4) \
    X(int, 2) X(int, 3) X(int, 4) X(uint, 2) X(uint, 3) X(uint, 4)
