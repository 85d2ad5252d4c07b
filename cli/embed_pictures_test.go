package cli

import (
	"strings"
	"testing"
)

// embed --image gives the vectors of forward --image, one line a picture; a model that reads
// texts alone and a file that is no picture are refused with what to do.
func TestEmbedPictures(t *testing.T) {
	const model, folder = "../models/testdata/heads/clip", "../pipeline/pictures/testdata/"
	out := lines(inglenook(t, "", "embed", "--json", "--stats", "--model", model, "--image", folder+"wide.png", "--image", folder+"rgb.jpg").ok(t).stdout)
	if len(out) != 3 {
		t.Fatalf("%d lines", len(out))
	}
	for i, name := range []string{"wide.png", "rgb.jpg"} {
		one := decode[forwardJSON](t, inglenook(t, "", "forward", "--json", "--model", model, "--image", folder+name).ok(t).stdout)
		v := decode[embedLine](t, out[i])
		if v.Index != i || len(v.Embedding) != 20 || one.Shape != [2]int{1, 20} {
			t.Fatalf("%s: picture %d has %d numbers, and alone %v", name, v.Index, len(v.Embedding), one.Shape)
		}
		for k, x := range one.Data {
			if d := v.Embedding[k] - x; d > 1e-5 || d < -1e-5 {
				t.Errorf("%s: number %d is %v and alone %v", name, k, v.Embedding[k], x)
			}
		}
	}
	if s := decode[embedStatsJSON](t, out[2]); s.Texts != 2 || s.Device == "" {
		t.Errorf("it is %+v", s)
	}
	for says, args := range map[string][]string{
		"reads no pictures; choose a model for pictures and texts": {"--image", folder + "wide.png"},
		"make.py cannot be used: it is neither a PNG nor a JPEG":   {"--model", model, "--image", folder + "wide.png", "--image", folder + "make.py"},
		"none.png\" cannot be read":                                {"--model", model, "--image", folder + "none.png"},
	} {
		if o := inglenook(t, "", append([]string{"embed"}, args...)...); o.code != 1 || !strings.Contains(o.stderr, says) || strings.Count(o.stderr, "\n") != 1 {
			t.Errorf("%v: code %d, %q", args, o.code, o.stderr)
		}
	}
}
