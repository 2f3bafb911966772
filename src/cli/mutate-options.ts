import { RELATION_IDS } from '../metamorphic/relations.js';
import { MOST_COMPOSED } from '../metamorphic/mutate-options.js';
import { SAMPLING_STRATEGIES } from '../metamorphic/sampling/sampling.js';
import type { OptionSpec } from './options.js';

/** Options of `perturbql mutate`. */
export const MUTATE_OPTIONS = {
  relations: {
    flags: '--relations <ids>',
    description: `metamorphic relations, separated by commas: ${RELATION_IDS.join(', ')} (default: all), or none`,
  },
  relation: {
    flags: '--relation <file>',
    description: 'a module with a relation of your own: .mjs, .js, or .ts where Node reads it',
    repeat: true,
  },
  limit: { flags: '--limit <n>', description: 'most mutants per relation and example', default: '10' },
  compose: {
    flags: '--compose <n>',
    description: `most relations one after another, up to ${MOST_COMPOSED}`,
    default: '1',
  },
  noGuard: { flags: '--no-guard', description: 'keep wordings that the judge takes for another question' },
  mutantDatabases: {
    flags: '--materialize',
    description: 'write the database of every schema, and execute every gold query there',
  },
  sample: {
    flags: '--sample <strategy>',
    description: 'keep some of the mutants: any, as many of each relation, or more of those that a model fails',
    choices: SAMPLING_STRATEGIES,
  },
  sampleBudget: { flags: '--budget <n>', description: 'how many are kept (default: as many as there are examples)' },
  rates: {
    flags: '--rates <run>',
    description: 'adaptive: what consistency found on examples that the model did not train on',
  },
  asTraining: {
    flags: '--as-training',
    description: 'write a training set too, in Spider’s form: each example followed by its mutants',
  },
  graph: {
    flags: '--graph <url>',
    description: 'knowledge graph that says what an entity can have (default: our retriever and judge)',
  },
  mutateCandidates: {
    flags: '--candidates <from>',
    description: 'a run folder, a candidates.jsonl, or adveta:DIR: names of columns that are renamed and inserted',
  },
} as const satisfies Record<string, OptionSpec>;
