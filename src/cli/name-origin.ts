import { existsSync } from 'node:fs';
import type { z } from 'zod';
import { type ErrorCode, PerturbqlError } from '../errors.js';
import { DATASET_INPUTS } from '../formats/dataset-formats.js';
import { optionsOf } from '../options/option-field.js';
import type { Given } from './command.js';

const SPECIAL = /[.*+?^${}()|[\]\\]/g;

/** Checks whether a text has another as a word or, of a path, also without its leading "./" or behind a folder. */
function mentions(text: string, value: string): boolean {
  const [before, after] = /[./]/.test(value) ? ['\\w.-', '\\w-'] : ['\\w./-', '\\w/-'];
  const plain = value.replace(/^\.\//, '').replace(SPECIAL, '\\$&');
  // A word may end a sentence.
  return new RegExp(`(?<![${before}])${plain}(?!\\.?[${after}])`).test(text);
}

/** Flags that name a run; what is at fault with one may be that the file's data set is another. */
const RUNS = ['run', 'candidates', 'mutants', 'compositions', 'suite'] as const;

/** Kinds of errors that come of data which don't belong together. */
const WRONG_DATA: ReadonlySet<ErrorCode> = new Set(['CONFIG', 'INPUT_FORMAT']);

const DATA: ReadonlySet<string> = new Set(['dataset', ...DATASET_INPUTS]);

/**
 * Adds to an error of a command the options that it names, by flag or by value, and that the configuration file gave:
 * whoever typed none of them looks for them in vain on the command line. Where flags name a part of a data set or a run
 * of another, what the file says of its data belongs to the cause, named or not. `fromFile` are the file's options in
 * use.
 */
export function nameOrigin(
  error: unknown,
  file: string | undefined,
  object: z.ZodObject,
  { flags }: Given,
  fromFile: Readonly<Record<string, unknown>>,
): unknown {
  if (!(error instanceof PerturbqlError) || file === undefined) return error;
  const message = error.render();
  const isMixed = WRONG_DATA.has(error.code) && Object.keys(flags).some((name) => DATA.has(name));
  const isOfRun = RUNS.some((name) => {
    const run = flags[name];
    return typeof run === 'string' && existsSync(run) && mentions(message, run);
  });
  const named = optionsOf(object).flatMap(({ name, long, meta }) => {
    const value = fromFile[name];
    if (value === undefined || meta.flagOnly === true || flags[name] !== undefined) return [];
    const isNamed = mentions(message, long) || (typeof value === 'string' && mentions(message, value));
    return isNamed || ((isMixed || isOfRun) && DATA.has(name)) ? [`"${name}": ${JSON.stringify(value)}`] : [];
  });
  if (named.length > 0) error.origin = `from ${file}: ${named.join(', ')}`;
  return error;
}
