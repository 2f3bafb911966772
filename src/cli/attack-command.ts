import { z } from 'zod';
import { attack, previewAttack } from '../attack/attack.js';
import { ATTACK_STRATEGIES } from '../attack/attack-choices.js';
import { attackPlanSchema, requireCandidates, requireOut } from './attack-plan-options.js';
import { parseChecks, showAttack } from './attack-result.js';
import { parseScoring } from './attack-scoring-options.js';
import { parseVictim } from './attack-victim-options.js';
import { ConsoleHost } from './console-host.js';
import { positiveOption } from './number-options.js';
import type { CommandResult, RawOptions } from './options.js';
import { parseOptions, withInterrupt } from './run-context.js';

const schema = attackPlanSchema.extend({
  strategy: z.enum(ATTACK_STRATEGIES),
  budget: positiveOption,
  dryRun: z.boolean().default(false),
});

/** `perturbql attack`. */
export async function run(raw: RawOptions): Promise<CommandResult> {
  const { dryRun, candidates, out, ...plan } = parseOptions(schema, raw);
  const checks = parseChecks(raw);
  const options = {
    ...plan,
    ...parseScoring(raw),
    candidates: requireCandidates(candidates),
    out: requireOut(out),
    victim: parseVictim(raw),
  };
  return withInterrupt(async (signal) => {
    const host = new ConsoleHost(signal);
    try {
      if (dryRun) {
        const lines = await previewAttack(options, host);
        host.stop();
        for (const line of lines) console.log(line);
        return;
      }
      const outcome = await attack(options, host);
      host.stop();
      return showAttack(outcome, options.out, checks);
    } finally {
      host.stop();
    }
  });
}
