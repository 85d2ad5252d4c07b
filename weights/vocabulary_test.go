package weights

import "testing"

// A GGUF file without tensors is no damaged model, and its error does not list what a model has.
func TestVocabularyOnly(t *testing.T) {
	c := openGGUFBytes(t, model("gpt2")).Scope()
	if err := c.Err(); err != nil {
		t.Errorf("before anything is asked: %v", err)
	}
	c.Matrix("transformer.wte.weight", 6, 4)
	checkSentence(t, c.Err(), "model.gguf holds only a vocabulary, no model: choose the file with the weights of the model")
}
