"""Questions whose answer stands in a passage that is given with them: the reply is the sentence that answers."""
import collections
import os
import re

import frames
import guide

HERE = os.path.dirname(os.path.abspath(__file__))

WORDS = {
    "place": "library, museum, swimming pool, bakery, town hall, castle, theatre, post office, cinema, zoo, garden, bridge, market, church, station, sports hall, harbour, mill, gallery, hospital, school, tower, cafe, workshop",
    "time": "seven o'clock, 8 a.m., half past eight, 9:30, ten o'clock, noon, 2 p.m., 15:45, a quarter past four, 6 p.m.", "time2": "five o'clock, 5:30 p.m., 18:00, half past six, seven in the evening, 8 p.m., 21:15, ten o'clock at night, midnight",
    "day": "Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday",
    "price": "5 dollars, 12 euros, 7.50 euros, 40 dollars, 95 pounds, 120 dollars, 250 euros, 640 dollars, 1,200 euros, 980 pounds, 18 francs, 33 dollars",
    "year": "1742, 1801, 1856, 1889, 1904, 1923, 1937, 1951, 1968, 1974, 1985, 1996, 2003, 2011, 2019, 2022",
    "person": "Anna Berg, Tom Miller, Mrs. Okafor, Mr. Tanaka, Dr. Silva, Lena, Oskar, Fatima, Paul Reed, Ines, Captain Moore, Miss Hale, Yusuf, Carla Rossi, old Henrik, Professor Lind, Maya, Viktor, Aunt Rosa, Judge Fenn",
    "person2": "Ben, Clara Holt, Mr. Novak, Sofia, David, Mrs. Lang, Emil, Nora Quist, Uncle Theo, Priya",
    "town": "Marlow, Eastbrook, Velden, Castlerock, Sandhaven, Oldbridge, Torvik, Linden, Port Hollis, Greenfield, Ashby, Norwick, Fernhill, Riverton, Bellmore", "town2": "Kingsport, Halden, Westmere, Dunmore, Lakeside, Silverton, Brightwater",
    "job": "carpenter, nurse, teacher, pilot, gardener, baker, lawyer, fisherman, programmer, painter, driver, librarian, judge, cook, engineer, tailor, clockmaker",
    "number": "two, three, four, five, six, seven, eight, nine, ten, 12, 14, 15, 18, 20, 24, 25, 30, 40, 45, 60", "number3": "112, 911, 999, 555-0134, 555-0177, extension 42",
    "bignumber": "800, 1,250, 3,400, 9,600, 12,000, 27,500, 48,000, 150,000", "degrees": "150, 160, 175, 180, 200, 220, 350, 400",
    "animal": "cat, dog, goat, parrot, rabbit, turtle, pony, hamster, hen, goose, donkey, canary", "room": "kitchen, cellar, attic, blue room, meeting room, garage, hall, garden shed, library, workshop, bathroom, office, stable",
    "group": "choir, garden club, council, chess club, reading circle, fire brigade, orchestra, football club, committee, sailing club", "dish": "bread, apple cake, lasagna, pie, pizza, gratin, cookies, tart, roast, pudding",
    "food": "oats, flour, sugar, rice, carrots, milk, grain, nuts, butter, hay, fish, seeds", "machine": "coffee machine, printer, washing machine, heater, pump, dishwasher, boiler, copier, mower, sewing machine, projector, fridge",
    "colour": "red, green, blue, yellow, white, black, orange, grey, brown, purple", "thing": "scarf, umbrella, bag, ring, book, watch, hat, bicycle, lamp, flower pot, violin, doormat, camera, knife, letter, coat, suitcase, mirror",
    "vehicle": "bus, car, tram, van, tractor, ferry, motorbike, truck", "weather": "rain, snow, fog, storms, hail", "word": "maple42, sunrise, open-door, bluewhale, tin-roof, harbour7",
    "month": "January, February, March, April, May, June, July, August, September, October, November, December", "meal": "breakfast, lunch, dinner, supper",
    "plant": "tomato, rose, bean, basil, potato, pumpkin, lavender, apple tree, tulip, onion", "topic": "bees, ships, the moon, old maps, bridges, mushrooms, glass, trains, winter, lighthouses, clocks, salt, deserts",
}
WORDS = {k: [w.strip() for w in v.split(", ")] for k, v in WORDS.items()}

