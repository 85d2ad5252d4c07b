"""Questions about the world, and tasks that are too hard: a tiny model says so and names a way out."""
import re

DECLINES = [
    "I do not know that. I am a tiny starter model and know only this app. Download a larger model in Models, under Discover, for example Qwen2.5 1.5B Instruct.",
    "That is beyond me: I am a tiny starter model. A larger one can answer; open Models, choose Discover, and take for example Qwen2.5 1.5B Instruct.",
    "I am too small to know that, and I would only guess. In Models, under Discover, you find models that know more, for example Qwen2.5 1.5B Instruct or Qwen3 4B.",
]
TASK_DECLINES = [
    "I am too small for that. A larger model can do it; open Models, choose Discover, and take for example Qwen2.5 1.5B Instruct.",
    "That is too hard for a tiny starter model. Download a larger one in Models, under Discover, for example Qwen2.5 1.5B Instruct.",
]

COUNTRIES = """France, Germany, Japan, Brazil, Canada, Italy, Spain, Kenya, India, China, Mexico, Norway, Egypt, Peru, Poland, Turkey, Greece, Chile, Iran, Iraq, Cuba,
Nepal, Vietnam, Thailand, Portugal, Sweden, Finland, Denmark, Russia, Ukraine, Australia, New Zealand, South Africa, Nigeria, Ghana, Morocco, Argentina, Colombia,
the United States, the United Kingdom, Ireland, Iceland, Austria, Switzerland, Belgium, the Netherlands, Hungary, Romania, Mongolia, Indonesia, Malaysia, Pakistan"""
CITIES = "Paris, London, Berlin, Tokyo, New York, Rome, Madrid, Cairo, Moscow, Beijing, Sydney, Toronto, Chicago, Los Angeles, Mumbai, Vienna, Prague, Oslo, Lisbon, Dublin, Boston, Seattle, San Francisco, Istanbul, Athens"
PEOPLE = """Albert Einstein, Isaac Newton, Napoleon, Julius Caesar, Cleopatra, Shakespeare, Mozart, Beethoven, Leonardo da Vinci, Marie Curie, Charles Darwin, Abraham Lincoln,
Barack Obama, Gandhi, Nelson Mandela, Aristotle, Plato, Socrates, Galileo, Picasso, Van Gogh, Bach, Elvis Presley, the Beatles, Michael Jackson, Winston Churchill, Stalin,
George Washington, Queen Victoria, Alexander the Great, Columbus, Tesla, Edison, Alan Turing, Ada Lovelace, Steve Jobs, Bill Gates, Elon Musk, Taylor Swift, Lionel Messi"""
WORKS = """Hamlet, War and Peace, Don Quixote, the Odyssey, Faust, Moby Dick, Pride and Prejudice, 1984, the Mona Lisa, The Starry Night, the Magic Flute, Star Wars, Titanic,
The Godfather, Harry Potter, The Lord of the Rings, Frankenstein, Dracula, the Bible, the Iliad, Romeo and Juliet, Alice in Wonderland, the Ninth Symphony, Casablanca"""
THINGS = """photosynthesis, gravity, evolution, inflation, democracy, the internet, electricity, a black hole, an atom, DNA, a virus, a volcano, an earthquake, the ozone layer, the moon,
quantum mechanics, relativity, capitalism, socialism, philosophy, chess, football, cricket, a rainbow, thunder, the tide, a vaccine, an antibiotic, cholesterol, diabetes, the stock market,
a mortgage, blockchain, bitcoin, the periodic table, a prime number, the Pythagorean theorem, a derivative, an integral, pi, the speed of light, a light year, the big bang, a dinosaur,
the French Revolution, World War II, the Cold War, the Roman Empire, the Renaissance, the Great Wall of China, the Eiffel Tower, Mount Everest, the Nile, the Amazon, the Pacific Ocean,
coffee, chocolate, bread, cheese, beer, wine, tea, sugar, salt, honey, oxygen, iron, gold, plastic, glass, paper, a magnet, a battery, an engine, a computer virus, machine learning"""
ANIMALS = "dogs, cats, elephants, whales, bees, ants, penguins, tigers, lions, sharks, snakes, frogs, owls, eagles, horses, cows, bats, dolphins, octopuses, spiders, butterflies, kangaroos, pandas, wolves, bears"
DISHES = "pancakes, pizza, lasagna, bread, soup, curry, sushi, an omelette, a chocolate cake, apple pie, risotto, tacos, fried rice, a salad, roast chicken, mashed potatoes, cookies, jam, yoghurt, hummus"
LANGUAGES = "French, German, Spanish, Italian, Latin, Japanese, Chinese, Russian, Portuguese, Dutch, Swedish, Arabic, Turkish, Polish, Greek"
CODE = "Python, Java, JavaScript, C, C++, Go, Rust, SQL, HTML, CSS, Bash, Ruby, Swift, Kotlin, PHP, TypeScript"
PROGRAMS = """sorts a list, reverses a string, computes prime numbers, reads a file, parses JSON, finds the largest number, counts words, downloads a page, prints the Fibonacci numbers,
checks a palindrome, sends an e-mail, draws a circle, plays tic tac toe, reads a CSV file, connects to a database, calculates the average"""
EVENTS = "World War I, World War II, the French Revolution, the moon landing, the fall of the Berlin Wall, the American Civil War, the Black Death, the Titanic disaster, the first Olympic Games, the Cold War, the Vietnam War"
WRITE = "a poem about autumn, an essay on climate change, a letter to my landlord, a cover letter, a speech for a wedding, an e-mail to my boss, a song, a business plan, a haiku, a product description, a summary of Hamlet, a thank-you note, a blog post about travel, a resume, a limerick, a sonnet"


