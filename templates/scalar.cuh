// Element functions: what each elementwise primitive does to one element, nulls included, by the names that
// the table of primitives and the storage letters give: `add_j`, `cast_d_p`. One item a function, so that a
// unit holds only those that its plan calls. Booleans are bytes 0 and 1.

// Arithmetic: integers wrap, and are null where an operand is; division rounds towards minus infinity.
Q i32 add_i(i32 x, i32 y) { return x == NULL_I || y == NULL_I ? NULL_I : (i32)((u32)x + (u32)y); }
Q i64 add_j(i64 x, i64 y) { return x == NULL_J || y == NULL_J ? NULL_J : (i64)((u64)x + (u64)y); }
Q f32 add_e(f32 x, f32 y) { return x + y; }
Q f64 add_f(f64 x, f64 y) { return x + y; }
Q i32 sub_i(i32 x, i32 y) { return x == NULL_I || y == NULL_I ? NULL_I : (i32)((u32)x - (u32)y); }
Q i64 sub_j(i64 x, i64 y) { return x == NULL_J || y == NULL_J ? NULL_J : (i64)((u64)x - (u64)y); }
Q f32 sub_e(f32 x, f32 y) { return x - y; }
Q f64 sub_f(f64 x, f64 y) { return x - y; }
Q i32 mul_i(i32 x, i32 y) { return x == NULL_I || y == NULL_I ? NULL_I : (i32)((u32)x * (u32)y); }
Q i64 mul_j(i64 x, i64 y) { return x == NULL_J || y == NULL_J ? NULL_J : (i64)((u64)x * (u64)y); }
Q f32 mul_e(f32 x, f32 y) { return x * y; }
Q f64 mul_f(f64 x, f64 y) { return x * y; }

Q i32 div_i(i32 x, i32 y) {
    if (x == NULL_I || y == NULL_I || y == 0) return NULL_I;
    i32 q = x / y, r = x % y;
    return q - (r != 0 && (r < 0) != (y < 0));
}
Q i32 mod_i(i32 x, i32 y) {
    if (x == NULL_I || y == NULL_I || y == 0) return NULL_I;
    i32 r = x % y;
    return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}
Q i32 xbar_i(i32 x, i32 y) { return mul_i(x, div_i(y, x)); }
// a / b and the remainder, for b > 0 and a < 2^63, without the call that `/` becomes: a call costs a kernel the
// registers that the callee takes. The reciprocal is good to a bit or two, so that the second estimate is at most
// one off.
Q u64 quotient(u64 a, u64 b, u64 *rest) {
    f64 d = (f64)b, r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(d));
    r = __fma_rn(r, __fma_rn(-d, r, 1.0), r);
    r = __fma_rn(r, __fma_rn(-d, r, 1.0), r);
    u64 q = (u64)((f64)a * r);
    q += (u64)(i64)floor((f64)(i64)(a - q * b) * r);
    i64 left = (i64)(a - q * b);
    if (left < 0) q--, left += b;
    if ((u64)left >= b) q++, left -= b;
    *rest = (u64)left;
    return q;
}
Q u64 magnitude(i64 x) { return x < 0 ? 0 - (u64)x : (u64)x; }
Q i64 div_j(i64 x, i64 y) {
    if (x == NULL_J || y == NULL_J || y == 0) return NULL_J;
    u64 rest, q = quotient(magnitude(x), magnitude(y), &rest);
    return (x < 0) != (y < 0) ? -(i64)q - (rest != 0) : (i64)q;
}
Q i64 mod_j(i64 x, i64 y) {
    if (x == NULL_J || y == NULL_J || y == 0) return NULL_J;
    u64 rest;
    quotient(magnitude(x), magnitude(y), &rest);
    i64 r = (x < 0) != (y < 0) && rest ? (i64)(magnitude(y) - rest) : (i64)rest;
    return y < 0 ? -r : r;
}
Q i64 xbar_j(i64 x, i64 y) { return mul_j(x, div_j(y, x)); }
Q f32 div_e(f32 x, f32 y) { return floorf(x / y); }
Q f32 mod_e(f32 x, f32 y) { return x - y * floorf(x / y); }
Q f32 xbar_e(f32 x, f32 y) { return x * floorf(y / x); }
Q f64 div_f(f64 x, f64 y) { return floor(x / y); }
Q f64 mod_f(f64 x, f64 y) { return x - y * floor(x / y); }
Q f64 xbar_f(f64 x, f64 y) { return x * floor(y / x); }
Q f64 divide_f(f64 x, f64 y) { return x / y; }
Q f64 recip_f(f64 x) { return 1.0 / x; }
// A negative base has a power where y is whole, which is negative where y is odd.
CALLED f64 xexp_f(f64 x, f64 y) {
    bool whole = x < 0 && trunc(y) == y && y - y == 0;
    f64 power = exp(y * log(whole ? -x : x)), half = y * 0.5;
    return x == 0 && y == 0 ? 1 : whole && trunc(half) != half ? -power : power;
}
CALLED f64 xlog_f(f64 x, f64 y) { return log(y) / log(x); }

