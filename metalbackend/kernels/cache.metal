// cache: appends rows of k and v to the caches, rounded to the caches' type. Rows lie
// end to end on both sides, so a pass writes one stretch of each cache. If the host
// says so, k is rotated on the way, because no other operation reads the rotated k.

struct CacheArgs { uint n; uint past; int columns; }; // n values of k and of v, after past rows

constant int FC_cache_rope [[function_constant(40)]];

// cache_value returns value i of what goes into a cache.
static inline float cache_value(constant CacheArgs & args, device const float * from, uint i, bool is_key,
                                constant RoPEArgs & rotation, device const int * positions, constant float * frequencies) {
    if (FC_cache_rope && is_key) {
        const uint row = i / uint(args.columns);
        const int column = int(i - row * uint(args.columns));
        return rotated(rotation, from + ulong(row) * args.columns, column, positions[row], frequencies);
    }
    return from[i];
}

// cache_plain: a lane takes one value.
template <typename T>
kernel void cache_plain(
        constant CacheArgs & args      [[buffer(0)]],
        device const float * k         [[buffer(1)]],
        device const float * v         [[buffer(2)]],
        device T * keys                [[buffer(3)]],
        device T * values              [[buffer(4)]],
        constant RoPEArgs & rotation   [[buffer(5)]],
        device const int * positions   [[buffer(6)]], // k where nothing is rotated
        constant float * frequencies   [[buffer(7)]],
        uint2 at                       [[thread_position_in_grid]]) { // value; k or v
    if (at.x < args.n) {
        device const float * from = at.y == 0 ? k : v;
        device T * to = at.y == 0 ? keys : values;
        to[(ulong) args.past * args.columns + at.x] = T(cache_value(args, from, at.x, at.y == 0, rotation, positions, frequencies));
    }
}

template [[host_name("cache_f32")]] kernel decltype(cache_plain<float>) cache_plain<float>;
template [[host_name("cache_f16")]] kernel decltype(cache_plain<half>) cache_plain<half>;

// cache_q8_0: a simdgroup takes a block of 32 values. The largest magnitude becomes
// level 127 or -127, and halves are rounded away from zero. A scale that is a denormal
// counts as zero, as it is one on a GPU. Magnitudes are compared by
// their bits, of which those of NaN are the largest, so that a NaN stays visible.
kernel void cache_q8_0(
        constant CacheArgs & args      [[buffer(0)]],
        device const float * k         [[buffer(1)]],
        device const float * v         [[buffer(2)]],
        device uchar * keys            [[buffer(3)]],
        device uchar * values          [[buffer(4)]],
        constant RoPEArgs & rotation   [[buffer(5)]],
        device const int * positions   [[buffer(6)]], // k where nothing is rotated
        constant float * frequencies   [[buffer(7)]],
        uint2 at                       [[thread_position_in_grid]], // value; k or v
        ushort lane                    [[thread_index_in_simdgroup]]) {
    if (at.x < args.n) { // n is a multiple of 32
        device const float * from = at.y == 0 ? k : v;
        device uchar * to = at.y == 0 ? keys : values;
        to += ((ulong) args.past * args.columns + at.x) / 32 * 34;
        const float x = cache_value(args, from, at.x, at.y == 0, rotation, positions, frequencies);
        const float d = as_type<float>(simd_max(as_type<uint>(x) & 0x7fffffffu)) / 127.0f;
        const float level = x * (d < 1.2e-38f ? 0.0f : 1.0f / d);
        const int whole = int(level);
        to[2 + lane] = uchar(whole + int(2.0f * (level - float(whole))));
        if (lane == 0) { *(device half *) to = half(d); }
    }
}
