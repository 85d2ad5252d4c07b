// What the kernels of attention share: which keys a query sees, how a score is
// bounded and biased, how keys and values are read, where results go.
//
// Query heads that share a key and value head are rows side by side: row
// i·group + j of a key and value head is query i with the j-th of these heads.
// Maxima start at -FLT_MAX, and a test gives no weight to keys that a row does not
// see, so that exp is never called with an infinity.

struct AttentionArgs {
    int queries;      // rows of q
    int heads;        // of q
    int group;        // of them that share a key and value head
    int keys;         // rows of keys and values that can be read
    int first;        // where the first range of keys starts
    int range_keys;   // in a range
    int past;         // causal: position of the first query
    int window;       // causal: positions that a query sees; ragged: rows before its own that it sees
    int texts;        // ragged: texts in starts
    int after;        // ragged: rows behind its own that a query sees
    int reach;        // farthest distance in the table of biases
    float scale;
    float cap;
    float bias_scale; // of the slopes' products
};

constant int FC_attention_size   [[function_constant(30)]]; // of a head
constant int FC_attention_rows   [[function_constant(31)]]; // of a threadgroup of attention_vector
constant int FC_attention_ragged [[function_constant(32)]]; // a query sees rows of its text, else all keys up to its own, if there are so many
constant int FC_attention_bias   [[function_constant(33)]];
constant int FC_attention_cap    [[function_constant(34)]]; // there is a bound of the scores
constant int FC_attention_split  [[function_constant(35)]]; // results are parts, one for each range of keys

// the kinds of bias, numbered as in metalbackend
enum {
    NO_BIAS,
    BIAS_BY_DISTANCE,   // a table [heads, 2·reach+1]
    BIAS_BY_SLOPE,      // slope·position, a slope a head
    BIAS_BY_SLOPE_BF16, // the same, rounded to bfloat16
    BIAS_FADING,        // -slope·distance, in both directions
};

// ---- rows and what they see

struct AttentionRow { bool real; int query; int head; };

// attention_row returns query and head of row r of a key and value head. Rows past
// the end repeat the last one and are not real.
static inline AttentionRow attention_row(constant AttentionArgs & args, int kv_head, int r) {
    const int last = args.queries * args.group - 1;
    AttentionRow row;
    row.real = r <= last;
    r = min(r, last);
    row.query = r / args.group;
    row.head = kv_head * args.group + r % args.group;
    return row;
}

struct AttentionSpan { int from; int to; }; // keys

// attention_span returns the keys of a range that a query sees. Both ends grow from
// query to query.
static inline AttentionSpan attention_span(constant AttentionArgs & args, device const int * starts, int query, int range) {
    AttentionSpan span;
    if (FC_attention_ragged) {
        int text = 0;
        int behind = args.texts;
        while (behind - text > 1) { // starts[text] <= query < starts[behind]
            const int middle = (text + behind) / 2;
            if (starts[middle] <= query) { text = middle; } else { behind = middle; }
        }
        span.from = max(starts[text], query - args.window);
        span.to = min(starts[behind], query + args.after + 1);
    } else {
        span.to = min(args.past + query + 1, args.keys);
        span.from = max(0, span.to - args.window);
    }
    if (FC_attention_split) {
        span.from = max(span.from, args.first + range * args.range_keys);
        span.to = min(span.to, args.first + (range + 1) * args.range_keys);
    }
    return span;
}

// ---- scores

static inline float slope_bias(float slope, int position) {
    const float v = slope * float(position);
    if (FC_attention_bias != BIAS_BY_SLOPE_BF16) { return v; }
    const uint bits = as_type<uint>(v);
    return as_type<float>((bits + 0x7fffu + ((bits >> 16) & 1u)) & 0xffff0000u);
}

