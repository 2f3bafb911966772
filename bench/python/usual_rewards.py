"""Rewards the usual way: `npm run bench:rewards`.

As trainers score Text-to-SQL: sqlite3 in threads, `func_timeout` around each pair, results compared as sets.

    python usual_rewards.py work.json threads limit patience

Prints one line of JSON. CPU is counted from after the imports until the last reward, and again once all threads have
ended, for which it waits `patience` seconds at most: func_timeout can't stop a thread that is inside SQLite.
"""

import json
import os
import resource
import sqlite3
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from func_timeout import FunctionTimedOut, func_timeout


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def rows_of(sql, file):
    connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    connection.text_factory = lambda text: text.decode(errors="ignore")
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def is_correct(prediction, gold, file):
    return set(rows_of(prediction, file)) == set(rows_of(gold, file))


def reward_of(prediction, gold, file, limit):
    try:
        return float(func_timeout(limit, is_correct, args=(prediction, gold, file)))
    except FunctionTimedOut:
        return 0.0
    except Exception:
        return 0.0


def main():
    work, threads, limit, patience = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])
    with open(work, encoding="utf-8") as file:
        groups = json.load(file)
    pairs = [(sql, group["gold"], group["file"]) for group in groups for sql in group["predictions"]]
    sys.stderr = open(os.devnull, "w")  # noqa: SIM115 what threads that were given up say
    started, before = time.perf_counter(), cpu_seconds()
    with ThreadPoolExecutor(threads) as pool:
        rewards = list(pool.map(lambda pair: reward_of(*pair, limit), pairs))
    wall, cpu, left = time.perf_counter() - started, cpu_seconds() - before, threading.active_count() - 1
    until = time.perf_counter() + patience
    while threading.active_count() > 1 and time.perf_counter() < until:
        time.sleep(0.1)
    after = {"wholeCpu": cpu_seconds() - before, "stillLeft": threading.active_count() - 1}
    print(json.dumps({"rewards": rewards, "cpu": cpu, "wall": wall, "left": left, **after}), flush=True)
    os._exit(0)


main()
