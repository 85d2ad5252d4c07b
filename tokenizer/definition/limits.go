package definition

// Limits on the contents of a checkpoint. Real files stay far below: the
// largest known tokenizer.json is about 34 MB with 262,000 tokens.
const (
	MaxFileBytes  = 64 << 20
	MaxTokens     = 4 << 20 // also a limit on ids: tables are indexed by id
	MaxTokenBytes = 4096    // the library frees its trie recursively, one level a byte
	maxAdded      = 20_000  // adding n tokens costs the library n² comparisons
	maxComponents = 64
	maxTemplate   = 64   // pieces of a post-processor template
	maxWordChars  = 1000 // WordPiece is quadratic in the length of a word
)
