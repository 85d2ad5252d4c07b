// unpack: some rows of w as halves, for product. A thread decodes 16 values.

namespace own {

struct UnpackArgs { int in, rows, stride; };

template <typename Type>
MSL_FN void unpack(UnpackArgs &args, const uchar *w, half *to) {
    msl::wait_for_last();
    const int many = args.in / 16;
    for (long i = blockIdx.x * (long) blockDim.x + threadIdx.x; i < (long) args.rows * many; i += (long) gridDim.x * blockDim.x) {
        const long row = i / many;
        const int first = (int) (i - row * many) * 16;
        float v[16];
        Type::decode(w + row * args.stride, first, 16, v);
        unsigned words[8];
#pragma unroll
        for (int n = 0; n < 8; n++) words[n] = half(v[2 * n]).v | (unsigned) half(v[2 * n + 1]).v << 16;
        uint4 *out = (uint4 *) (to + row * args.in + first);
        out[0] = uint4(words[0], words[1], words[2], words[3]);
        out[1] = uint4(words[4], words[5], words[6], words[7]);
    }
}

} // namespace own
