import { existsSync } from 'node:fs';
import { countNoun, formatCount } from '../counts.js';
import { z } from 'zod';
import type { ImportSummary } from '../annotate/exchange/import-annotations.js';
import { checkWrittenFile } from '../run/output-place.js';
import { EXCHANGE_OPTIONS, kindOf } from './annotate-shared.js';
import { defineCommand } from './command.js';
import { text } from '../options/option-field.js';
import { DATASET_OPTIONS, givenDataset, JSON_OPTION } from './shared-options.js';

function describe({ created, items, newItems, newPeople, answers }: ImportSummary, project: string): readonly string[] {
  const { added, changed, unchanged, stale } = answers;
  return [
    `${project}: ${created ? 'made of' : 'read'} ${countNoun(items, 'item')}`,
    `  answers: ${formatCount(added)} new, ${formatCount(changed)} changed, ${formatCount(unchanged)} as they were`,
    ...(stale === 0 ? [] : [`  ${stale} older than the current answer: kept next to it as conflicts`]),
    ...(created || newItems === 0 ? [] : [`  ${formatCount(newItems)} items are new to the project`]),
    ...(newPeople.length === 0 ? [] : [`  new people: ${newPeople.join(', ')}; \`annotate invite\` makes their links`]),
  ];
}

/** `perturbql annotate import`. */
export const command = defineCommand({
  options: z.object({
    project: text('file', 'the project to read into; made where there is none'),
    ...EXCHANGE_OPTIONS,
    ...DATASET_OPTIONS,
    ...JSON_OPTION,
  }),
  argument: { name: '<path>', description: 'file to read; for label-studio and argilla also a folder' },
  example: 'perturbql annotate import rpl.json --format adveta --kind rpl --project project.db',
  async run({ project, format, kind, ...paths }, { args: [from = ''], flags }) {
    checkWrittenFile('project', project);
    const { importAnnotations } = await import('../annotate/exchange/import-annotations.js');
    const dataset = givenDataset(paths, { hasOwn: existsSync(project), flags });
    const json = await importAnnotations({ from, format, kind: kindOf(kind), project, dataset });
    return { json, lines: describe(json, project) };
  },
});