// Sign. The integer null is its own negative, and less than zero.
Q i16 neg_h(i16 x) { return (i16)((u16)0 - (u16)x); }
Q i16 abs_h(i16 x) { return x < 0 ? (i16)((u16)0 - (u16)x) : x; }
Q i32 neg_i(i32 x) { return (i32)((u32)0 - (u32)x); }
Q i32 abs_i(i32 x) { return x < 0 ? (i32)((u32)0 - (u32)x) : x; }
Q i64 neg_j(i64 x) { return (i64)((u64)0 - (u64)x); }
Q i64 abs_j(i64 x) { return x < 0 ? (i64)((u64)0 - (u64)x) : x; }
Q f32 neg_e(f32 x) { return -x; }
Q f32 abs_e(f32 x) { return fabsf(x); }
Q f64 neg_f(f64 x) { return -x; }
Q f64 abs_f(f64 x) { return fabs(x); }
Q i32 signum_i(i32 x) { return (x > 0) - (x < 0); }
Q i32 signum_j(i64 x) { return (x > 0) - (x < 0); }
Q i32 signum_e(f32 x) { return (x > 0) - !(x >= 0); }
Q i32 signum_f(f64 x) { return (x > 0) - !(x >= 0); }

// Mathematics.
Q f64 sqrt_f(f64 x) { return sqrt(x); }
CALLED f64 log_f(f64 x) { return log(x); }
CALLED f64 exp_f(f64 x) { return exp(x); }
CALLED f64 asin_f(f64 x) { return asin(x); }
CALLED f64 acos_f(f64 x) { return acos(x); }
CALLED f64 atan_f(f64 x) { return atan(x); }

