package cudabackend

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"inglenook/cudabackend/driver"
	"inglenook/engine"
)

// Probe returns the device that New would open, or an error if there is none.
func Probe(api *driver.API) (engine.Device, error) {
	api, cards, err := choose(api)
	if err != nil {
		return engine.Device{}, err
	}
	return device(api, cards), nil
}

// choice is a card that the kernels run on.
type choice struct {
	*driver.Card
	free uint64 // bytes of its memory; all, where there is no other card
}

// choose returns the cards that the kernels run on, the one to use first: that with the
// most free memory.
func choose(api *driver.API) (*driver.API, []choice, error) {
	if api == nil {
		var err error
		if api, err = driver.Open(); errors.Is(err, driver.ErrNone) {
			return nil, nil, &UnsuitableError{"there is no NVIDIA driver on this machine"}
		} else if err != nil {
			return nil, nil, &UnsuitableError{"NVIDIA's driver on this machine cannot be used, install a newer one: " + err.Error()}
		}
	}
	if r := api.Init(0); r == driver.NoDevice {
		return nil, nil, &UnsuitableError{"NVIDIA's driver finds no GPU on this machine"}
	} else if err := api.Fault("cuInit", r); err != nil {
		return nil, nil, err
	}
	var n int32
	if err := api.Fault("cuDeviceGetCount", api.DeviceCount(&n)); err != nil {
		return nil, nil, err
	}
	var cards []choice
	var refused error = &UnsuitableError{"NVIDIA's driver finds no GPU on this machine"}
	for i := range n {
		card, err := api.Card(i)
		switch {
		case err != nil: // another card may be well
			refused = err
		case card.Major < leastMajor:
			refused = &UnsuitableError{fmt.Sprintf("the GPU %q has compute capability %d.%d; the kernels need %d.0 or later", card.Name, card.Major, card.Minor, leastMajor)}
		case card.Bytes < leastMemory:
			refused = &UnsuitableError{fmt.Sprintf("the GPU %q has %s of memory, which no model fits in", card.Name, megabytes(int64(card.Bytes)))}
		default:
			cards = append(cards, choice{card, card.Bytes})
		}
	}
	if len(cards) == 0 {
		return nil, nil, refused
	}
	if len(cards) > 1 { // asking takes a context, which takes a while
		for i := range cards {
			cards[i].free = freeMemory(api, cards[i].Device)
		}
		slices.SortStableFunc(cards, func(a, b choice) int { return cmp.Compare(b.free, a.free) })
	}
	return api, cards, nil
}

// freeMemory returns the bytes of a card's memory that no program has taken, 0 where the
// card gives none.
func freeMemory(api *driver.API, device int32) (free uint64) {
	var context uintptr
	if api.RetainContext(&context, device) != 0 {
		return 0
	}
	defer api.ReleaseContext(device)
	done, err := api.Bind(context)
	if err != nil {
		return 0
	}
	defer done()
	var total uint64
	if api.MemoryInfo(&free, &total) != 0 {
		return 0
	}
	return free
}

// device describes the first of some cards, and names the others.
func device(api *driver.API, cards []choice) engine.Device {
	c := cards[0]
	d := engine.Device{ID: ID, Kind: "cuda", Name: c.Name, MemoryBytes: c.Bytes, Features: []string{c.Architecture()}}
	var version int32
	if api.DriverVersion(&version) == 0 {
		d.Features = append(d.Features, fmt.Sprintf("CUDA %d.%d", version/1000, version%1000/10))
	}
	for _, other := range cards[1:] {
		d.NotUsed = append(d.NotUsed, fmt.Sprintf("%s, with %s of %s free", other.Name, megabytes(int64(other.free)), megabytes(int64(other.Bytes))))
	}
	return d
}
