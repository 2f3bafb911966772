import { z } from 'zod';
import { EXCHANGE_OPTIONS, kindOf, PROJECT_OPTION } from './annotate-shared.js';
import { defineCommand } from './command.js';
import { text } from './option-field.js';
import { JSON_OPTION } from './shared-options.js';

/** `perturbql annotate export`. */
export const command = defineCommand({
  options: z.object({
    ...PROJECT_OPTION,
    ...EXCHANGE_OPTIONS,
    out: text('path', 'file to write, for label-studio and argilla a folder; what is there is not replaced'),
    ...JSON_OPTION,
  }),
  example: 'perturbql annotate export --project project.db --format adveta --kind rpl --out rpl.json',
  async run({ project, format, kind, out }) {
    const { exportAnnotations } = await import('../annotate/exchange/export-annotations.js');
    const json = await exportAnnotations({ project, format, kind: kindOf(kind), out });
    return { json, lines: [`${out}: ${json.items} items, ${json.answered} with answers`] };
  },
});
