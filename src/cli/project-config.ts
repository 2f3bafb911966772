import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError } from '../errors.js';
import { checkRecord, loadText, parseJson } from '../formats/json-file.js';
import { nearestWord } from '../recipes/nearest-word.js';
import type { CommandEntry, ProjectConfig } from './command.js';
import { GONE_OPTIONS } from './gone.js';
import { DEFAULT_CONFIG } from './global-options.js';
import { optionsOf } from '../options/option-field.js';
import {
  DATASET_FORMATS,
  DATASET_INPUTS,
  DATASET_NEEDS,
  type DatasetFormat,
  unreadInputs,
} from '../formats/dataset-formats.js';

type Options = Readonly<Record<string, unknown>>;

/** What a configuration file says of the questions of a data set. */
const OF_QUESTIONS: ReadonlySet<string> = new Set(['gold', 'alternativeGolds', 'predictions']);

/** What a configuration file says of one data set: its format, its places, and files that belong to them. */
const DATA_OPTIONS: ReadonlySet<string> = new Set(['dataset', ...DATASET_INPUTS, 'readings', ...OF_QUESTIONS, 'train']);

function formatNamed(given: unknown): DatasetFormat | undefined {
  return DATASET_FORMATS.find((name) => name === given);
}

/** Checks whether flags name schemas and questions as a format needs them, and nothing that it does not read. */
function isWhole(format: DatasetFormat, flags: Options): boolean {
  const isGiven = (name: string): boolean => flags[name] !== undefined;
  const needs: readonly string[] = DATASET_NEEDS[format];
  // Gold queries in a file of their own stand for the questions.
  const hasAll = needs.every((name) => isGiven(name) || (name === 'examples' && isGiven('gold')));
  return hasAll && !unreadInputs(format).some(isGiven);
}

/** The format of the data set that flags name as a whole; undefined where they leave something to the file. */
function wholeFormat(flags: Options, ofFile: DatasetFormat): DatasetFormat | undefined {
  const typed = formatNamed(flags['dataset']);
  const formats = typed === undefined ? [ofFile, 'spider' as const] : [typed];
  return formats.find((format) => isWhole(format, flags));
}

/** Checks whether flags name schemas that lie elsewhere than the file's. */
function namesOtherSchemas(format: DatasetFormat, flags: Options, fromFile: Options): boolean {
  const place = DATASET_INPUTS.find(
    (name) => name !== 'examples' && (DATASET_NEEDS[format] as readonly string[]).includes(name),
  );
  if (place === undefined) return false;
  const [typed, inFile] = [flags[place], fromFile[place]];
  if (typeof typed !== 'string' || typeof inFile !== 'string') return true;
  return place === 'connection' ? typed !== inFile : resolve(typed) !== resolve(inFile);
}

/** Checks whether flags name questions in another file than the configuration file does. */
function namesOtherQuestions(flags: Options, fromFile: Options): boolean {
  const [typed, inFile] = [flags['examples'], fromFile['examples']];
  return typeof typed === 'string' && typeof inFile === 'string' && resolve(typed) !== resolve(inFile);
}

/**
 * Returns the configuration file's options to use next to the flags. Flags that name a data set of their own, schemas
 * and questions, take the place of the file's: its other files belong to its own schemas. Other questions alone leave
 * out its gold queries and predictions. Flags that name another format alone leave out the inputs that this does not
 * read. `leftOut` says what of the file is left out as the flags name other data; null where nothing is.
 */
export function fileBesideFlags(fromFile: Options, flags: Options) {
  const without = (isOut: (name: string) => boolean): Options =>
    Object.fromEntries(Object.entries(fromFile).filter(([name]) => !isOut(name)));
  const ofFile = formatNamed(fromFile['dataset']) ?? 'spider';
  const hasData = DATASET_INPUTS.some((name) => fromFile[name] !== undefined);
  const whole = hasData ? wholeFormat(flags, ofFile) : undefined;
  if (whole !== undefined && (whole !== ofFile || namesOtherSchemas(whole, flags, fromFile)))
    return { options: without((name) => DATA_OPTIONS.has(name)), leftOut: 'the data set' };
  const format = formatNamed(flags['dataset']);
  const isFileFormat = format === undefined || format === fromFile['dataset'];
  const unread: readonly string[] = isFileFormat ? [] : unreadInputs(format);
  const isOfOthers = namesOtherQuestions(flags, fromFile);
  const isOut = (name: string): boolean => unread.includes(name) || (isOfOthers && OF_QUESTIONS.has(name));
  const isNoted = isOfOthers && Object.keys(fromFile).some((name) => OF_QUESTIONS.has(name));
  return { options: without(isOut), leftOut: isNoted ? 'what belongs to the questions' : null };
}

const fileSchema = z.record(z.string(), z.unknown());

/** Names of the options of a command that a file may give. */
function keysOf(object: z.ZodObject): readonly string[] {
  return optionsOf(object).flatMap(({ name, meta }) => (meta.flagOnly === true ? [] : name));
}

/** A key as the file has it: a setting, "nli.rplMin", is within its group. */
function asInFile(key: string): string {
  const [group = '', name] = key.split('.');
  return name === undefined ? `"${key}"` : `"${name}" within "${group}": {"${group}": {"${name}": …}}`;
}

async function refuseUnknown(
  file: string,
  keys: readonly string[],
  groups: readonly string[],
  entries: readonly CommandEntry[],
): Promise<void> {
  const objects = await Promise.all(entries.map(async ({ load }) => (await load()).command.options));
  const known = [...new Set([...objects.flatMap(keysOf), ...groups])];
  const unknown = keys.find((key) => !known.includes(key) && !GONE_OPTIONS.has(key));
  if (unknown === undefined) return;
  const { SETTING_NAMES } = await import('../recipes/settings.js');
  const near = nearestWord(unknown, [...known, ...SETTING_NAMES]);
  const fix = `Keys are the options of the commands, such as "tables" or "timeout", and the groups of settings: ${groups.join(', ')}.`;
  throw new ConfigError(`unknown key "${unknown}"`, {
    where: { file },
    fix: `${near === null ? '' : `Did you mean ${asInFile(near)}? `}${fix}`,
  });
}

/**
 * Reads the configuration file: groups of settings, and options of commands by their camelCase names.
 * @throws ConfigError or InputFormatError when a key is unknown or an option of this command is wrong
 */
export async function loadConfig(
  path: string | undefined,
  object: z.ZodObject,
  entries: readonly CommandEntry[],
): Promise<ProjectConfig> {
  const file = path ?? (existsSync(DEFAULT_CONFIG) ? DEFAULT_CONFIG : undefined);
  if (file === undefined) return { file, settings: {}, options: {} };
  const place = { file, id: 'configuration' };
  const json = checkRecord(fileSchema, parseJson(loadText(file), file), place, 'Write a JSON object.');
  const { settingsSchema } = await import('../recipes/settings.js');
  const groups = Object.keys(settingsSchema.shape);
  const pick = (names: readonly string[]): Record<string, unknown> =>
    Object.fromEntries(Object.entries(json).filter(([key]) => names.includes(key)));
  const own = keysOf(object).filter((key) => key in json);
  const known = new Set(['$schema', ...own, ...groups]);
  const rest = Object.keys(json).filter((key) => !known.has(key));
  if (rest.length > 0) await refuseUnknown(file, rest, groups, entries);
  const shape = Object.fromEntries(own.map((key) => [key, object.shape[key] as z.ZodType]));
  checkRecord(z.object(shape), json, place, 'See the command’s --help for what it takes.');
  return { file, settings: pick(groups), options: json };
}
