import { basename } from 'node:path';
import { needed } from '../../options/given-options.js';
import { inGroup, text } from '../../options/option-field.js';
import { victimKind } from '../victim-kind.js';

export interface FileChoice {
  readonly kind: 'file';
  /** Predictions for the questions that `prepareAttack` writes. */
  readonly predictions: string;
}

/** A model that has run elsewhere. */
export const FILE = victimKind({
  kind: 'file',
  options: {
    ...inGroup('Model', {
      predictions: text(
        'file',
        'victim file: predictions by the ids of attack prepare, JSON lines of {id, sql} or as evaluate reads them',
      ).exactOptional(),
    }),
  },
  traits: { answers: 'sql', withContext: true, isAskedOn: false, perSecond: null },
  choose: ({ predictions }): FileChoice => ({
    kind: 'file',
    predictions: needed(predictions, 'predictions', 'victim file', 'predictions.jsonl'),
  }),
  async create({ predictions }) {
    return { victim: null, predictions, description: `predictions in ${basename(predictions)}` };
  },
});
