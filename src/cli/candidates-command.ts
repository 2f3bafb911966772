import { formatCount } from '../counts.js';
import { join } from 'node:path';
import { z } from 'zod';
import { defineCommand } from './command.js';
import { LLM_OPTIONS, proposerOf } from './llm-options.js';
import { modelSettings } from './model-settings.js';
import { checkIdle, refuseUselessSettings } from '../options/given-options.js';
import { flag, pick } from '../options/option-field.js';
import { followsSetting, idleInCandidates } from './idle-options.js';
import { MODEL_OPTIONS, PIPELINE_OPTIONS, SEED_OPTION, SHARD_OPTION } from './shared-options.js';

/** `perturbql candidates`. */
export const command = defineCommand({
  options: z.object({
    ...PIPELINE_OPTIONS,
    fullScores: flag('score both directions even where one decides'),
    ...LLM_OPTIONS,
    ...MODEL_OPTIONS,
    ...SHARD_OPTION,
  }),
  example:
    'perturbql candidates --tables examples/tables.json --examples examples/dev.json --databases examples/database --out RUN',
  onInterrupt: 'pauses',
  async run(given, { host, config, shard, flags }) {
    checkIdle(idleInCandidates(given), flags, host);
    refuseUselessSettings(given.set, followsSetting(given.recipe), `recipe ${given.recipe}`);
    const machine = await modelSettings(given, config);
    const options = {
      ...pick(given, { ...PIPELINE_OPTIONS, ...SEED_OPTION }),
      ...machine,
      proposer: proposerOf(given, machine.settings, flags),
      shard,
    };
    if (given.dryRun) {
      const { previewRun } = await import('./preview-run.js');
      return { lines: await previewRun(options, host) };
    }
    const [{ generateCandidates }, { firstLeftOut }] = await Promise.all([
      import('../variants/candidates/generate-candidates.js'),
      import('../report/left-out.js'),
    ]);
    const { counts, short, skipped, fresh } = await generateCandidates(options, host);
    const lines = [
      `${fresh ? '' : 'already complete: '}${formatCount(counts.RPL)} RPL and ${formatCount(counts.ADD)} ADD candidates, ${formatCount(counts.rejected)} rejected, ${formatCount(skipped.length)} left out`,
      ...short.map((note) => `  note: ${note}`),
      ...firstLeftOut(skipped, join(options.out, 'report.json')).map((sentence) => `  note: ${sentence}`),
      `  ${join(options.out, 'candidates.jsonl')}`,
      `  ${join(options.out, 'report.html')}`,
    ];
    return { lines };
  },
});
