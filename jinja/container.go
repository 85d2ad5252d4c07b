package jinja

import (
	"fmt"
	"strings"
)

var dictMethods = methods{
	"get":    dictGet,
	"items":  dictView("items", (*Dict).pairs),
	"keys":   dictView("keys", (*Dict).keys),
	"values": dictView("values", (*Dict).values),
	"copy":   dictCopy,
}

func dictGet(_ *interp, self any, a args) (any, error) {
	if len(a.names) > 0 {
		return nil, fmt.Errorf("it takes no named arguments")
	}
	p, err := a.bind("it", 1, "key", "default")
	if err != nil {
		return nil, err
	}
	v, ok, err := self.(*Dict).lookup(p[0])
	switch {
	case err != nil || ok:
		return v, err
	case given(p[1]):
		return p[1], nil
	}
	return nil, nil
}

func dictView(kind string, items func(*Dict) []any) method {
	return func(in *interp, self any, a args) (any, error) {
		if _, err := a.bind("it", 0); err != nil {
			return nil, err
		}
		d := self.(*Dict)
		return &view{kind, items(d)}, in.allocItems(2 * d.Len())
	}
}

func dictCopy(in *interp, self any, a args) (any, error) {
	if _, err := a.bind("it", 0); err != nil {
		return nil, err
	}
	return in.copyDict(self.(*Dict))
}

func (in *interp) copyDict(d *Dict) (*Dict, error) {
	if err := in.allocItems(6 + 4*d.Len()); err != nil {
		return nil, err
	}
	out := NewDict()
	for _, e := range d.entries {
		_ = out.put(e.key, e.value) // it was a key before
	}
	return out, nil
}

// seqMethods are those of lists and tuples.
var seqMethods = methods{
	"count": func(in *interp, self any, a args) (any, error) {
		n := int64(0)
		err := in.search(self, a, func(int) bool { n++; return true })
		return n, err
	},
	"index": func(in *interp, self any, a args) (any, error) {
		found := -1
		if err := in.search(self, a, func(i int) bool { found = i; return false }); err != nil {
			return nil, err
		}
		if found < 0 {
			return nil, fmt.Errorf("the value is not there")
		}
		return int64(found), nil
	},
	"copy": func(in *interp, self any, a args) (any, error) {
		l, ok := self.(*List)
		if !ok || len(a.pos)+len(a.names) > 0 {
			return nil, fmt.Errorf("only lists can be copied, and without arguments")
		}
		return &List{l.Items}, nil
	},
}

// search calls hit with each position of a value until hit returns false.
func (in *interp) search(self any, a args, hit func(int) bool) error {
	p, err := a.bind("it", 1, "value")
	if err != nil {
		return err
	}
	items, err := in.iterate(self)
	if err != nil {
		return err
	}
	for i, item := range items {
		eq, err := in.equal(item, p[0])
		if err != nil {
			return err
		}
		if eq && !hit(i) {
			return nil
		}
	}
	return nil
}

// set implements "{% set ns.name = v %}".
func (ns *namespace) set(in *interp, name string, v any) error {
	if strings.HasPrefix(name, "_") {
		return fmt.Errorf("a namespace has no attributes that begin with an underscore, such as %q", name)
	}
	if _, known := ns.attrs.Get(name); !known {
		if err := in.alloc(96); err != nil {
			return err
		}
	}
	ns.attrs.Set(name, v)
	return nil
}