// Of an angle the number of the nearest quarter of a turn, modulo four, and what is left: r and the rest of it. The
// library's own has an array for it, which is a frame on the stack.
#define QUARTER 1.5707963267948966
#define QUARTER_REST 6.123233995736766e-17
#define QUARTER_LAST -1.4973849048591698e-33
struct angle {
    u64 quarter;
    f64 r, rest;
};
// A word of the bits of quarters in an angle of one, 2 over pi, after 64 zeros.
Q u64 quarter_bits(i32 i) {
    static const u64 bits[] = {
        0, 0xa2f9836e4e441529ull, 0xfc2757d1f534ddc0ull, 0xdb6295993c439041ull, 0xfe5163abdebbc561ull,
        0xb7246e3a424dd2e0ull, 0x06492eea09d1921cull, 0xfe1deb1cb129a73eull, 0xe88235f52ebb4484ull,
        0xe99c7026b45f7e41ull, 0x3991d639835339f4ull, 0x9c845f8bbdf9283bull, 0x1ff897ffde05980full,
        0xef2f118b5a0a6d1full, 0x6d367ecf27cb09b7ull, 0x4f463f669e5fea2dull, 0x7527bac7ebe5f17bull,
        0x3d0739f78a5292eaull, 0x6bfb5fb11f8d5d08ull, 0x56033046fc7b6babull};
    return bits[i];
}
// The 64 bits from bit `at` of the quarters on.
Q u64 quarter_word(i32 at) {
    i32 i = at / 64, by = at % 64;
    return quarter_bits(i) << by | quarter_bits(i + 1) >> 1 >> (63 - by);
}
// An angle of many turns: of its product with 2 over pi the bits that are worth less than a turn, 192 of them.
CALLED angle angle_far(f64 x) {
    u64 raw = (u64)__double_as_longlong(x), m = (raw & 0xfffffffffffffull) | 0x10000000000000ull;
    // Bits worth a turn or more times the mantissa are left out.
    i32 at = (i32)(raw >> 52 & 2047) - 1075 - 2 + 64;
    u64 a = quarter_word(at), b = quarter_word(at + 64), c = quarter_word(at + 128);
    u64 high = m * c, mid = m * b, one = __umul64hi(m, c) + mid;
    u64 two = __umul64hi(m, b) + m * a + (one < mid);
    u64 quarter = two >> 62, hi = two << 2 | one >> 62, lo = one << 2 | high >> 62;
    // To the nearest quarter.
    bool down = hi >> 63;
    if (down) quarter++, hi = ~hi, lo = ~lo;
    i32 by = __clzll((i64)hi);
    hi = hi << by | lo >> 1 >> (63 - by), lo <<= by;
    f64 unit = __longlong_as_double((i64)(1023 - 64 - by) << 52);
    f64 p = (f64)(hi >> 11 << 11) * unit, q = (f64)(hi << 53 | lo >> 11) * (unit * 0x1p-53);
    angle to = {quarter, p * QUARTER, 0};
    to.rest = fma(p, QUARTER, -to.r) + (p * QUARTER_REST + q * QUARTER);
    if (down) to.r = -to.r, to.rest = -to.rest;
    if (raw >> 63) to.quarter = 0 - quarter, to.r = -to.r, to.rest = -to.rest;
    return to;
}
Q angle angle_of(f64 x) {
    if (!(fabs(x) > 0.7853981633974483)) return {0, x, 0};
    if (fabs(x) > 1e6) return angle_far(x);
    f64 n = rint(x * 0.6366197723675814), far = fma(-n, QUARTER, x), part = n * QUARTER_REST, r = far - part;
    // What the product and the difference round away.
    f64 moved = r - far, rest = (far - (r - moved)) - (part + moved) - fma(n, QUARTER_REST, -part);
    return {(u64)(i64)n, r, fma(-n, QUARTER_LAST, rest)};
}
// Up to an eighth of a turn.
Q f64 sin_near(angle a) {
    f64 x = a.r, z = x * x;
    f64 p = fma(z, fma(z, fma(z, fma(z, 1.591805913698281e-10, -2.5051130870968297e-08), 2.755731609787775e-06), -0.0001984126983674956), 0.008333333333330943);
    return x == 0 ? x : x + fma(x * z, fma(z, p, -0.16666666666666666), a.rest * fma(z, -0.5, 1.0));
}
Q f64 cos_near(angle a) {
    f64 z = a.r * a.r, half = 0.5 * z, one = 1.0 - half;
    f64 p = fma(z, fma(z, fma(z, fma(z, fma(z, -1.1382588535352522e-11, 2.0876145659059344e-09), -2.755731726880539e-07), 2.4801587298760048e-05), -0.0013888888888887393), 0.041666666666666664);
    return one + (1.0 - one - half + fma(z * z, p, -a.r * a.rest));
}
Q f64 turned(angle a, u64 quarters) {
    u64 q = a.quarter + quarters;
    f64 y = q & 1 ? cos_near(a) : sin_near(a);
    return q & 2 ? -y : y;
}
CALLED f64 sin_f(f64 x) { return fabs(x) < INF_F ? turned(angle_of(x), 0) : NULL_F; }
CALLED f64 cos_f(f64 x) { return fabs(x) < INF_F ? turned(angle_of(x), 1) : NULL_F; }
CALLED f64 tan_f(f64 x) {
    if (!(fabs(x) < INF_F)) return NULL_F;
    angle a = angle_of(x);
    f64 s = sin_near(a), c = cos_near(a);
    return a.quarter & 1 ? -c / s : s / c;
}

// A float that is an integer as a long: what does not fit is the infinity of its sign.
Q i64 to_long(f64 x) {
    i64 n = __double2ll_rz(x);
    return x != x ? NULL_J : n == NULL_J ? -MAX_J : n;
}