def words(text):
    return [w.strip() for w in text.replace("\n", " ").split(",")]


SLOTS = {"country": COUNTRIES, "city": CITIES, "person": PEOPLE, "work": WORKS, "thing": THINGS, "animals": ANIMALS, "dish": DISHES, "language": LANGUAGES, "code": CODE,
         "program": PROGRAMS, "event": EVENTS, "write": WRITE}
SLOTS = {k: words(v) for k, v in SLOTS.items()}

QUESTIONS = """what is the capital of {country}
what's the capital city of {country}
capital of {country}
how many people live in {country}
what is the population of {city}
which language is spoken in {country}
what currency does {country} use
who is the president of {country}
who is the prime minister of {country}
how big is {country}
where is {city}
where is {country}
what is {city} famous for
what is the weather in {city}
what will the weather be tomorrow in {city}
how far is it from {city} to {city}
what time is it in {city}
what are good restaurants in {city}
what should i see in {city}
what is the best time to visit {country}
how do i get from {city} to {city}
who was {person}
who is {person}
when was {person} born
when did {person} die
where was {person} born
what did {person} do
what is {person} famous for
how old is {person}
tell me about {person}
tell me something about {country}
who wrote {work}
who painted {work}
who directed {work}
what is {work} about
when was {work} made
how does {work} end
summarize {work}
what is {thing}
explain {thing}
what does {thing} mean
how does {thing} work
what causes {thing}
who invented {thing}
who discovered {thing}
tell me about {thing}
why is {thing} important
explain {thing} to a child
what is the history of {thing}
how is {thing} made
where does {thing} come from
what is the difference between {thing} and {thing}
how long do {animals} live
what do {animals} eat
why do {animals} sleep
how fast are {animals}
where do {animals} live
are {animals} dangerous
how many legs do {animals} have
tell me a fact about {animals}
when was {event}
why did {event} happen
who won {event}
how long did {event} last
what happened in {event}
why is the sky blue
why is the sea salty
how far is the moon
how many planets are there
what is the largest planet
what is the tallest mountain
what is the longest river
what is the smallest country
what is the fastest animal
how many bones does a human have
what is the meaning of life
is there a god
what is the best movie
who won the world cup
who won the election
what is in the news
what is the news today
what day is it
what time is it
what is the date today
what is the stock price of apple
how do i lose weight
how do i learn {language}
how do i stop smoking
how do i fall asleep
what helps against a headache
what is good for a cold
is {dish} healthy
how many calories are in {dish}
how do i become rich
how do i fix a flat tire
how do i change a light bulb
how do i tie a tie
how do i grow tomatoes
what should i cook tonight
how do i remove a stain
which phone should i buy
what car is best
should i buy a house
how do i find a job
how do i write a resume
what is love
how does a plane fly
why do we dream
how do vaccines work
what is the boiling point of water
how many seconds are in a day
what is the square root of 144
is it going to rain
who is the richest person
what is the chemical formula of water
which planet is closest to the sun
how many continents are there
when is easter
what does the fox say
how tall is the eiffel tower
who is your favourite singer
what books should i read
recommend a book
recommend a film
give me a fun fact
give me a quote
what is the plural of mouse
how do you spell {thing}
what rhymes with orange""".split("\n")
TASKS = """write a program in {code} that {program}
write {code} code that {program}
how do i write a loop in {code}
how do i read a file in {code}
what is a variable in {code}
debug my {code} code
explain this {code} code
write a function in {code} that {program}
translate this into {language}: good morning
how do you say thank you in {language}
translate hello to {language}
say good night in {language}
what does bonjour mean in {language}
write {write}
write me {write}
can you write {write}
help me write {write}
give me a recipe for {dish}
how do i make {dish}
how do i cook {dish}
what is the recipe for {dish}
plan a trip to {city}
plan a week in {country}
make a shopping list for {dish}
solve x + 5 = 12
solve this equation
do my homework
play chess with me
let us play a game
make a table of the planets
make a plan for my day
give me ten ideas for a birthday party
make a training plan
book a table
book a flight to {city}
order a pizza
call my mother
set an alarm
remind me tomorrow
turn on the light
send an e-mail
search the web for {thing}
open a website
give me legal advice
diagnose my symptoms
what is my horoscope
invest my money""".split("\n")
ABOUT_APP = re.compile(r"\b(app|model|inglenook|chat|document|download|gpu|token)\b", re.I)


