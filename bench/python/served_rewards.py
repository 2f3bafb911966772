"""Rewards by the service, as a trainer asks for them: `npm run bench:rewards`.

    python served_rewards.py work.json url clients repeats

Each group is one request; `clients` threads ask side by side, each waiting for its answer. `repeats` 0: each group once,
as it is; else each prediction by itself, again and again until so many requests were sent. Prints one line of JSON:
rewards, CPU from after the imports, wall seconds, and the milliseconds of each request, waiting for a busy service and
asking again included.
"""

import json
import resource
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice

from perturbql import Rewarder


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main():
    work, url, clients, repeats = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    with open(work, encoding="utf-8") as file:
        groups = json.load(file)
    if repeats:
        singles = [{**group, "predictions": [sql]} for group in groups for sql in group["predictions"]]
        # Text that was not seen before, so that no answer is remembered.
        fresh = enumerate(islice(cycle(singles), repeats))
        groups = ({**one, "predictions": [f"{one['predictions'][0]} -- {i}"]} for i, one in fresh)
    iterator, rewarder, times = iter(groups), Rewarder(url), []

    def ask(group):
        size = len(group["predictions"])
        started = time.perf_counter()
        judged = rewarder(group["predictions"], [group["gold"]] * size, [group["db_id"]] * size)
        times.append(1000 * (time.perf_counter() - started))
        return [one.score for one in judged]

    started, before = time.perf_counter(), cpu_seconds()
    rewards = []
    with ThreadPoolExecutor(clients) as pool:
        for chunk in iter(lambda: list(islice(iterator, 10_000)), []):
            rewards += [score for scores in pool.map(ask, chunk) for score in scores]
    wall, cpu = time.perf_counter() - started, cpu_seconds() - before
    print(json.dumps({"rewards": rewards, "cpu": cpu, "wall": wall, "times": sorted(times)}), flush=True)


main()
