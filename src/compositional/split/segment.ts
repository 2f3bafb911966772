/** A sub-sentence of a question; `text` is the question from `start` up to `end`, in UTF-16 units. */
export interface Segment {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Words of a question that name a table or a column, in UTF-16 units: a schema phrase. */
export interface SchemaMention {
  readonly start: number;
  readonly end: number;
}
