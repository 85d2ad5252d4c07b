package pipeline

import (
	"errors"

	"inglenook/engine"
)

// errForgotten says that what a predictor remembered is gone with the device
// that held it.
var errForgotten = errors.New("the cache of keys and values is gone")

// errOverflow says that numbers were not finite and a wider cache may help.
var errOverflow = errors.New("numbers are not finite")

// recovers reports whether extend can be tried again after err. If so, the
// predictor remembers nothing: everything has to be read anew.
func (p *causal) recovers(err error) bool {
	return errors.Is(err, errForgotten) || errors.Is(err, errOverflow) || p.on.leave(err) == nil
}

func (p *causal) notices() []string { return p.on.notices() }

// settle leaves the devices that the model ran on for those that are left: the
// cache is released, and so are the weights, which are prepared anew where they
// are needed now, if they fit. A device that is lost may not even free memory;
// nothing follows from that.
func (p *causal) settle() error {
	_ = p.graph.Close()
	_ = p.cache.Release()
	p.record(0, []int32{0}, true)
	releaseWeights(p.graph)
	return p.on.arrived(func(available int64) error {
		needs, _, err := p.needs()
		if err != nil {
			return err
		}
		return needs.fits(available, p.context)
	})
}

// judge looks at the values of a pass. Scores settle which device is to blame
// for odd ones. Where the CPU's own are not finite, a narrow cache may be why:
// keys that overflow in 16 bits do not in 32, so that is tried once.
func (p *causal) judge(scores bool) error {
	if !scores {
		return p.on.doubt(p.values, len(p.values), &p.hiddenPeak)
	}
	if err := p.on.doubt(p.values, len(p.values), &p.peak); err != nil {
		return err
	}
	p.on.settle(p.values, len(p.values), p.peak)
	widened := p.widened
	p.widened = false
	switch {
	case len(p.on.backends) > 1:
	case finite(p.values):
		if widened {
			p.on.tell("numbers of this model were not finite with keys and values in fewer bits, so it holds them in f32")
		}
	case p.cache.Keys[0].DType != engine.F32 && p.widen():
		return errOverflow
	}
	return nil // what is not finite the sampler refuses
}

// widen makes a cache in F32, if there is memory for it.
func (p *causal) widen() bool {
	wide, err := p.decoder.NewCache(engine.F32, p.context)
	if err != nil {
		return false
	}
	if p.on.available != nil {
		more := int64(0)
		for i, k := range wide.Keys {
			more += 2 * int64(k.Bytes()-p.cache.Keys[i].Bytes())
		}
		if free := p.on.available(); free > 0 && more > free {
			return false
		}
	}
	_ = p.cache.Release()
	p.cache, p.widened = wide, true
	return true
}
