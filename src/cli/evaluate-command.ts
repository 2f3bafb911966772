import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError } from '../errors.js';
import { COMPAT_NAMES, executionRules } from '../evaluate/compat.js';
import { EVALUATE_FILES, metricsOf } from '../evaluate/evaluate-options.js';
import { METRIC_NAMES, type MetricName } from '../evaluate/metrics.js';
import { checkWrittenFile } from '../run/output-place.js';
import { checkIdle } from '../options/given-options.js';
import { defineCommand } from './command.js';
import { idleInEvaluate } from './idle-options.js';
import { described, flag, optionalText, words } from '../options/option-field.js';
import {
  compatOption,
  DATASET_OPTIONS,
  isModeChosen,
  JSON_OPTION,
  MODE_OPTION,
  PLUG_VALUES_OPTION,
  QUERY_JOBS_OPTION,
  reportFolder,
  SEED_OPTION,
  SHARD_OPTION,
  SYNTHETIC_OPTION,
  TIMEOUT_OPTION,
} from './shared-options.js';

const TOLERANCE = 'a number from 0 to below 1';

const file = (description: string, alias?: string) =>
  optionalText('file', description, alias === undefined ? {} : { alias });
const folder = (description: string) => optionalText('dir', description);

// What identifiers say (`readings`) changes no verdict.
const { dataset, tables, examples, databases, connection, strict } = DATASET_OPTIONS;

const options = z.object({
  gold: file(
    'gold queries: lines of SQL, a tab and the db_id, or JSON lines {id, db_id, sql} (default: those of --examples)',
  ),
  alternativeGolds: file(
    'further gold queries, JSON records {question_id, db_id, SQL} as in BIRD’s dev_tied_append.json: a prediction that equals any of them is correct',
  ),
  predictions: file(
    'predictions: a line of SQL for each gold query, JSON lines {id, sql}, or BIRD’s JSON object by id',
    '--pred',
  ),
  dataset,
  tables,
  examples,
  databases,
  connection,
  strict,
  ...SYNTHETIC_OPTION,
  suite: folder('distilled databases that gold and predictions are executed on, as suite build wrote them'),
  metrics: words(
    METRIC_NAMES,
    'metric',
    `what is measured, separated by commas: ${METRIC_NAMES.join(', ')} (default: exact, execution with --databases or --synthetic-databases, suite with --suite, linking with --links)`,
  ).exactOptional(),
  compat: compatOption(
    COMPAT_NAMES,
    'judge as published evaluators do, faults and all: exact match as Spider’s script (spider; adapted: with joins compared), execution and suite as the test-suite evaluator (test-suite) or as BIRD’s (bird)',
  ),
  rVes: flag('time correct queries against the gold query, a hundred times each, for BIRD’s R-VES; not reproducible'),
  ...MODE_OPTION,
  floatTolerance: described(
    z
      .number({ error: `${TOLERANCE} is expected` })
      .min(0, `${TOLERANCE} is expected`)
      .lt(1, `${TOLERANCE} is expected`),
    {
      value: 'x',
      description: 'how far apart numbers may be, absolutely or relative to the greater (default: ten digits count)',
      expected: { what: TOLERANCE, example: '0.001' },
    },
  )
    .nullable()
    .default(null),
  ...PLUG_VALUES_OPTION,
  dropDistinct: flag(
    'remove DISTINCT from gold and predictions before they are executed, as the published evaluator does',
  ),
  ...TIMEOUT_OPTION,
  compare: file('predictions of a second model for the same gold: paired tests of the difference'),
  out: reportFolder().nullable().default(null),
  verdicts: file('write what each metric says of each pair, and why, as JSON lines'),
  junit: file('write what each metric says of each pair as JUnit XML'),
  report: file('write an HTML page with the wrong pairs, why they are wrong, and the scores'),
  explain: optionalText('id', 'print why a pair is wrong on the suite: few rows, and both results'),
  links: file('gold schema links, JSON lines {id, columns: [["table.column", token]], tables: [["table", token]]}'),
  predictedLinks: file('predicted schema links, in the same form', '--pred-links'),
  allowBadGold: flag('continue if a gold query is not correct against itself; it counts as not correct'),
  ...SEED_OPTION,
  ...QUERY_JOBS_OPTION,
  ...JSON_OPTION,
  ...SHARD_OPTION,
});
type Given = Omit<z.infer<typeof options>, 'shard'>;

/** The options that say what is judged and how, for a command that judges several models. */
export const JUDGING_OPTIONS = options.pick({
  gold: true,
  tables: true,
  databases: true,
  suite: true,
  compat: true,
  mode: true,
  floatTolerance: true,
  plugValues: true,
  dropDistinct: true,
  timeout: true,
  allowBadGold: true,
  jobs: true,
}).shape;

