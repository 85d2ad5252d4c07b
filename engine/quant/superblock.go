package quant

// superblock is the number of values in a block of the types below. A block has
// 8 or 16 groups of values, whose scales are small integer multiples of the
// block's scale.
const superblock = 256

// floored holds a block of the types in which a group has a lowest value besides
// its scale: value = (d·scale)·level − lowest·min.
type floored struct {
	d, lowest    float32
	scales, mins [16]byte // of the groups
	levels       [superblock]byte
}

func (f *floored) decode(y []float32, group int) {
	for g := range superblock / group {
		scale := f.d * float32(f.scales[g])
		lowest := float32(f.lowest * float32(f.mins[g]))
		for i := g * group; i < (g+1)*group; i++ {
			y[i] = float32(scale*float32(f.levels[i])) - lowest
		}
	}
}

// encode finds scales up to topScale and levels up to top. It leaves d and
// lowest in the first four bytes of at.
func (f *floored) encode(x []float32, group int, top, topScale int32, at []byte) {
	var scale, low [16]float32
	groups := superblock / group
	for g := range groups {
		scale[g], low[g] = fitFloored(x[g*group:(g+1)*group], top)
	}
	_, most := bounds(scale[:groups])
	least, _ := bounds(low[:groups])
	f.d = putHalf(at, most/float32(topScale))
	f.lowest = putHalf(at[2:], -least/float32(topScale))
	perScale, perMin := inverse(f.d), inverse(f.lowest)
	for g := range groups {
		f.scales[g] = level(scale[g]*perScale, 0.5, topScale)
		f.mins[g] = level(-low[g]*perMin, 0.5, topScale)
		inv := inverse(f.d * float32(f.scales[g]))
		lowest := f.lowest * float32(f.mins[g])
		for i := g * group; i < (g+1)*group; i++ {
			f.levels[i] = level((x[i]+lowest)*inv, 0.5, top)
		}
	}
}

// signed holds a block of the types in which levels and scales have a sign and
// there is no lowest value: value = (d·scale)·level.
type signed struct {
	d      float32
	scales [16]int8 // of the groups
	levels [superblock]int8
}

func (s *signed) decode(y []float32, group int) {
	for g := range superblock / group {
		scale := s.d * float32(s.scales[g])
		for i := g * group; i < (g+1)*group; i++ {
			y[i] = scale * float32(s.levels[i])
		}
	}
}

// encode finds scales and levels; both reach from −top to top−1, each with its
// own top. It leaves d in the first two bytes of at.
func (s *signed) encode(x []float32, group int, top, topScale int32, at []byte) {
	var scale [16]float32
	groups := superblock / group
	for g := range groups {
		scale[g] = fitSigned(x[g*group:(g+1)*group], top)
	}
	s.d = putHalf(at, extreme(scale[:groups])/float32(-topScale))
	perScale := inverse(s.d)
	for g := range groups {
		s.scales[g] = int8(nearest(scale[g]*perScale, topScale))
		inv := inverse(s.d * float32(s.scales[g]))
		for i := g * group; i < (g+1)*group; i++ {
			s.levels[i] = int8(nearest(x[i]*inv, top))
		}
	}
}
