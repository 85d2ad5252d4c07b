// attention_bias: the relative position bias of each head by distance, from the
// table of buckets of T5 and MPNet (Raffel et al. 2020, arXiv:1910.10683, §2.1).
// Keys after the query have as many buckets as those before it, from `later` on. The bucket of a distance is the
// number of edges up to it. The host computes the edges, because they depend on how
// logarithms are rounded.

struct AttentionBiasArgs { int heads; int reach; int half_buckets; int later; };

kernel void attention_bias(
        constant AttentionBiasArgs & args  [[buffer(0)]],
        device const float * buckets       [[buffer(1)]], // [later + half_buckets, heads]
        constant int * edges               [[buffer(2)]], // the least distance in bucket 1, 2 …
        device float * table               [[buffer(3)]], // [heads, 2·reach+1], from distance -reach on
        uint2 group                        [[threadgroup_position_in_grid]], // stretch of distances, head
        ushort lane                        [[thread_index_in_simdgroup]]) {
    const int i = int(group.x) * SIMD + lane;
    if (i > 2 * args.reach) { return; }
    const int distance = i - args.reach;
    const int length = distance < 0 ? -distance : distance;
    int bucket = distance > 0 ? args.later : 0;
    for (int e = 0; e < args.half_buckets - 1; e++) { bucket += length >= edges[e] ? 1 : 0; }
    table[(ulong) group.y * (2 * args.reach + 1) + i] = buckets[(ulong) bucket * args.heads + group.y];
}
