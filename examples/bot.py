#!/usr/bin/env python3
"""A player of one's own, in Python without any package: `tricorne battle the-two-millers --players "exec:python3 examples/bot.py",subaltern`.

For each decision the umpire writes a line: what this seat may know (`view`), what is asked (`decision`), every answer that can be
listed (`listed`) and the families of answers with a place in them (`spaces`). Before it answers, a program may ask back as often as
its clock allows: `candidates`, `check`, `preview`, `odds`. The whole talk is described in docs/bots.md.

This one shoots when it can, charges when the dice are kind, and otherwise goes where the enemy is.
"""
import json
import math
import sys

BLOWS = ("fire", "volley", "shoot", "target", "strike", "charge", "attack")
IDLE = ("pass", "hold", "stay", "halt", "stand", "end", "decline", "none", "retire", "withdraw", "concede")


def say(word):
    print(json.dumps(word), flush=True)


def ask(word):
    """Asks the umpire something back; nothing where it refuses."""
    say(word)
    return json.loads(sys.stdin.readline()).get("ok")


def words(action):
    """Every word in an answer: its name and the names in it."""
    if isinstance(action, dict):
        for key, value in action.items():
            yield key
            yield from words(value)
    elif isinstance(action, list):
        for value in action:
            yield from words(value)
    elif isinstance(action, str):
        yield action


def last_place(action):
    """The last place on the table that an answer names: where its unit ends."""
    if isinstance(action, dict):
        action = list(action.values())
    if not isinstance(action, list):
        return None
    if len(action) == 2 and all(isinstance(n, (int, float)) and not isinstance(n, bool) for n in action):
        return action
    places = [last_place(part) for part in action]
    return next((place for place in reversed(places) if place), None)


def enemies(view):
    mine = next((seat["side"] for seat in view["seats"] if seat["seat"] == view["seat"]), None)
    return [unit["at"] for unit in view["units"] if unit["on_table"] and unit["side"] != mine]


def hope(odds):
    """How the dice look: the chance that the first thing rolled for does not fail, or what is made of it on average."""
    for roll in (odds or {}).get("rolls", []):
        ways = roll["ways"]
        if any(way["outcome"] == "failed" for way in ways):
            return sum(way["chance"] for way in ways if way["outcome"] != "failed")
        if len(ways) > 1 and all(way["made"] is not None for way in ways):
            return min(1.0, sum(way["chance"] * way["made"] for way in ways) / 4)
    return 0.5


def worth(action, foes):
    """What an answer looks like at first sight."""
    said = " ".join(words(action))
    if any(word in said for word in BLOWS):
        return 1.0
    if any(word in said for word in IDLE):
        return -1.0
    place = last_place(action)
    if place and foes:
        return 1 / (1 + min(math.dist(place, foe) for foe in foes) / 12)
    return 0.0


def decide(question):
    answers = question["listed"]
    if question["spaces"]:
        answers = ask({"candidates": {"n": 24}}) or answers
    foes = enemies(question["view"])
    ranked = sorted(answers, key=lambda action: worth(action, foes), reverse=True)
    # The dice are looked at for the few that look best: the clock runs.
    blows = [action for action in ranked[:4] if worth(action, foes) == 1.0]
    best = max(blows, key=lambda action: hope(ask({"odds": action}))) if len(blows) > 1 else ranked[0]
    say({"decide": question["decide"], "answer": best})


if __name__ == "__main__":
    # Our input ends with the battle.
    for line in sys.stdin:
        decide(json.loads(line))
