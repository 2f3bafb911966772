import { inGroup, text } from '../../options/option-field.js';
import { victimKind } from '../victim-kind.js';
import { ANNOTATED_OPTIONS, type AnnotatedChoice, annotatedOf } from './annotated-tables.js';

export interface BaselineChoice extends AnnotatedChoice {
  readonly kind: 'baseline';
  /** Examples to answer after in the data set's format; null = those asked, each left out for its own question. */
  readonly train: string | null;
}

/** The built-in parser. */
export const BASELINE = victimKind({
  kind: 'baseline',
  options: {
    ...inGroup('Model', {
      train: text(
        'file',
        'victim baseline: examples to learn from (default: those attacked, leave-one-out)',
      ).exactOptional(),
    }),
    ...ANNOTATED_OPTIONS,
  },
  // 3,547 questions of Spider dev and what is composed of it: 36 CPU seconds with comparing; 303 of the examples: 4.6.
  traits: { answers: 'sql', withContext: false, isAskedOn: true, perSecond: 100 },
  choose: ({ train, ...given }): BaselineChoice => ({ kind: 'baseline', train: train ?? null, ...annotatedOf(given) }),
  learnsFromAsked: ({ train }) => train === null,
  async create({ train }, world) {
    const { createBaseline } = await import('../baseline/create-baseline.js');
    return createBaseline(train, world);
  },
});
