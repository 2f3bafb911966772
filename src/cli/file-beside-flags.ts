import { DATASET_FORMATS, unreadInputs } from '../formats/dataset-formats.js';

type Options = Readonly<Record<string, unknown>>;

/**
 * What the configuration file says next to the flags: where they name the format of another data set, places that it does
 * not read are those of the file's own.
 */
export function fileBesideFlags(fromFile: Options, { dataset }: Options): Options {
  const format = DATASET_FORMATS.find((name) => name === dataset);
  if (format === undefined || format === fromFile['dataset']) return fromFile;
  const unread: readonly string[] = unreadInputs(format);
  return Object.fromEntries(Object.entries(fromFile).filter(([name]) => !unread.includes(name)));
}
