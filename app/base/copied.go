package base

import "reflect"

// copied returns a copy of a value that shares no slice, map or pointer with it, whatever is added
// to its type. What is hidden in a type of another package, such as a time, is shared: it does not
// change.
func copied[T any](v T) T { return copyOf(reflect.ValueOf(&v).Elem()).Interface().(T) }

func copyOf(v reflect.Value) reflect.Value {
	if !shares(v.Type()) {
		return v
	}
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(copyOf(v.Elem()))
		}
	case reflect.Slice:
		if v.IsNil() {
			break
		}
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		reflect.Copy(out, v)
		for i := 0; i < v.Len() && shares(v.Type().Elem()); i++ {
			out.Index(i).Set(copyOf(v.Index(i)))
		}
	case reflect.Map:
		if v.IsNil() {
			break
		}
		out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for each := v.MapRange(); each.Next(); {
			out.SetMapIndex(each.Key(), copyOf(each.Value()))
		}
	case reflect.Struct:
		out.Set(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(copyOf(v.Field(i)))
			}
		}
	default:
		out.Set(v)
	}
	return out
}

// shares reports whether a copy of a value of this type by assignment shares memory with it.
func shares(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return true
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && shares(f.Type) {
				return true
			}
		}
	}
	return false
}
