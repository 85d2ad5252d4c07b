// The kernels for each weight type: instances of the templates in embed.metal,
// linear_vec*.metal (one row of x), linear_few.metal and linear_tile.metal. The host
// finds a kernel by its family and the type's name.

template [[host_name("embed_f32")]] kernel decltype(embed<F32>) embed<F32>;
template [[host_name("linear_vec_f32")]] kernel decltype(linear_vec<VecPlain<QuadF32>>) linear_vec<VecPlain<QuadF32>>;
template [[host_name("linear_few_f32")]] kernel decltype(linear_few<Quads<F32, QuadF32>>) linear_few<Quads<F32, QuadF32>>;
template [[host_name("linear_tile_f32")]] kernel decltype(linear_tile<Quads<F32, QuadF32>, float, float, 0>) linear_tile<Quads<F32, QuadF32>, float, float, 0>;

template [[host_name("embed_f16")]] kernel decltype(embed<F16>) embed<F16>;
template [[host_name("linear_vec_f16")]] kernel decltype(linear_vec<VecPlain<QuadF16>>) linear_vec<VecPlain<QuadF16>>;
template [[host_name("linear_few_f16")]] kernel decltype(linear_few<Quads<F16, QuadF16>>) linear_few<Quads<F16, QuadF16>>;
template [[host_name("linear_tile_f16")]] kernel decltype(linear_tile<Quads<F16, QuadF16>, float, half, 0>) linear_tile<Quads<F16, QuadF16>, float, half, 0>;

template [[host_name("embed_bf16")]] kernel decltype(embed<BF16>) embed<BF16>;
template [[host_name("linear_vec_bf16")]] kernel decltype(linear_vec<VecPlain<QuadBF16>>) linear_vec<VecPlain<QuadBF16>>;
template [[host_name("linear_few_bf16")]] kernel decltype(linear_few<Quads<BF16, QuadBF16>>) linear_few<Quads<BF16, QuadBF16>>;
template [[host_name("linear_tile_bf16")]] kernel decltype(linear_tile<Quads<BF16, QuadBF16>, float, float, 0>) linear_tile<Quads<BF16, QuadBF16>, float, float, 0>;

template [[host_name("embed_q4_0")]] kernel decltype(embed<Q4_0>) embed<Q4_0>;
template [[host_name("linear_vec_q4_0")]] kernel decltype(linear_vec<VecQ4_0>) linear_vec<VecQ4_0>;
template [[host_name("linear_few_q4_0")]] kernel decltype(linear_few<Q4_0>) linear_few<Q4_0>;
template [[host_name("linear_tile_q4_0")]] kernel decltype(linear_tile<Q4_0, half, half, 1>) linear_tile<Q4_0, half, half, 1>;

template [[host_name("embed_q4_1")]] kernel decltype(embed<Q4_1>) embed<Q4_1>;
template [[host_name("linear_vec_q4_1")]] kernel decltype(linear_vec<VecQ4_1>) linear_vec<VecQ4_1>;
template [[host_name("linear_few_q4_1")]] kernel decltype(linear_few<Q4_1>) linear_few<Q4_1>;
template [[host_name("linear_tile_q4_1")]] kernel decltype(linear_tile<Q4_1, half, half, 1>) linear_tile<Q4_1, half, half, 1>;

template [[host_name("embed_q5_0")]] kernel decltype(embed<Q5_0>) embed<Q5_0>;
template [[host_name("linear_vec_q5_0")]] kernel decltype(linear_vec<VecQ5_0>) linear_vec<VecQ5_0>;
template [[host_name("linear_few_q5_0")]] kernel decltype(linear_few<Q5_0>) linear_few<Q5_0>;
template [[host_name("linear_tile_q5_0")]] kernel decltype(linear_tile<Q5_0, half, half, 1>) linear_tile<Q5_0, half, half, 1>;

template [[host_name("embed_q5_1")]] kernel decltype(embed<Q5_1>) embed<Q5_1>;
template [[host_name("linear_vec_q5_1")]] kernel decltype(linear_vec<VecQ5_1>) linear_vec<VecQ5_1>;
template [[host_name("linear_few_q5_1")]] kernel decltype(linear_few<Q5_1>) linear_few<Q5_1>;
template [[host_name("linear_tile_q5_1")]] kernel decltype(linear_tile<Q5_1, half, half, 1>) linear_tile<Q5_1, half, half, 1>;

template [[host_name("embed_q8_0")]] kernel decltype(embed<Q8_0>) embed<Q8_0>;
template [[host_name("linear_vec_q8_0")]] kernel decltype(linear_vec<VecQ8_0>) linear_vec<VecQ8_0>;
template [[host_name("linear_few_q8_0")]] kernel decltype(linear_few<Q8_0>) linear_few<Q8_0>;
template [[host_name("linear_tile_q8_0")]] kernel decltype(linear_tile<Q8_0, half, half, 1>) linear_tile<Q8_0, half, half, 1>;

