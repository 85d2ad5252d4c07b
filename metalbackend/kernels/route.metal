// route: the experts of each row and their weights (engine.Graph.Route). A simdgroup
// takes a row; lane i sees experts i, i+32 …

struct RouteArgs {
    int experts;
    int top_k;
    int sigmoid;   // the score is a sigmoid, else a softmax
    int normalize; // weights are divided by their sum
    int biased;
    int scaled;
    float epsilon;
    float factor;
};

kernel void route(
        constant RouteArgs & args    [[buffer(0)]],
        device const float * logits  [[buffer(1)]], // [rows, experts]
        device const float * bias    [[buffer(2)]], // logits where there is none
        device const float * scale   [[buffer(3)]], // logits where there is none
        device float * y             [[buffer(4)]], // [rows, 2·top_k]: experts, then weights
        uint row                     [[threadgroup_position_in_grid]],
        ushort lane                  [[thread_index_in_simdgroup]]) {
    device const float * x = logits + (ulong) row * args.experts;
    device float * pick = y + (ulong) row * 2 * args.top_k;
    device float * weight = pick + args.top_k;

    float largest = -FLT_MAX;
    float unordered = 0.0f; // 1 if a key is NaN
    for (int e = lane; e < args.experts; e += SIMD) {
        const float key = args.biased ? x[e] + bias[e] : x[e];
        largest = x[e] > largest ? x[e] : largest;
        unordered = key == key ? unordered : 1.0f;
    }
    largest = simd_max(largest);
    unordered = simd_max(unordered);
    float total = 0.0f;
    for (int e = lane; e < args.experts; e += SIMD) { total += exp(x[e] - largest); }
    const float by = 1.0f / simd_sum(total);

    float last_key = FLT_MAX;
    float last = -1.0f; // the expert that was picked before
    float sum = 0.0f;
    for (int k = 0; k < args.top_k; k++) {
        float best_key = -FLT_MAX;
        float best = float(args.experts); // none
        for (int e = lane; e < args.experts; e += SIMD) {
            float key = x[e];
            if (args.biased) { key = (args.sigmoid ? sigmoid(key) : exp(key - largest) * by) + bias[e]; }
            key = bounded(key, FLT_MAX);
            const bool after = last < 0.0f || key < last_key || (key == last_key && float(e) > last);
            if (after && (best >= float(args.experts) || key > best_key)) {
                best_key = key;
                best = float(e);
            }
        }
        last_key = simd_max(best_key);
        last = -simd_max(best_key == last_key ? -best : -float(args.experts));
        if (unordered > 0.0f) { last = float(k); }
        const int e = int(last);
        float w = args.sigmoid ? sigmoid(x[e]) : exp(x[e] - largest) * by;
        if (unordered > 0.0f) { w = as_type<float>(0x7fc00000); } // not a number, as the router is
        sum += w;
        if (lane == 0) {
            pick[k] = last;
            weight[k] = w;
        }
    }
    if (lane == 0) {
        const float factor = args.normalize ? args.factor / (sum + args.epsilon) : args.factor;
        for (int k = 0; k < args.top_k; k++) {
            weight[k] = weight[k] * factor * (args.scaled ? scale[int(pick[k])] : 1.0f);
        }
    }
}