Q i16 floor_h(i16 x) { return x; }
Q i16 ceiling_h(i16 x) { return x; }
Q i32 floor_i(i32 x) { return x; }
Q i32 ceiling_i(i32 x) { return x; }
Q i64 floor_j(i64 x) { return x; }
Q i64 ceiling_j(i64 x) { return x; }
Q i64 floor_e(f32 x) { return to_long(floor((f64)x)); }
Q i64 ceiling_e(f32 x) { return to_long(ceil((f64)x)); }
Q i64 floor_f(f64 x) { return to_long(floor((f64)x)); }
Q i64 ceiling_f(f64 x) { return to_long(ceil((f64)x)); }
Q u8 floor_b(u8 x) { return x >= 65 && x <= 90 ? x + 32 : x; }

// Tests.
Q u8 null_b(u8 x) { return is_null(x); }
Q u8 null_g(guid x) { return is_null(x); }
Q u8 null_h(i16 x) { return is_null(x); }
Q u8 null_i(i32 x) { return is_null(x); }
Q u8 null_j(i64 x) { return is_null(x); }
Q u8 null_e(f32 x) { return is_null(x); }
Q u8 null_f(f64 x) { return is_null(x); }
Q u8 null_s(u32 x) { return is_null(x); }
Q u8 null_c(u8 x) { return x == NULL_C; }
Q u8 not_b(u8 x) { return x == 0; }
Q u8 not_h(i16 x) { return x == 0; }
Q u8 not_i(i32 x) { return x == 0; }
Q u8 not_j(i64 x) { return x == 0; }
Q u8 not_e(f32 x) { return x == 0; }
Q u8 not_f(f64 x) { return x == 0; }

// Floats are equal within 2^-43 of the larger magnitude; an infinity equals itself only, and so does 0.
Q bool close(f64 x, f64 y) {
    f64 a = fabs(x), b = fabs(y), gap = fabs(x - y);
    bool near = gap <= 0x1p-43 * (a > b ? a : b) && gap < INF_F;
    return x == y || near || (x != x && y != y);
}
Q bool less(f64 x, f64 y) { return before(x, y) && !close(x, y); }