LAYOUTS = ["{p}\n\n{q}", "{p}\n\n{q}", "Passage: {p}\n\nQuestion: {q}", "Passage:\n{p}\n\nQuestion: {q}", "{q}\n\n{p}", "Read this and answer: {q}\n\n{p}", "Text: {p}\nQuestion: {q}",
           "Answer from this passage.\n\n{p}\n\n{q}", "Here is a text: {p}\n\n{q}", "\"{p}\"\n\n{q}", "{p} {q}", "Context: {p}\n\n{q}", "Use this text to answer.\n\n{p}\n\nQuestion: {q}",
           "Document:\n{p}\n\n{q}", "According to this text, {q}\n\n{p}"]
STOP = set("""a an the of to in on at by for from with and or but not is are was were be been being am it its this that these those there here he she they them his her their we our you your i my me as if
so than then when while which who whom whose what where how why do does did has have had will would can could may might must should shall also only more most very all any some each other into about after before
over under between through out up down no nor such same both own just because during until again further once one two""".split())
WORD = re.compile(r"[A-Za-z][A-Za-z'-]+|\d[\d,.]*\d|\d")


def read_facts():
    facts = []
    for block in open(os.path.join(HERE, "facts.txt"), encoding="utf-8").read().split("\n\n"):
        lines = [x for x in block.split("\n") if x[:2] in ("S ", "Q ")]
        if lines:
            facts.append(([x[2:] for x in lines if x[0] == "S"], [x[2:] for x in lines if x[0] == "Q"]))
    return facts


def read_passages():
    """[[(sentence, [question])]] of passages.txt."""
    passages = []
    for block in open(os.path.join(HERE, "passages.txt"), encoding="utf-8").read().split("\n\n"):
        passage = []
        for line in block.split("\n"):
            if line.startswith("S "):
                passage.append((line[2:], []))
            elif line.startswith("Q ") and passage:
                passage[-1][1].append(line[2:])
        if any(questions for _, questions in passage):
            passages.append(passage)
    return passages


PLAIN = re.compile(r"[A-Za-z]+|\\d+")
NUMBERS = set("two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty eighty ninety hundred thousand".split())
CALENDAR = {w.lower() for w in WORDS["day"] + WORDS["month"]}
ASKING = set("""much many long often far kind sort name happens happened mean means does done doing said says say take takes given gives give made make makes used use uses called call
person people thing things time times year years day days week weeks hour hours minute minutes month months part place""".split())


def shape(word):
    """What a word may be exchanged for: words of the same shape."""
    if word.isdigit():
        return "digits" + str(len(word))
    low = word.lower()
    if low in NUMBERS:
        return "number"
    if low in CALENDAR:
        return "calendar"
    if len(word) < 4 or low in STOP or low in ASKING:
        return None
    ending = next((e for e in ("ing", "ed", "ly", "s") if low.endswith(e)), "")
    return ("Name" if word[0].isupper() else "word") + ending


