import { z } from 'zod';
import { compareRuns } from '../attack/report/compare-runs.js';
import { renderComparisonLines } from '../attack/report/compare-lines.js';
import { renderComparePage } from '../attack/report/compare-page.js';
import { isReportOf, loadAttackReport } from '../attack/report/load-attack-report.js';
import { ConfigError } from '../errors.js';
import { writeDurably } from '../run/durable-file.js';
import { checkWrittenFile } from '../run/written-file.js';
import { VERSION } from '../version.js';
import type { RawOptions } from './options.js';
import { parseOptions } from './run-context.js';

const schema = z.object({ out: z.string().min(1).optional(), json: z.boolean().default(false) });

/** @throws ConfigError where the page would take the place of what a compared run has found */
function refuseReports(out: string, runs: readonly string[]): void {
  if (!runs.some((run) => isReportOf(run, out))) return;
  throw new ConfigError(`option --out: ${out} belongs to a run that is compared`, { fix: 'Name another file.' });
}

/** `perturbql compare`. */
export async function run(raw: RawOptions, ...[first, second]: string[]): Promise<void> {
  const { out, json } = parseOptions(schema, raw);
  if (out !== undefined) {
    checkWrittenFile('out', out);
    refuseReports(out, [first!, second!]);
  }
  const [ours, theirs] = [first!, second!].map((name) => ({ name, report: loadAttackReport(name) }));
  const comparison = compareRuns(ours!, theirs!);
  if (out !== undefined) writeDurably(out, renderComparePage(comparison, VERSION));
  if (json) console.log(JSON.stringify(comparison, null, 2));
  else for (const line of renderComparisonLines(comparison)) console.log(line);
}