// Comparison; `in` is its exact equality. Symbols compare by their ranks, which are ints.
Q u8 eq_b(u8 x, u8 y) { return x == y; }
Q u8 ne_b(u8 x, u8 y) { return x != y; }
Q u8 lt_b(u8 x, u8 y) { return x < y; }
Q u8 gt_b(u8 x, u8 y) { return x > y; }
Q u8 le_b(u8 x, u8 y) { return x <= y; }
Q u8 ge_b(u8 x, u8 y) { return x >= y; }
Q u8 eq_h(i16 x, i16 y) { return x == y; }
Q u8 ne_h(i16 x, i16 y) { return x != y; }
Q u8 lt_h(i16 x, i16 y) { return x < y; }
Q u8 gt_h(i16 x, i16 y) { return x > y; }
Q u8 le_h(i16 x, i16 y) { return x <= y; }
Q u8 ge_h(i16 x, i16 y) { return x >= y; }
Q u8 eq_i(i32 x, i32 y) { return x == y; }
Q u8 ne_i(i32 x, i32 y) { return x != y; }
Q u8 lt_i(i32 x, i32 y) { return x < y; }
Q u8 gt_i(i32 x, i32 y) { return x > y; }
Q u8 le_i(i32 x, i32 y) { return x <= y; }
Q u8 ge_i(i32 x, i32 y) { return x >= y; }
Q u8 eq_j(i64 x, i64 y) { return x == y; }
Q u8 ne_j(i64 x, i64 y) { return x != y; }
Q u8 lt_j(i64 x, i64 y) { return x < y; }
Q u8 gt_j(i64 x, i64 y) { return x > y; }
Q u8 le_j(i64 x, i64 y) { return x <= y; }
Q u8 ge_j(i64 x, i64 y) { return x >= y; }
Q u8 eq_g(guid x, guid y) { return same(x, y); }
Q u8 ne_g(guid x, guid y) { return !same(x, y); }
Q u8 lt_g(guid x, guid y) { return before(x, y); }
Q u8 gt_g(guid x, guid y) { return before(y, x); }
Q u8 le_g(guid x, guid y) { return !before(y, x); }
Q u8 ge_g(guid x, guid y) { return !before(x, y); }
Q u8 eq_s(u32 x, u32 y) { return x == y; }
Q u8 ne_s(u32 x, u32 y) { return x != y; }
Q u8 eq_e(f32 x, f32 y) { return close(x, y); }
Q u8 ne_e(f32 x, f32 y) { return !close(x, y); }
Q u8 lt_e(f32 x, f32 y) { return less(x, y); }
Q u8 gt_e(f32 x, f32 y) { return less(y, x); }
Q u8 le_e(f32 x, f32 y) { return !less(y, x); }
Q u8 ge_e(f32 x, f32 y) { return !less(x, y); }
Q u8 eq_f(f64 x, f64 y) { return close(x, y); }
Q u8 ne_f(f64 x, f64 y) { return !close(x, y); }
Q u8 lt_f(f64 x, f64 y) { return less(x, y); }
Q u8 gt_f(f64 x, f64 y) { return less(y, x); }
Q u8 le_f(f64 x, f64 y) { return !less(y, x); }
Q u8 ge_f(f64 x, f64 y) { return !less(x, y); }
Q u8 in_b(u8 x, u8 y) { return same(x, y); }
Q u8 in_g(guid x, guid y) { return same(x, y); }
Q u8 in_h(i16 x, i16 y) { return same(x, y); }
Q u8 in_i(i32 x, i32 y) { return same(x, y); }
Q u8 in_j(i64 x, i64 y) { return same(x, y); }
Q u8 in_e(f32 x, f32 y) { return same(x, y); }
Q u8 in_f(f64 x, f64 y) { return same(x, y); }
Q u8 in_s(u32 x, u32 y) { return same(x, y); }
Q u8 within_b(u8 x, u8 low, u8 high) { return x >= low && x <= high; }
Q u8 within_h(i16 x, i16 low, i16 high) { return x >= low && x <= high; }
Q u8 within_i(i32 x, i32 low, i32 high) { return x >= low && x <= high; }
Q u8 within_j(i64 x, i64 low, i64 high) { return x >= low && x <= high; }
Q u8 within_g(guid x, guid low, guid high) { return !before(x, low) && !before(high, x); }
Q u8 within_e(f32 x, f32 low, f32 high) { return !less(x, low) && !less(high, x); }
Q u8 within_f(f64 x, f64 low, f64 high) { return !less(x, low) && !less(high, x); }

// Choice. The null is the least, so the lesser of anything and a null is the null.
Q u8 lesser_b(u8 x, u8 y) { return before(y, x) ? y : x; }
Q u8 greater_b(u8 x, u8 y) { return before(x, y) ? y : x; }
Q u8 fill_b(u8 x, u8 y) { return is_null(y) ? x : y; }
Q u8 cond_b(u8 b, u8 x, u8 y) { return b ? x : y; }
Q guid lesser_g(guid x, guid y) { return before(y, x) ? y : x; }
Q guid greater_g(guid x, guid y) { return before(x, y) ? y : x; }
Q guid fill_g(guid x, guid y) { return is_null(y) ? x : y; }
Q guid cond_g(u8 b, guid x, guid y) { return b ? x : y; }
Q i16 lesser_h(i16 x, i16 y) { return before(y, x) ? y : x; }
Q i16 greater_h(i16 x, i16 y) { return before(x, y) ? y : x; }
Q i16 fill_h(i16 x, i16 y) { return is_null(y) ? x : y; }
Q i16 cond_h(u8 b, i16 x, i16 y) { return b ? x : y; }
Q i32 lesser_i(i32 x, i32 y) { return before(y, x) ? y : x; }
Q i32 greater_i(i32 x, i32 y) { return before(x, y) ? y : x; }
Q i32 fill_i(i32 x, i32 y) { return is_null(y) ? x : y; }
Q i32 cond_i(u8 b, i32 x, i32 y) { return b ? x : y; }
Q i64 lesser_j(i64 x, i64 y) { return before(y, x) ? y : x; }
Q i64 greater_j(i64 x, i64 y) { return before(x, y) ? y : x; }
Q i64 fill_j(i64 x, i64 y) { return is_null(y) ? x : y; }
Q i64 cond_j(u8 b, i64 x, i64 y) { return b ? x : y; }
Q f32 lesser_e(f32 x, f32 y) { return before(y, x) ? y : x; }
Q f32 greater_e(f32 x, f32 y) { return before(x, y) ? y : x; }
Q f32 fill_e(f32 x, f32 y) { return is_null(y) ? x : y; }
Q f32 cond_e(u8 b, f32 x, f32 y) { return b ? x : y; }
Q f64 lesser_f(f64 x, f64 y) { return before(y, x) ? y : x; }
Q f64 greater_f(f64 x, f64 y) { return before(x, y) ? y : x; }
Q f64 fill_f(f64 x, f64 y) { return is_null(y) ? x : y; }
Q f64 cond_f(u8 b, f64 x, f64 y) { return b ? x : y; }
Q u32 fill_s(u32 x, u32 y) { return is_null(y) ? x : y; }
Q u32 cond_s(u8 b, u32 x, u32 y) { return b ? x : y; }
Q u8 fill_c(u8 x, u8 y) { return y == NULL_C ? x : y; }

