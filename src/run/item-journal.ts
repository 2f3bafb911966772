import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';

interface JournalLine {
  readonly id: string;
  readonly result: unknown;
}

function parseLine(line: string): JournalLine | null {
  try {
    return JSON.parse(line) as JournalLine;
  } catch {
    return null;
  }
}

/** Bytes of the whole lines, and their contents; a line torn by a kill or damaged is left out with all behind it. */
function readWholeLines(file: string): { readonly length: number; readonly lines: readonly JournalLine[] } {
  if (!existsSync(file)) return { length: 0, lines: [] };
  const lines: JournalLine[] = [];
  let length = 0;
  // What follows the last line end is torn, or empty.
  for (const text of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
    const line = parseLine(text);
    if (line === null) break;
    lines.push(line);
    length += Buffer.byteLength(text) + 1;
  }
  return { length, lines };
}

/** Finished items of a run, one JSON line each, synced to disk before `append` returns: they survive kill -9. */
export class ItemJournal<T> {
  readonly #file: string;
  readonly #handle: number;
  readonly #results = new Map<string, T>();

  constructor(file: string) {
    this.#file = file;
    const { length, lines } = readWholeLines(file);
    for (const { id, result } of lines) this.#results.set(id, result as T);
    this.#handle = openSync(file, 'a');
    ftruncateSync(this.#handle, length);
  }

  get(id: string): T | undefined {
    return this.#results.get(id);
  }

  /** Every result, in the order they first came. */
  get results(): readonly T[] {
    return [...this.#results.values()];
  }

  append(id: string, result: T): void {
    writeSync(this.#handle, `${JSON.stringify({ id, result } satisfies JournalLine)}\n`);
    fsyncSync(this.#handle);
    this.#results.set(id, result);
  }

  close(): void {
    closeSync(this.#handle);
  }

  /** Closes the journal and removes its file: the run's products are written, it is not needed any more. */
  remove(): void {
    this.close();
    rmSync(this.#file, { force: true });
  }
}
