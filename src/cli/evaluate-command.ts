import { z } from 'zod';
import { ConfigError } from '../errors.js';
import { evaluate } from '../evaluate/evaluate.js';
import { METRIC_NAMES, type MetricName } from '../evaluate/metric-names.js';
import { RESULT_MODES } from '../sql/execution/result-modes.js';
import { ConsoleHost } from './console-host.js';
import { renderEvaluation } from './evaluation-lines.js';
import type { RawOptions } from './options.js';
import { parseOptions, positiveOption, withInterrupt } from './run-context.js';

const path = z.string().nullable().default(null);

const schema = z.object({
  gold: path,
  pred: path,
  tables: path,
  databases: path,
  metrics: z.string().optional(),
  compat: z.literal('spider').nullable().default(null),
  mode: z.enum(RESULT_MODES),
  floatTolerance: z
    .string()
    .regex(/^\d*\.?\d+(?:e-?\d+)?$/i, 'a number from 0 to below 1 is expected')
    .transform(Number)
    .refine((x) => x < 1, 'a number from 0 to below 1 is expected')
    .nullable()
    .default(null),
  plugValues: z.boolean().default(false),
  timeout: positiveOption,
  compare: path,
  links: path,
  predLinks: path,
  allowBadGold: z.boolean().default(false),
  seed: z
    .string()
    .regex(/^-?\d{1,15}$/, 'a whole number is expected')
    .transform(Number)
    .default(0),
  jobs: positiveOption.optional(),
  json: z.boolean().default(false),
});

function metricsOf(given: string | undefined, databases: string | null): readonly MetricName[] {
  if (given === undefined) return databases === null ? ['exact'] : ['exact', 'execution'];
  const names = given.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !(METRIC_NAMES as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new ConfigError(`option --metrics: there is no metric "${unknown}"`, {
      fix: `Take one or more of ${METRIC_NAMES.join(', ')}, separated by commas.`,
    });
  }
  return METRIC_NAMES.filter((name) => names.includes(name));
}

/** `perturbql evaluate`. */
export async function run(raw: RawOptions): Promise<void> {
  const options = parseOptions(schema, raw);
  await withInterrupt(async (signal) => {
    const host = new ConsoleHost(signal);
    const asked = {
      ...options,
      metrics: metricsOf(options.metrics, options.databases),
      predictions: options.pred,
      comparedWith: options.compare,
      predictedLinks: options.predLinks,
      timeoutSeconds: options.timeout,
      processes: options.jobs,
    };
    const report = await evaluate(asked, host).finally(() => host.stop());
    if (options.json) console.log(JSON.stringify(report, null, 2));
    else for (const line of renderEvaluation(report)) console.log(line);
  }, false);
}
