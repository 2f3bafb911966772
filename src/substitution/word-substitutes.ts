import type { StageContext, TargetColumn } from '../stage.js';

/** A word in a column's name that another is to replace. */
export interface WordSlot {
  readonly target: TargetColumn;
  /** The words of the name, in lower case. */
  readonly words: readonly string[];
  /** Position of the word. */
  readonly at: number;
}

/** A word that can stand in a slot. */
export interface Substitute {
  readonly word: string;
  /** By what the attacker ranks: higher is better, comparable between the slots of a name. */
  readonly score: number;
}

/** The word transformer of a text attacker: words that can take the place of one, best first. */
export interface WordSubstitutes {
  readonly id: 'neighbors' | 'masked';
  /** Version, settings and file hashes. */
  readonly fingerprint: string;
  /** One list per slot, in input order. */
  find(slots: readonly WordSlot[], context: StageContext): Promise<readonly (readonly Substitute[])[]>;
}
