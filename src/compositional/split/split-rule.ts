import type { DependencyTree } from './dependency-tree.js';

/** A question as the rules see it. */
export interface SplitView {
  readonly tree: DependencyTree;
  /** For each token, the number of the schema phrase that it belongs to; -1 outside of any. */
  readonly phrases: readonly number[];
  /** For each token, whether it is part of the name of a table. */
  readonly tables: readonly boolean[];
  /** For each token, whether it is within quotation marks; the marks are not. */
  readonly quoted: readonly boolean[];
  /** For each token, whether it is part of a constant of the query; null where there is no query. */
  readonly constants: readonly boolean[] | null;
  /** Checks whether a token is part of a modifier: below a relative, adverbial or adjectival clause that breaks. */
  readonly isModifying: (index: number) => boolean;
}

/** A reason to break a question before a token, or not to. */
export interface SplitRule {
  readonly id: string;
  /** Where it is from: a section of the Spider-SS paper, or this project. */
  readonly source: string;
  readonly description: string;
}

/** A rule that finds where sub-sentences start. */
export interface BreakRule extends SplitRule {
  /** Tokens before which it breaks. */
  readonly find: (view: SplitView) => readonly number[];
}

/** A rule that takes back breaks or moves them. */
export interface RefinementRule extends SplitRule {
  /** The starts that are left of those in order; 0 is never among them. */
  readonly refine: (starts: readonly number[], view: SplitView) => readonly number[];
}
