// add: y = a + b, value by value. Values begin at multiples of 16 bytes, so a
// lane takes four at once; the last one takes what is left.

struct AddArgs { uint n; };

kernel void add(
        constant AddArgs & args  [[buffer(0)]],
        device const float * a   [[buffer(1)]],
        device const float * b   [[buffer(2)]],
        device float * y         [[buffer(3)]],
        uint i                   [[thread_position_in_grid]]) {
    const uint first = 4 * i;
    if (first + 4 <= args.n) {
        ((device float4 *) y)[i] = ((device const float4 *) a)[i] + ((device const float4 *) b)[i];
        return;
    }
    for (uint j = first; j < args.n; j++) { y[j] = a[j] + b[j]; }
}
