import { z } from 'zod';
import { COMPOSE_DEFAULTS, MOST_DEPTH } from '../compositional/compose/compose-options.js';
import { ConfigError } from '../errors.js';
import { defineCommand } from './command.js';
import { FLUENCY_OPTIONS, fluencyOf } from './asking-options.js';
import { checkIdle } from '../options/given-options.js';
import { idleInCompose } from './idle-options.js';
import { described, flag, optionalText, pick, positive, text, unlessOff } from '../options/option-field.js';
import {
  DATASET_OPTIONS,
  DRY_RUN_OPTION,
  QUERY_JOBS_OPTION,
  RUN_FOLDER,
  SEED_OPTION,
  SHARD_OPTION,
} from './shared-options.js';

const HARDNESS_FIX = 'Give parts by level, such as --hardness easy=2.4,medium=44.3,hard=22.9,extra=30.4.';

/** "easy=2.4,medium=44.3" as parts by level. */
function partsOf(given: readonly string[] | undefined, levels: readonly string[]): Record<string, number> | null {
  if (given === undefined) return null;
  const parts = given.map((part): [string, number] => {
    const [level = '', amount = ''] = part.split('=');
    if (!levels.includes(level) || amount.trim() === '' || !(Number(amount) >= 0)) {
      throw new ConfigError(`"${part}" is no part of a hardness`, { fix: HARDNESS_FIX });
    }
    return [level, Number(amount)];
  });
  return Object.fromEntries(parts);
}

const COMPOSE_OPTIONS = {
  annotations: optionalText(
    'file',
    'a project of annotate init --kind split, or Spider-SS’s own file (default: split and aligned automatically)',
  ),
  depth: positive('n', 'elements one after another: with 2 they are appended to substitutions, too', {
    number: MOST_DEPTH,
    example: '2',
  }).default(COMPOSE_DEFAULTS.depth),
  allowEmpty: flag('keep gold queries whose result is empty although their parents’ results are not'),
  distrusted: flag('compose also of questions whose gold query audit distrusts'),
  verify: unlessOff('do not execute gold queries, nor leave out those that fail or change nothing'),
  budget: positive('n', 'most composed questions (default: all)').nullable().default(COMPOSE_DEFAULTS.budget),
  hardness: described(z.array(z.string()), {
    value: 'parts',
    description: 'parts of the four levels that the set follows: easy=2.4,medium=44.3,hard=22.9,extra=30.4',
    separator: ',',
  }).exactOptional(),
  testShare: described(z.coerce.number().min(0).lt(1), {
    value: 'share',
    description: 'share for test, split by template: train.json has every element, test.json only new combinations',
    expected: { what: 'a number from 0 to below 1', example: '0.2' },
  }).default(COMPOSE_DEFAULTS.testShare),
};

/** `perturbql compose`. */
export const command = defineCommand({
  options: z.object({
    ...DATASET_OPTIONS,
    out: text('dir', RUN_FOLDER),
    ...COMPOSE_OPTIONS,
    ...FLUENCY_OPTIONS,
    ...SEED_OPTION,
    ...QUERY_JOBS_OPTION,
    ...DRY_RUN_OPTION,
    ...SHARD_OPTION,
  }),
  example:
    'perturbql compose --tables examples/tables.json --examples examples/dev.json --databases examples/database --out RUN',
  onInterrupt: 'pauses',
  async run(given, { host, shard, flags }) {
    checkIdle(idleInCompose(given), flags, host);
    const { annotations, seed, jobs, out, dryRun } = given;
    const [
      { composeQuestions, previewCompositions },
      { openComposeParts },
      { renderComposed },
      { HARDNESS_LEVELS },
      { inPhase },
    ] = await Promise.all([
      import('../compositional/compose/compose.js'),
      import('./compose-parts.js'),
      import('./compose-lines.js'),
      import('../evaluate/exact/hardness.js'),
      import('../run/run-host.js'),
    ]);
    const hardness = partsOf(given.hardness, HARDNESS_LEVELS);
    const askFluency = fluencyOf(given, flags);
    const parts = await inPhase(host, 'loading the parser', () => openComposeParts(annotations, askFluency));
    try {
      const own = pick(given, { ...DATASET_OPTIONS, ...COMPOSE_OPTIONS });
      const options = { ...own, hardness, seed, jobs, out, shard };
      if (dryRun) return { lines: await previewCompositions(options, parts, askFluency, host) };
      const outcome = await composeQuestions(options, parts, host);
      return { lines: renderComposed(outcome, out), failedCheck: outcome.unusable.length > 0 };
    } finally {
      await parts.source.dispose?.();
      if (parts.asked != null && !dryRun) host.note(parts.asked.describe());
      await parts.asked?.dispose();
    }
  },
});