// Casts between numbers: nulls stay null, what does not fit is the infinity of its sign.
Q u8 cast_x_b(u8 x) { return !(x == 0); }
Q u8 cast_h_b(i16 x) { return !(x == 0); }
Q u8 cast_i_b(i32 x) { return !(x == 0); }
Q u8 cast_j_b(i64 x) { return !(x == 0); }
Q u8 cast_e_b(f32 x) { return !(x == 0); }
Q u8 cast_f_b(f64 x) { return !(x == 0); }
Q u8 cast_c_b(u8) { return 1; }
Q i16 cast_x_h(u8 x) { return x; }
Q i32 cast_x_i(u8 x) { return x; }
Q i64 cast_x_j(u8 x) { return x; }
Q f32 cast_x_e(u8 x) { return x; }
Q f64 cast_x_f(u8 x) { return x; }
Q i32 cast_h_i(i16 x) { return is_null(x) ? NULL_I : (i32)x; }
Q i64 cast_h_j(i16 x) { return is_null(x) ? NULL_J : (i64)x; }
Q f32 cast_h_e(i16 x) { return is_null(x) ? NULL_E : (f32)x; }
Q f64 cast_h_f(i16 x) { return is_null(x) ? NULL_F : (f64)x; }
Q i64 cast_i_j(i32 x) { return is_null(x) ? NULL_J : (i64)x; }
Q f32 cast_i_e(i32 x) { return is_null(x) ? NULL_E : (f32)x; }
Q f64 cast_i_f(i32 x) { return is_null(x) ? NULL_F : (f64)x; }
Q f32 cast_j_e(i64 x) { return is_null(x) ? NULL_E : (f32)x; }
Q f64 cast_j_f(i64 x) { return is_null(x) ? NULL_F : (f64)x; }
Q f64 cast_e_f(f32 x) { return x; }
Q f32 cast_f_e(f64 x) { return (f32)x; }
Q i16 cast_i_h(i32 x) { return is_null(x) ? NULL_H : x > MAX_H ? MAX_H : x < -MAX_H ? -MAX_H : (i16)x; }
Q i16 cast_j_h(i64 x) { return is_null(x) ? NULL_H : x > MAX_H ? MAX_H : x < -MAX_H ? -MAX_H : (i16)x; }
Q i32 cast_j_i(i64 x) { return is_null(x) ? NULL_I : x > MAX_I ? MAX_I : x < -MAX_I ? -MAX_I : (i32)x; }
Q u8 cast_i_x(i32 x) { return (u8)x; }
// A half goes away from zero.
Q i64 cast_e_j(f32 x) { return to_long(round((f64)x)); }
Q i32 cast_e_i(f32 x) { return cast_j_i(cast_e_j(x)); }
Q i16 cast_e_h(f32 x) { return cast_j_h(cast_e_j(x)); }
Q i64 cast_f_j(f64 x) { return to_long(round((f64)x)); }
Q i32 cast_f_i(f64 x) { return cast_j_i(cast_f_j(x)); }
Q i16 cast_f_h(f64 x) { return cast_j_h(cast_f_j(x)); }
Q u8 cast_h_x(i16 x) { return (u8)cast_h_i(x); }
Q u8 cast_j_x(i64 x) { return (u8)cast_j_i(x); }
Q u8 cast_e_x(f32 x) { return (u8)cast_e_i(x); }
Q u8 cast_f_x(f64 x) { return (u8)cast_f_i(x); }

