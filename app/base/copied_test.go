package base

import (
	"reflect"
	"testing"
)

// fill gives every field of a value something: two elements of each slice, one of each map.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key)
		fill(value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i))
			}
		}
	case reflect.String:
		v.SetString("text")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(2)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(3)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(4)
	}
}

// shared names what two values hold together in memory, and what is of a kind that the copy does
// not know.
func shared(path string, a, b reflect.Value) (list []string) {
	switch a.Kind() {
	case reflect.Pointer:
		if a.Pointer() == b.Pointer() {
			return []string{path}
		}
		return shared(path, a.Elem(), b.Elem())
	case reflect.Slice:
		if a.Pointer() == b.Pointer() {
			list = append(list, path)
		}
		for i := range min(a.Len(), b.Len()) {
			list = append(list, shared(path+"[]", a.Index(i), b.Index(i))...)
		}
	case reflect.Map:
		if a.Pointer() == b.Pointer() {
			list = append(list, path)
		}
		for each := a.MapRange(); each.Next(); {
			if other := b.MapIndex(each.Key()); other.IsValid() {
				list = append(list, shared(path+"[]", each.Value(), other)...)
			}
		}
	case reflect.Struct:
		for i := range a.NumField() {
			if f := a.Type().Field(i); f.IsExported() {
				list = append(list, shared(path+"."+f.Name, a.Field(i), b.Field(i))...)
			}
		}
	case reflect.Interface, reflect.Array, reflect.Func, reflect.Chan:
		return []string{path + ", which is no plain value"}
	}
	return list
}

// TestSettingsAreCopiedWhole holds that a copy of the settings has all of them, and that no change
// of it is one of the settings themselves.
func TestSettingsAreCopiedWhole(t *testing.T) {
	var s Settings
	fill(reflect.ValueOf(&s).Elem())
	if len(s.ClosedTips) != 2 || len(s.Rerank.Found) != 2 || len(s.Chat.Drafts) != 1 {
		t.Fatalf("not all is filled: %+v", s)
	}
	c := s.clone()
	if !reflect.DeepEqual(c, s) {
		t.Errorf("the copy is %+v, not %+v", c, s)
	}
	for _, path := range shared("settings", reflect.ValueOf(s), reflect.ValueOf(c)) {
		t.Errorf("%s is shared", path)
	}
	var none Settings
	if got := none.clone(); !reflect.DeepEqual(got, none) {
		t.Errorf("of nothing the copy is %+v", got)
	}
}
