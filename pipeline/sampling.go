package pipeline

import "inglenook/sampling"

// Sampling says how the next token is chosen from the model's scores.
type Sampling = sampling.Options

// DefaultSampling suits most models: what their makers did not say otherwise.
func DefaultSampling() Sampling { return sampling.Default() }
