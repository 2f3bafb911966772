import { PATH_DEFAULTS } from '../../formats/dataset.js';
import { KEEPING_IDS } from '../relations/relations.js';

/** Most relations one after another: beyond, a failure says little about any of them. */
export const MOST_COMPOSED = 4;

/** Ways to choose which mutants a training set gets (MT-TEQL §4: RS, SS, AS). */
export const SAMPLING_STRATEGIES = ['random', 'stratified', 'adaptive'] as const;
export type SamplingStrategy = (typeof SAMPLING_STRATEGIES)[number];

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
