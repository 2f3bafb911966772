import type { CompositionKind, QuestionPiece } from './composition-draft.js';

/** A composed question with its gold: one line of `compositions.jsonl`. */
export interface ComposedExample {
  /** "dev:17~AND(dev:20)": the base, what was done, the question that the element is of. */
  readonly id: string;
  readonly kind: CompositionKind;
  /** What an appended element is joined with; null of a substitution. */
  readonly connective: 'and' | 'or' | null;
  /** 1; 2 where an element was appended to a substitution. */
  readonly depth: number;
  readonly db_id: string;
  /** Ids of the base and of the element's question; at depth 2 the base is a composition. */
  readonly parents: readonly [base: string, element: string];
  /** Id of the data set's example whose other fields the composition has. */
  readonly source: string;
  readonly question: string;
  readonly query: string;
  /** Spider's hardness; null where it is not known, or the gold is outside its grammar. */
  readonly hardness: string | null;
  /** The composed question, piece by piece. */
  readonly pieces: readonly QuestionPiece[];
  /** The elements: what took the place of which, or was appended to which. */
  readonly elements: readonly [base: ReportedElement, element: ReportedElement];
  /** The sub-sentences, which cover the question, with their clauses: positions in the list of the query's clauses. */
  readonly segments: readonly { readonly text: string; readonly clauses: readonly number[] }[];
  /** The shape of the query, names and literals left open, as a hash: what splits go by. */
  readonly template: string;
}

/** An element as a composition names it. */
export interface ReportedElement {
  /** "dev:17#1-2". */
  readonly id: string;
  readonly text: string;
  readonly frame: string;
  /** The noun that it modifies. */
  readonly noun: string;
}
