// attention_sinks: attention_merge for heads whose queries may attend to nothing. The
// score for that counts in the total and has no value. There may be a single range.

struct AttentionSinksArgs { int size; int places; int ranges; int heads; };

kernel void attention_sinks(
        constant AttentionSinksArgs & args  [[buffer(0)]],
        device const float * parts          [[buffer(1)]], // [ranges, places, size], then [ranges, places, 2]
        device const float * sinks          [[buffer(2)]], // [heads]
        device float * out                  [[buffer(3)]], // [places, size]
        uint place                          [[threadgroup_position_in_grid]],
        ushort index                        [[thread_position_in_threadgroup]],
        ushort threads                      [[threads_per_threadgroup]]) {
    device const float * totals = parts + (ulong) args.ranges * args.places * args.size;
    const float sink = sinks[int(place) % args.heads];
    float highest = sink;
    for (int r = 0; r < args.ranges; r++) { highest = max(highest, totals[((ulong) r * args.places + place) * 2]); }
    for (int c = index; c < args.size; c += threads) {
        float sum = 0.0f;
        float total = exp(sink - highest);
        for (int r = 0; r < args.ranges; r++) {
            const ulong part = (ulong) r * args.places + place;
            const float less = exp(totals[part * 2] - highest);
            sum = fma(less, parts[part * args.size + c], sum);
            total = fma(less, totals[part * 2 + 1], total);
        }
        out[(ulong) place * args.size + c] = sum / total;
    }
}
