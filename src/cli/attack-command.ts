import { z } from 'zod';
import { ATTACK_STRATEGIES, ATTACK_DEFAULTS } from '../measure/attack/attack-options.js';
import { checkIdle } from '../options/given-options.js';
import { idleInAttack } from './idle-options.js';
import { defineCommand } from './command.js';
import { choice, inGroup, pick, positive } from '../options/option-field.js';
import {
  ATTACK_PLAN_OPTIONS,
  CACHE_OPTION,
  CANDIDATES_FIX,
  CHECK_OPTIONS,
  DRY_RUN_OPTION,
  PERTURB_OPTIONS,
  requireSource,
  SCORING_OPTIONS,
  scoringOf,
  seedsOf,
  SHARD_OPTION,
} from './shared-options.js';
import { VICTIM_OPTIONS, victimOf } from './victim-options.js';

/** `perturbql attack`. */
export const command = defineCommand({
  options: z.object({
    ...ATTACK_PLAN_OPTIONS,
    ...inGroup('Candidates', {
      strategy: choice(
        ATTACK_STRATEGIES,
        'name',
        'candidates drawn at random, or searched for until the model breaks',
      ).default(ATTACK_DEFAULTS.strategy),
      budget: positive('n', 'most questions of a search for one example, kind and seed').default(
        ATTACK_DEFAULTS.budget,
      ),
    }),
    ...PERTURB_OPTIONS,
    ...VICTIM_OPTIONS,
    ...SCORING_OPTIONS,
    ...CHECK_OPTIONS,
    ...CACHE_OPTION,
    ...DRY_RUN_OPTION,
    ...SHARD_OPTION,
  }),
  example:
    'perturbql attack --tables examples/tables.json --examples examples/dev.json --databases examples/database --candidates RUN --victim baseline --train examples/train.json --out RUN-attack',
  onInterrupt: 'pauses',
  async run(given, { host, flags, shard }) {
    const [{ attack, previewAttack }, { attackOutput, checksOf }] = await Promise.all([
      import('../measure/attack/attack.js'),
      import('./attack-result.js'),
    ]);
    const checks = checksOf(given);
    const { candidates, mutants, compositions, strategy, budget, seeds } = given;
    requireSource({ candidates, mutants, compositions }, CANDIDATES_FIX);
    checkIdle(idleInAttack(given), flags, host);
    const plan = { ...pick(given, ATTACK_PLAN_OPTIONS), ...pick(given, PERTURB_OPTIONS), seeds: seedsOf(seeds) };
    const options = { ...plan, strategy, budget, ...scoringOf(given, flags), victim: victimOf(given, flags), shard };
    if (given.dryRun) return { lines: await previewAttack(options, host) };
    return attackOutput(await attack(options, host), given.out, checks);
  },
});
