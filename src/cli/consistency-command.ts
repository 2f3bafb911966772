import { z } from 'zod';
import type { ConsistencyOutcome } from '../measure/consistency/consistency.js';
import { CONSISTENCY_DEFAULTS } from '../measure/consistency/consistency-options.js';
import type { ConsistencyReport } from '../measure/consistency/consistency-report.js';
import type { FailAboveRule } from '../measure/consistency/fail-above.js';
import { type CommandOutput, defineCommand } from './command.js';
import { checkIdle } from '../options/given-options.js';
import { idleInConsistency } from './idle-options.js';
import { count, flag, inGroup, pick, repeated, text } from '../options/option-field.js';
import {
  ATTACK_PLAN_OPTIONS,
  CACHE_OPTION,
  DATASET_OPTIONS,
  DRY_RUN_OPTION,
  requireSource,
  SCORING_OPTIONS,
  scoringOf,
  SEED_OPTION,
  SHARD_OPTION,
} from './shared-options.js';
import { measuredOutput } from './measured-output.js';
import { VICTIM_OPTIONS, victimOf } from './victim-options.js';

function productsOf({ mutants, compositions }: ConsistencyReport): readonly string[] {
  return [
    ...['report.html', 'report.json'],
    ...(mutants === null ? [] : ['cases.jsonl']),
    ...(compositions === undefined ? [] : ['recompositions.jsonl']),
    'answers.jsonl',
  ];
}

async function show(outcome: ConsistencyOutcome, out: string, rules: readonly FailAboveRule[]): Promise<CommandOutput> {
  const [{ consistencyLines }, { ruleFailures }] = await Promise.all([
    import('../measure/consistency/report/consistency-document.js'),
    import('../measure/consistency/fail-above.js'),
  ]);
  const { report } = outcome;
  return measuredOutput(outcome, out, {
    lines: consistencyLines(report),
    failures: ruleFailures(report, rules),
    products: productsOf(report),
  });
}

/** `perturbql consistency`. */
export const command = defineCommand({
  options: z.object({
    ...DATASET_OPTIONS,
    mutants: ATTACK_PLAN_OPTIONS.mutants,
    compositions: ATTACK_PLAN_OPTIONS.compositions,
    out: ATTACK_PLAN_OPTIONS.out,
    ...VICTIM_OPTIONS,
    ...inGroup('Advanced', {
      fold: text(
        'i/n',
        'ask only the seeds in one of n parts of the examples; victim baseline learns from the others',
      ).exactOptional(),
    }),
    ...inGroup('Scoring', {
      compareValues: flag('count literals when predictions are compared by exact match'),
    }),
    ...inGroup('Advanced', {
      shrinkQuestions: count('n', 'most further questions that shrinking failures of composed mutants may ask').default(
        CONSISTENCY_DEFAULTS.shrinkQuestions,
      ),
    }),
    ...SCORING_OPTIONS,
    ...inGroup('Scoring', {
      failAbove: repeated(
        'relation=percent',
        'exit with 3 where a rate is higher: kept=5, SS=20, unanswerable=50, APP=30',
      ),
    }),
    ...SEED_OPTION,
    ...CACHE_OPTION,
    ...DRY_RUN_OPTION,
    ...SHARD_OPTION,
  }),
  example:
    'perturbql consistency --tables examples/tables.json --examples examples/dev.json --databases examples/database --mutants RUN --victim baseline --train examples/train.json --out RUN-consistency',
  onInterrupt: 'pauses',
  async run(given, { host, flags, shard }) {
    const [{ consistency, previewConsistency }, { parseFailAbove, requireKnownRelations }, { parseFold }] =
      await Promise.all([
        import('../measure/consistency/consistency.js'),
        import('../measure/consistency/fail-above.js'),
        import('../variants/mutate/sampling/fold.js'),
      ]);
    const { mutants, compositions, out, fold, compareValues, shrinkQuestions, seed, dryRun } = given;
    const rules = parseFailAbove(given.failAbove);
    requireSource({ mutants, compositions }, 'Make some with `perturbql mutate` and name its run');
    checkIdle(idleInConsistency(given), flags, host);
    const options = {
      ...pick(given, DATASET_OPTIONS),
      ...scoringOf(given, flags),
      mutants,
      compositions,
      out,
      shrinkQuestions,
      seed,
      values: compareValues ? ('compared' as const) : ('ignored' as const),
      fold: fold === undefined ? null : parseFold(fold, seed),
      victim: victimOf(given, flags),
      shard,
    };
    requireKnownRelations(rules, mutants, compositions);
    if (dryRun) return { lines: await previewConsistency(options) };
    return show(await consistency(options, host), out, rules);
  },
});
