package models

import "inglenook/engine"

// Mistral: Jiang et al. 2023, arXiv:2310.06825. Llama's network, whose layers see
// a window of positions.

func readMistral(f *fields) Config {
	c := decoderSizes(f, 131072)
	c.Epsilon = f.epsilon(1e-6, "rms_norm_eps")
	c.Activation = f.activationOr(engine.SiLU, "hidden_act")
	window := f.sizeOr(0, maxPositions, "sliding_window")
	if _, stated := f.m["sliding_window"]; !stated {
		window = 4096 // the first release omits it
	}
	c.everywhere(window, f.rope(c, 10000, 1))
	c.design = llamaDesign{}
	return c
}
