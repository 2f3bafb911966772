import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { DistilledSchema, DistillTask } from '../../src/testsuite/distill/distillation.js';
import { distillSchema } from '../../src/testsuite/distill/distill-schema.js';
import { createFuzzer } from '../../src/rows/fuzz/fuzzer.js';
import { ownSeconds } from '../metrics/cpu-time.js';

/** A distilled schema and what it cost. */
export interface MeasuredSuite {
  readonly schema: DistilledSchema;
  /** User CPU. */
  readonly seconds: number;
  /** Neighbors that are not shown to be equivalent. */
  readonly neighbors: number;
  /** Shown to be equivalent. */
  readonly equivalent: number;
  /** Of `neighbors`, those that no database distinguishes. */
  readonly left: number;
}

/**
 * Distills the suite of one schema in this process; `tell` hears of it now and then. The event loop turns between two
 * states: else no copied database is freed, 10 GB of them with Academic's queries.
 */
export async function measureSuite(task: DistillTask, tell: (line: string) => void): Promise<MeasuredSuite> {
  const start = ownSeconds();
  const steps = distillSchema(task);
  let step = steps.next();
  while (step.done !== true) {
    const { tried, neighbors, left } = step.value;
    tell(`${task.database.id}: ${tried} databases tried, ${left} of ${neighbors} neighbors left`);
    await setImmediate();
    step = steps.next();
  }
  const schema = step.value;
  const sum = (of: (gold: DistilledSchema['golds'][number]) => number): number =>
    schema.golds.reduce((total, gold) => total + of(gold), 0);
  const equivalent = sum((gold) => gold.equivalent);
  return {
    schema,
    seconds: ownSeconds() - start,
    neighbors: sum((gold) => gold.neighbors) - equivalent,
    equivalent,
    left: sum((gold) => gold.left.length),
  };
}

/** Bytes of a suite's databases but the original, as a suite's folder holds them: SQLite files, compressed. */
export function suiteBytes(task: DistillTask, { databases }: DistilledSchema): number {
  const fuzzer = createFuzzer(task, []);
  const sizes = databases.map(({ rows }) => {
    if (rows === null) return 0;
    const sqlite = fuzzer.materialize(rows);
    const { length } = gzipSync(sqlite.serialize());
    sqlite.close();
    return length;
  });
  fuzzer.close();
  return sizes.reduce((total, size) => total + size, 0);
}
