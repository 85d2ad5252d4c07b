package decoding

import (
	"errors"

	"inglenook/engine"
	"inglenook/models"
	"inglenook/pipeline/placement"
)

// errForgotten says that what a predictor remembered is gone with the device
// that held it.
var errForgotten = errors.New("the cache of keys and values is gone")

// errOverflow says that numbers were not finite and a wider cache may help.
var errOverflow = errors.New("numbers are not finite")

// Recovers reports whether Extend can be tried again after err. If it can, the
// predictor has forgotten everything, so all ids have to be read again.
func (d *Decoder) Recovers(err error) bool {
	return errors.Is(err, errForgotten) || errors.Is(err, errOverflow) || d.List.Leave(err) == nil
}

// Notices implements Predictor.
func (d *Decoder) Notices() []string { return d.List.Notices() }

// settle moves the model to the devices that are left, if it fits there. It
// releases the cache and the weights; the devices that run the model now
// prepare the weights again. It ignores errors of releasing, because a lost
// device may not even be able to free memory.
func (d *Decoder) settle() error {
	_ = d.Graph.Close()
	_ = d.release()
	d.Record(0, []int32{0}, 1)
	placement.ReleaseWeights(d.Graph)
	if err := d.Divide(); err != nil {
		return err
	}
	return d.List.Arrived(func(available int64) error {
		needs, _, err := d.Needs()
		if err != nil {
			return err
		}
		if needs, err = d.Spare(needs, available); err != nil {
			return err
		}
		if cost := needs.Cost(); cost != "" {
			d.List.Tell("%s", cost)
		}
		return nil
	})
}

// judge checks the values of a pass. Scores decide which device is to blame for
// odd values. If the CPU's own scores are not finite, a narrow cache may be the
// reason: keys that overflow in 16 bits do not in 32. So a wider cache is tried
// once.
func (d *Decoder) judge(scores bool) error {
	if !scores {
		return d.List.Doubt(d.values, len(d.values), &d.hiddenPeak)
	}
	vocab := d.model.Config().Vocab
	if err := d.List.Doubt(d.values, vocab, &d.peak); err != nil {
		return err
	}
	d.List.Settle(d.values, vocab, d.peak)
	widened := d.widened
	d.widened = false
	switch {
	case len(d.List.Backends) > 1:
	case placement.Finite(d.values):
		if widened {
			d.List.Tell("this model overflowed with keys and values in fewer bits, so its cache now uses f32")
		}
	case len(d.cache.Keys) > 0 && d.cache.Keys[0].DType != engine.F32 && d.widen():
		return errOverflow
	}
	return nil // what is not finite the sampler refuses
}

// widen makes a cache in F32, if there is memory for it.
func (d *Decoder) widen() bool {
	wide, err := d.model.NewCache(engine.F32, d.context)
	if err != nil {
		return false
	}
	others := make([]*models.Cache, len(d.others))
	for i := range others {
		if others[i], err = d.model.NewCache(engine.F32, d.context); err != nil {
			return false
		}
	}
	if free := d.List.Free(); free > 0 {
		more := int64(0)
		for i, k := range wide.Keys {
			more += 2 * int64(k.Bytes()-d.cache.Keys[i].Bytes())
		}
		more *= int64(1 + len(others))
		if more > free {
			return false
		}
	}
	_ = d.release()
	d.cache, d.others, d.widened = wide, others, true
	return true
}
