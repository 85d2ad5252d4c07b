"""Who and what a passage of frames.py is about: persons and things, how they are named again, and values that are made, not listed."""
import re

STREETS = "Street Lane Road Alley Square Avenue Row Way Hill".split()
NUMBERS = "two three four five six seven eight nine ten eleven twelve".split()
MONTHS = "January February March April May June July August September October November December".split()
ODD_PLURALS = {"goose": "geese", "calf": "calves", "deer": "deer", "sheep": "sheep", "fox": "foxes", "butterfly": "butterflies", "puppy": "puppies",
               "pony": "ponies", "donkey": "donkeys", "magpie": "magpies", "dragonfly": "dragonflies"}
STARTS = "b br c cl d dr f fl g gr h j k l m n p pr r s st t tr v w z th sh".split() + ["", "", ""]
MIDDLES = "a e i o u a e i o u ai ea ou".split()
LASTS = "n l r m t s n l r".split() + [""] * 7
TOKEN = re.compile(r"\{([^}]*)\}")


def article(word):
    vowel = word[0].lower() in "aeiou" and not re.match(r"(?i)(uni|use|usu|eu|one|once|uku)", word)
    return ("an " if vowel else "a ") + word


def plural(word):
    return ODD_PLURALS.get(word) or word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")


def possessive(name):
    return name + ("'" if name.startswith("the ") and name.endswith("s") and name[4].isupper() else "'s")


def capital(text):
    return text[:1].upper() + text[1:]


class Entity:
    """A person, thing or place of a passage: how it is introduced, named again and replaced by a pronoun."""

    def __init__(self, intro, names, pronouns, head="", kind="", plural=False, narrator=False):
        self.intro, self.names, self.head, self.kind, self.plural, self.narrator = intro, names, head, kind, plural, narrator
        self.he, self.him, self.his = pronouns
        self.pronouns = ("I", "me", "my") if narrator else pronouns

    def told(self, token, name):
        """The word for a token in a sentence; name is None where a pronoun stands for it."""
        match token:
            case "A": return name or self.pronouns[0]
            case "Ao": return name or self.pronouns[1]
            case "An": return name or self.names[0]
            case "A's": return possessive(name) if name else self.pronouns[2]
        return self._word(token, self.pronouns, self.narrator)

    def asked(self, token, name):
        if token in ("A", "Ao"):
            return name
        if token == "A's":
            return possessive(name)
        return self._word(token, (self.he, self.him, self.his), False)

    def _word(self, token, pronouns, narrator):
        match token:
            case "he": return pronouns[0]
            case "him": return pronouns[1]
            case "his": return pronouns[2]
            case "was": return "were" if self.plural else "was"
            case "is": return "are" if self.plural else "am" if narrator else "is"
            case "has": return "have" if self.plural or narrator else "has"
            case "A0": return self.head
            case "kind A": return self.kind
        return None