class Exchange:
    """Exchanges words of a passage for others, the same everywhere in it: so that an answer is read, not remembered."""

    def __init__(self, texts):
        self.by_shape = collections.defaultdict(set)
        for text in texts:
            for m in PLAIN.finditer(text):
                kind = shape(m[0])
                if kind and not kind.startswith("digits") and not (kind.startswith("Name") and text[:m.start()].rstrip()[-1:] in ("", ".", "!", "?", ":")):
                    self.by_shape[kind].add(m[0].lower() if kind == "number" else m[0])
        self.by_shape = {kind: sorted(words) for kind, words in self.by_shape.items()}

    def draw(self, rng, sentences, asked):
        """The sentences and [(question, sentence that answers)] with other words; those that question and answer share change more often."""
        if rng.random() < 0.25:
            return sentences, asked
        shared = set().union(*(set(PLAIN.findall(q)) & set(PLAIN.findall(a)) for q, a in asked))
        in_questions = set(PLAIN.findall(" ".join(q for q, _ in asked)))
        first = {PLAIN.search(s)[0] for s in sentences if PLAIN.search(s)}
        rate, other = rng.choice([0.1, 0.3, 0.6, 0.9]), rng.choice([0.0, 0.1, 0.3])
        new = {}

        def exchange(word):
            kind = shape(word)
            if not kind or word in first and word not in self.by_shape.get(kind, ()):
                return word
            if word in shared or kind[0] in "Ndcn":             # nothing hangs on the meaning of names, numbers and days
                chance = rate
            else:
                chance = 0.05 if word in in_questions else other
            if rng.random() >= chance:
                return word
            if kind.startswith("digits"):
                return str(rng.randint(10 ** (len(word) - 1), 10 ** len(word) - 1))
            return rng.choice(self.by_shape.get(kind, [word]))

        def exchanged(text):
            return PLAIN.sub(lambda m: new[m[0]] if m[0] in new else new.setdefault(m[0], exchange(m[0])), text)
        return [exchanged(s) for s in sentences], [(exchanged(q), exchanged(a)) for q, a in asked]


VERB = re.compile(r"((?:(?:The|A|An|Her|His|Their|Our|My|Its|This|That|One|Two|Three|Many|Some|Most|All|Each|Every|No) )?(?:[\w'.-]+ ){0,4}?[\w'.-]+) "
                  r"(\w{2,}ed|went|came|took|made|gave|became|kept|held|wrote|found|left|began|brought|built|lost|met|paid|ran|saw|sold|sent|spoke|told|won|led|grew|fell|drew|"
                  r"bought|knew|thought|stood|sat|taught|caught|chose|ate|drank|drove|flew|got|hid|put|read|rode|rose|sang|slept|spent|stole|swam|threw|wore) (.+)")
BASE = dict(x.split(":") for x in """went:go came:come took:take made:make gave:give became:become kept:keep held:hold wrote:write found:find left:leave began:begin brought:bring built:build
lost:lose met:meet paid:pay ran:run saw:see sold:sell sent:send spoke:speak told:tell won:win led:lead grew:grow fell:fall drew:draw bought:buy knew:know thought:think stood:stand sat:sit
taught:teach caught:catch chose:choose ate:eat drank:drink drove:drive flew:fly got:get hid:hide put:put read:read rode:ride rose:rise sang:sing slept:sleep spent:spend stole:steal
swam:swim threw:throw wore:wear""".split())


def base_form(verb):
    if verb in BASE:
        return BASE[verb]
    stem = verb[:-2]
    if stem.endswith("i"):
        return stem[:-1] + "y"
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "ls":
        return stem[:-1]
    return stem + "e" if re.search(r"([aiou][bcdgkmprstuvz]|[cgsvz]|rs|nc|ng)$", stem) and not re.search(r"[aeiou]{2}[a-z]$", stem) else stem


