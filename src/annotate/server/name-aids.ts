import type { JudgedColumn } from '../../nli/bucket-judge.js';
import type { SpellingWords } from './spelling.js';

/** A free-form name in its place. */
export interface NameQuestion {
  readonly name: string;
  readonly target: JudgedColumn;
  /** The other columns of the table. */
  readonly others: readonly JudgedColumn[];
  /** Primary entity of the table; empty where none was predicted. */
  readonly entity: string;
}

/** The judge's word on a name: the other column that it would be taken for, null for none. */
export interface NameVerdict {
  readonly takenFor: string | null;
}

/** Resources of a name check besides the item itself. Any of them may be missing, or not be there yet. */
export interface NameAids {
  readonly words: SpellingWords | null;
  /** Null where there is no judge; `later` where it takes too long to wait for, and can be asked again. */
  judge(question: NameQuestion): Promise<NameVerdict | 'later' | null>;
}

/** Checks by comparing names alone. */
export const NO_AIDS: NameAids = { words: null, judge: () => Promise.resolve(null) };
