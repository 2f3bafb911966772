import type { CompositionKind } from '../../formats/artifacts/compositions.js';
import type { AnswerMetric } from '../answer-metrics.js';

/** What a model of the paper reaches on Spider dev and on what was composed of it, in percent. */
export interface PublishedAccuracy {
  readonly model: string;
  readonly dev: number;
  readonly SUB: number;
  readonly APP: number;
}

/**
 * Spider-SS Table 5 (exact match) and Table 7 (execution), the columns of dev. (N): the model gives NatSQL; (S): it is
 * asked sub-sentence by sub-sentence, too (§4).
 */
export const PUBLISHED: Readonly<Record<AnswerMetric, readonly PublishedAccuracy[]>> = {
  exact: [
    { model: 'RATSQL_G', dev: 72.7, SUB: 70.3, APP: 44.2 },
    { model: 'RATSQL_G(N)', dev: 73.9, SUB: 75.0, APP: 60.5 },
    { model: 'RATSQL_G(S)', dev: 74.5, SUB: 76.7, APP: 68.3 },
    { model: 'RATSQL_B', dev: 72.0, SUB: 72.0, APP: 47.2 },
    { model: 'RATSQL_B(N)', dev: 72.1, SUB: 69.4, APP: 53.1 },
    { model: 'RATSQL_B(S)', dev: 71.9, SUB: 72.6, APP: 61.5 },
    { model: 'RATSQL(N)', dev: 63.2, SUB: 60.7, APP: 34.5 },
    { model: 'RATSQL(S)', dev: 64.7, SUB: 63.3, APP: 44.1 },
    { model: 'GNN(N)', dev: 54.4, SUB: 57.5, APP: 25.1 },
    { model: 'GNN(S)', dev: 49.3, SUB: 51.8, APP: 34.6 },
  ],
  execution: [
    { model: 'RATSQL_G(N)', dev: 75.8, SUB: 78.0, APP: 68.9 },
    { model: 'RATSQL_B(S)', dev: 74.7, SUB: 76.4, APP: 72.5 },
    { model: 'RATSQL_G(S)', dev: 76.7, SUB: 80.4, APP: 75.1 },
  ],
};

/** Points that the paper's models lose from dev to a set composed of it, on average. */
export function publishedDrop(metric: AnswerMetric, kind: CompositionKind): number {
  const models = PUBLISHED[metric];
  return models.reduce((sum, accuracy) => sum + accuracy.dev - accuracy[kind], 0) / models.length;
}
