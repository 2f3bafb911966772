import { join } from 'node:path';
import { z } from 'zod';
import { DATASET_FORMATS } from '../formats/dataset-formats.js';
import { buildSuite, foreseeSuite } from '../testsuite/suite/build-suite.js';
import { ConsoleHost } from './console-host.js';
import type { RawOptions } from './options.js';
import { parseOptions, positiveOption, withInterrupt } from './run-context.js';
import { renderSuiteSummary } from './suite-lines.js';

const path = z.string().nullable().default(null);

const schema = z.object({
  dataset: z.enum(DATASET_FORMATS),
  tables: path,
  examples: path,
  databases: path,
  connection: path,
  out: z.string(),
  randomDatabases: positiveOption,
  seed: z
    .string()
    .regex(/^-?\d+$/, 'a whole number is expected')
    .transform(Number)
    .refine(Number.isSafeInteger, 'the number is too large')
    .default(0),
  jobs: positiveOption.optional(),
  dryRun: z.boolean().default(false),
});

const PRODUCTS = ['schemas', 'database', 'report.json', 'report.html'];

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** `perturbql suite build`. */
export async function run(raw: RawOptions): Promise<void> {
  const { randomDatabases, jobs, dryRun, ...given } = parseOptions(schema, raw);
  const options = { ...given, jobs, budget: { randomDatabases } };
  await withInterrupt(async (signal) => {
    if (dryRun) {
      for (const line of await foreseeSuite(options)) console.log(line);
      return;
    }
    const host = new ConsoleHost(signal);
    try {
      const { report, fresh } = await buildSuite(options, host);
      host.stop();
      const [first = '', ...rest] = renderSuiteSummary(report);
      console.log(`${fresh ? '' : 'already complete: '}${first}`);
      for (const line of rest) console.log(line);
      if (fresh) console.log(`  took ${cpuSeconds().toFixed(0)} s of CPU time`);
      for (const name of PRODUCTS) console.log(`  ${join(options.out, name)}`);
    } finally {
      host.stop();
    }
  });
}
