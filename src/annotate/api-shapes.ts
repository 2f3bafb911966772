import type { Estimate } from '../report/statistics/estimate.js';
import type {
  AnnotationItem,
  AnswerState,
  GoesWith,
  ItemContext,
  KindCounts,
  NameKind,
  Person,
  StoredAnswer,
} from './annotation.js';

// What server and page say to one another besides annotation.ts. Types alone, so that the page can read them.

/** How far a person is; `perHour` of work, breaks left out, null where there is too little to say. */
export interface PersonProgress {
  /** Handed in: done and skipped. */
  readonly done: number;
  readonly total: number;
  readonly perHour: number | null;
}

/** Who is signed in, to what, and how far they are. */
export interface Me {
  readonly person: Person;
  readonly project: {
    readonly id: string;
    readonly name: string;
    readonly kindCounts: KindCounts;
    readonly minAdd: number;
    readonly maxAdd: number;
    readonly qualification: { readonly required: boolean; readonly passMark: number };
  };
  readonly progress: PersonProgress;
}

/** A row of a chunk's list. */
export interface ListedItem extends Pick<AnnotationItem, 'id' | 'kind' | 'dbId' | 'table' | 'column'> {
  /** Of the person's own answer; null before the first save. */
  readonly state: AnswerState | null;
  readonly flagged: boolean;
  /** Mean difficulty of the names of the list, 0 to 1; null where they have none. */
  readonly difficulty: number | null;
}

/** An item with what is shown around it. */
export interface ItemInContext {
  readonly item: AnnotationItem;
  readonly context: ItemContext;
}

/** Where an item is in its annotator's own order of the chunk. */
export interface ItemPosition {
  readonly index: number;
  readonly of: number;
  readonly next: string | null;
  readonly previous: string | null;
}

/** An item as its annotator opens it. */
export interface OpenedItem extends ItemInContext {
  readonly answer: StoredAnswer | null;
  /** Versions of this person's that lost against a later save. */
  readonly conflicts: readonly StoredAnswer[];
  readonly position: ItemPosition;
  /** The kinds of additions by name, as far as the run tells. */
  readonly goesWith: Readonly<Record<string, GoesWith>>;
}

/** The qualification round as it is asked. */
export interface QualificationRound {
  readonly items: readonly ItemInContext[];
  readonly passMark: number;
  readonly lastScore: number | null;
}

/** The parts missing from an answer to a known item, those it should not have, and the reason. */
export interface QualificationFeedback {
  readonly id: string;
  readonly missed: readonly string[];
  readonly wrong: readonly string[];
  readonly why: string;
}

/** The result of a qualification round. */
export interface QualificationResult {
  /** Share of the items answered exactly as known, 0 to 1. */
  readonly score: number;
  readonly passed: boolean;
  readonly feedback: readonly QualificationFeedback[];
}

/** A row of the reviewers' list: an item that at least one annotator has handed in. */
export interface ReviewedItem extends Pick<AnnotationItem, 'kind' | 'dbId' | 'table' | 'column'> {
  readonly itemId: string;
  /** Answers handed in. */
  readonly annotators: number;
  /** 0: all took the same names; 1: none in common. */
  readonly disagreement: number;
  readonly adjudicated: boolean;
  /** Someone marked it for a reviewer's eye. */
  readonly flagged: boolean;
}

/** An item as a reviewer opens it. */
export interface ItemToReview extends ItemInContext {
  readonly answers: readonly StoredAnswer[];
  readonly adjudication: StoredAnswer | null;
  /** The names, or the marks of a split question, that the item comes to without a reviewer. */
  readonly majority: readonly string[];
  /** The kinds of additions by name, as far as the run tells. */
  readonly goesWith: Readonly<Record<string, GoesWith>>;
}

/** The rated parts of a split question: whether each token begins a sub-sentence, and which clauses are said at it. */
export type SplitPart = 'breaks' | 'clauses';

/** Agreement of all annotators; each figure null where it is not defined. */
export interface GroupAgreement {
  /**
   * Items that at least two annotators have done, and what is rated of these: listed candidates; of split questions,
   * tokens that may begin a sub-sentence, and pairs of a token and a clause.
   */
  readonly items: number;
  readonly candidates: number;
  /** Share of pairs of annotators that agree on a candidate. */
  readonly observed: Estimate | null;
  readonly krippendorff: Estimate | null;
  readonly fleiss: Estimate | null;
  /**
   * Fleiss' kappa needs the same number of annotators everywhere: the most frequent one, and the items that have it.
   */
  readonly fleissOver: { readonly annotators: number; readonly items: number } | null;
}

/** Agreement of two raters: two annotators, or one and all others, pooled over every pair of answers to one item. */
export interface PairAgreement extends Pick<GroupAgreement, 'items' | 'candidates' | 'observed'> {
  readonly cohen: Estimate | null;
}

/** How far annotators agree. */
export interface AgreementReport {
  readonly overall: GroupAgreement;
  readonly kinds: Readonly<Record<NameKind, GroupAgreement> & Partial<Record<SplitPart, GroupAgreement>>>;
  /** Every two annotators with an item in common. */
  readonly pairs: readonly (PairAgreement & { readonly annotators: readonly [string, string] })[];
  /** Each annotator against the others. */
  readonly annotators: readonly (PairAgreement & { readonly annotator: string })[];
  readonly seed: number;
}
