import { ATTACK_SAMPLES, PLAN_DEFAULTS } from '../measure/attack/attack-options.js';
import { ConfigError } from '../errors.js';
import { type DatasetPaths, PATH_DEFAULTS } from '../formats/dataset.js';
import { executionRules } from '../evaluate/compat.js';
import { DATASET_FORMATS } from '../formats/dataset-formats.js';
import { DEVICES } from '../inference/device.js';
import {
  ADD_POSITIONS,
  COLUMN_CHOICES,
  OPAQUE_CHOICES,
  PERTURB_DEFAULTS,
  PIPELINE_DEFAULTS,
} from '../variants/augment/variant-plan.js';
import { ABBREVIATE_CHOICES, LINKED_KEYS } from '../variants/relations/names/new-column-names.js';
import { RECIPE_NAMES } from '../recipes/recipe-names.js';
import { PUBLISHED_MODES, type PublishedMode, RESULT_MODES, type ResultMode } from '../sql/execution/result-mode.js';
import { SCORING_DEFAULTS, type ScoringOptions } from '../victims/scoring.js';
import {
  choice,
  flag,
  inGroup,
  jobs as jobsField,
  optionalText,
  positive,
  repeated,
  seconds,
  seed,
  text,
  words,
} from '../options/option-field.js';

/** Where candidates of earlier runs, or of people, come from. */
export const CANDIDATES_FROM = 'a run folder, a candidates.jsonl, an annotation project, or adveta:DIR for human ones';

const databases = (description: string) => optionalText('path', description);

/** Where a data set is. */
export const DATASET_OPTIONS = {
  ...inGroup('Data', {
    dataset: choice(DATASET_FORMATS, 'format', 'format of the data set').default(PATH_DEFAULTS.dataset),
    tables: optionalText('path', 'schemas or tables, as the format has them (Spider’s tables.json)'),
    examples: optionalText('file', 'questions with gold SQL (Spider’s dev.json)'),
    databases: databases('databases, <db_id>/<db_id>.sqlite: sample values come from them'),
    connection: optionalText(
      'url',
      'postgres://… or mysql://…: schema and samples are read in a read-only transaction',
    ),
    strict: flag('refuse a data set with records that can’t be used, rather than leaving these out'),
  }),
  ...inGroup('Advanced', {
    readings: optionalText(
      'file',
      'how identifiers are read, a line each as `identifiers --json` prints it; overrides every other name',
    ),
  }),
};

/** Rows for a data set that ships none; its maker draws from the run's seed. */
export const SYNTHETIC_OPTION = inGroup('Data', {
  syntheticDatabases: flag(
    'where no databases are given, make them: tables and keys of the schema, rows that the gold queries find',
  ),
});

/**
 * The data set where any of its places is given; null where none is. Work that has a data set of its own
 * (`hasOwn`), a run or a project, leaves out that of the configuration file.
 */
export function givenDataset(
  paths: DatasetPaths,
  { hasOwn, flags }: { readonly hasOwn: boolean; readonly flags: ReadonlySet<string> },
): DatasetPaths | null {
  if (hasOwn && !Object.keys(DATASET_OPTIONS).some((name) => flags.has(name))) return null;
  const { dataset, tables, examples, databases: rows, connection, readings = null, strict = false } = paths;
  const isGiven = [tables, examples, rows, connection].some((place) => place !== null);
  return isGiven ? { dataset, tables, examples, databases: rows, connection, readings, strict } : null;
}

export const JSON_OPTION = { json: flag('print one JSON object', { flagOnly: true }) };

export const DRY_RUN_OPTION = inGroup('Output', {
  dryRun: flag('say what would be done and how long it may take; do nothing', { flagOnly: true }),
});

/** `--out` of commands that judge. A file gives the folder of the run that is judged, so only a flag does. */
export const reportFolder = () =>
  text('dir', 'folder of the run with its report; the same command again resumes it', { flagOnly: true });

