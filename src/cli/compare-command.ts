import { z } from 'zod';
import { ConfigError } from '../errors.js';
import { checkWrittenFile } from '../run/written-file.js';
import { defineCommand } from './command.js';
import { text } from '../options/option-field.js';
import { JSON_OPTION } from './shared-options.js';

/** `perturbql compare`. */
export const command = defineCommand({
  options: z.object({ out: text('file', 'write the comparison as an HTML page').exactOptional(), ...JSON_OPTION }),
  argument: { name: '<first> <second>', description: 'two folders that attack wrote, or their report.json' },
  example: 'perturbql compare RUN-before RUN-after --out compared.html',
  async run({ out }, { args: [first = '', second = ''] }) {
    const [
      { compareRuns },
      { compareDocument, compareLines },
      { renderDocument },
      { isReportOf, loadAttackReport },
      { writeDurably },
      { VERSION },
    ] = await Promise.all([
      import('../attack/report/compare-runs.js'),
      import('../attack/report/compare-document.js'),
      import('../report/document/render-document.js'),
      import('../attack/report/load-attack-report.js'),
      import('../run/durable-file.js'),
      import('../version.js'),
    ]);
    if (out !== undefined) {
      checkWrittenFile('out', out);
      if ([first, second].some((run) => isReportOf(run, out)))
        throw new ConfigError(`option --out: ${out} belongs to a run that is compared`, { fix: 'Name another file.' });
    }
    const load = (name: string) => ({ name, report: loadAttackReport(name) });
    const runs = [load(first), load(second)] as const;
    const json = compareRuns(...runs);
    const document = compareDocument(json, runs, VERSION);
    if (out !== undefined) writeDurably(out, renderDocument(document));
    return { json, lines: compareLines(document) };
  },
});
