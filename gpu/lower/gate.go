package lower

import "inglenook/engine"

// fcActivation is FC_activation of common.metal.
const fcActivation = 1

// gateArgs is GateArgs of gate.metal.
type gateArgs struct {
	n            uint32
	alone        int32
	limit, shift float32
}

func lowerGate(l *Lowerer, t *engine.Tensor) {
	p := t.Params.(engine.GateParams)
	up := t.Src[1]
	if up == nil {
		up = t.Src[0] // bound and not read
	}
	launch(l, t, "gate", gateArgs{uint32(t.Len()), flag(t.Src[1] == nil), p.Limit, p.Shift}).
		constant(fcActivation, int32(p.Activation)).
		bind(1, l.value(t.Src[0])).bind(2, l.value(up)).bind(3, l.value(t)).
		overQuads(t.Len())
}
