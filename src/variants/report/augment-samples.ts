import type { ColumnName } from '../../report/column-tally.js';
import type { PerturbationKind } from '../relations/names/candidate-pool.js';
import { VARIANT_KINDS, type VariantKind } from '../augment/variant-plan.js';
import { ExamplePicker } from './example-picker.js';

/** Samples shown of each kind of variant: a page of about a megabyte. */
const SAMPLES_PER_KIND = 250;

export type SampleChange = Omit<ColumnName, 'dbId'> & {
  readonly to: string;
  /** In a mixed variant: which of the two; in others it is the variant's kind. */
  readonly change?: PerturbationKind;
};

/** One perturbed variant of an example. */
export interface AugmentSample {
  readonly id: string;
  readonly question: string;
  /** The original database. */
  readonly dbId: string;
  readonly kind: VariantKind;
  /**
   * In tables that its query names, those of columns that it mentions first. RPL renames the column to `to`, ADD puts
   * the new column `to` next to it.
   */
  readonly changes: readonly SampleChange[];
  /** How many more there are in other tables; absent where there are none. */
  readonly elsewhere?: number;
  readonly queryBefore: string;
  readonly queryAfter: string;
}

/** Checks whether a variant has another gold query than its original. */
export function isQueryChanged({ queryBefore, queryAfter }: AugmentSample): boolean {
  return queryBefore !== queryAfter;
}

/** Picks the samples that a report shows; memory does not grow with how many are offered. */
export class AugmentSamples {
  readonly #pickers = {
    RPL: new ExamplePicker<AugmentSample>(SAMPLES_PER_KIND),
    ADD: new ExamplePicker<AugmentSample>(SAMPLES_PER_KIND),
    mixed: new ExamplePicker<AugmentSample>(SAMPLES_PER_KIND),
  };

  offer(sample: AugmentSample): void {
    this.#pickers[sample.kind].offer(sample.dbId, `${sample.kind} ${sample.id}`, sample, isQueryChanged(sample));
  }

  of(kind: AugmentSample['kind']): AugmentSample[] {
    return this.#pickers[kind].picked();
  }

  *[Symbol.iterator](): Generator<AugmentSample> {
    for (const kind of VARIANT_KINDS) yield* this.of(kind);
  }
}
