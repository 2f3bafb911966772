"""What the checks of all frameworks have a model say: the gold as prediction, and a wrong query, as chat models do."""

import json


def right(gold: str) -> str:
    return f"The question asks for this:\n```sql\n{gold}\n```"


def wrong(_: str) -> str:
    return "```sql\nSELECT 'nothing of the kind'\n```"


def report(version: str, gold: list[float], wrong: list[float]) -> None:
    scores = {"gold": sum(gold) / len(gold), "wrong": sum(wrong) / len(wrong)}
    print(json.dumps({"version": version, "questions": len(gold), **scores}))