// The calendar: days and months since 2000.01.01, proleptic Gregorian, years beginning in March.
Q i64 floor_div(i64 x, i64 y) { return x / y - (x % y != 0 && (x < 0) != (y < 0)); }
Q i64 floor_mod(i64 x, i64 y) { return x - y * floor_div(x, y); }
CALLED i64 month_of(i64 days) {
    i64 z = days + 730425, era = floor_div(z, 146097), day = floor_mod(z, 146097);
    i64 year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    i64 march = (5 * (day - (365 * year + year / 4 - year / 100)) + 2) / 153;
    i64 month = march < 10 ? march + 3 : march - 9;
    return (year + era * 400 + (month <= 2) - 2000) * 12 + month - 1;
}
CALLED i64 first_of(i64 months) {
    i64 month = floor_mod(months, 12) + 1, year = 2000 + floor_div(months, 12) - (month <= 2);
    i64 era = floor_div(year, 400), in_era = floor_mod(year, 400), march = (month + 9) % 12;
    return era * 146097 + 365 * in_era + in_era / 4 - in_era / 100 + (153 * march + 2) / 5 - 730425;
}

#define DAY_NS 86400000000000ll
#define DAY_MS 86400000ll
#define MINUTE_NS 60000000000ll
#define SECOND_NS 1000000000ll
#define MILLI_NS 1000000ll

// A count of one unit of time, `x`, that is `n` of another: nulls and infinities stay what they are, and what
// does not fit is the infinity of its sign.
Q i32 unit_i(i64 x, i64 top, bool null, i64 n) {
    return null ? NULL_I : x >= top ? MAX_I : x <= -top ? -MAX_I : n > MAX_I ? MAX_I : n < -MAX_I ? -MAX_I : (i32)n;
}
Q i64 unit_j(i64 x, i64 top, bool null, i64 n) {
    return null ? NULL_J : x >= top ? MAX_J : x <= -top ? -MAX_J : n == NULL_J ? -MAX_J : n;
}
Q i32 j_to_i(i64 x, i64 n) { return unit_i(x, MAX_J, x == NULL_J, n); }
Q i64 j_to_j(i64 x, i64 n) { return unit_j(x, MAX_J, x == NULL_J, n); }
Q i32 i_to_i(i32 x, i64 n) { return unit_i(x, MAX_I, x == NULL_I, n); }
Q i64 i_to_j(i32 x, i64 n) { return unit_j(x, MAX_I, x == NULL_I, n); }
Q i64 times(i64 x, i64 by) {
    i64 most = MAX_J / by;
    return x > most ? MAX_J : x < -most ? -MAX_J : x * by;
}

