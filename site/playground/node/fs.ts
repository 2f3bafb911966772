// node:fs over the files that the page fetched: what the stages read. Writing is for Node alone.
import type { Buffer } from 'buffer';
import { bytesOf, filesBelow, hasFile } from './file-map.js';

interface FileFacts {
  readonly size: number;
  isFile(): boolean;
  isDirectory(): boolean;
}

export const existsSync = hasFile;

export function readFileSync(path: string, encoding?: BufferEncoding): Buffer | string {
  const bytes = bytesOf(path);
  return encoding === undefined ? bytes : bytes.toString(encoding);
}

export function statSync(path: string): FileFacts {
  return { size: bytesOf(path).length, isFile: () => true, isDirectory: () => false };
}

/** Names of the files right in a folder; the page has no others. */
export function readdirSync(folder: string): string[] {
  const names = filesBelow(folder).map(([path]) => path.slice(folder.length + 1));
  return names.filter((name) => !name.includes('/'));
}

/** As `pipeline` of stream.ts takes it: the whole file is its one chunk. */
export const createReadStream = bytesOf;

const forNodeAlone = (): never => {
  throw new Error('a page can’t write files');
};

/** Of `durable-file.ts`, which only writes. */
export const constants = {};

export {
  forNodeAlone as closeSync,
  forNodeAlone as copyFileSync,
  forNodeAlone as fsyncSync,
  forNodeAlone as mkdirSync,
  forNodeAlone as openSync,
  forNodeAlone as readSync,
  forNodeAlone as renameSync,
  forNodeAlone as rmSync,
  forNodeAlone as writeSync,
};
