// node:fs over the files that the page fetched: what the stages read. Writing is for Node alone.
import type { Buffer } from 'buffer';
import { bytesOf, hasFile } from './file-map.js';

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
