import { z } from 'zod';
import { EXCHANGE_FORMATS } from '../annotate/exchange/exchange-formats.js';
import { importAnnotations, type ImportSummary } from '../annotate/exchange/import-annotations.js';
import { checkWrittenFile } from '../run/written-file.js';
import { kindOption } from './annotate-kind.js';
import { givenDataset, givenDatasetSchema } from './dataset-options.js';
import type { RawOptions } from './options.js';
import { parseOptions } from './run-context.js';

const schema = givenDatasetSchema.extend({
  project: z.string().min(1),
  format: z.enum(EXCHANGE_FORMATS),
  kind: kindOption,
  json: z.boolean().default(false),
});

function describe({ created, items, newItems, newPeople, answers }: ImportSummary, project: string): readonly string[] {
  const { added, changed, unchanged, stale } = answers;
  return [
    `${project}: ${created ? 'made of' : 'read'} ${items} items`,
    `  answers: ${added} new, ${changed} changed, ${unchanged} as they were`,
    ...(stale === 0 ? [] : [`  ${stale} older than the answer that stands: kept beside it as conflicts`]),
    ...(created || newItems === 0 ? [] : [`  ${newItems} items are new to the project`]),
    ...(newPeople.length === 0 ? [] : [`  new people: ${newPeople.join(', ')}; \`annotate invite\` makes their links`]),
  ];
}

/** `perturbql annotate import`. */
export async function run(raw: RawOptions, from?: string): Promise<void> {
  const { project, format, kind, json, ...dataset } = parseOptions(schema, raw);
  checkWrittenFile('project', project);
  const summary = await importAnnotations({ from: from!, format, kind, project, dataset: givenDataset(dataset) });
  if (json) console.log(JSON.stringify(summary, null, 2));
  else for (const line of describe(summary, project)) console.log(line);
}
