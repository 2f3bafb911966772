import { resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError } from '../errors.js';
import { evaluate } from '../evaluate/evaluate.js';
import { METRIC_NAMES, type MetricName } from '../evaluate/metric-names.js';
import { checkWrittenFile } from '../run/written-file.js';
import { RESULT_MODES } from '../sql/execution/result-modes.js';
import { ConsoleHost } from './console-host.js';
import { renderExplanation } from './evaluate-explanation.js';
import { renderEvaluation } from './evaluation-lines.js';
import { expecting, positiveOption, secondsOption, seedOption } from './number-options.js';
import type { RawOptions } from './options.js';
import { parseOptions, withInterrupt } from './run-context.js';

const path = z.string().nullable().default(null);

const TOLERANCE = expecting('a number from 0 to below 1 is expected', {
  what: 'a number from 0 to below 1',
  example: '0.001',
});

const schema = z.object({
  gold: path,
  pred: path,
  tables: path,
  databases: path,
  suite: path,
  metrics: z.string().optional(),
  compat: z.literal('spider').nullable().default(null),
  mode: z.enum(RESULT_MODES),
  floatTolerance: z
    .string()
    .refine((text) => /^\d*\.?\d+(?:e-?\d+)?$/i.test(text) && Number(text) < 1, TOLERANCE)
    .transform(Number)
    .nullable()
    .default(null),
  plugValues: z.boolean().default(false),
  dropDistinct: z.boolean().default(false),
  timeout: secondsOption,
  compare: path,
  links: path,
  predLinks: path,
  verdicts: z.string().min(1).nullable().default(null),
  report: z.string().min(1).nullable().default(null),
  explain: z.string().min(1).nullable().default(null),
  allowBadGold: z.boolean().default(false),
  seed: seedOption.default(0),
  jobs: positiveOption.optional(),
  json: z.boolean().default(false),
});

type Options = z.infer<typeof schema>;

function metricsOf({ metrics: given, databases, suite }: Options): readonly MetricName[] {
  if (given === undefined) {
    return METRIC_NAMES.filter(
      (name) =>
        name === 'exact' || (name === 'execution' && databases !== null) || (name === 'suite' && suite !== null),
    );
  }
  const names = given.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !(METRIC_NAMES as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new ConfigError(`option --metrics: there is no metric "${unknown}"`, {
      fix: `Take one or more of ${METRIC_NAMES.join(', ')}, separated by commas.`,
    });
  }
  return METRIC_NAMES.filter((name) => names.includes(name));
}

/** Options that would change nothing are mistakes. */
function refuseUnused(options: Options, metrics: readonly MetricName[]): void {
  const { mode, floatTolerance, plugValues, dropDistinct, suite, explain } = options;
  const ofResults = {
    [`--mode ${mode}`]: mode !== 'ordered', // the default
    '--float-tolerance': floatTolerance !== null,
    '--plug-values': plugValues,
    '--drop-distinct': dropDistinct,
  };
  const unused = Object.entries(ofResults).find(([, isGiven]) => isGiven)?.[0];
  if (unused !== undefined && !metrics.includes('execution') && !metrics.includes('suite')) {
    throw new ConfigError(`option ${unused} only changes execution and suite, which are not among the metrics`, {
      fix: `Add --databases or --suite, and execution or suite to --metrics where that is given (now: ${metrics.join(',')}); or leave the option out.`,
    });
  }
  const ofSuite = suite !== null ? '--suite' : explain !== null ? '--explain' : null;
  if (ofSuite !== null && !metrics.includes('suite')) {
    throw new ConfigError(`option ${ofSuite} is for the metric suite, which is not among the metrics`, {
      fix: `Add --suite, and suite to --metrics where that is given (now: ${metrics.join(',')}); or leave the option out.`,
    });
  }
}

/** Files that are written are none that are read, and not the same. */
function checkWritten(options: Options, metrics: readonly MetricName[]): void {
  const { verdicts, report, gold, pred, compare, tables, links, predLinks } = options;
  if (verdicts !== null && metrics.every((name) => name === 'linking')) {
    throw new ConfigError('option --verdicts: linking has no verdict for each pair of queries', {
      fix: 'Add exact, execution, suite or columns to --metrics; or leave the option out.',
    });
  }
  const inputs = [gold, pred, compare, tables, links, predLinks].flatMap((file) => file ?? []);
  for (const [flag, written] of Object.entries({ verdicts, report })) {
    if (written === null) continue;
    checkWrittenFile(flag, written);
    if (inputs.every((file) => resolve(file) !== resolve(written))) continue;
    throw new ConfigError(`option --${flag}: ${written} is read by this run`, { fix: 'Name another file.' });
  }
  if (verdicts === null || report === null || resolve(verdicts) !== resolve(report)) return;
  throw new ConfigError(`option --report: ${report} is also what --verdicts writes`, { fix: 'Name another file.' });
}

/** `perturbql evaluate`. */
export async function run(raw: RawOptions): Promise<void> {
  const options = parseOptions(schema, raw);
  const metrics = metricsOf(options);
  refuseUnused(options, metrics);
  checkWritten(options, metrics);
  await withInterrupt(async (signal) => {
    const host = new ConsoleHost(signal);
    const asked = {
      ...options,
      metrics,
      predictions: options.pred,
      comparedWith: options.compare,
      predictedLinks: options.predLinks,
      timeoutSeconds: options.timeout,
      processes: options.jobs,
    };
    const report = await evaluate(asked, host).finally(() => host.stop());
    if (options.json) console.log(JSON.stringify(report, null, 2));
    else for (const line of [...renderEvaluation(report), ...renderExplanation(report)]) console.log(line);
  }, false);
}