/** A part of the work of a run; `runCommand` gives it a folder of its own in that of `--out`. */
export const SHARD_OPTION = inGroup('Advanced', {
  shard: text(
    'i/n',
    'do one of n parts of the work, counted from 0, for `perturbql merge`; auto: the one that the scheduler gives',
    { flagOnly: true },
  ).exactOptional(),
});

export const SEED_OPTION = { seed: seed().default(0) };

export const CACHE_OPTION = inGroup('Advanced', {
  cache: text('dir', 'folder of cached scores and vectors (default: the platform’s cache folder)').exactOptional(),
});

export const RUN_FOLDER = 'folder of the run; the same command again resumes it';

/** Sessions of models, where they run, and changes of single settings over those of the configuration file. */
export const MACHINE_OPTIONS = {
  ...inGroup('Model', {
    set: repeated('group.name=value', 'change one setting, such as nli.rplMin=0.7', { flagOnly: true }),
  }),
  ...inGroup('Advanced', {
    jobs: jobsField('inference sessions side by side (default and most: the number of cores)'),
    device: choice(
      DEVICES,
      'where',
      'where models run; a graphics card needs its drivers, and other kernels give other last digits',
    ).default('cpu'),
  }),
};

/** The options common to all runs of models. */
export const MODEL_OPTIONS = { ...SEED_OPTION, ...MACHINE_OPTIONS, ...CACHE_OPTION, ...DRY_RUN_OPTION };

export const COLUMNS_OPTION = inGroup('Candidates', {
  columns: choice(COLUMN_CHOICES, 'which', 'columns that a gold query mentions, or all').default(
    PIPELINE_DEFAULTS.columns,
  ),
});

/** A run of the pipeline over a data set. */
export const PIPELINE_OPTIONS = {
  ...DATASET_OPTIONS,
  ...inGroup('Output', { out: text('dir', RUN_FOLDER) }),
  ...COLUMNS_OPTION,
  ...inGroup('Candidates', {
    recipe: choice(RECIPE_NAMES, 'name', 'published setting to follow').default(PIPELINE_DEFAULTS.recipe),
  }),
  ...inGroup('Advanced', {
    index: text('dir', 'index of tables to retrieve from (default: the embedded one)').exactOptional(),
    opaque: choice(
      OPAQUE_CHOICES,
      'how',
      'columns with meaningless names, such as A12: keep the names, or rename them by their descriptions',
    ).default('keep'),
  }),
};

/** How perturbed schemas are made of candidates. */
export const PERTURB_OPTIONS = inGroup('Advanced', {
  linkedKeys: choice(LINKED_KEYS, 'how', 'rename key columns linked by foreign keys alike, or each on its own').default(
    PERTURB_DEFAULTS.linkedKeys,
  ),
  abbreviate: choice(
    ABBREVIATE_CHOICES,
    'when',
    'write new names in full, or abbreviated in tables that abbreviate throughout',
  ).default(PERTURB_DEFAULTS.abbreviate),
  addPosition: choice(
    ADD_POSITIONS,
    'where',
    'where an added column goes: a seeded place in its table, or last',
  ).default(PERTURB_DEFAULTS.addPosition),
  keepStar: flag('leave SELECT * under ADD, though its result then has more columns'),
});

/** Most seeds: each asks every question twice more. */
const MAX_SEEDS = 1000;

/**
 * Checks that there is something to ask besides a data set's own questions.
 * @throws ConfigError naming the first option, where there is none of them
 */
export function requireSource(sources: Readonly<Record<string, string | null>>, fix: string): void {
  if (Object.values(sources).some((given) => given !== null)) return;
  const [first] = Object.keys(sources);
  throw new ConfigError(`option --${first} is missing`, { fix: `${fix}; or name a composed run with --compositions.` });
}

/** Fix of a command of an attack that lacks candidates. */
export const CANDIDATES_FIX =
  'Make some with `perturbql candidates` and name its run, or give adveta:DIR for those of an ADVETA release; or name a run of `perturbql mutate` with --mutants';

