"""Small worlds told in everyday English, with questions: a generator of passages so varied that nothing can be learned by heart.

frames.txt holds the word classes and the frames and explains their form. A passage introduces a person, a thing or a place and tells three to
seven things of it; often a second one follows of which something similar is told. The questions name what the sentences call "she" or "it".
"""
import collections
import os
import random
import re
import sys
import time

from cast import TOKEN, Draw, capital

HERE = os.path.dirname(os.path.abspath(__file__))

GREETINGS = ["Dear {}, this is {}. ", "Hi {}, it is {} again. ", "Hello {}, here is a letter from {}. ", "Dear {}, {} sends you a hug. ", "To {} from {}: ", "{}, this is your old friend {}. "]
BEGINNINGS = ["Today I have time to write.", "Thank you for your last letter.", "Here is my news.", "I promised to write.", "You wanted to know everything.", "I hope you are well.",
              "Sorry for my long silence.", "This will be a long letter.", "How are you all?"]
NAMES = {"A", "A's", "Ao", "kind A", "A0"}
ENTITY = set("A Ao An A0 he him his was is has".split())
CHOICE = re.compile(r"\[([^\]]*)\]")

Kind = collections.namedtuple("Kind", "entity first second fillers frames")
Frame = collections.namedtuple("Frame", "order tags many local wordings questions")
Question = collections.namedtuple("Question", "parts names slots")
Told = collections.namedtuple("Told", "frame entity values sentence")


def slot_name(token):
    return token.split(" ")[-1].lstrip("+").removesuffix("'s")


def alternatives(line):
    """A line with [x|y] as all lines it stands for, each split into text and tokens."""
    choice = CHOICE.search(line)
    if not choice:
        return [TOKEN.split(line)]
    return [parts for one in choice.group(1).split("|") for parts in alternatives(line[:choice.start()] + one + line[choice.end():])]


def read():
    """Classes {name: [word]}, the kind of each word, and the kinds of passage."""
    classes, kind_of, kinds = collections.defaultdict(list), {}, {}
    for line in open(os.path.join(HERE, "frames.txt"), encoding="utf-8"):
        mark, _, rest = line.strip().partition(" ")
        if mark.startswith("["):
            name, _, words = line.strip()[1:].partition("] ")
            name, _, kind = name.partition("/")
            classes[name] += words.split(", ")
            if kind:
                kind_of.update(dict.fromkeys(words.split(", "), kind))
        elif mark == "==":
            name, *entity = rest.split()
            kind = kinds[name] = Kind(entity, [], [], [], [])
        elif mark in ("<", "<<"):
            questions = []
            (kind.first if mark == "<" else kind.second).append((TOKEN.split(rest), questions))
        elif mark == ">":
            kind.fillers.append(rest)
        elif mark == "=":
            order, *tags = rest.split()
            questions = []
            kind.frames.append(Frame(int(order), set(tags) - {"many"}, "many" in tags, {}, [], questions))
        elif mark == ":":
            name, _, words = rest.partition(" = ")
            kind.frames[-1].local[name] = words.split(" | ")
        elif mark == "-":
            kind.frames[-1].wordings.extend(alternatives(rest))
        elif mark == "?":
            questions += [Question(parts, bool(NAMES & set(parts[1::2])), bool(set(map(slot_name, parts[1::2])) - ENTITY)) for parts in alternatives(rest)]
    return dict(classes), kind_of, kinds


