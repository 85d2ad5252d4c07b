"""Small stories from skeletons whose slots are drawn, told whole or continued from a beginning."""
import re

HEROES = """fox, rabbit, mouse, bear, owl, cat, dog, duck, hedgehog, frog, squirrel, turtle, robin, badger, pony, lamb, goat, kitten, puppy, beaver,
mole, otter, crow, snail, bee, dragon, giant, robot, girl, boy, baker, sailor, farmer, gardener, king, queen, prince, princess, painter, fisherman,
shepherd, miller, teacher, witch, knight, penguin, whale, elephant, lion, tiger, monkey, parrot, spider, ghost, snowman, train, boat, star, cloud, tree,
lamp, clock, shoe, teapot, kite, wizard, pirate, astronaut, doctor, musician, wolf, deer, horse, cow, pig, hen, donkey, camel, seal, crab""".replace("\n", " ").split(", ")
NAMES = "Pip, Milo, Luna, Tilly, Oskar, Nell, Finn, Ada, Bruno, Clara, Rufus, Mina, Hugo, Ida, Jasper, Wren, Otto, Poppy, Toby, Lotte, Max, Ella, Sam, Rosa".split(", ")
ADJECTIVES = "little, small, young, brave, shy, curious, kind, lonely, cheerful, clever, sleepy, old, quiet, merry, stubborn, tiny".split(", ")
PLACES = """at the edge of a dark forest, in a house by the sea, under an old oak tree, on a hill above the village, near a cold river, in a warm stable,
in a town with narrow streets, beside a deep lake, on a small island, at the end of a long lane, in a garden full of roses, behind the mill""".replace("\n", " ").split(", ")
THINGS = "a golden key, a red kite, a silver bell, a warm scarf, an old map, a blue stone, a small lantern, a wooden flute, a lost letter, a shiny coin, a broken clock, a tiny seed".split(", ")
HELPERS = "an old owl, a kind neighbour, a merry frog, a wise turtle, a friendly robin, a tired traveller, a quiet hedgehog, a young shepherd".split(", ")
WEATHER = "one windy morning, one rainy day, one cold evening, one summer night, one day in spring, early one morning, on the first day of winter".split(", ")
WISHES = "to see the sea, to find a friend, to learn to sing, to climb the highest hill, to bake the best bread, to hear the stars, to fly like a bird, to cross the river".split(", ")
FEELINGS = "happy, proud, grateful, warm inside, very glad, calm".split(", ")

SKELETONS = [
    ["Once upon a time there was a {adj} {hero} who lived {place}.", "{Weather} the {hero} found {thing} in the grass.",
     "\"Whose is this?\" asked the {hero}, and went from door to door.", "At the last door stood {helper}, who had looked for it for days.",
     "\"You could have kept it,\" said the owner, \"and you brought it back.\"", "They drank tea together until the moon came out.",
     "From that day on the {hero} had a friend, and was {feeling}."],
    ["There was once a {adj} {hero} named {name}.", "{name} wanted {wish}, but everyone said that it was too hard.",
     "{Weather} {name} packed some bread and set out alone.", "The way was long, and soon it began to snow.", "Then {helper} came along and said, \"Two can walk further than one.\"",
     "So they walked together and told each other stories.", "When they arrived, {name} laughed out loud, and both were {feeling}."],
    ["{Weather} a {adj} {hero} could not sleep.", "Something was knocking softly {place}.", "The {hero} took a lantern and went out to look.",
     "It was only a branch, and under it sat a small bird with a cold wing.", "The {hero} carried the bird inside and put it beside the stove.",
     "In the morning the bird sang so sweetly that all the neighbours came to listen.", "The {hero} was tired and {feeling}."],
    ["A {adj} {hero} lived {place} and was afraid of the dark.", "{Weather} the lamp went out, and there was no oil left.", "\"I will have to be brave,\" said the {hero}.",
     "Outside, the sky was full of stars, more than anyone could count.", "{Helper} sat on the fence and knew the name of each one.",
     "They stayed until dawn and were never cold.", "After that the {hero} liked the dark best of all."],
    ["Long ago a {adj} {hero} found {thing} {place}.", "It was said to grant one wish.", "The {hero} thought about gold, and about a castle, and about a ship.",
     "But {helper} was hungry and had nowhere to stay.", "\"I wish for a warm supper for two,\" said the {hero}.", "At once the table was full of bread, soup and apples.",
     "They ate and laughed, and the {hero} was {feeling}."],
    ["{name} was a {adj} {hero} who always hurried.", "{Weather} {name} ran so fast that {thing} fell from the bag.", "It took a long time to notice, and then {name} had to go all the way back.",
     "{Helper} had picked it up and was waiting at the roadside.", "\"If you walk,\" said the helper, \"you see what you pass.\"",
     "So they walked home slowly and saw a rainbow, two deer and a field of poppies.", "{name} was {feeling} and never hurried again, except for supper."],
    ["In a village {place} lived a {adj} {hero}.", "Every winter the river froze, and nobody could fetch water.", "The {hero} began to dig a well, all alone.",
     "The others laughed at first, but {helper} brought a second spade.", "After seven days they heard water under the stones.",
     "Then the whole village danced around the well.", "The {hero} drank the first cup and was {feeling}."],
    ["A {hero} and {helper} both wanted {thing}.", "They argued the whole morning until both were hoarse.", "{Weather}, while they argued, the wind carried it away.",
     "They looked at each other and had to laugh.", "\"Let us look for it together,\" said the {hero}.", "They did not find it, but they found a tree full of ripe plums.",
     "They shared the plums, and nobody argued any more."],
]
ASK = ["tell me a story", "tell me a short story", "write a story", "write a short story", "can you tell me a story", "i want a story", "tell a tale", "please tell me a bedtime story",
       "make up a story", "another story", "a story please", "tell me a little story", "do you know a story", "read me a story", "can you write a story for my child"]
