package texts

import "inglenook/assets"

// Icon is the program's icon, a PNG picture.
func Icon() []byte { return assets.Icon() }

// SampleTexts are sentences for a first look: four subjects, said in
// different words, and one sentence that fits none of them.
func SampleTexts() []string {
	return []string{
		"The cat is asleep on the warm windowsill.",
		"A kitten dozes in the sunlight by the window.",
		"Our dog barks whenever somebody rings the bell.",
		"The train to the coast leaves at half past seven.",
		"What time does the morning service to the seaside depart?",
		"Boil the potatoes in salted water until they are soft.",
		"Cook the pasta for ten minutes, then drain it.",
		"The central bank raised interest rates by a quarter point.",
		"Borrowing money has become more expensive this month.",
		"A comet crossed the sky shortly before dawn.",
	}
}

// Asked is a question with the texts that answer it, by their index.
type Asked struct {
	Text  string
	Right []int
}

// Sample is for a first look at a ranking: questions, and texts in an order in which those
// that answer the first one come last.
func Sample() (questions []Asked, lines []string) {
	return []Asked{
			{"How can I keep bread fresh for longer?", []int{6, 7}},
			{"What can be made of stale bread?", []int{5}},
			{"Where can I buy something sweet from a beekeeper?", []int{2}},
		}, []string{
			"The bakery on the corner opens at six in the morning.",
			"Bread is made of flour, water, salt and yeast.",
			"My neighbour keeps bees and sells honey at the market.",
			"Fresh air in the evening helps many people to sleep.",
			"Toast is best with butter and a little marmalade.",
			"Old bread can be turned into dumplings or crumbs.",
			"Slices of bread keep for three months in the freezer.",
			"To stay fresh, bread is best kept in a closed box at room temperature, never in the fridge.",
		}
}
