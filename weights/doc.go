// Package weights reads the tensors of a checkpoint: safetensors, one file or
// several with their index, or GGUF, one file or split into parts, from any
// [io/fs.FS] (a folder opened through os.Root, the bundled model, a map in a
// test). In both formats the tensors have the names that Hugging Face uses.
//
// A checkpoint is untrusted. Everything it states about itself is checked
// against its real size when it is opened. Nothing in it is executed, and
// formats that could be (pickles) are rejected. The bytes of a weight leave the
// package only as copies, read under a guard, so that a file which is truncated
// while it is open causes an error and not a crash of the process.
//
// The package does not know what a model does with its weights, nor on which
// device. It returns parts and transposes of stored matrices, and quantizes
// them on reading if asked to. Otherwise numbers stay as they are (except F64,
// which no kernel supports: it is rounded to F32 on reading).
package weights
