package engine

import "fmt"

// DType is the element type of a tensor.
type DType uint8

// The element types. Activations are F32; ids and segment tables are I32;
// weights carry the type of their file.
const (
	F32  DType = iota
	F16        // IEEE 754 binary16
	BF16       // the upper half of an IEEE 754 binary32
	I32
)

var dtypes = [...]struct {
	name  string
	bytes int
}{F32: {"f32", 4}, F16: {"f16", 2}, BF16: {"bf16", 2}, I32: {"i32", 4}}

// Size is the number of bytes of one element.
func (d DType) Size() int { return dtypes[d].bytes }

func (d DType) String() string {
	if int(d) >= len(dtypes) {
		return fmt.Sprintf("dtype(%d)", uint8(d))
	}
	return dtypes[d].name
}
