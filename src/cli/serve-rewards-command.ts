import { once } from 'node:events';
import { addAbortSignal } from 'node:stream';
import { z } from 'zod';
import { executionRules } from '../evaluate/compat.js';
import { defineCommand } from './command.js';
import { JUDGING_OPTIONS } from './evaluate-command.js';
import { text } from './option-field.js';
import { DATASET_OPTIONS, isModeChosen } from './shared-options.js';

const { suite, compat, mode, floatTolerance, plugValues, dropDistinct, timeout, jobs } = JUDGING_OPTIONS;

/** `perturbql serve rewards`. */
export const command = defineCommand({
  options: z.object({
    ...DATASET_OPTIONS,
    ...{ suite, compat, mode, floatTolerance, plugValues, dropDistinct, timeout, jobs },
    reward: text(
      'formula',
      'sum of exact, execution, suite and columns, each with a weight: "suite + 0.1*exact" (default: suite with --suite, else execution with --databases, else exact)',
    )
      .nullable()
      .default(null),
  }),
  example: 'perturbql serve rewards --databases examples/database --reward "execution + 0.1*exact"',
  onInterrupt: 'stops',
  async run(options, { host, flags }) {
    executionRules(options, isModeChosen(options, flags));
    const [{ RewardJudge }, { answerRewardLines }] = await Promise.all([
      import('../evaluate/rewards/reward-judge.js'),
      import('../evaluate/rewards/reward-lines.js'),
    ]);
    const rules = { ...options, jobs: options.jobs, timeoutMs: options.timeout * 1000 };
    const judge = await RewardJudge.open(rules, host.signal);
    try {
      addAbortSignal(host.signal, process.stdin);
      await answerRewardLines(judge, process.stdin, async (lines) => {
        if (!process.stdout.write(lines)) await once(process.stdout, 'drain', { signal: host.signal });
      });
    } finally {
      await judge.close();
    }
  },
});
