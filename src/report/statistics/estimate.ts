/** A statistic with the interval in which it falls with the given confidence. Types alone: the annotation page reads it too. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly confidence: number;
}
