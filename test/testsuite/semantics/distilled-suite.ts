import { readFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { isOrderMeant } from '../../../src/sql/execution/result-mode.js';
import { SUITE_LIMITS } from '../../../src/evaluate/suite/opened-schema.js';
import { DenotationRunner } from '../../../src/testsuite/denotation/denotation-runner.js';
import { sameDenotation } from '../denotation/same-denotation.js';
import type { DistilledSchema, DistillTask } from '../../../src/testsuite/distill/distillation.js';
import { distillSchema } from '../../../src/testsuite/distill/distill-schema.js';
import { createFuzzer } from '../../../src/rows/fuzz/fuzzer.js';

function distilled(task: DistillTask): DistilledSchema {
  const steps = distillSchema(task);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The databases of a schema's suite in memory, and what queries mean on them. */
export class DistilledSuite {
  readonly schema: DistilledSchema;
  readonly #databases: readonly Sqlite.Database[];
  readonly #runners: readonly DenotationRunner[];

  constructor(task: DistillTask) {
    this.schema = distilled(task);
    const fuzzer = createFuzzer(task, []);
    const original = (): Sqlite.Database => new Sqlite(task.file === null ? ':memory:' : readFileSync(task.file));
    this.#databases = this.schema.databases.map(({ rows }) => (rows === null ? original() : fuzzer.materialize(rows)));
    fuzzer.close();
    this.#runners = this.#databases.map((sqlite) => new DenotationRunner(sqlite, SUITE_LIMITS));
  }

  /** The first database that a gold is judged on where a query has another result; null where there is none. */
  differsOn(gold: string, query: string): number | null {
    const known = this.schema.golds.find(({ sql }) => sql === gold);
    if (known === undefined) throw new TypeError(`no gold of the suite: ${gold}`);
    const mode = isOrderMeant(gold) ? 'ordered' : 'bag';
    const differs = (database: number): boolean => {
      const runner = this.#runners[database]!;
      return !sameDenotation(runner.denote(gold, mode), runner.denote(query, mode));
    };
    return known.databases.find(differs) ?? null;
  }

  close(): void {
    for (const sqlite of this.#databases) sqlite.close();
  }
}
