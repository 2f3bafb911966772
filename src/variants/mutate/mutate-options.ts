import type { CandidateFormsOption } from '../candidates/candidate-forms.js';
import { refuse } from '../../options/given-options.js';
import { type DatasetPaths, PATH_DEFAULTS } from '../../formats/dataset.js';
import type { FluencyChoice } from '../../llm/fluency-judge.js';
import { parseSettings, type Settings } from '../../recipes/settings.js';
import type { MachineOptions } from '../../recipes/stage-resources.js';
import type { ShardOption } from '../../run/shard.js';
import type { MutantMode } from '../databases/database-change.js';
import type { QuestionMode } from '../relations/relation.js';
import { KEEPING_IDS, MUTATING_IDS, type MutatingId } from '../relations/relations.js';
import type { ErrorRates } from './sampling/sampling.js';

/** Most relations one after another: beyond, a failure says little about any of them. */
export const MOST_COMPOSED = 4;

/** Ways to choose which mutants a training set gets (MT-TEQL §4: RS, SS, AS). */
export const SAMPLING_STRATEGIES = ['random', 'stratified', 'adaptive'] as const;
type SamplingStrategy = (typeof SAMPLING_STRATEGIES)[number];

/** Of `mutate`, where an option is not given. */
export const MUTATE_DEFAULTS = {
  ...PATH_DEFAULTS,
  relations: KEEPING_IDS,
  relationFiles: [],
  /** Most mutants per relation and seed (MT-TEQL §5: "maximally ten"). */
  limit: 10,
  compose: 1,
  guard: true,
  askFluency: null,
  materialize: null,
  question: 'same',
  sample: null,
  budget: null,
  rates: null,
  asTraining: false,
  graph: null,
  candidates: null,
  seed: 0,
} as const;

export interface MutateOptions extends DatasetPaths, MachineOptions, ShardOption, CandidateFormsOption {
  /** Relations by id, in their order. */
  readonly relations: readonly MutatingId[];
  /** Modules with relations of the user's own. */
  readonly relationFiles: readonly string[];
  /** Most mutants per relation and seed; of composed ones, per order and seed. */
  readonly limit: number;
  /** Most relations one after another, 1 to `MOST_COMPOSED`. */
  readonly compose: number;
  /** True if wordings are dropped that the semantic guard takes for another question. */
  readonly guard: boolean;
  /** The language model that is asked whether wordings read as people ask; null = none. */
  readonly askFluency: FluencyChoice | null;
  /** How databases are written for the schemas; every gold query is executed on those of `copy` and `views`. */
  readonly materialize: MutantMode | null;
  /** True if questions follow values that are spelled otherwise (Content Equivalence). */
  readonly question: QuestionMode;
  /** Which of the mutants are kept; null = all. */
  readonly sample: SamplingStrategy | null;
  /** How many are kept; null = as many as there are examples (MT-TEQL §4). */
  readonly budget: number | null;
  /** Error rates by relation that adaptive sampling follows (`loadErrorRates`). */
  readonly rates: ErrorRates | null;
  /** True if a training set is written: the examples, each with its mutants. */
  readonly asTraining: boolean;
  /** Root of a knowledge graph's endpoint for Column Insertion. */
  readonly graph: string | null;
  /** Earlier decisions for Column Renaming and Insertion: a run folder, a `candidates.jsonl` or `adveta:DIR`. */
  readonly candidates: string | null;
  readonly settings: Settings;
  readonly seed: number;
  /** Folder of the run. */
  readonly out: string;
}

/** The required options; the others have the command line's defaults. */
export type MutateInput = Pick<MutateOptions, 'out'> & Partial<MutateOptions>;

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value > 0;

function checkSampling({ sample, budget, rates }: MutateOptions): void {
  if (sample !== null && !SAMPLING_STRATEGIES.includes(sample)) {
    refuse(`there is no sampling "${sample}"`, `Known: ${SAMPLING_STRATEGIES.join(', ')}.`);
  }
  if (budget !== null && !isCount(budget))
    refuse('a budget is a whole number above 0', 'Give how many mutants are kept.');
  if (budget !== null && sample === null) refuse('a budget is of use only for a sample', 'Add --sample.');
  if ((sample === 'adaptive') !== (rates !== null)) {
    refuse(
      'adaptive sampling and the rates that it follows go together',
      'Give --sample adaptive and --rates, the report of perturbql consistency on a fold that the model did not train on.',
    );
  }
}

/** @throws ConfigError when an option is missing or wrong, or two don't go together */
export function withMutateDefaults(input: MutateInput): MutateOptions {
  const options: MutateOptions = { ...MUTATE_DEFAULTS, settings: parseSettings({}), ...input };
  if (typeof options.out !== 'string' || options.out === '') refuse('option out is missing', 'Give out: a path.');
  const unknown = options.relations.find((id) => !MUTATING_IDS.includes(id));
  if (unknown !== undefined) refuse(`there is no relation "${unknown}"`, `Known: ${MUTATING_IDS.join(', ')}.`);
  if (options.relations.length + options.relationFiles.length === 0) {
    refuse('there is no relation to apply', 'Name some with --relations, or a --relation of your own.');
  }
  if (!isCount(options.limit))
    refuse('a limit is a whole number above 0', 'Give the most mutants per relation and seed.');
  if (!isCount(options.compose) || options.compose > MOST_COMPOSED) {
    refuse(`compose is a whole number from 1 to ${MOST_COMPOSED}`, 'Give the most relations one after another.');
  }
  checkSampling(options);
  return options;
}
