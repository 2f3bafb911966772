/** A sub-sentence of a question; `text` is the question from `start` up to `end`, in UTF-16 units. */
export interface Segment {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The segments that begin at some places of a question, the first at 0, in order; they cover it. */
export function segmentsAt(question: string, starts: readonly number[]): readonly Segment[] {
  return starts.map((start, i) => {
    const end = starts[i + 1] ?? question.length;
    return { text: question.slice(start, end), start, end };
  });
}

/** Words of a question that name a table or a column, in UTF-16 units: a schema phrase. */
export interface SchemaMention {
  readonly start: number;
  readonly end: number;
  /** True if a table has this name; left out where that is not known. */
  readonly isTable?: boolean;
}
