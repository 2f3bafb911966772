import { once } from 'node:events';
import { addAbortSignal } from 'node:stream';
import { z } from 'zod';
import { executionRules } from '../evaluate/compat.js';
import { defineCommand } from './command.js';
import { JUDGING_OPTIONS } from './evaluate-command.js';
import { refuseUseless } from '../options/given-options.js';
import { anyPort, flag, optionalText, text } from '../options/option-field.js';
import { DATASET_OPTIONS, isModeChosen } from './shared-options.js';

const { suite, compat, mode, floatTolerance, plugValues, dropDistinct, timeout, jobs } = JUDGING_OPTIONS;

/** `perturbql serve rewards`. */
export const command = defineCommand({
  options: z.object({
    ...DATASET_OPTIONS,
    suite,
    compat,
    mode,
    floatTolerance,
    plugValues,
    dropDistinct,
    timeout,
    jobs,
    reward: optionalText(
      'formula',
      'sum of exact, execution, suite and columns, each with a weight: "suite + 0.1*exact" (default: suite with --suite, else execution with --databases, else exact)',
    ),
    variants: optionalText(
      'run',
      'a run of augment, compose or mutate: its variants may be asked for, and are judged by id',
    ),
    answers: flag('predictions are raw model outputs: the query is extracted from prose and code fences, as in attack'),
    port: anyPort(
      'answer HTTP at this port, 0 for any free one (default: JSON lines on standard input)',
    ).exactOptional(),
    host: text('address', 'address that HTTP is answered at').default('127.0.0.1'),
    tokenEnv: optionalText(
      'name',
      'environment variable with the token that clients send (default: none, on this machine)',
    ),
  }),
  example: 'perturbql serve rewards --databases examples/database --reward "execution + 0.1*exact"',
  onInterrupt: 'stops',
  async run(options, { host, flags }) {
    executionRules(options, isModeChosen(options, flags));
    if (options.port === undefined)
      refuseUseless(['host', 'tokenEnv'], flags, 'JSON lines on standard input', '--port');
    const [{ RewardJudge }, { answerRewardLines }, { rewardToken, serveRewards }] = await Promise.all([
      import('../evaluate/rewards/reward-judge.js'),
      import('../evaluate/rewards/reward-lines.js'),
      import('./serve-rewards.js'),
    ]);
    const { port, timeout: seconds } = options;
    const rules = { ...options, jobs: options.jobs, timeoutMs: seconds * 1000 };
    const token = port === undefined ? null : rewardToken(options);
    const judge = await RewardJudge.open(rules);
    try {
      if (port !== undefined) {
        await serveRewards(judge, { ...rules, port }, token, host);
        return;
      }
      addAbortSignal(host.signal, process.stdin);
      const write = async (lines: string): Promise<void> => {
        if (!process.stdout.write(lines)) await once(process.stdout, 'drain', { signal: host.signal });
      };
      await answerRewardLines(judge, process.stdin, write, host.signal);
    } finally {
      await judge.close();
    }
  },
});
