// Package weights reads the tensors of a checkpoint: safetensors, one file or
// several with their index, or GGUF, one file or split into parts, from any
// [io/fs.FS] (a folder opened through os.Root, the bundled model, a map in a
// test). Either way the tensors have the names that Hugging Face gives them.
//
// A checkpoint is a stranger's file. Everything it says about itself is
// checked against its real size when it is opened; nothing in it is executed,
// and formats that could be (pickles) are refused. The bytes of a weight leave
// the package only as copies, read under a guard, so that a file which is cut
// short while it is open becomes an error and not a dead process.
//
// The package knows neither what a model does with its weights nor on which
// device. It hands out parts and transposes of stored matrices, and quantizes
// them while they are read, where it is asked to; else numbers stay what they
// are (F64, which no kernel takes, is rounded to F32 on reading).
package weights
