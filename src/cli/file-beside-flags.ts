import { DATASET_FORMATS, unreadInputs } from '../formats/dataset-formats.js';

type Options = Readonly<Record<string, unknown>>;

/**
 * Returns the configuration file's options to use next to the flags: if these name another data set's format, inputs
 * that it does not read belong to the file's own format and are left out.
 */
export function fileBesideFlags(fromFile: Options, { dataset }: Options): Options {
  const format = DATASET_FORMATS.find((name) => name === dataset);
  if (format === undefined || format === fromFile['dataset']) return fromFile;
  const unread: readonly string[] = unreadInputs(format);
  return Object.fromEntries(Object.entries(fromFile).filter(([name]) => !unread.includes(name)));
}
