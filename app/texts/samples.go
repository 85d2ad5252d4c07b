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

// SampleNames are texts for a first look at a model that marks names: persons, places, organisations
// and other names.
func SampleNames() []string {
	return []string{
		"Ada Lovelace was born in London and worked with Charles Babbage.",
		"Marie Curie came from Warsaw to Paris to study at the Sorbonne.",
		"The Red Cross was founded in Geneva by Henri Dunant.",
		"Toyota builds cars in Japan, Kentucky and the north of France.",
		"Last winter Anna took the Orient Express from Vienna to Istanbul.",
		"It rained all day, so we stayed at home.",
	}
}

// SampleGaps are texts for a first look at a model that fills gaps.
func SampleGaps() []string {
	return []string{
		"The capital of France is ___.",
		"I drink a cup of ___ every morning.",
		"The cat is asleep on the warm ___.",
		"She ___ the door and walked into the garden.",
		"In winter the days are ___ and the nights are ___.",
	}
}
