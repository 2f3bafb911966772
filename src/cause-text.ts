import { z } from 'zod';
import { faultSentence, toldShapeFault } from './shape-fault.js';

/** What the system says of a path, a disk or a limit, in words. */
const SYSTEM_FAULTS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read or write it',
  EDQUOT: 'the quota of this user on the disk is used up',
  EEXIST: 'something of that name is already there',
  EFBIG: 'the file would be larger than the system lets it be',
  EIO: 'the disk could not read or write it',
  EISDIR: 'it is a folder, not a file',
  ELOOP: 'symbolic links lead in a circle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENFILE: 'too many files are open on this machine',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a file is where a folder is needed',
  ENOTEMPTY: 'the folder is not empty',
  ENXIO: 'it is a device or pipe that nothing answers on',
  EPERM: 'this user may not do that',
  EROFS: 'the disk can’t be written',
  ESPIPE: 'it is a pipe or device, and can’t be read from a place in it',
};

/** What the parser of JSON expected, in words. */
const JSON_NAMES: readonly (readonly [string, string])[] = [
  ['after property value', 'after a value'],
  ['after property name', 'after a name'],
  ['after array element', 'after an item'],
  ['double-quoted property name', 'a name in double quotes'],
  ['property name', 'a name in double quotes'],
];

/** What the parser of JSON found wrong, and in which column where it says so. */
function jsonFault(message: string): string {
  const column = /\bcolumn (\d+)/.exec(message)?.[1];
  const place = column === undefined ? '' : ` at column ${column}`;
  if (/end of JSON input|^Unterminated/.test(message)) return 'the text ends too soon';
  const token = /^Unexpected token '?(.+?)'?(?:, | in JSON)/su.exec(message)?.[1];
  if (token !== undefined) return `${JSON.stringify(token)} is not expected${place}`;
  const expected = /^Expected (.+?) in JSON/s.exec(message)?.[1];
  if (expected === undefined) return `the text is no JSON${place}`;
  const [theirs, ours] = JSON_NAMES.find(([name]) => expected.includes(name)) ?? ['', ''];
  return `${expected.replace(theirs, ours)} is expected${place}`;
}

/**
 * What an error says, in words of our own where its own are those of a validator, of the parser of JSON, or a code of the
 * system; else its own first line. Whatever shows the cause of an error to a user asks this.
 */
export function causeText(error: unknown): string {
  if (error instanceof z.core.$ZodError) return faultSentence(toldShapeFault(error), 'the content');
  if (!(error instanceof Error)) return String(error);
  if (error instanceof SyntaxError && /\bJSON\b/.test(error.message)) return jsonFault(error.message);
  const { code } = error as { readonly code?: unknown };
  return (typeof code === 'string' ? SYSTEM_FAULTS[code] : undefined) ?? error.message;
}
