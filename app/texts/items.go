package texts

import (
	"context"
	"slices"

	"inglenook/app/base"
	"inglenook/app/devices"
)

// embedItems embeds the texts of a request, and its pictures with the other half of the same
// model. The result has all of them in their order.
func (t *Service) embedItems(ctx context.Context, r SimilarityRequest, report func(base.Progress)) (EmbedResult, error) {
	one := EmbedRequest{Model: r.Model, AsKept: r.AsKept, Target: devices.Target{Device: r.Device, Hold: devices.Hold{Weights: r.Weights}}, Task: r.Task, Prefix: r.Prompt, NoPrefix: r.NoPrompt}
	var written, seen []int // their places
	for i, text := range r.Texts {
		if isPicture(r.Pictures, i) {
			seen, one.Pictures = append(seen, i), append(one.Pictures, r.Pictures[i])
		} else {
			written, one.Texts = append(written, i), append(one.Texts, text)
		}
	}
	if len(seen) == 0 {
		return t.Embed(ctx, one, report)
	}
	all, err := t.EmbedPictures(ctx, one, report)
	if err != nil || len(written) == 0 {
		return all, err
	}
	texts, err := t.Embed(ctx, one, report)
	if err != nil {
		return EmbedResult{}, err
	}
	n := len(r.Texts)
	vectors, tokens, cut := make([][]float32, n), make([]int, n), make([]bool, n)
	for k, i := range seen {
		vectors[i], tokens[i] = all.Vectors[k], all.Tokens[k]
	}
	for k, i := range written {
		vectors[i], tokens[i], cut[i] = texts.Vectors[k], texts.Tokens[k], texts.Truncated[k]
	}
	all.Vectors, all.Tokens, all.Truncated = vectors, tokens, cut
	all.Took, all.Load = all.Took+texts.Took, all.Load+texts.Load
	all.Fallbacks, all.Notices = append(all.Fallbacks, texts.Fallbacks...), append(all.Notices, texts.Notices...)
	all.Held, all.Notes = texts.Held, append(all.Notes, texts.Notes...)
	return all, nil
}

// bothKinds belongs beside a comparison of texts with pictures.
const bothKinds = "A text and a picture are never as close as two texts or two pictures. Compare the numbers within each kind of pair."

// areBoth reports whether some of the items are texts, and some pictures.
func areBoth(texts, pictures []string) bool {
	seen := 0
	for i := range texts {
		if isPicture(pictures, i) {
			seen++
		}
	}
	return seen > 0 && seen < len(texts)
}

func isPicture(pictures []string, i int) bool { return i < len(pictures) && pictures[i] != "" }

// anyPicture reports whether some of the items are pictures.
func anyPicture(pictures []string) bool {
	return slices.ContainsFunc(pictures, func(path string) bool { return path != "" })
}

// besideOneAnother returns the vectors for a map of texts and pictures. These models keep all
// pictures far from all texts, and a map of that would show nothing else: so the mean of either
// kind is taken away. Without both kinds the vectors stay as they are.
func besideOneAnother(vectors [][]float32, pictures []string) [][]float32 {
	kinds := map[bool][]int{}
	for i := range vectors {
		kinds[isPicture(pictures, i)] = append(kinds[isPicture(pictures, i)], i)
	}
	if len(kinds) < 2 {
		return vectors
	}
	out := slices.Clone(vectors)
	for _, places := range kinds {
		mean := make([]float64, len(vectors[places[0]]))
		for _, i := range places {
			for k, x := range vectors[i] {
				mean[k] += float64(x) / float64(len(places))
			}
		}
		for _, i := range places {
			out[i] = slices.Clone(vectors[i])
			for k := range out[i] {
				out[i][k] -= float32(mean[k])
			}
		}
	}
	return out
}
