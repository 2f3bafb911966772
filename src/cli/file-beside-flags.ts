import { resolve } from 'node:path';
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

/** The configuration file's options that hold next to the flags. */
interface FileBesideFlags {
  readonly options: Options;
  /** What of the file is left out as the flags name other data: "the data set"; null where nothing is. */
  readonly leftOut: string | null;
}

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
 * read.
 */
export function fileBesideFlags(fromFile: Options, flags: Options): FileBesideFlags {
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