def about_action(rng, body):
    """Questions about a sentence of the form "someone did something"; none for other sentences."""
    m = VERB.match(body)
    if not m or m[2] in ("need", "indeed", "speed", "based", "called", "used"):
        return []
    subject, verb, rest = m[1], m[2], m[3].split(",")[0].split(" ")
    first = subject.split(" ")[0]
    plain = subject[:1].lower() + subject[1:] if first in ("The", "A", "An", "Her", "His", "Their", "Our", "My", "Its", "This", "That", "One", "Two", "Three", "Many", "Some", "Most", "All", "Each", "Every", "No", "He", "She", "It", "They", "We", "You") else subject
    some = " ".join(rest[:rng.randint(2, 7)])
    who = rng.choice(["who", "what", "who"])
    options = [f"{who} {verb} {some}", f"{who} {verb} {some}", f"what did {plain} do", f"what did {plain} {base_form(verb)}", f"what happened to {plain}"]
    for i, w in enumerate(rest):
        if w in ("in", "at", "on", "near", "to", "from", "into") and 0 < i < 9:
            options += [f"{'where' if rng.random() < 0.6 else 'when'} did {plain} {base_form(verb)} {' '.join(rest[:i])}"]
            break
        if w in ("with", "by", "for", "after", "because") and 0 < i < 9:
            options += [f"{'how' if w in ('with', 'by') else 'why'} did {plain} {base_form(verb)} {' '.join(rest[:i])}"]
            break
    return options


def question_about(rng, sentence):
    """A question that this sentence answers, made by rules; None where none applies."""
    body = sentence.rstrip(".!")
    content = [w for w in WORD.findall(body) if w.lower() not in STOP and len(w) > 2]
    if len(content) < 4:
        return None
    low = body[:1].lower() + body[1:] if not re.match(r"(I\b|[A-Z]\w+ [A-Z]|[A-Z]{2})", body) else body
    options = []
    if m := re.match(r"((?:The|A|An|This|Each|Every)? ?[\w' -]{3,40}?) (is|are|was|were) (.+)", body):
        subject = m[1][:1].lower() + m[1][1:] if m[1].split()[0] in ("The", "A", "An", "This", "Each", "Every") else m[1]
        options += [f"what {m[2]} {subject}", f"what {m[2]} {subject}", f"what does it say about {subject}"]
    if m := re.search(r"\b(\d[\d,.]*|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|hundred) ([a-z]{4,}s)\b", body):
        near = [w for w in content if w not in (m[1], m[2])][:3]
        options += [f"how many {m[2]} " + rng.choice(["are there", "does it mention", "are named"]) + " " + rng.choice(["with", "for", "about"]) + " " + " ".join(near[:2])]
    if m := re.search(r"\b[Ii]n (1[5-9]\d\d|20[0-2]\d)\b", body):
        rest = re.sub(r",? ?\b[Ii]n " + m[1] + r"\b,?", "", low).strip()
        options += [f"when: {rest}", f"in which year {rest}"]
    if m := re.match(r"(.{15,90}?),? because (.{10,90})", low):
        options += [f"why {m[1]}", f"what is the reason that {m[1]}"]
    options += 2 * about_action(rng, body)
    k = rng.randint(2, min(4, len(content)))
    at = rng.randint(0, len(content) - k)
    some = content[at:at + k]
    options += [f"what does it say about {' and '.join(some[:2])}", " ".join(some), f"what about {' '.join(some[:2])}", f"tell me about {' '.join(some)}", f"what is said of {some[0]} {some[-1]}"]
    return rng.choice(options)


SYLLABLES = "ba be bo bri cal cor dan del dor el fen gar gil hol ka kel kor la len lo lun mar mel mi mor nel no or pel per ra ren rin ro sa sel tar tel ti tor ul va vel vin wen yor za".split()


def made_up(rng, like):
    """A word that does not exist, of the shape of another."""
    word = "".join(rng.choices(SYLLABLES, k=rng.choice([2, 2, 3]))) + rng.choice(["", "", "k", "n", "s", "th"])
    ending = next((e for e in ("ing", "ed", "ly", "s") if like.endswith(e) and len(like) > len(e) + 2), "")
    return (word.capitalize() if like[0].isupper() else word) + ending


