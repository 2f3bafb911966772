import { text } from '../../options/option-field.js';
import { victimKind } from '../victim-kind.js';

export interface BaselineChoice {
  readonly kind: 'baseline';
  /** Examples to answer after in the data set's format; null = those asked, each left out for its own question. */
  readonly train: string | null;
}

/** The built-in parser. */
export const BASELINE = victimKind({
  kind: 'baseline',
  options: {
    train: text(
      'file',
      'victim baseline: examples to answer after (default: those attacked, each left out for its own question)',
    ).exactOptional(),
  },
  // Measured on Spider dev.
  traits: { answers: 'sql', withContext: false, isAskedOn: true, perSecond: 50 },
  choose: ({ train }): BaselineChoice => ({ kind: 'baseline', train: train ?? null }),
  learnsFromAsked: ({ train }) => train === null,
  async create({ train }, world) {
    const { createBaseline } = await import('../baseline/create-baseline.js');
    return createBaseline(train, world);
  },
});