/** The options that determine an attack's questions, apart from `PERTURB_OPTIONS`. */
export const ATTACK_PLAN_OPTIONS = {
  ...DATASET_OPTIONS,
  ...inGroup('Candidates', {
    candidates: optionalText('from', CANDIDATES_FROM),
    compositions: optionalText(
      'dir',
      'folder that compose wrote: its questions, and those that they were made of, are asked',
    ),
    mutants: optionalText('dir', 'folder that mutate wrote: its changed questions and schemas are asked'),
  }),
  ...inGroup('Output', { out: text('dir', RUN_FOLDER, { missing: 'Name a new folder for the run.' }) }),
  ...inGroup('Candidates', {
    seeds: positive('n', 'how many seeds draw perturbed tables, and mutants, for each example', {
      number: MAX_SEEDS,
      example: '5',
    }).default(PLAN_DEFAULTS.seeds.length),
    sample: choice(
      ATTACK_SAMPLES,
      'which',
      'of a column’s candidates, draw any; or those of the harder half: far from the old name, or near to it where they are added',
    ).default(PLAN_DEFAULTS.sample),
  }),
};

/** The seeds that a number of them stands for. */
export function seedsOf(n: number): readonly number[] {
  return Array.from({ length: n }, (_, seedNumber) => seedNumber);
}

export const TIMEOUT_OPTION = inGroup('Scoring', {
  timeout: seconds('longest time of one query').default(SCORING_DEFAULTS.timeoutMs / 1000),
});

export const QUERY_JOBS_OPTION = inGroup('Advanced', {
  jobs: jobsField('processes that execute queries (default and most: the number of cores)'),
});

export const MODE_OPTION = inGroup('Scoring', {
  mode: choice(RESULT_MODES, 'name', 'when two results are equal').default(SCORING_DEFAULTS.mode),
});

export const PLUG_VALUES_OPTION = inGroup('Advanced', {
  plugValues: flag('execute predictions with the gold query’s values, for models that predict none'),
});

/** Published evaluators whose rules count, separated by commas. */
export const compatOption = <const C extends readonly string[]>(names: C, description: string) =>
  words(names, 'evaluator', description).default([]);

/** How answers are scored. */
export const SCORING_OPTIONS = {
  ...inGroup('Scoring', {
    compat: compatOption(PUBLISHED_MODES, 'execute and compare as a published evaluator does: test-suite or bird'),
  }),
  ...MODE_OPTION,
  ...PLUG_VALUES_OPTION,
  ...TIMEOUT_OPTION,
  ...QUERY_JOBS_OPTION,
};

/**
 * The options of scoring as jobs take them; `flags` are those that were given.
 * @throws ConfigError where options conflict
 */
export function scoringOf(
  given: {
    readonly compat: readonly PublishedMode[];
    readonly mode: ResultMode;
    readonly plugValues: boolean;
    readonly timeout: number;
    readonly jobs?: number;
  },
  flags: ReadonlySet<string>,
): ScoringOptions {
  const { compat, mode, plugValues, timeout, jobs } = given;
  executionRules(given, isModeChosen(given, flags));
  return { compat, mode, plugValues, timeoutMs: timeout * 1000, jobs };
}

/** Checks whether a mode was asked for, be it the default. */
export function isModeChosen({ mode }: { readonly mode: ResultMode }, flags: ReadonlySet<string>): boolean {
  return flags.has('mode') || mode !== SCORING_DEFAULTS.mode;
}

/** The options for checks that an attack must pass. */
export const CHECK_OPTIONS = {
  ...inGroup('Scoring', {
    failBelow: repeated(
      'rule',
      'exit code 3 where an accuracy is lower: original, rpl, add, a relation of mutants or all, of exact match unless a metric is named; rpl=30, execution.add=25',
    ),
  }),
  ...inGroup('Output', { junit: text('file', 'write the rules and every example as JUnit XML').exactOptional() }),
};