class Draw:
    """The words of one passage: no value is drawn twice."""

    def __init__(self, frames, rng):
        self.frames, self.rng, self.random, self.used = frames, rng, rng.random, set()
        self.currency = self.pick(["{} euros", "{} euros", "{} dollars", "${}", "£{}", "{} pounds", "{} francs", "€{}", "{} crowns"])
        self.dating = self.pick(["the {1}{2} of {0}", "{1} {0}", "{0} {1}", "{0} {1}{2}"])
        self.clock = rng.randrange(4)

    def pick(self, words):
        return words[int(self.random() * len(words))]

    def number(self, low, high):
        return low + int(self.random() * (high - low))

    def one(self, words, entity=None):
        for _ in range(30):
            word = words() if callable(words) else self.pick(words)
            if word not in self.used and self.frames.kind_of.get(word) not in self.used:
                break
        self.used.update((word, self.frames.kind_of.get(word, word)))
        if "{" in word:
            word = "".join(part if i % 2 == 0 else entity and entity.told(part, None) or self.slot(part, {}, {}, entity)
                           for i, part in enumerate(TOKEN.split(word)))
        return word

    def slot(self, token, values, local, entity):
        """The word for a token of a frame; what it draws stays in values."""
        form, _, name = token.rpartition(" ")
        if name.startswith("+"):
            form, name = "+", name[1:]
        owned = name.endswith("'s")
        name = name.removesuffix("'s")
        if name not in values:
            plain = name.rstrip("0123456789")
            values[name] = self.one(local.get(name) or self.frames.classes.get(plain) or getattr(self, plain), entity)
        word = values[name]
        if form == "a":
            return article(word)
        if form == "+":
            return plural(word)
        if form == "kind":
            return self.frames.kind_of[word]
        if form == "is":
            return "are" if word.endswith("s") and not word.endswith("ss") else "is"
        return word + "'s" if owned else word

    # Classes that are made, not listed.

    def syllables(self, end=()):
        pick = self.pick
        text = "".join([pick(STARTS) + pick(MIDDLES) + pick(LASTS) for _ in range(pick((1, 2, 2)))])
        if end:
            text, end = text if len(text) > 2 else self.pick(STARTS) + "or" + text, self.pick(end)
            return (text.rstrip("aeiou") if end[0] in "aeiou" else text) + end
        return (text if len(text) > 2 else text + "r") + self.pick(("le", "er", "in", "ock", "ath", "om", "ish", "a", "o", "ip"))

    def word(self): return capital(self.syllables())
    def coined(self): return self.syllables()
    def surname(self): return self.pick(self.frames.classes["surname"]) if self.rng.random() < 0.7 else capital(self.syllables(("en", "er", "ov", "ski", "ton", "well", "berg", "ini", "ard")))
    def town(self): return self.pick(self.frames.classes["townname"]) if self.random() < 0.12 else capital(self.syllables(("ton", "ham", "burg", "ville", "by", "ford", "wick", "mouth", "field", "sund", "ova", "ino", "stad")))
    def street(self): return (self.surname() if self.rng.random() < 0.6 else self.pick(["Mill", "Church", "Station", "Castle", "River", "Tower", "School", "Baker", "Garden", "Cherry", "Harbour"])) + " " + self.pick(STREETS)

    def first(self, woman):
        if self.rng.random() < 0.2:
            return capital(self.syllables(("a", "ia", "ina", "elle", "ine") if woman else ("o", "us", "ert", "an", "old", "ik")))
        return self.pick(self.frames.classes["woman" if woman else "man"])

    def person(self):
        rng = self.rng
        woman, style = rng.random() < 0.5, rng.random()
        if style < 0.25:
            return self.first(woman)
        if style < 0.4:
            return ("Mrs. " if woman else "Mr. ") + self.surname()
        if style < 0.45:
            return self.pick(["Dr. ", "Professor ", "Captain "]) + self.surname()
        return self.first(woman) + " " + self.surname()

    def dish(self): return self.pick(self.frames.classes["dishbase"]) + " " + self.pick(self.frames.classes["dishform"])
    def price(self): return self._money(self.pick([self.number(3, 100), self.number(3, 100), str(self.number(2, 40)) + ".50"]))
    def bigprice(self): return self._money(f"{self.number(15, 700) * 10:,}")
    def _money(self, amount): return self.currency.format(amount)
    def year(self): return str(self.number(1820, 2024))
    def n(self): return self.pick(NUMBERS)
    def num(self): return str(self.number(21, 400))
    def bignum(self): return f"{self.number(3, 200) * 100:,}"
    def age(self): return str(self.number(45, 85))
    def speed(self): return str(self.number(12, 120))
    def area(self): return str(self.number(22, 150))
    def am(self): return self._time(self.number(5, 12), "a.m.")
    def night(self): return self._time(self.number(8, 12), "p.m.")
    def pm(self): return self._time(self.number(1, 11), "p.m.")
    def min(self): return self.pick(["half an hour", "a quarter of an hour", f"{self.number(4, 59)} minutes", f"{self.number(1, 12) * 5} minutes", self.n() + " minutes"])
    def hours(self): return self.pick(["an hour and a half", "half a day", "a whole day", self.n() + " hours", self.n() + " hours", self.n() + " and a half hours"])
    def days(self): return self.n() + " days"
    def weeks(self): return self.n() + " weeks"
    def months(self): return self.n() + " months"
    def years(self): return self.n() + " years" if self.rng.random() < 0.6 else str(self.number(13, 40)) + " years"
    def weight(self): return self.pick([f"{self.number(20, 99) * 10} grams", f"{self.n()} kilos", f"{self.number(1, 12)}.{self.number(1, 10)} kilos"])
    def grams(self): return f"{self.number(4, 90) * 10} grams"
    def size(self): return f"{self.number(8, 96)} centimetres"
    def height(self): return f"{self.number(120, 1900)} metres"
    def km(self): return f"{self.number(13, 90)} kilometres"
    def temp(self): return str(self.rng.randrange(140, 231, 5))
    def phone(self): return self.pick([f"0{self.number(200, 999)} {self.number(1000, 9999)}", f"555-0{self.number(100, 200)}", f"extension {self.number(11, 99)}"])
    def code(self): return "".join(self.rng.choices("ABCDEFGHKLMNPRSTUVWXYZ", k=self.number(2, 4))) + self.pick(["", "-", " "]) + str(self.number(10, 9999))

    def date(self):
        day = self.number(1, 29)
        return self.dating.format(self.pick(MONTHS), day, "th" if 3 < day < 21 or day > 23 else ("th", "st", "nd", "rd")[day % 10])

    def _time(self, hour, half):
        minute = self.pick(("00", "00", "15", "30", "45", "10", "20", "40"))
        if self.clock == 0:
            return f"{hour}{':' + minute if minute != '00' else ''} {half}"
        if self.clock == 1:
            return f"{hour + 12 * (half == 'p.m.')}:{minute}"
        if self.clock == 2:
            return f"{hour}.{minute} {half}"
        spoken = ("one " + " ".join(NUMBERS)).split()[hour - 1]
        return {"00": "{} o'clock", "15": "a quarter past {}", "30": "half past {}", "45": "a quarter to {}", "10": "ten past {}", "20": "twenty past {}", "40": "twenty to {}"}[minute].format(spoken)

    # What a passage is about.

    def entity(self, kinds, other=None):
        rng, kind = self.rng, self.pick(kinds)
        if kind == "narrator" and (other or rng.random() < 0.4) or kind == "couple" and (other or rng.random() < 0.4):
            kind = "person"
        makers = {"person": self._person, "couple": self._couple, "narrator": self._narrator}
        return makers[kind](other) if kind in makers else self._thing(kind)

    def _narrator(self, other):
        """Who writes: "I" in the sentences, a name or "the writer" in the questions."""
        writer = self._person(None)
        name = writer.intro.partition(",")[0]
        return Entity(name, [name] * 8 + ["the writer"], (writer.he, writer.him, writer.his), narrator=True)

    def _couple(self, other):
        name = self.one(self.surname)
        pair = self.one(lambda: self.first(True)) + " and " + self.one(lambda: self.first(False))
        return Entity(f"{pair} {name}", [f"the {name}s", pair], ("they", "them", "their"), plural=True)

    def _person(self, other):
        rng = self.rng
        woman = rng.random() < 0.5 if not other or other.he not in ("he", "she") else other.he == "he"
        first, last = self.one(lambda: self.first(woman)), self.one(self.surname)
        pronouns = ("she", "her", "her") if woman else ("he", "him", "his")
        style = rng.random()
        if style < 0.5:
            full = f"{first} {last}"
            return Entity(full, [first, full, full], pronouns)
        if style < 0.75:
            title = self.pick(["Mrs. ", "Miss ", "Ms. "] if woman else ["Mr. ", "Mr. ", "old Mr. "]) + last
            return Entity(title, [title, title], pronouns)
        relative = self.pick(["sister", "aunt", "cousin", "niece", "grandmother", "neighbour"] if woman else ["brother", "uncle", "cousin", "nephew", "grandfather", "neighbour"])
        return Entity(f"{first}, {'my' if rng.random() < 0.6 else self.pick(['the baker', 'the teacher', 'the vicar', 'the mayor']) + chr(39) + 's'} {relative},", [first] * 6 + ["the " + relative], pronouns)

    def _thing(self, kind):
        """All that is called "it"."""
        rng, classes, town = self.rng, self.frames.classes, self.one(self.town)
        head = self.one(self.dish if kind == "dish" else classes[{"thing2": "vehicle", "line": "transport", "town": "settlement", "home": "dwelling", "job": "project", "club": "group", "place": "venue"}.get(kind, kind)])
        the, of_kind = "the " + head, self.frames.kind_of.get(head, "")
        match kind:
            case "thing" if rng.random() < 0.1:
                head = self.one(self.coined)
                of_kind = self.one(sorted({self.frames.kind_of[w] for w in classes["thing"]}))
                intro, the = f"{article(head)}, {'an old' if rng.random() < 0.5 else 'a strange'} {of_kind}", "the " + head
            case "thing2" | "plant" if rng.random() < 0.6:
                intro = article(f"{self.pick(['small', 'sturdy', 'lovely', 'old', 'strong', 'cheap', 'famous', 'rare'])} {self.one(self.word)} {head}")
            case "thing" | "thing2":
                intro = article(self.pick(classes["adj"]) + " " + head)
            case "animal":
                intro = article(self.pick(["young", "shy", "lively", "lame", "hungry", "stubborn", "tame", "noisy", "gentle", "little", "one-eyed", "fat", "thin", "clever", "sleepy", "nervous", "cheeky", "lazy", "proud", "curious"]) + " " + head)
            case "plant":
                intro = article(self.pick(["young", "small", "tall", "rare", "healthy", "crooked", "potted", "sturdy", "bushy", "slender", "grafted", "wild-looking", "thirsty", "tiny", "late-flowering", "drooping"]) + " " + head)
            case "device" | "line":
                intro = self.pick([f"the {self.one(self.word)} {head}", f"the {self.one(self.word)} {head}", f"the {self.pick(['new', 'old', 'small', 'big', 'little'])} {head}" if kind == "device" else f"the {town} {head}"])
            case "event" | "job":
                intro = f"{the} in {town}"
            case "dish":
                intro = head
            case "home":
                intro = f"{article(self.pick(['small', 'sunny', 'quiet', 'large', 'plain', 'bright']) + ' ' + head)} in {town}"
            case "town":
                return Entity(f"the {head} of {town}", [town] * 12 + [the], ("it", "it", "its"), head)
            case _:
                intro = self.pick([f"{the} in {town}", f"the {head} of {town}"])
        full = the if kind == "dish" else "the" + intro[intro.index(" "):].partition(",")[0]
        return Entity(intro, [the, full, full], ("it", "it", "its"), head, of_kind)
