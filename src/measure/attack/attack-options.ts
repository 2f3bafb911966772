import type { SampleChoice } from '../../variants/relations/names/candidate-difficulty.js';
import { refuse } from '../../options/given-options.js';
import { type DatasetPaths, PATH_DEFAULTS } from '../../formats/dataset.js';
import { PERTURB_DEFAULTS } from '../../variants/augment/variant-plan.js';
import type { PerturbOptions } from '../../variants/relations/names/draw-schema.js';
import { RESULT_MODES } from '../../sql/execution/result-mode.js';
import type { ShardOption } from '../../run/shard.js';
import { isTimeLimit, MOST_SECONDS } from '../../options/option-field.js';
import { SCORING_DEFAULTS, type ScoringOptions } from '../../victims/scoring.js';
import { traitsOf, type VictimChoice } from '../../victims/victims.js';

/** How perturbations are chosen: drawn at random (ADVETA §5.2), or searched for within a budget of queries. */
export const ATTACK_STRATEGIES = ['random', 'greedy', 'importance', 'worst-of-k'] as const;
export type AttackStrategy = (typeof ATTACK_STRATEGIES)[number];

/** Which of a column's candidates are drawn: any (ADVETA §5.2), or those of the harder half. */
export const ATTACK_SAMPLES = ['random', 'hard'] as const satisfies readonly SampleChoice[];
export type AttackSample = (typeof ATTACK_SAMPLES)[number];

/** The options that determine the perturbed tables, and so the questions. */
export interface AttackPlanOptions extends DatasetPaths, PerturbOptions {
  /** A run folder, a `candidates.jsonl` or `adveta:DIR`; null where tables are not perturbed. */
  readonly candidates: string | null;
  /** Folder that `perturbql compose` wrote: its questions are asked, too. Null: none. */
  readonly compositions: string | null;
  /** Folder that `perturbql mutate` wrote: its mutants are asked, too. Null: none. */
  readonly mutants: string | null;
  /** Each draws its own perturbed tables, and mutants, for every example (ADVETA §5.2: five). */
  readonly seeds: readonly number[];
  /** Which of a column's candidates are drawn first. */
  readonly sample: AttackSample;
}

export interface AttackOptions extends AttackPlanOptions, ScoringOptions, ShardOption {
  readonly victim: VictimChoice;
  readonly strategy: AttackStrategy;
  /** Most questions of a search for one example, kind and seed; of no meaning for `random`. */
  readonly budget: number;
  /** Folder of the run. */
  readonly out: string;
}

/** The required options; the others have the command line's defaults. */
export type AttackInput = Pick<AttackOptions, 'candidates' | 'victim' | 'out'> & Partial<AttackOptions>;

/** Of what decides the perturbed tables. */
export const PLAN_DEFAULTS = {
  ...PATH_DEFAULTS,
  compositions: null,
  mutants: null,
  seeds: [0, 1, 2, 3, 4],
  sample: 'random',
  ...PERTURB_DEFAULTS,
} as const satisfies Partial<AttackPlanOptions>;

/** Of an attack. */
export const ATTACK_DEFAULTS = {
  ...PLAN_DEFAULTS,
  ...SCORING_DEFAULTS,
  strategy: 'random',
  budget: 20,
} as const satisfies Partial<AttackOptions>;

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}

function checkSeeds(seeds: readonly number[]): void {
  const isRight = seeds.length > 0 && seeds.every((seed) => Number.isSafeInteger(seed));
  if (!isRight || new Set(seeds).size < seeds.length) {
    refuse('the seeds are no list of distinct whole numbers', 'Give at least one, such as [0, 1, 2, 3, 4].');
  }
}

function checkPlan({ candidates, compositions, mutants, seeds, sample }: AttackPlanOptions): void {
  const isAsked = [candidates, compositions, mutants].some((source) => (source ?? '') !== '');
  if (candidates === '' || !isAsked) {
    refuse(
      'option candidates is missing',
      'Name a run of `perturbql candidates`, its candidates.jsonl, or adveta:DIR; with compositions a composed run, or with mutants a run of `perturbql mutate`.',
    );
  }
  checkSeeds(seeds);
  if (!ATTACK_SAMPLES.includes(sample)) {
    refuse(`there is no sample "${String(sample)}"`, `Known: ${ATTACK_SAMPLES.join(', ')}.`);
  }
}

/** @throws ConfigError when a choice is none, or the choices don't go together */
function checkOptions(options: AttackOptions): AttackOptions {
  const { out, strategy, budget, victim, mode, timeoutMs, shard } = options;
  if (typeof out !== 'string' || out === '') refuse('option out is missing', 'Give out: a path.');
  checkPlan(options);
  if (!ATTACK_STRATEGIES.includes(strategy)) {
    refuse(`there is no strategy "${String(strategy)}"`, `Known: ${ATTACK_STRATEGIES.join(', ')}.`);
  }
  if (!RESULT_MODES.includes(mode)) {
    refuse(`there is no mode "${String(mode)}"`, `Known: ${RESULT_MODES.join(', ')}.`);
  }
  if (!isTimeLimit(timeoutMs)) {
    refuse('the time limit of a query is out of range', `Give more than 0 and at most ${MOST_SECONDS} seconds.`);
  }
  if (!isCount(budget)) refuse('the budget is no whole number above 0', 'Give the most questions of one search.');
  if ((strategy === 'greedy' || strategy === 'importance') && (options.mutants ?? null) !== null) {
    refuse(`${strategy} changes candidates one by one, and mutants have none`, 'Use --strategy worst-of-k, or random.');
  }
  if (strategy !== 'random' && shard != null) {
    refuse('a search asks what earlier answers lead to, so it can’t be cut into shards', 'Use strategy random.');
  }
  if (traitsOf(victim).answers === 'columns' && (options.mutants ?? options.compositions ?? null) !== null) {
    refuse(
      'a victim that answers with columns is asked about candidates alone',
      'Leave out mutants and compositions, whose gold queries are compared with SQL, or name another victim.',
    );
  }
  if (strategy !== 'random' && !traitsOf(victim).isAskedOn) {
    refuse(
      `strategy ${strategy} asks on by what the model answers, which predictions in a file can't`,
      'Use --strategy random, or a victim that can be asked: baseline, command or endpoint.',
    );
  }
  return options;
}

/** @throws ConfigError when an option is missing or wrong */
export function withAttackDefaults(input: AttackInput): AttackOptions {
  return checkOptions({ ...ATTACK_DEFAULTS, ...input });
}

/** @throws ConfigError when an option is missing or wrong */
export function withPlanDefaults<O extends Pick<AttackPlanOptions, 'candidates'> & Partial<AttackPlanOptions>>(
  input: O,
): O & AttackPlanOptions {
  const options = { ...PLAN_DEFAULTS, ...input };
  checkPlan(options);
  return options;
}
