import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigError } from '../errors.js';
import type { CorrelationReport } from '../evaluate/correlation/correlation-report.js';
import { defineCommand } from './command.js';
import type { ConsoleHost } from './console-host.js';
import { JUDGING_OPTIONS } from './evaluate-command.js';
import { described, text } from '../options/option-field.js';
import { JSON_OPTION } from './shared-options.js';

const options = z.object({
  names: described(z.array(z.string().min(1, 'names separated by commas are expected')), {
    value: 'names',
    description: 'names of the models, separated by commas, one per file (default: the files’ names)',
    separator: ',',
  }).exactOptional(),
  ...JUDGING_OPTIONS,
  compareSuite: text('dir', 'a second suite for the same gold: the same figures against it, and what changed')
    .nullable()
    .default(null),
  out: text('dir', 'folder that gets report.html and report.json').exactOptional(),
  ...JSON_OPTION,
});
type Given = z.infer<typeof options>;

/** @throws ConfigError where the folder holds a run, whose report would be lost */
function refuseRun(out: string): void {
  if (!existsSync(join(out, 'run.json'))) return;
  throw new ConfigError(`option --out: ${out} holds a run`, { fix: 'Name another folder.' });
}

/** @throws ConfigError where a flag says how to judge predictions, and the files are verdicts */
function refuseJudging(flags: ReadonlySet<string>): void {
  const judging = [...Object.keys(JUDGING_OPTIONS), 'compareSuite'].find((name) => flags.has(name));
  if (judging === undefined) return;
  const flag = judging.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
  throw new ConfigError(`option --${flag} is for predictions; without --gold, the files are verdicts`, {
    fix: 'Give the gold queries with --gold, and files of predictions; or leave the option out.',
  });
}

async function correlateFiles(given: Given, files: readonly string[], host: ConsoleHost): Promise<CorrelationReport> {
  const { names, gold, timeout, ...judging } = given;
  if (gold === null) {
    const { correlate } = await import('../evaluate/correlation/correlate.js');
    return correlate(files, names ?? null);
  }
  const { correlatePredictions } = await import('../evaluate/correlation/correlate-predictions.js');
  return correlatePredictions({ ...judging, names, gold, predictions: files, timeoutMs: timeout * 1000 }, host);
}

/** `perturbql correlate`. */
export const command = defineCommand({
  options,
  argument: {
    name: '<files...>',
    description: 'one per model: predictions with --gold, else verdicts that evaluate wrote',
  },
  example: 'perturbql correlate first.jsonl second.jsonl third.jsonl --out RUN-correlation',
  onInterrupt: 'stops',
  async run(given, { args, flags, host }) {
    const { gold, out } = given;
    if (gold === null) refuseJudging(flags);
    if (out !== undefined) refuseRun(out);
    const [{ renderCorrelationLines }, { renderCorrelationPage }, { writeDurably }, { VERSION }] = await Promise.all([
      import('../evaluate/correlation/report/correlation-lines.js'),
      import('../evaluate/correlation/report/correlation-page.js'),
      import('../run/durable-file.js'),
      import('../version.js'),
    ]);
    const json = await correlateFiles(given, args, host);
    if (out !== undefined) {
      writeDurably(join(out, 'report.json'), `${JSON.stringify(json, null, 2)}\n`);
      writeDurably(join(out, 'report.html'), renderCorrelationPage(json, VERSION));
    }
    return { json, lines: renderCorrelationLines(json) };
  },
});