/** Metrics that flags stand for: one that is given means its metric, whatever a file has for all commands. */
const METRICS_OF_FLAGS: readonly (readonly [flag: keyof Given, metric: MetricName])[] = [
  ['databases', 'execution'],
  ['syntheticDatabases', 'execution'],
  ['suite', 'suite'],
  ['links', 'linking'],
  ['predictedLinks', 'linking'],
];

function chosenMetrics(given: Given, flags: ReadonlySet<string>): readonly MetricName[] {
  const meant = METRICS_OF_FLAGS.flatMap(([flag, metric]) => (flags.has(flag) ? [metric] : []));
  const usual = metricsOf(given);
  if (flags.has('metrics')) return usual;
  // Links are about questions: without predictions there are no pairs to judge.
  const isOfLinks = meant.includes('linking') && given.predictions === null;
  return isOfLinks ? ['linking'] : METRIC_NAMES.filter((name) => usual.includes(name) || meant.includes(name));
}

/** Metrics that execute nothing read no rows of databases, but their views. */
function checkDatabases(databases: string | null, metrics: readonly MetricName[], flags: ReadonlySet<string>): void {
  if (!flags.has('databases') || metrics.includes('execution') || databases === null || existsSync(databases)) return;
  throw new ConfigError(`option --databases: ${databases} is not there`, {
    fix: `Name the folder of the databases, or leave it out: the metrics are ${metrics.join(',')}.`,
  });
}

/** What metrics read of databases where nothing is executed on them; none where they are. */
function describeUnexecuted(
  { databases, tables }: Given,
  metrics: readonly MetricName[],
  flags: ReadonlySet<string>,
): string[] {
  if (!flags.has('databases') || databases === null || metrics.includes('execution')) return [];
  // Without a file of schemas these are the databases'.
  const read = tables === null ? 'schemas' : 'definitions of views';
  return [
    `nothing is executed on ${databases}: ${metrics.join(', ')} only ${metrics.length === 1 ? 'reads' : 'read'} ${read} there (add execution to --metrics to execute)`,
  ];
}

/** Files that are written are none that are read, and not the same. */
function checkWritten(options: Given, metrics: readonly MetricName[]): void {
  const { verdicts, junit, report } = options;
  const ofPairs = verdicts !== null ? '--verdicts' : junit !== null ? '--junit' : null;
  if (ofPairs !== null && metrics.every((name) => name === 'linking')) {
    throw new ConfigError(`option ${ofPairs}: linking has no verdict for each pair of queries`, {
      fix: 'Add exact, execution, suite or columns to --metrics; or leave the option out.',
    });
  }
  const inputs = EVALUATE_FILES.flatMap((name) => options[name] ?? []);
  const writtenBy = new Map<string, string>();
  for (const [flag, written] of Object.entries({ verdicts, junit, report })) {
    if (written === null) continue;
    checkWrittenFile(flag, written);
    const isRead = inputs.some((file) => resolve(file) === resolve(written));
    const other = writtenBy.get(resolve(written));
    const why = isRead ? 'is read by this run' : other && `is also what --${other} writes`;
    if (why) throw new ConfigError(`option --${flag}: ${written} ${why}`, { fix: 'Name another file.' });
    writtenBy.set(resolve(written), flag);
  }
}

/** `perturbql evaluate`. */
export const command = defineCommand({
  options,
  example:
    'perturbql evaluate --gold examples/gold.sql --predictions examples/pred.sql --tables examples/tables.json --databases examples/database',
  onInterrupt: 'stops',
  async run(options, { host, flags, shard, globals }) {
    const given = { ...options, shard };
    const metrics = chosenMetrics(given, flags);
    executionRules(given, isModeChosen(given, flags));
    checkIdle(idleInEvaluate(given, metrics), flags, host);
    checkDatabases(given.databases, metrics, flags);
    checkWritten(given, metrics);
    for (const line of describeUnexecuted(given, metrics, flags)) host.note(line);
    const [{ evaluate }, { renderEvaluation }, { renderExplanation }] = await Promise.all([
      import('../evaluate/evaluate.js'),
      import('./evaluation-lines.js'),
      import('./evaluate-explanation.js'),
    ]);
    const json = await evaluate({ ...given, metrics, timeoutMs: given.timeout * 1000 }, host);
    return {
      json,
      lines: [...(await renderEvaluation(json, globals['verbose'] === true)), ...renderExplanation(json)],
    };
  },
});