// attention_score bounds a scaled product and adds the bias. The bias of a slope
// counts from the query's own position: a term that all keys of a query share would
// change no weight, but cost digits.
static inline float attention_score(constant AttentionArgs & args, device const float * bias, AttentionRow row, int key, float s) {
    if (FC_attention_cap) { s = args.cap * tanh_of(s / args.cap); }
    if (FC_attention_bias == BIAS_BY_DISTANCE) {
        const int distance = clamp(key - args.past - row.query, -args.reach, args.reach);
        return s + bias[row.head * (2 * args.reach + 1) + args.reach + distance];
    }
    if (FC_attention_bias == BIAS_FADING) {
        const int distance = key - row.query;
        return s - bias[row.head] * float(max(distance, -distance));
    }
    if (FC_attention_bias != NO_BIAS) {
        const float slope = bias[row.head];
        return s + (slope_bias(slope, key) - slope_bias(slope, args.past + row.query)) * args.bias_scale;
    }
    return s;
}

// ---- keys and values
//
// Cache::bytes(columns)      the bytes of a row
// Cache::one(row, column)    one value
// Cache::four(row, column)   four values, from a multiple of four on
// Cache::direct              matrices can be loaded straight from the cache

struct CacheF32 {
    enum { direct = 1 };
    static inline ulong bytes(int columns) { return (ulong) columns * 4; }
    static inline float one(device const uchar * row, int column) { return ((device const float *) row)[column]; }
    static inline float4 four(device const uchar * row, int column) { return *(device const float4 *) ((device const float *) row + column); }
};

struct CacheF16 {
    enum { direct = 1 };
    static inline ulong bytes(int columns) { return (ulong) columns * 2; }
    static inline float one(device const uchar * row, int column) { return float(((device const half *) row)[column]); }
    static inline float4 four(device const uchar * row, int column) {
        const half4 v = *(device const half4 *) ((device const half *) row + column);
        return float4(float(v.x), float(v.y), float(v.z), float(v.w));
    }
};

struct CacheQ8_0 {
    enum { direct = 0 };
    static inline ulong bytes(int columns) { return (ulong) (columns / 32) * 34; }
    static inline float one(device const uchar * row, int column) {
        device const uchar * block = row + column / 32 * 34;
        return float(char(block[2 + column % 32])) * half_at(block, 0);
    }
    static inline float4 four(device const uchar * row, int column) {
        device const uchar * block = row + column / 32 * 34;
        device const ushort * pairs = (device const ushort *) (block + 2 + column % 32);
        const int a = pairs[0];
        const int b = pairs[1];
        return float4(float(char(a & 255)), float(char(a >> 8)), float(char(b & 255)), float(char(b >> 8))) * half_at(block, 0);
    }
};

// attention_four reads four columns of a row. Columns from end on, where the head
// ends, are zeros.
template <typename Cache>
static inline float4 attention_four(device const uchar * row, int column, int end) {
    if (FC_attention_size % 4 == 0) { return Cache::four(row, column); }
    float4 v = float4(Cache::one(row, column), 0.0f, 0.0f, 0.0f);
    if (column + 1 < end) { v.y = Cache::one(row, column + 1); }
    if (column + 2 < end) { v.z = Cache::one(row, column + 2); }
    if (column + 3 < end) { v.w = Cache::one(row, column + 3); }
    return v;
}

// ---- results
//
// With ranges of keys a result is a part: sums that are not yet divided. After the
// sums of all parts come two numbers for each, the largest score and the total of
// the weights. attention_merge adds the parts.

static inline ulong attention_place(constant AttentionArgs & args, AttentionRow row, int range) {
    return ((ulong) range * args.queries + row.query) * args.heads + row.head;
}

static inline void attention_put(device float * out, ulong place, int column, float4 v) {
    device float * to = out + place * FC_attention_size + column;
    if (FC_attention_size % 4 == 0) {
        *(device float4 *) to = v;
        return;
    }
    to[0] = v.x;
    if (column + 1 < FC_attention_size) { to[1] = v.y; }
    if (column + 2 < FC_attention_size) { to[2] = v.z; }
    if (column + 3 < FC_attention_size) { to[3] = v.w; }
}

static inline void attention_put_total(constant AttentionArgs & args, device float * out, int ranges, ulong place, float top, float total) {
    device float * to = out + (ulong) ranges * args.queries * args.heads * FC_attention_size + place * 2;
    to[0] = top;
    to[1] = total;
}
