import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigError } from '../errors.js';
import { correlate } from '../evaluate/correlation/correlate.js';
import { renderCorrelationLines } from '../evaluate/correlation/report/correlation-lines.js';
import { renderCorrelationPage } from '../evaluate/correlation/report/correlation-page.js';
import { writeDurably } from '../run/durable-file.js';
import { VERSION } from '../version.js';
import type { RawOptions } from './options.js';
import { parseOptions } from './run-context.js';

const schema = z.object({
  names: z
    .string()
    .transform((names) => names.split(',').map((name) => name.trim()))
    .refine((names) => names.every((name) => name !== ''), 'names separated by commas are expected')
    .optional(),
  out: z.string().min(1).optional(),
  json: z.boolean().default(false),
});

/** @throws ConfigError where the folder holds a run, whose report would be lost */
function refuseRun(out: string): void {
  if (!existsSync(join(out, 'run.json'))) return;
  throw new ConfigError(`option --out: ${out} holds a run`, { fix: 'Name another folder.' });
}

/** `perturbql correlate`. */
export async function run(raw: RawOptions, ...given: (string | readonly string[])[]): Promise<void> {
  const { names, out, json } = parseOptions(schema, raw);
  if (out !== undefined) refuseRun(out);
  const report = correlate(given.flat(), names ?? null);
  const text = `${JSON.stringify(report, null, 2)}\n`;
  if (out !== undefined) {
    writeDurably(join(out, 'report.json'), text);
    writeDurably(join(out, 'report.html'), renderCorrelationPage(report, VERSION));
  }
  if (json) process.stdout.write(text);
  else for (const line of renderCorrelationLines(report)) console.log(line);
}