def with_made_up(rng, sentences, question, answer):
    """The same with some words made up, the same everywhere: so that only reading tells which sentence is asked for."""
    shared = sorted(w for w in set(PLAIN.findall(question)) & set(PLAIN.findall(answer)) if len(w) > 3 and w.lower() not in STOP)
    others = sorted(w for w in set(PLAIN.findall(" ".join(sentences))) - set(shared) if len(w) > 4 and w.lower() not in STOP)
    new = {w: made_up(rng, w) for w in rng.sample(shared, rng.randint(0, min(2, len(shared)))) + rng.sample(others, rng.randint(0, min(4, len(others))))}
    exchanged = lambda text: PLAIN.sub(lambda m: new.get(m[0], m[0]), text)
    return [exchanged(s) for s in sentences], exchanged(question), exchanged(answer)


ASKS = ["who", "what", "which", "where", "when", "why", "how", "how many", "how much", "how long", "on which day", "at what time", "what kind of", "is it true that", "does it say that", "tell me about",
        "what about", "what is said about", "what happens when", "what did", "where is", "when does", "who has", "what is", "what was", "which part of", "whose", "for how long"]


def question_of_words(rng, sentence):
    """A question with words of the sentence as they stand in it, in one piece or two; None where it has too few."""
    words = [m[0] for m in WORD.finditer(sentence)]
    inner = [w[:1].lower() + w[1:] if i == 0 and w.lower() in STOP else w for i, w in enumerate(words)]
    content = [i for i, w in enumerate(inner) if w.lower() not in STOP and len(w) > 2]
    if len(content) < 3:
        return None
    n = rng.randint(1, 3)
    at = rng.randint(0, len(content) - n)
    piece = inner[max(0, content[at] - rng.randint(0, 1)):content[at + n - 1] + 1]
    if rng.random() < 0.3:                                    # and a word from elsewhere in it
        piece += [inner[rng.choice(content)]]
    return f"{rng.choice(ASKS)} {' '.join(piece)}"


SAYS = ["{}", "{}", "{}?", "is there something like this: {}", "does it say that {}?", "where is this said: {}"]


