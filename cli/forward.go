package cli

import (
	"context"
	"errors"

	"inglenook/app/texts"
)

func forwardCommand() command {
	return command{
		name: "forward", about: "Run one forward pass on token ids or a picture, for checking numbers",
		setup: func(f *flags) action {
			var r texts.ForwardRequest
			f.withModel()
			ids := f.String("ids", "", "token `IDS` with commas between")
			types := f.String("type-ids", "", "token type `IDS`, one for each token id")
			decoder := f.String("decoder-ids", "", "token `IDS` that a text-to-text model has written, its start token first")
			f.StringVar(&r.Image, "image", "", "read the picture `FILE` (PNG or JPEG) instead of token ids")
			f.oneOf(&r.Output, "output", "", []string{"logits", "hidden", "pooled"}, "return `WHAT` instead of the model's usual output")
			f.noArgs()
			f.require(func([]string) (err error) {
				if r.IDs, err = parseIDs("ids", *ids); err != nil {
					return err
				}
				if r.Image != "" && *ids+*types+*decoder != "" {
					return errors.New("--image and token ids do not go together; give one of them")
				}
				if len(r.IDs) == 0 && r.Image == "" {
					return errors.New("--ids is missing; give token ids with commas between them, as in 101,7592,102")
				}
				if r.DecoderIDs, err = parseIDs("decoder-ids", *decoder); err != nil {
					return err
				}
				r.TypeIDs, err = parseIDs("type-ids", *types)
				return err
			})
			return func(ctx context.Context, c *call) error {
				r.Model, r.Device = f.model, f.device
				return forward(ctx, c, r)
			}
		},
	}
}

type forwardJSON struct {
	Shape     [2]int         `json:"shape"`
	Data      []float32      `json:"data"`
	Device    string         `json:"device"`
	Fallbacks []fallbackJSON `json:"fallbacks"`
}

func forward(ctx context.Context, c *call, r texts.ForwardRequest) error {
	got, err := c.Forward(ctx, r, c.progress)
	if err != nil {
		return err
	}
	c.noteFallbacks(got.Fallbacks, got.Notices)
	c.note(got.Notes...)
	if c.json {
		return c.printJSON(forwardJSON{got.Shape, got.Data, got.Device, fallbacksJSON(got.Fallbacks, got.Notices)})
	}
	for row := range got.Shape[0] {
		c.write(numbers(got.Data[row*got.Shape[1]:(row+1)*got.Shape[1]]) + "\n")
	}
	return nil
}
