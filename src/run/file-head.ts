import { closeSync, openSync, readSync } from 'node:fs';

/** The text of so many bytes that a file begins with; of all where it has fewer. */
export function readHead(file: string, most: number): string {
  const handle = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(most);
    return bytes.toString('utf8', 0, readSync(handle, bytes, 0, most, 0));
  } finally {
    closeSync(handle);
  }
}
