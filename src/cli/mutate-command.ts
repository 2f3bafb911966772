import { join } from 'node:path';
import { z } from 'zod';
import { MOST_COMPOSED, MUTATE_DEFAULTS, SAMPLING_STRATEGIES } from '../variants/mutate/mutate-options.js';
import { MUTANT_MODES } from '../variants/databases/database-change.js';
import { QUESTION_MODES } from '../variants/relations/relation.js';
import { KEEPING_IDS } from '../variants/relations/relations.js';
import { defineCommand } from './command.js';
import { FLUENCY_OPTIONS, fluencyOf } from './asking-options.js';
import { modelSettings } from './model-settings.js';
import { checkIdle } from '../options/given-options.js';
import { idleInMutate } from './idle-options.js';
import {
  choice,
  flag,
  inGroup,
  optionalText,
  pick,
  positive,
  repeated,
  text,
  unlessOff,
} from '../options/option-field.js';
import { relationsField, relationsOf } from './relation-names.js';
import { DATASET_OPTIONS, MODEL_OPTIONS, RUN_FOLDER, SHARD_OPTION, SYNTHETIC_OPTION } from './shared-options.js';

const MUTATE_OPTIONS = {
  limit: positive('n', 'most mutants per relation and example').default(MUTATE_DEFAULTS.limit),
  compose: positive('n', `most relations one after another, up to ${MOST_COMPOSED}`).default(MUTATE_DEFAULTS.compose),
  ...inGroup('Advanced', {
    guard: unlessOff('keep rewordings that the guard takes for another question'),
  }),
  ...inGroup('Output', {
    materialize: choice(
      MUTANT_MODES,
      'how',
      'write the database of every schema, and execute every gold query there: a copy (also without a value), views or migrations as SQL scripts',
      { bare: 'copy', flagOnly: true },
    )
      .nullable()
      .default(null),
  }),
  question: choice(QUESTION_MODES, 'how', 'whether a question changes along with a value that it names').default(
    MUTATE_DEFAULTS.question,
  ),
  sample: choice(
    SAMPLING_STRATEGIES,
    'strategy',
    'keep some of the mutants: any, as many of each relation, or more of those that a model fails',
  )
    .nullable()
    .default(null),
  ...inGroup('Advanced', {
    budget: positive('n', 'how many are kept (default: as many as there are examples)').nullable().default(null),
    rates: optionalText('run', 'adaptive: what consistency found on examples that the model did not train on'),
  }),
  ...inGroup('Output', {
    asTraining: flag('write a training set too, in Spider’s form: each example followed by its mutants'),
  }),
  ...inGroup('Advanced', {
    graph: optionalText('url', 'knowledge graph that says what an entity can have (default: our retriever and judge)'),
  }),
  ...inGroup('Candidates', {
    candidates: optionalText(
      'from',
      'a run folder, a candidates.jsonl, or adveta:DIR: names of columns that are renamed and inserted',
    ),
  }),
};

/** `perturbql mutate`. */
export const command = defineCommand({
  options: z.object({
    ...DATASET_OPTIONS,
    ...SYNTHETIC_OPTION,
    ...inGroup('Output', {
      out: text('dir', RUN_FOLDER),
    }),
    relations: relationsField('relations', '(default: all that keep the answer, all but Q…)', ', or none'),
    relation: repeated('file', 'a module with a relation of your own: .mjs, .js, or .ts where Node reads it'),
    ...MUTATE_OPTIONS,
    ...FLUENCY_OPTIONS,
    ...MODEL_OPTIONS,
    ...SHARD_OPTION,
  }),
  example:
    'perturbql mutate --tables examples/tables.json --examples examples/dev.json --databases examples/database --out RUN',
  onInterrupt: 'pauses',
  async run(given, { host, config, shard, flags }) {
    const { out, seed, relation, dryRun } = given;
    const [{ PROJECT_CANDIDATES }, { loadErrorRates }] = await Promise.all([
      import('../annotate/final-candidates.js'),
      import('../measure/consistency/consistency-report.js'),
    ]);
    const relations = given.relations === undefined ? KEEPING_IDS : relationsOf(given.relations);
    checkIdle(idleInMutate(given, relations), flags, host);
    const rates = given.rates === null ? null : loadErrorRates(given.rates);
    const options = {
      ...pick(given, { ...DATASET_OPTIONS, ...SYNTHETIC_OPTION }),
      ...pick(given, MUTATE_OPTIONS),
      // Rows are made to execute gold queries on.
      materialize: given.materialize ?? (given.syntheticDatabases ? ('copy' as const) : null),
      out,
      seed,
      rates,
      relations,
      relationFiles: relation,
      candidateForms: [PROJECT_CANDIDATES],
      ...(await modelSettings(given, config)),
      askFluency: fluencyOf(given, flags),
      shard,
    };
    const { mutate, previewMutants } = await import('../variants/mutate/mutate.js');
    if (dryRun) return { lines: await previewMutants(options, host) };
    const [{ renderMutateReport }, { areGoldsEqual }] = await Promise.all([
      import('./mutate-lines.js'),
      import('../variants/mutate/mutate-report.js'),
    ]);
    const { report, unusable, fresh } = await mutate(options, host);
    const [first = '', ...rest] = renderMutateReport(report);
    const training = options.asTraining ? ['examples.json', 'gold.sql'] : [];
    const products = ['mutants.jsonl', 'seeds.jsonl', 'tables.json', 'report.html', 'report.json', ...training];
    return {
      lines: [
        `${fresh ? '' : 'already complete: '}${first}`,
        ...rest,
        ...unusable.map(({ id, file, reason }) => `  ${file ?? id}: ${reason}, so nothing is executed on its mutants`),
        ...products.map((name) => `  ${join(out, name)}`),
      ],
      failedCheck: !areGoldsEqual(report) || unusable.length > 0,
    };
  },
});
