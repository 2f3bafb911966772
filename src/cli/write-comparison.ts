import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError } from '../errors.js';
import { text } from '../options/option-field.js';
import type { ReportDocument } from '../report/document/document.js';
import { type ComparedRun, namesOfRuns } from '../measure/compare/compared-runs.js';
import { itemAt } from '../present.js';
import { checkWrittenFile } from '../run/output-place.js';
import type { CommandOutput } from './command.js';
import { JSON_OPTION } from './shared-options.js';

/** Options of a comparison of runs. */
export const COMPARISON_OPTIONS = z.object({
  out: text('file', 'write the comparison as an HTML page').exactOptional(),
  ...JSON_OPTION,
});

/** What is compared, and how it is shown; `R` is a run's report, `C` what `--json` prints. */
interface Comparison<R, C> {
  readonly load: (run: string) => R;
  readonly compare: (runs: readonly ComparedRun<R>[]) => C;
  readonly document: (comparison: C, runs: readonly ComparedRun<R>[]) => ReportDocument;
  readonly lines: (document: ReportDocument) => readonly string[];
}

/** Compares runs, and writes the page where one is asked for. @throws ConfigError where it would replace a run's report */
export async function writeComparison<R, C>(
  folders: readonly string[],
  { out }: Pick<z.infer<typeof COMPARISON_OPTIONS>, 'out'>,
  { load, compare, document: documentOf, lines }: Comparison<R, C>,
): Promise<CommandOutput> {
  const [{ renderDocument }, { writeDurably }, { reportFile }] = await Promise.all([
    import('../report/document/render-document.js'),
    import('../run/durable-file.js'),
    import('../report/stored-report.js'),
  ]);
  if (out !== undefined) {
    checkWrittenFile('out', out);
    const reports = folders.map((folder) => resolve(reportFile(folder)));
    if (reports.flatMap((file) => [file, join(dirname(file), 'report.html')]).includes(resolve(out)))
      throw new ConfigError(`option --out: ${out} belongs to a run that is compared`, { fix: 'Name another file.' });
  }
  const names = namesOfRuns(folders);
  const runs = folders.map((folder, i) => ({ name: itemAt(names, i), report: load(folder) }));
  const json = compare(runs);
  const document = documentOf(json, runs);
  if (out !== undefined) writeDurably(out, renderDocument(document));
  return { json, lines: lines(document) };
}
