import { Buffer } from 'buffer';

/** Files that were fetched, by the path under which the stages open them. */
const FILES = new Map<string, Uint8Array>();

export function addFile(path: string, bytes: Uint8Array): void {
  FILES.set(path, bytes);
}

export function hasFile(path: string): boolean {
  return FILES.has(path);
}

export function bytesOf(path: string): Buffer {
  const bytes = FILES.get(path);
  if (bytes === undefined) throw new Error(`the page has not fetched ${path}`);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** The files below a folder. */
export function filesBelow(folder: string): readonly (readonly [path: string, bytes: Uint8Array])[] {
  return [...FILES].filter(([path]) => path.startsWith(`${folder}/`));
}
