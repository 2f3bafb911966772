import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { ConfigError } from '../errors.js';
import { checkRecord, loadText, parseJson } from '../formats/json-file.js';
import { type Device, DEVICES } from '../inference/device.js';
import { nearestWord } from '../recipes/nearest-word.js';
import { RECIPE_NAMES } from '../recipes/recipe-names.js';
import { applyAssignments, parseSettings, type Settings, settingsSchema } from '../recipes/settings.js';
import { expectationOf, positiveOption, seedOption } from './number-options.js';
import type { RawOptions } from './options.js';

/** The configuration file that is read where none is named. */
export const DEFAULT_CONFIG = 'perturbql.config.json';

/** Options of a configuration file besides the settings groups. */
const configSchema = z.looseObject({
  seed: z.int().optional(),
  recipe: z.enum(RECIPE_NAMES).optional(),
  jobs: z.int().positive().optional(),
  device: z.enum(DEVICES).optional(),
  cache: z.string().min(1).optional(),
});

/** Keys of a project file that `perturbql init` writes for other commands. */
const PROJECT_KEYS = [
  '$schema',
  'dataset',
  'tables',
  'examples',
  'databases',
  'gold',
  'predictions',
  'candidates',
  'victim',
  'train',
  'metrics',
];

const CONFIG_KEYS = [...Object.keys(configSchema.shape), ...Object.keys(settingsSchema.shape)];

const commonSchema = z.object({
  seed: seedOption.optional(),
  config: z.string().optional(),
  set: z.array(z.string()).optional(),
  jobs: positiveOption.optional(),
  device: z.enum(DEVICES).optional(),
  cache: z.string().optional(),
  recipe: z.enum(RECIPE_NAMES).optional(),
  index: z.string().optional(),
  fullScores: z.boolean().optional(),
});

/** What every running command shares: the command line over the configuration file over the defaults. */
export interface CommonOptions {
  readonly seed: number;
  readonly recipe: (typeof RECIPE_NAMES)[number];
  readonly settings: Settings;
  readonly workers: number | undefined;
  readonly device: Device;
  readonly cacheFolder: string | undefined;
}

/**
 * Checks options against a schema.
 * @throws ConfigError naming the option and what it expects.
 */
export function parseOptions<S extends z.ZodType>(schema: S, raw: RawOptions): z.infer<S> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const flag = issue.path
    .map(String)
    .join('.')
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const expected = expectationOf(issue);
  throw new ConfigError(`option --${flag} is wrong: ${issue.message}`, {
    fix:
      expected === null ? 'See the command’s --help.' : `Give ${expected.what}, such as --${flag} ${expected.example}.`,
  });
}

function loadConfig(path: string | undefined): { readonly file?: string; readonly json: z.infer<typeof configSchema> } {
  const file = path ?? (existsSync(DEFAULT_CONFIG) ? DEFAULT_CONFIG : undefined);
  if (file === undefined) return { json: {} };
  const fix = `Known keys: ${CONFIG_KEYS.join(', ')}.`;
  const json = checkRecord(configSchema, parseJson(loadText(file), file), { file, id: 'configuration' }, fix);
  const unknown = Object.keys(json).find((key) => ![...CONFIG_KEYS, ...PROJECT_KEYS].includes(key));
  if (unknown !== undefined) {
    const near = nearestWord(unknown, CONFIG_KEYS);
    throw new ConfigError(`unknown key "${unknown}"`, {
      where: { file },
      fix: near === null ? fix : `Did you mean "${near}"? ${fix}`,
    });
  }
  const own = Object.entries(json).filter(([key]) => !PROJECT_KEYS.includes(key));
  return { file, json: Object.fromEntries(own) };
}

/** Sessions beyond the number of cores only cost memory and start-up. */
function capJobs(jobs: number | undefined): number | undefined {
  return jobs === undefined ? undefined : Math.min(jobs, availableParallelism());
}

/** @throws ConfigError or InputFormatError when an option or the configuration file is wrong. */
export function parseCommonOptions(raw: RawOptions): CommonOptions {
  const options = parseOptions(commonSchema, raw);
  const { file, json } = loadConfig(options.config);
  const { seed, recipe, jobs, device, cache, ...groups } = json;
  const assigned = applyAssignments(groups, [
    ...(options.index === undefined ? [] : [`retriever.index=${JSON.stringify(options.index)}`]),
    ...(options.fullScores === true ? ['nli.fullScores=true'] : []),
    ...(options.set ?? []),
  ]);
  return {
    seed: options.seed ?? seed ?? 0,
    recipe: options.recipe ?? recipe ?? 'cta',
    settings: parseSettings(assigned, file),
    workers: capJobs(options.jobs ?? jobs),
    device: options.device ?? device ?? 'cpu',
    cacheFolder: options.cache ?? cache,
  };
}

/** What Ctrl+C says of work that keeps what it has done, and of work that does not. */
const PAUSED = 'paused; the same command resumes it';
const STOPPED = 'stopping';

/**
 * Runs work that Ctrl+C stops: the first one aborts it cleanly and says whether the same command goes on from there; a
 * second one ends the process.
 */
export async function withInterrupt<T>(work: (signal: AbortSignal) => Promise<T>, resumes = true): Promise<T> {
  const controller = new AbortController();
  const onInterrupt = (): void => {
    process.stderr.write(`\n${resumes ? PAUSED : STOPPED}. Ctrl+C again ends at once.\n`);
    controller.abort();
  };
  process.once('SIGINT', onInterrupt);
  try {
    return await work(controller.signal);
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}
