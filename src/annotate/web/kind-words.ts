import type { AnnotationKind } from '../annotation.js';

interface KindWords {
  readonly title: string;
  /** Which names are right. */
  readonly meaning: string;
  /** The instructions for such names. */
  readonly task: (minAdd: number, maxAdd: number) => string;
  /** The label for choosing none. */
  readonly none: string;
}

/** The wording of each kind's task (ADVETA §2.2, §2.3, §3.1; Spider-SS §2). */
export const KINDS: Readonly<Record<AnnotationKind, KindWords>> = {
  RPL: {
    title: 'Replace',
    meaning: 'Names that mean the same as the column, so that one can stand in its place.',
    task: () => 'Take them from the list, or write your own.',
    none: 'No name fits',
  },
  ADD: {
    title: 'Add',
    meaning: 'Columns that go well with the column in its table, yet mean something else.',
    task: (minAdd, maxAdd) => `Take ${minAdd} to ${maxAdd} from the list.`,
    none: 'No name fits',
  },
  SPLIT: {
    title: 'Split',
    meaning: 'Sub-sentences of a question, each of which says whole clauses of the gold query.',
    task: () => 'Correct where they begin and which clauses they say.',
    none: 'No clause is said',
  },
};
