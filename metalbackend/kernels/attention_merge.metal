// attention_merge: adds up the parts that attention wrote for ranges of keys. A
// threadgroup takes one head of one query, a lane one column of it.

struct AttentionMergeArgs { int size; int places; int ranges; }; // a place is one head of one query

kernel void attention_merge(
        constant AttentionMergeArgs & args  [[buffer(0)]],
        device const float * parts          [[buffer(1)]], // [ranges, places, size], then [ranges, places, 2]
        device float * out                  [[buffer(2)]], // [places, size]
        uint place                          [[threadgroup_position_in_grid]],
        ushort index                        [[thread_position_in_threadgroup]],
        ushort threads                      [[threads_per_threadgroup]]) {
    device const float * totals = parts + (ulong) args.ranges * args.places * args.size;
    float highest = -FLT_MAX;
    for (int r = 0; r < args.ranges; r++) { highest = max(highest, totals[((ulong) r * args.places + place) * 2]); }
    for (int c = index; c < args.size; c += threads) {
        float sum = 0.0f;
        float total = 0.0f;
        for (int r = 0; r < args.ranges; r++) {
            const ulong part = (ulong) r * args.places + place;
            const float less = exp(totals[part * 2] - highest);
            sum = fma(less, parts[part * args.size + c], sum);
            total = fma(less, totals[part * 2 + 1], total);
        }
        out[(ulong) place * args.size + c] = sum / total;
    }
}
