/** A statistic with the interval in which it falls with the given confidence; ends are null where items are too few. Types alone: the annotation page reads it too. */
export interface Estimate {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly confidence: number;
}
