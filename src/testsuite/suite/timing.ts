import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { loadRecord } from '../../formats/json-file.js';
import { writeDurably } from '../../run/durable-file.js';

/** Next to the suite, for people: the one file of it that is another one each time. */
const TIMING = 'timing.json';

const timingSchema = z.record(z.string(), z.number());

/** Seconds that threads worked on each schema, as the build noted them; empty where it did not. */
export function readTiming(suite: string): Readonly<Record<string, number>> {
  const file = join(suite, TIMING);
  if (!existsSync(file)) return {};
  return loadRecord(timingSchema, file, 'seconds', 'Remove the file.');
}

/** Notes the time of schemas; that of others stays. */
export function writeTiming(suite: string, seconds: Readonly<Record<string, number>>): void {
  const rounded = Object.entries(seconds).map(([id, time]) => [id, Number(time.toFixed(2))] as const);
  const content = { ...readTiming(suite), ...Object.fromEntries(rounded) };
  writeDurably(join(suite, TIMING), `${JSON.stringify(content, null, 2)}\n`);
}
