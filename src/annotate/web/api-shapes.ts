import type { AnnotationItem, AnnotationKind, AnswerState, ItemContext, Person, StoredAnswer } from '../annotation.js';

/** Who is signed in, to what, and how far they are. */
export interface Me {
  readonly person: Person;
  readonly project: {
    readonly name: string;
    readonly kindCounts: Readonly<Record<AnnotationKind, number>>;
    readonly minAdd: number;
    readonly maxAdd: number;
    readonly qualification: { readonly required: boolean; readonly passMark: number };
  };
  readonly progress: { readonly done: number; readonly total: number; readonly perHour: number | null };
}

/** A line of a chunk's list. */
export interface ItemRow {
  readonly id: string;
  readonly kind: AnnotationKind;
  readonly dbId: string;
  readonly table: string;
  readonly column: string;
  readonly state: AnswerState | null;
  readonly flagged: boolean;
}

/** An item with what is shown around it. */
export interface ItemInContext {
  readonly item: AnnotationItem;
  readonly context: ItemContext;
}

/** An item as its annotator opens it. */
export interface OpenedItem extends ItemInContext {
  readonly answer: StoredAnswer | null;
  /** Versions of this person's that lost against a later save. */
  readonly conflicts: readonly StoredAnswer[];
  readonly position: {
    readonly index: number;
    readonly of: number;
    readonly next: string | null;
    readonly previous: string | null;
  };
}

/** The qualification round as it is asked. */
export interface QualificationRound {
  readonly items: readonly ItemInContext[];
  readonly passMark: number;
  readonly lastScore: number | null;
}

/** What came of a qualification round. */
export interface QualificationResult {
  readonly score: number;
  readonly passed: boolean;
  readonly feedback: readonly {
    readonly id: string;
    readonly missed: readonly string[];
    readonly wrong: readonly string[];
    readonly why: string;
  }[];
}

/** A line of the reviewers' list. */
export interface ReviewRow {
  readonly itemId: string;
  readonly kind: AnnotationKind;
  readonly dbId: string;
  readonly table: string;
  readonly column: string;
  readonly annotators: number;
  /** 0: all took the same names; 1: none in common. */
  readonly disagreement: number;
  readonly adjudicated: boolean;
  readonly flagged: boolean;
}

/** An item as a reviewer opens it. */
export interface ReviewedItem extends ItemInContext {
  readonly answers: readonly StoredAnswer[];
  readonly adjudication: StoredAnswer | null;
}

/** A figure with its bootstrap interval. */
export interface Figure {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** How far all annotators agree; figures are null where they are not defined. */
export interface GroupAgreement {
  readonly items: number;
  readonly candidates: number;
  readonly observed: Figure | null;
  readonly krippendorff: Figure | null;
  readonly fleiss: Figure | null;
}

/** How far two agree, or one and the others. */
export interface PairAgreement {
  readonly items: number;
  readonly candidates: number;
  readonly observed: Figure | null;
  readonly cohen: Figure | null;
}

export interface Agreement {
  readonly overall: GroupAgreement;
  readonly kinds: Readonly<Record<AnnotationKind, GroupAgreement>>;
  readonly pairs: readonly (PairAgreement & { readonly annotators: readonly [string, string] })[];
  readonly annotators: readonly (PairAgreement & { readonly annotator: string })[];
}