// Casts between times: narrowing goes towards minus infinity; the day is dropped, or is 2000.01.01.
Q i32 cast_p_m(i64 x) { return j_to_i(x, month_of(floor_div(x, DAY_NS))); }
Q i32 cast_p_d(i64 x) { return j_to_i(x, floor_div(x, DAY_NS)); }
Q i64 cast_p_n(i64 x) { return j_to_j(x, floor_mod(x, DAY_NS)); }
Q i32 cast_p_u(i64 x) { return j_to_i(x, floor_mod(x, DAY_NS) / MINUTE_NS); }
Q i32 cast_p_v(i64 x) { return j_to_i(x, floor_mod(x, DAY_NS) / SECOND_NS); }
Q i32 cast_p_t(i64 x) { return j_to_i(x, floor_mod(x, DAY_NS) / MILLI_NS); }
Q i64 cast_m_p(i32 x) { return i_to_j(x, times(first_of(x), DAY_NS)); }
Q i32 cast_m_d(i32 x) { return i_to_i(x, first_of(x)); }
Q i64 cast_d_p(i32 x) { return i_to_j(x, times(x, DAY_NS)); }
Q i32 cast_d_m(i32 x) { return i_to_i(x, month_of(x)); }
Q i64 cast_d_n(i32 x) { return i_to_j(x, 0); }
Q i32 cast_d_t(i32 x) { return i_to_i(x, 0); }
Q i32 cast_d_u(i32 x) { return cast_d_t(x); }
Q i32 cast_d_v(i32 x) { return cast_d_t(x); }
Q i32 cast_n_u(i64 x) { return j_to_i(x, floor_div(x, MINUTE_NS)); }
Q i32 cast_n_v(i64 x) { return j_to_i(x, floor_div(x, SECOND_NS)); }
Q i32 cast_n_t(i64 x) { return j_to_i(x, floor_div(x, MILLI_NS)); }
Q i64 cast_u_n(i32 x) { return i_to_j(x, times(x, MINUTE_NS)); }
Q i64 cast_v_n(i32 x) { return i_to_j(x, x * SECOND_NS); }
Q i64 cast_t_n(i32 x) { return i_to_j(x, x * MILLI_NS); }
Q i32 cast_u_v(i32 x) { return i_to_i(x, (i64)x * 60); }
Q i32 cast_u_t(i32 x) { return i_to_i(x, (i64)x * 60000); }
Q i32 cast_v_u(i32 x) { return i_to_i(x, floor_div(x, 60)); }
Q i32 cast_v_t(i32 x) { return i_to_i(x, (i64)x * 1000); }
Q i32 cast_t_u(i32 x) { return i_to_i(x, floor_div(x, 60000)); }
Q i32 cast_t_v(i32 x) { return i_to_i(x, floor_div(x, 1000)); }

// A datetime holds days as a float, good for milliseconds: all is counted from the nearest one.
Q i64 millis(f64 x) { return to_long(round(x * 86400000.0)); }
Q i64 cast_z_p(f64 x) { i64 ms = millis(x); return j_to_j(ms, times(ms, MILLI_NS)); }
Q i32 cast_z_m(f64 x) {
    i64 ms = millis(x), day = floor_div(ms, DAY_MS);
    return j_to_i(ms, month_of(day > MAX_I ? MAX_I : day < -MAX_I ? -MAX_I : day));
}
Q i32 cast_z_d(f64 x) { i64 ms = millis(x); return j_to_i(ms, floor_div(ms, DAY_MS)); }
Q i64 cast_z_n(f64 x) { i64 ms = millis(x); return j_to_j(ms, floor_mod(ms, DAY_MS) * MILLI_NS); }
Q i32 cast_z_u(f64 x) { i64 ms = millis(x); return j_to_i(ms, floor_mod(ms, DAY_MS) / 60000); }
Q i32 cast_z_v(f64 x) { i64 ms = millis(x); return j_to_i(ms, floor_mod(ms, DAY_MS) / 1000); }
Q i32 cast_z_t(f64 x) { i64 ms = millis(x); return j_to_i(ms, floor_mod(ms, DAY_MS)); }
Q f64 days_j(i64 x, f64 day) { return x == NULL_J ? NULL_F : x == MAX_J ? INF_F : x == -MAX_J ? -INF_F : (f64)x / day; }
Q f64 days_i(i32 x, f64 day) { return x == NULL_I ? NULL_F : x == MAX_I ? INF_F : x == -MAX_I ? -INF_F : (f64)x / day; }
Q f64 cast_p_z(i64 x) { return days_j(x, 86400000000000.0); }
Q f64 cast_n_z(i64 x) { return days_j(x, 86400000000000.0); }
Q f64 cast_d_z(i32 x) { return days_i(x, 1.0); }
Q f64 cast_m_z(i32 x) { return cast_d_z(cast_m_d(x)); }
Q f64 cast_u_z(i32 x) { return days_i(x, 1440.0); }
Q f64 cast_v_z(i32 x) { return days_i(x, 86400.0); }
Q f64 cast_t_z(i32 x) { return days_i(x, 86400000.0); }
