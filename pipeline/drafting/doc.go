// Package drafting guesses how an answer goes on, so that a model can check several
// tokens in one pass. A [Lookup] guesses from what was said before, without a model: an
// answer that quotes or rewrites a text repeats stretches of it. A [Model] guesses with a
// smaller language model. A [Pace] decides how many guesses pay, from how often they came
// true and what passes of each length take.
//
// Guesses change no answer. Each token is chosen from the scores that the model
// computes for it, as without guesses, and a guess only says for which tokens scores are
// computed ahead. Choosing a token at random and comparing it with the guess is the
// rejection sampling of speculative decoding (Leviathan et al., 2023; Chen et al., 2023) for
// a draft that puts all probability on one token. A model's guess is drawn with the random
// number of the token that it guesses, so it is right more often than one drawn apart.
package drafting