template [[host_name("embed_q2_k")]] kernel decltype(embed<Q2_K>) embed<Q2_K>;
template [[host_name("linear_vec_q2_k")]] kernel decltype(linear_vec<VecQ2_K>) linear_vec<VecQ2_K>;
template [[host_name("linear_few_q2_k")]] kernel decltype(linear_few<Q2_K>) linear_few<Q2_K>;
template [[host_name("linear_tile_q2_k")]] kernel decltype(linear_tile<Q2_K, half, half, 1>) linear_tile<Q2_K, half, half, 1>;

template [[host_name("embed_q3_k")]] kernel decltype(embed<Q3_K>) embed<Q3_K>;
template [[host_name("linear_vec_q3_k")]] kernel decltype(linear_vec<VecQ3_K>) linear_vec<VecQ3_K>;
template [[host_name("linear_few_q3_k")]] kernel decltype(linear_few<Q3_K>) linear_few<Q3_K>;
template [[host_name("linear_tile_q3_k")]] kernel decltype(linear_tile<Q3_K, half, half, 1>) linear_tile<Q3_K, half, half, 1>;

template [[host_name("embed_q4_k")]] kernel decltype(embed<Q4_K>) embed<Q4_K>;
template [[host_name("linear_vec_q4_k")]] kernel decltype(linear_vec<VecQ4_K>) linear_vec<VecQ4_K>;
template [[host_name("linear_few_q4_k")]] kernel decltype(linear_few<Q4_K>) linear_few<Q4_K>;
template [[host_name("linear_tile_q4_k")]] kernel decltype(linear_tile<Q4_K, half, half, 1>) linear_tile<Q4_K, half, half, 1>;

template [[host_name("embed_q5_k")]] kernel decltype(embed<Q5_K>) embed<Q5_K>;
template [[host_name("linear_vec_q5_k")]] kernel decltype(linear_vec<VecQ5_K>) linear_vec<VecQ5_K>;
template [[host_name("linear_few_q5_k")]] kernel decltype(linear_few<Q5_K>) linear_few<Q5_K>;
template [[host_name("linear_tile_q5_k")]] kernel decltype(linear_tile<Q5_K, half, half, 1>) linear_tile<Q5_K, half, half, 1>;

template [[host_name("embed_q6_k")]] kernel decltype(embed<Q6_K>) embed<Q6_K>;
template [[host_name("linear_vec_q6_k")]] kernel decltype(linear_vec<VecQ6_K>) linear_vec<VecQ6_K>;
template [[host_name("linear_few_q6_k")]] kernel decltype(linear_few<Q6_K>) linear_few<Q6_K>;
template [[host_name("linear_tile_q6_k")]] kernel decltype(linear_tile<Q6_K, half, half, 1>) linear_tile<Q6_K, half, half, 1>;

template [[host_name("embed_iq4_nl")]] kernel decltype(embed<IQ4_NL>) embed<IQ4_NL>;
template [[host_name("linear_vec_iq4_nl")]] kernel decltype(linear_vec<VecIQ4_NL>) linear_vec<VecIQ4_NL>;
template [[host_name("linear_few_iq4_nl")]] kernel decltype(linear_few<IQ4_NL>) linear_few<IQ4_NL>;
template [[host_name("linear_tile_iq4_nl")]] kernel decltype(linear_tile<IQ4_NL, half, half, 1>) linear_tile<IQ4_NL, half, half, 1>;

template [[host_name("embed_iq4_xs")]] kernel decltype(embed<IQ4_XS>) embed<IQ4_XS>;
template [[host_name("linear_vec_iq4_xs")]] kernel decltype(linear_vec<VecIQ4_XS>) linear_vec<VecIQ4_XS>;
template [[host_name("linear_few_iq4_xs")]] kernel decltype(linear_few<IQ4_XS>) linear_few<IQ4_XS>;
template [[host_name("linear_tile_iq4_xs")]] kernel decltype(linear_tile<IQ4_XS, half, half, 1>) linear_tile<IQ4_XS, half, half, 1>;

template [[host_name("embed_mxfp4")]] kernel decltype(embed<MXFP4>) embed<MXFP4>;
template [[host_name("linear_vec_mxfp4")]] kernel decltype(linear_vec<VecMXFP4>) linear_vec<VecMXFP4>;
template [[host_name("linear_few_mxfp4")]] kernel decltype(linear_few<MXFP4>) linear_few<MXFP4>;
template [[host_name("linear_tile_mxfp4")]] kernel decltype(linear_tile<MXFP4, float, float, 0>) linear_tile<MXFP4, float, float, 0>;

template [[host_name("embed_iq2_xxs")]] kernel decltype(embed<IQ2_XXS>) embed<IQ2_XXS>;
template [[host_name("linear_vec_iq2_xxs")]] kernel decltype(linear_vec<VecCodebook<IQ2_XXS>>) linear_vec<VecCodebook<IQ2_XXS>>;
template [[host_name("linear_few_iq2_xxs")]] kernel decltype(linear_few<IQ2_XXS>) linear_few<IQ2_XXS>;
template [[host_name("linear_tile_iq2_xxs")]] kernel decltype(linear_tile<IQ2_XXS, half, half, 1>) linear_tile<IQ2_XXS, half, half, 1>;

