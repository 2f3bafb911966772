import { z } from 'zod';
import { compareConsistency } from '../consistency/compare/compare-consistency.js';
import { renderConsistencyComparison } from '../consistency/compare/comparison-lines.js';
import { renderConsistencyComparisonPage } from '../consistency/compare/comparison-page.js';
import { loadConsistencyReport } from '../consistency/load-consistency-report.js';
import { writeDurably } from '../run/durable-file.js';
import { checkWrittenFile } from '../run/written-file.js';
import { VERSION } from '../version.js';
import type { RawOptions } from './options.js';
import { parseOptions } from './run-context.js';

const schema = z.object({ out: z.string().min(1).optional(), json: z.boolean().default(false) });

/** `perturbql consistency compare`. */
export async function run(raw: RawOptions, ...given: (string | readonly string[])[]): Promise<void> {
  const { out, json } = parseOptions(schema, raw);
  if (out !== undefined) checkWrittenFile('out', out);
  const comparison = compareConsistency(given.flat().map((name) => ({ name, report: loadConsistencyReport(name) })));
  if (out !== undefined) writeDurably(out, renderConsistencyComparisonPage(comparison, VERSION));
  if (json) console.log(JSON.stringify(comparison, null, 2));
  else for (const line of renderConsistencyComparison(comparison)) console.log(line);
}
