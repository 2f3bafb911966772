import { z } from 'zod';
import { exportAnnotations } from '../annotate/exchange/export-annotations.js';
import { EXCHANGE_FORMATS } from '../annotate/exchange/exchange-formats.js';
import { kindOption } from './annotate-kind.js';
import type { RawOptions } from './options.js';
import { parseOptions } from './run-context.js';

const schema = z.object({
  project: z.string().min(1),
  format: z.enum(EXCHANGE_FORMATS),
  kind: kindOption,
  out: z.string().min(1),
  json: z.boolean().default(false),
});

/** `perturbql annotate export`. */
export async function run(raw: RawOptions): Promise<void> {
  const { json, ...options } = parseOptions(schema, raw);
  const summary = await exportAnnotations(options);
  if (json) console.log(JSON.stringify(summary, null, 2));
  else console.log(`${options.out}: ${summary.items} items, ${summary.answered} with answers`);
}