class Frames:
    def __init__(self):
        self.classes, self.kind_of, self.kinds = read()
        self.names = list(self.kinds)
        self.owned = ["animal", "thing", "vehicle", "plant"]

    def draw(self, rng):
        """One passage: its sentences, and questions each with the sentence that answers it."""
        draw = Draw(self, rng)
        name = rng.choice(self.names)
        kind = self.kinds[name]
        entity = draw.entity(kind.entity)
        text, asked, told = [], [], []
        self._introduce(draw, kind, entity, text, asked)
        two = rng.random() < 0.45
        chosen = self._choose(rng, kind, rng.choice((2, 2, 3, 3)) if two else rng.choice((2, 3, 4, 5, 6)))
        back = chosen.pop() if two and len(chosen) > 2 and not entity.narrator and rng.random() < 0.3 else None
        self._tell(draw, kind, entity, chosen, text, told)
        if two:
            self._second(draw, name, kind, entity, chosen, text, told)
        if back:
            self._tell(draw, kind, entity, [back], text, told, by_name=True)
        if len(text) < 8 and rng.random() < 0.15:
            self._fill(rng, kind, text)
        self._ask(draw, text, told, asked)
        return (text, asked) if len(text) > 2 and asked else self.draw(rng)

    def _introduce(self, draw, kind, entity, text, asked):
        rng = draw.rng
        if entity.narrator:
            greeting, who = rng.choice(GREETINGS), draw.one(lambda: draw.first(rng.random() < 0.5))
            text += [greeting.format(who, entity.intro).strip(), rng.choice(BEGINNINGS)]
            return
        parts, questions = rng.choice(kind.first)
        sentence = self._intro(draw, parts, entity)
        text.append(sentence)
        if questions and rng.random() < 0.08:
            asked.append((self._question(draw, rng.choice(questions).parts, entity, {}), sentence))

    def _intro(self, draw, parts, entity, owner=None):
        words = []
        for i, part in enumerate(parts):
            if i % 2:
                part = entity.intro if part == "N" else owner and owner.told(part, None) or draw.slot(part, {}, {}, entity)
            words.append(part)
        return capital("".join(words).rstrip(",").replace(",,", ",")) + "."

    def _second(self, draw, name, kind, entity, chosen, text, told):
        """A second person or thing: of the same kind, with something similar to tell, or something that the first one owns."""
        rng = draw.rng
        if kind.second and rng.random() < 0.7 or name not in ("life", "day", "habit", "trip"):
            if not kind.second:
                return
            other = draw.entity(kind.entity, entity)
            if other.names[-1] == entity.names[-1]:
                return
            text.append(self._intro(draw, rng.choice(kind.second)[0], other))
            same = [f for f in chosen if rng.random() < 0.75]
            self._tell(draw, kind, other, (same or chosen)[:3], text, told)
            return
        kind = self.kinds[rng.choice(self.owned)]
        other = draw.entity(kind.entity, entity)
        verb = "had" if name in ("life", "day", "trip") else "has"
        owner = rng.choice(entity.names) if not entity.narrator else "I"
        text.append(capital(f"{owner} {rng.choice(['also ' + verb, verb])} {other.intro}."))
        self._tell(draw, kind, other, self._choose(rng, kind, rng.choice((1, 2, 2))), text, told)

    def _choose(self, rng, kind, count):
        """Frames that have no tag in common, in their order; one marked "many" may come twice or three times."""
        frames, chosen, tags = rng.sample(kind.frames, min(len(kind.frames), 2 * count + 2)), [], set()
        for frame in frames:
            if len(chosen) >= count:
                break
            if not frame.tags & tags:
                tags |= frame.tags
                chosen += [frame] * (rng.choice((2, 2, 3)) if frame.many else 1)
        return sorted(chosen, key=lambda f: f.order)[:max(count, 3)]

    def _tell(self, draw, kind, entity, frames, text, told, by_name=False):
        rng, merged = draw.rng, False
        for frame in frames:
            if len(text) >= 8:
                break
            if told and told[-1].entity is entity and rng.random() < 0.06 and len(text) < 7:
                self._fill(rng, kind, text)
            values = {}
            name = entity.names[rng.random() < 0.15] if not entity.narrator and (by_name or rng.random() < 0.25) else None
            words = []
            for i, part in enumerate(rng.choice(frame.wordings)):
                if i % 2:
                    part = entity.told(part, name) or draw.slot(part, values, frame.local, entity)
                    name = None
                words.append(part)
            sentence = "".join(words)
            previous = told[-1] if told else None
            short = previous and previous.entity is entity and text[-1] == previous.sentence and len(sentence) + len(text[-1]) < 130
            if short and not merged and rng.random() < 0.12 and not re.search(r"[:;]|, and ", text[-1] + sentence):
                sentence = re.sub(r"(?<!\.m)\.$", "", text.pop()) + f", and {sentence.rstrip('.')}."
                told[-1] = previous._replace(sentence=sentence)
                merged = True
            else:
                sentence, merged = capital(sentence).rstrip(".") + ".", False
            text.append(sentence)
            told.append(Told(frame, entity, values, sentence))

    def _fill(self, rng, kind, text):
        filler = capital(rng.choice(kind.fillers)) + "."
        if filler not in text:
            text.append(filler)

    def _ask(self, draw, text, told, asked):
        rng = draw.rng
        possible = []
        for one in told:
            rivals = [t for t in told if t is not one and t.frame.tags & one.frame.tags]
            for question in one.frame.questions:
                if not (question.slots or question.names) and rng.random() < 0.8:
                    continue
                if not rivals or question.slots or question.names and all(t.entity is not one.entity for t in rivals):
                    possible.append((one, question.parts))
        possible = rng.sample(possible, min(len(possible), 12))
        wanted, times = rng.choice((2, 3, 3, 4, 5, 6)), collections.Counter()
        for one, parts in possible:
            if len(asked) >= wanted:
                break
            question = self._question(draw, parts, one.entity, one.values)
            if times[one.sentence] < 2 and all(question != q for q, _ in asked):
                times[one.sentence] += 1
                asked.append((question, one.sentence))

    def _question(self, draw, parts, entity, values):
        name = entity.names[0] if draw.random() < 0.1 else draw.pick(entity.names[1:])
        words = (part if i % 2 == 0 else entity.asked(part, name) or draw.slot(part, values, {}, entity) for i, part in enumerate(parts))
        return capital("".join(words)) + "?"