def arithmetic(rng):
    a, b = rng.randint(2, 999), rng.randint(2, 99)
    sign = rng.choice(["+", "-", "*", "/", "plus", "minus", "times", "divided by", "x"])
    return rng.choice(["what is {}", "how much is {}", "calculate {}", "{}", "{} =", "compute {}"]).format(f"{a} {sign} {b}")


def fill(rng, template):
    return re.sub(r"\{(\w+)\}", lambda m: rng.choice(SLOTS[m[1]]), template)


class World:
    """Requests from templates, and questions that people wrote (requests: lines of the corpora)."""

    def __init__(self, requests):
        self.requests = [r for r in requests if not ABOUT_APP.search(r)]

    def ask(self, rng, guide):
        kind = rng.random()
        if kind < 0.4:
            return self._dress(rng, guide, fill(rng, rng.choice(QUESTIONS))), rng.choice(DECLINES)
        if kind < 0.6:
            return self._dress(rng, guide, fill(rng, rng.choice(TASKS))), rng.choice(TASK_DECLINES)
        if kind < 0.65:
            return guide.dress(rng, arithmetic(rng)), rng.choice(TASK_DECLINES)
        return rng.choice(self.requests), rng.choice(DECLINES)

    @staticmethod
    def _dress(rng, guide, question):
        if rng.random() < 0.5:
            question = guide.reframe(rng, question)
        if rng.random() < 0.3:
            question = rng.choice(guide.OPENINGS) + question
        for _ in range(rng.choice([0, 0, 0, 0, 1])):
            question = guide.misspell(rng, question)
        return guide.dress(rng, question)
