// Matrices of a simdgroup: each lane has two neighbouring elements of one row. Metal
// does not say which, and kernels only load, multiply and store.
#pragma once
namespace metal {

template <typename T, int C, int R = C> struct simdgroup_matrix {
    static_assert(C == 8 && R == 8, "8x8 only");
    T e[2];
};
typedef simdgroup_matrix<float, 8, 8> simdgroup_float8x8;
typedef simdgroup_matrix<half, 8, 8> simdgroup_half8x8;

// As in the matrices of NVIDIA's mma.
MSL_FN int matrix_row(unsigned lane) { return lane >> 2; }
MSL_FN int matrix_column(unsigned lane) { return (lane & 3) * 2; }
MSL_FN int matrix_lane(int row, int column) { return row * 4 + (column >> 1); }

template <typename T, int C, int R = C> MSL_FN simdgroup_matrix<T, C, R> make_filled_simdgroup_matrix(T v) {
    simdgroup_matrix<T, C, R> m;
    m.e[0] = v;
    m.e[1] = v;
    return m;
}

template <typename T> MSL_FN void simdgroup_load(simdgroup_matrix<T, 8, 8> &m, const T *p, ulong stride = 8, ulong2 origin = ulong2(0ul), bool transposed = false) {
    msl_load();
    const ulong row = matrix_row(msl_lane()), column = matrix_column(msl_lane());
    p += origin.y * stride + origin.x;
    m.e[0] = transposed ? p[column * stride + row] : p[row * stride + column];
    m.e[1] = transposed ? p[(column + 1) * stride + row] : p[row * stride + column + 1];
}

template <typename T> MSL_FN void simdgroup_store(simdgroup_matrix<T, 8, 8> m, T *p, ulong stride = 8, ulong2 origin = ulong2(0ul), bool transposed = false) {
    msl_store();
    const ulong row = matrix_row(msl_lane()), column = matrix_column(msl_lane());
    p += origin.y * stride + origin.x;
    (transposed ? p[column * stride + row] : p[row * stride + column]) = m.e[0];
    (transposed ? p[(column + 1) * stride + row] : p[row * stride + column + 1]) = m.e[1];
}

} // namespace metal
