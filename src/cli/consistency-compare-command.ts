import { z } from 'zod';
import { checkWrittenFile } from '../run/written-file.js';
import { defineCommand } from './command.js';
import { text } from '../options/option-field.js';
import { JSON_OPTION } from './shared-options.js';

/** `perturbql consistency compare`. */
export const command = defineCommand({
  options: z.object({ out: text('file', 'write the comparison as an HTML page').exactOptional(), ...JSON_OPTION }),
  argument: { name: '<runs...>', description: 'folders that consistency wrote, or their report.json' },
  example: 'perturbql consistency compare RUN-first RUN-second RUN-third --out compared.html',
  async run({ out }, { args }) {
    const [
      { compareConsistency },
      { consistencyComparisonDocument, consistencyComparisonLines },
      { renderDocument },
      { loadConsistencyReport },
      { writeDurably },
      { VERSION },
    ] = await Promise.all([
      import('../consistency/compare/compare-consistency.js'),
      import('../consistency/compare/comparison-document.js'),
      import('../report/document/render-document.js'),
      import('../consistency/load-consistency-report.js'),
      import('../run/durable-file.js'),
      import('../version.js'),
    ]);
    if (out !== undefined) checkWrittenFile('out', out);
    const json = compareConsistency(args.map((name) => ({ name, report: loadConsistencyReport(name) })));
    const document = consistencyComparisonDocument(json, VERSION);
    if (out !== undefined) writeDurably(out, renderDocument(document));
    return { json, lines: consistencyComparisonLines(document) };
  },
});
