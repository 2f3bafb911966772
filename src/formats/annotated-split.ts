/** A clause that a sub-sentence says. */
export interface SaidClause {
  /** Index in the question's list of clauses. */
  readonly clause: number;
  /** True if the sub-sentence says nothing of the clause's column: NO MENTIONED (Spider-SS §2.3). */
  readonly unmentioned: boolean;
}

/** A sub-sentence with what it says; without clauses and `extra` it is Spider-SS's NONE. */
export interface AnnotatedSegment {
  /** Where it begins in the question, in UTF-16 units; the first begins at 0. */
  readonly start: number;
  readonly clauses: readonly SaidClause[];
  /** Columns that it mentions and that fit no clause of its own, "singer.Name": `extra` (Spider-SS §2.2). */
  readonly extra: readonly string[];
}

/** The gold in NatSQL, as a record of Spider-SS has it. */
export interface NatSqlForm {
  readonly text: string;
  /** By index of the clause: the number of its part in the text. */
  readonly parts: readonly number[];
  /** Group keys as units of Spider's `sql`. */
  readonly groupBy: readonly (readonly [number, number, boolean])[];
}

/** How a question is split and what each sub-sentence says of its gold, by people or as proposed to them. */
export interface AnnotatedSplit {
  /** Id of the example. */
  readonly id: string;
  readonly dbId: string;
  /** Place of the example in its data set, from 0. */
  readonly position: number;
  readonly question: string;
  readonly query: string;
  /** The gold's clauses as people read them: "order by singer.age desc". */
  readonly clauses: readonly string[];
  /** In the order of the question. */
  readonly segments: readonly AnnotatedSegment[];
  /** Null where NatSQL has no form for the gold. */
  readonly natSql: NatSqlForm | null;
}
