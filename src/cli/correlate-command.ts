import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigError } from '../errors.js';
import { defineCommand } from './command.js';
import { described, text } from './option-field.js';
import { JSON_OPTION } from './shared-options.js';

/** @throws ConfigError where the folder holds a run, whose report would be lost */
function refuseRun(out: string): void {
  if (!existsSync(join(out, 'run.json'))) return;
  throw new ConfigError(`option --out: ${out} holds a run`, { fix: 'Name another folder.' });
}

/** `perturbql correlate`. */
export const command = defineCommand({
  options: z.object({
    names: described(z.array(z.string().min(1, 'names separated by commas are expected')), {
      value: 'names',
      description: 'names of the models, separated by commas, one per file (default: the files’ names)',
      separator: ',',
    }).exactOptional(),
    out: text('dir', 'folder that gets report.html and report.json').exactOptional(),
    ...JSON_OPTION,
  }),
  argument: { name: '<verdicts...>', description: 'files that evaluate --verdicts wrote, one per model' },
  example: 'perturbql correlate first.jsonl second.jsonl third.jsonl --out RUN-correlation',
  async run({ names, out }, { args }) {
    const [{ correlate }, { renderCorrelationLines }, { renderCorrelationPage }, { writeDurably }, { VERSION }] =
      await Promise.all([
        import('../evaluate/correlation/correlate.js'),
        import('../evaluate/correlation/report/correlation-lines.js'),
        import('../evaluate/correlation/report/correlation-page.js'),
        import('../run/durable-file.js'),
        import('../version.js'),
      ]);
    if (out !== undefined) refuseRun(out);
    const json = correlate(args, names ?? null);
    if (out !== undefined) {
      writeDurably(join(out, 'report.json'), `${JSON.stringify(json, null, 2)}\n`);
      writeDurably(join(out, 'report.html'), renderCorrelationPage(json, VERSION));
    }
    return { json, lines: renderCorrelationLines(json) };
  },
});
