import type { NameKind } from '../annotation.js';
import type { ExchangeSet } from './exchange-set.js';

/** A form in which annotations leave a project and come back. */
export interface ExchangeFormat {
  /** The kind of output that `write` makes of the path that it is given. */
  readonly out: 'file' | 'folder';
  /** True if a file holds one kind only, so that it must be said which. */
  readonly oneKind: boolean;
  /** True if it holds questions to split, next to names. */
  readonly holdsSplits: boolean;
  /** Writes a set; a file is written whole or not at all. */
  write(set: ExchangeSet, out: string): void;
  /**
   * Reads a set; `kind` is what the items of a format with one kind are. Nothing is written.
   * @throws InputFormatError naming the file and the line or item that is wrong, at once or while records are walked
   */
  read(path: string, kind: NameKind | null): ExchangeSet;
}