ASK_ABOUT = ["tell me a story about {x}", "write a short story about {x}", "tell me a tale about {x}", "write a story with {x}", "can you make up a story about {x}",
             "a story about {x} please", "tell a bedtime story about {x}", "please write a little story about {x}", "i want a story about {x}", "make a story about {x}"]
GO_ON = ["continue this story: {x}", "go on: {x}", "continue: {x}", "how does this story go on? {x}", "finish this story: {x}", "what happens next? {x}", "{x} ... go on", "{x}"]


def article(word):
    return ("an " if word[0] in "aeiou" else "a ") + word


def tell(rng, hero=None, adjective=None):
    slots = {"hero": hero or rng.choice(HEROES), "adj": adjective or rng.choice(ADJECTIVES), "name": rng.choice(NAMES), "place": rng.choice(PLACES),
             "thing": rng.choice(THINGS), "helper": rng.choice(HELPERS), "weather": rng.choice(WEATHER), "wish": rng.choice(WISHES), "feeling": rng.choice(FEELINGS)}
    slots |= {"Weather": slots["weather"].capitalize(), "Helper": slots["helper"].capitalize()}
    lines = [line.format(**slots) for line in rng.choice(SKELETONS)]
    return slots, [re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", line) for line in lines]


def capital(rng, text):
    return text[:1].upper() + text[1:] if rng.random() < 0.7 else text


def story(rng):
    """(request, story)"""
    kind = rng.random()
    if kind < 0.25:
        return capital(rng, rng.choice(ASK)) + rng.choice(["", ".", "!"]), " ".join(tell(rng)[1])
    if kind < 0.65:
        hero, adjective = rng.choice(HEROES), rng.choice(ADJECTIVES) if rng.random() < 0.4 else None
        what = article(f"{adjective} {hero}" if adjective else hero)
        if rng.random() < 0.15:
            what = hero + "s"
        return capital(rng, rng.choice(ASK_ABOUT).format(x=what)) + rng.choice(["", ".", ""]), " ".join(tell(rng, hero, adjective)[1])
    _, lines = tell(rng)
    given = rng.randint(1, 3)
    start = " ".join(lines[:given])
    if rng.random() < 0.3:                        # the beginning breaks off in the middle of a sentence
        words = lines[given - 1].split(" ")
        cut = rng.randint(2, len(words) - 1)
        start = " ".join(lines[:given - 1] + words[:cut])
        return rng.choice(GO_ON[:-1]).format(x=start), " ".join(words[cut:] + lines[given:])
    return capital(rng, rng.choice(GO_ON[:-1]).format(x=start)), " ".join(lines[given:])
