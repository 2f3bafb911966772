import { countNoun, formatCount } from '../counts.js';
import { z } from 'zod';
import type { ExportSummary } from '../annotate/exchange/export-annotations.js';
import { EXCHANGE_FORMATS } from '../annotate/exchange/exchange-formats.js';
import { EXCHANGE_OPTIONS, kindOf, PROJECT_OPTION } from './annotate-shared.js';
import { defineCommand } from './command.js';
import { choice, text } from '../options/option-field.js';
import { JSON_OPTION } from './shared-options.js';

function describe({ items, answered, drafts, single }: ExportSummary, out: string): readonly string[] {
  const unfinished = drafts === 0 ? '' : `, ${formatCount(drafts)} of them only drafts, which don’t count`;
  return [
    `${out}: ${countNoun(items, 'item')}, ${formatCount(answered)} with answers${unfinished}`,
    ...(single === 0
      ? []
      : [
          `  note: ${countNoun(single, 'item')} of several annotators ${single === 1 ? 'has' : 'have'} an answer of one alone so far, which counts until another hands in`,
        ]),
  ];
}

/** `perturbql annotate export`. */
export const command = defineCommand({
  options: z.object({
    ...PROJECT_OPTION,
    ...EXCHANGE_OPTIONS,
    format: choice([...EXCHANGE_FORMATS, 'spider-ss'], 'format', 'form of the annotations; spider-ss of sub-sentences'),
    out: text('path', 'file to write, for label-studio and argilla a folder; what is there is not replaced'),
    ...JSON_OPTION,
  }),
  example: 'perturbql annotate export --project project.db --format adveta --kind rpl --out rpl.json',
  async run({ project, format, kind, out }, { host }) {
    if (format === 'spider-ss') {
      const { exportSpiderSs } = await import('./export-spider-ss.js');
      const json = exportSpiderSs(project, out, (line) => host.note(line));
      return { json, lines: [`${out}: ${countNoun(json.items, 'item')}, ${json.answered} written`] };
    }
    const { exportAnnotations } = await import('../annotate/exchange/export-annotations.js');
    const json = await exportAnnotations({ project, format, kind: kindOf(kind), out });
    return { json, lines: describe(json, out) };
  },
});