def check(frames, count=20000):
    """Asserts what a draw promises, for count of them."""
    for name, kind in frames.kinds.items():
        for frame in kind.frames:
            slots = [set(map(slot_name, parts[1::2])) - ENTITY for parts in frame.wordings + [q.parts for q in frame.questions]]
            told, questions = slots[:len(frame.wordings)], slots[len(frame.wordings):]
            assert all(s == told[0] for s in told) and all(s <= told[0] for s in questions), (name, frame.wordings[0], told, questions)
            assert set(frame.local) <= told[0], (name, frame.wordings[0], frame.local)
    rng, seen, total, start = random.Random(7), set(), 0, time.process_time()
    draws = [frames.draw(rng) for _ in range(count)]
    speed = count / (time.process_time() - start)
    for text, asked in draws:
        assert 2 < len(text) < 9 and 0 < len(asked) < 7, (text, asked)
        for line in text + [q for q, _ in asked]:
            assert not re.search(r"[{}\[\]|]|  | [,.?]|\.\.|,,|\bNone\b", line) and line[0] == capital(line)[0], line
        for question, sentence in asked:
            assert text.count(sentence) == 1 and question.endswith("?"), (text, question)
            seen.add(question)
            total += 1
    assert len(seen) > 0.95 * total, (len(seen), total)
    print(f"{count} draws, {speed:.0f} a CPU second, {total} questions, {len(seen) / total:.1%} distinct, "
          f"{sum(len(t) for t, _ in draws) / count:.1f} sentences a passage")


if __name__ == "__main__":
    frames = Frames()
    all_frames = [f for kind in frames.kinds.values() for f in kind.frames]
    print(f"{len(frames.kinds)} kinds, {len(all_frames)} frames, {sum(len(f.wordings) for f in all_frames)} wordings, {sum(len(f.questions) for f in all_frames)} questions")
    check(frames)
    rng = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else 5):
        text, asked = frames.draw(rng)
        print("\n" + " ".join(text))
        for question, sentence in asked:
            print(f"   {question}  ->  {text.index(sentence) + 1}")
