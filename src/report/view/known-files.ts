import { statSync } from 'node:fs';

/** What files hold, each read once as long as it stays as it is. */
export class KnownFiles<T> {
  readonly #read: (file: string) => T;
  readonly #known = new Map<string, { readonly stamp: string; readonly value: T }>();

  constructor(read: (file: string) => T) {
    this.#read = read;
  }

  /** @throws what reading throws; a file that could not be read is read again */
  of(file: string): T {
    const { mtimeMs, size } = statSync(file);
    const stamp = `${mtimeMs} ${size}`;
    const known = this.#known.get(file);
    if (known?.stamp === stamp) return known.value;
    const value = this.#read(file);
    this.#known.set(file, { stamp, value });
    return value;
  }
}