class Passages:
    """Draws from passages.txt, facts.txt, sentences of books and documents, and questions that people wrote.

    runs      lists of sentences that follow each other
    frames    small worlds (frames.py)
    written   (passage, question, sentence of the passage that answers)
    related   sentences that mean something similar (related.py)
    """

    def __init__(self, runs, written, related):
        self.related = related
        self.facts, self.runs, self.written, self.passages = read_facts(), runs, written, read_passages()
        self.frames = frames.Frames()
        self.short = sorted({s for run in runs for s in run if 25 < len(s) < 100} | {s for p in self.passages for s, _ in p})
        self.exchange = Exchange([s for p in self.passages for s, _ in p] + [s for run in runs[::20] for s in run])

    def talk(self, rng):
        """[(request, reply)]: a passage with a question, and further questions about it."""
        kind = rng.random()
        if kind < 0.04 and self.written:
            passage, question, answer = rng.choice(self.written)
            return [(self._lay_out(rng, passage, question), answer)]
        draw = rng.choices([self._from_passages, self._from_frames, self._from_words, self._from_facts, self._from_run, self._from_related], [16, 34, 22, 4, 8, 12])[0]
        sentences, asked = draw(rng)
        asked = asked[:rng.choice([1, 1, 1, 1, 2, 3])]
        (question, answer), *more = asked
        return [(self._lay_out(rng, " ".join(sentences), question), answer)] + [(self._wording(rng, q), a) for q, a in more]

    def _from_facts(self, rng):
        drawn = {}                                            # a passage has one price, one town ...
        fill = lambda t: re.sub(r"\{(\w+)\}", lambda m: drawn.setdefault(m[1], rng.choice(WORDS[m[1]])), t)
        asked = []
        for states, questions in rng.sample(self.facts, rng.randint(3, 7)):
            sentence = fill(rng.choice(states))
            asked.append((fill(rng.choice(questions)), sentence[:1].upper() + sentence[1:]))
            if rng.random() < 0.5:
                drawn.clear()
        sentences = [s for _, s in asked]
        if self.runs and rng.random() < 0.3:                  # among sentences of another text
            other = rng.choice(self.runs)[:rng.randint(1, 4)]
            at = rng.randint(0, len(sentences))
            sentences[at:at] = other
        return sentences, rng.sample(asked, len(asked))

    def _from_passages(self, rng):
        passage = [(s, q) for s, q in rng.choice(self.passages) if rng.random() < 0.95 or q]
        if rng.random() < 0.2:                                # sentences of many texts
            passage = [rng.choice(rng.choice(self.passages)) for _ in range(rng.randint(3, 8))]
        elif rng.random() < 0.25:                             # beside another text
            other = rng.choice(self.passages)[:rng.randint(1, 3)]
            passage = other + passage if rng.random() < 0.5 else passage + other
        if rng.random() < 0.15:
            rng.shuffle(passage)
        sentences, asked = [s for s, _ in passage], [(q, s) for s, questions in passage for q in questions]
        if not asked or len(set(sentences)) < len(sentences):
            return self._from_passages(rng)
        return self.exchange.draw(rng, sentences, rng.sample(asked, min(4, len(asked))))

    def _from_frames(self, rng):
        sentences, asked = self.frames.draw(rng)
        if rng.random() < 0.15:                               # beside sentences of another text
            other = rng.sample(self.short, rng.randint(1, 2))
            sentences = other + sentences if rng.random() < 0.5 else sentences + other
        return sentences, rng.sample(asked, len(asked))

    def _from_words(self, rng):
        """Short sentences, and questions with words of one of them, many made up."""
        while True:
            if rng.random() < 0.5:
                sentences = rng.sample(self.short, rng.randint(3, 7))
            else:
                passage = [s for s, _ in rng.choice(self.passages)]
                sentences = passage + rng.sample(self.short, rng.randint(0, 2))
            answer = rng.choice(sentences)
            question = question_of_words(rng, answer)
            if question and sentences.count(answer) == 1 and self._tells(question, answer, sentences):
                sentences, question, answer = with_made_up(rng, sentences, question, answer)
                return sentences, [(question, answer)]

    @staticmethod
    def _tells(question, answer, sentences):
        """Whether one sentence alone has the most of the question's words."""
        asked = {w.lower() for w in WORD.findall(question) if w.lower() not in STOP}
        shares = sorted(len(asked & {w.lower() for w in WORD.findall(s)}) for s in sentences)
        return len(asked & {w.lower() for w in WORD.findall(answer)}) == shares[-1] > shares[-2]

    def _from_run(self, rng):
        while True:
            run = rng.choice(self.runs)
            n = rng.randint(2, min(9, len(run)))
            at = rng.randint(0, len(run) - n)
            sentences = run[at:at + n]
            asked = [(q, s) for s in rng.sample(sentences, len(sentences)) if 25 < len(s) < 260 and (q := question_about(rng, s))]
            if asked:
                return self.exchange.draw(rng, sentences, asked)

    def _from_related(self, rng):
        """Asked with a sentence of another text that means something similar: what few words in common can tell."""
        for _ in range(50):
            run = rng.choice(self.runs)
            if rng.random() < 0.3:                            # sentences of many texts
                run = [rng.choice(rng.choice(self.runs)) for _ in range(6)]
            n = rng.randint(2, min(7, len(run)))
            at = rng.randint(0, len(run) - n)
            sentences = run[at:at + n]
            if sum(map(len, sentences)) > 1200 or not (found := self.related.like(rng, sentences)):
                continue
            i, like = found
            question = question_about(rng, like) if rng.random() < 0.5 else None
            return sentences, [(question or rng.choice(SAYS).format(like.rstrip(".!?")), sentences[i])]
        return self._from_run(rng)

    @staticmethod
    def _wording(rng, question):
        if rng.random() < 0.3:
            question = guide.exchange(rng, question, 0.1)
        return question if question.endswith("?") and rng.random() < 0.8 else guide.dress(rng, question.rstrip("?"))

    def _lay_out(self, rng, passage, question):
        return rng.choice(LAYOUTS).format(p=passage, q=self._wording(rng, question))