template [[host_name("embed_iq2_xs")]] kernel decltype(embed<IQ2_XS>) embed<IQ2_XS>;
template [[host_name("linear_vec_iq2_xs")]] kernel decltype(linear_vec<VecCodebook<IQ2_XS>>) linear_vec<VecCodebook<IQ2_XS>>;
template [[host_name("linear_few_iq2_xs")]] kernel decltype(linear_few<IQ2_XS>) linear_few<IQ2_XS>;
template [[host_name("linear_tile_iq2_xs")]] kernel decltype(linear_tile<IQ2_XS, half, half, 1>) linear_tile<IQ2_XS, half, half, 1>;

template [[host_name("embed_iq2_s")]] kernel decltype(embed<IQ2_S>) embed<IQ2_S>;
template [[host_name("linear_vec_iq2_s")]] kernel decltype(linear_vec<VecCodebook<IQ2_S>>) linear_vec<VecCodebook<IQ2_S>>;
template [[host_name("linear_few_iq2_s")]] kernel decltype(linear_few<IQ2_S>) linear_few<IQ2_S>;
template [[host_name("linear_tile_iq2_s")]] kernel decltype(linear_tile<IQ2_S, half, half, 1>) linear_tile<IQ2_S, half, half, 1>;

template [[host_name("embed_iq3_xxs")]] kernel decltype(embed<IQ3_XXS>) embed<IQ3_XXS>;
template [[host_name("linear_vec_iq3_xxs")]] kernel decltype(linear_vec<VecCodebook<IQ3_XXS>>) linear_vec<VecCodebook<IQ3_XXS>>;
template [[host_name("linear_few_iq3_xxs")]] kernel decltype(linear_few<IQ3_XXS>) linear_few<IQ3_XXS>;
template [[host_name("linear_tile_iq3_xxs")]] kernel decltype(linear_tile<IQ3_XXS, half, half, 1>) linear_tile<IQ3_XXS, half, half, 1>;

template [[host_name("embed_iq3_s")]] kernel decltype(embed<IQ3_S>) embed<IQ3_S>;
template [[host_name("linear_vec_iq3_s")]] kernel decltype(linear_vec<VecCodebook<IQ3_S>>) linear_vec<VecCodebook<IQ3_S>>;
template [[host_name("linear_few_iq3_s")]] kernel decltype(linear_few<IQ3_S>) linear_few<IQ3_S>;
template [[host_name("linear_tile_iq3_s")]] kernel decltype(linear_tile<IQ3_S, half, half, 1>) linear_tile<IQ3_S, half, half, 1>;

// The products with experts (experts.metal).

template [[host_name("experts_f32")]] kernel decltype(experts<Quads<F32, QuadF32>>) experts<Quads<F32, QuadF32>>;
template [[host_name("experts_f16")]] kernel decltype(experts<Quads<F16, QuadF16>>) experts<Quads<F16, QuadF16>>;
template [[host_name("experts_bf16")]] kernel decltype(experts<Quads<BF16, QuadBF16>>) experts<Quads<BF16, QuadBF16>>;
template [[host_name("experts_q4_0")]] kernel decltype(experts<Q4_0>) experts<Q4_0>;
template [[host_name("experts_q4_1")]] kernel decltype(experts<Q4_1>) experts<Q4_1>;
template [[host_name("experts_q5_0")]] kernel decltype(experts<Q5_0>) experts<Q5_0>;
template [[host_name("experts_q5_1")]] kernel decltype(experts<Q5_1>) experts<Q5_1>;
template [[host_name("experts_q8_0")]] kernel decltype(experts<Q8_0>) experts<Q8_0>;
template [[host_name("experts_q2_k")]] kernel decltype(experts<Q2_K>) experts<Q2_K>;
template [[host_name("experts_q3_k")]] kernel decltype(experts<Q3_K>) experts<Q3_K>;
template [[host_name("experts_q4_k")]] kernel decltype(experts<Q4_K>) experts<Q4_K>;
template [[host_name("experts_q5_k")]] kernel decltype(experts<Q5_K>) experts<Q5_K>;
template [[host_name("experts_q6_k")]] kernel decltype(experts<Q6_K>) experts<Q6_K>;
template [[host_name("experts_iq4_nl")]] kernel decltype(experts<IQ4_NL>) experts<IQ4_NL>;
template [[host_name("experts_iq4_xs")]] kernel decltype(experts<IQ4_XS>) experts<IQ4_XS>;
template [[host_name("experts_mxfp4")]] kernel decltype(experts<MXFP4>) experts<MXFP4>;
template [[host_name("experts_iq2_xxs")]] kernel decltype(experts<IQ2_XXS>) experts<IQ2_XXS>;
template [[host_name("experts_iq2_xs")]] kernel decltype(experts<IQ2_XS>) experts<IQ2_XS>;
template [[host_name("experts_iq2_s")]] kernel decltype(experts<IQ2_S>) experts<IQ2_S>;
template [[host_name("experts_iq3_xxs")]] kernel decltype(experts<IQ3_XXS>) experts<IQ3_XXS>;
template [[host_name("experts_iq3_s")]] kernel decltype(experts<IQ3_S>) experts<IQ3_S>;
