import type { Judged } from './pair-scores.js';
import type { Hardness } from './exact/hardness.js';
import type { MetricName } from './metric-names.js';
import type { Outcome, Verdict } from './metric.js';

export type PairMetric = Exclude<MetricName, 'linking'>;

/** What a metric says of one pair. */
export interface VerdictEntry {
  readonly outcome: Outcome;
  readonly reason?: string;
}

/** A pair with the verdict of each metric. */
export interface PairVerdicts extends Partial<Record<PairMetric, VerdictEntry>> {
  readonly id: string;
  readonly db_id: string;
  /** Of the gold; null where that can't be told. */
  readonly hardness: Hardness | null;
  readonly gold: string;
  readonly predicted: string;
  /** The second model's prediction for the same gold. */
  readonly other?: { readonly predicted: string } & Partial<Record<PairMetric, VerdictEntry>>;
}

type Side = Map<PairMetric, Judged<Verdict>>;

function entriesOf(side: Side, at: number): Partial<Record<PairMetric, VerdictEntry>> {
  const entries = [...side].map(([metric, { verdicts }]) => {
    const { outcome, reason } = verdicts[at]!;
    return [metric, { outcome, ...(reason !== undefined && { reason }) }] as const;
  });
  return Object.fromEntries(entries);
}

/** Gathers what metrics said of the pairs of one data set, pair by pair. */
export class VerdictLines {
  readonly #predictions: Side = new Map();
  readonly #others: Side = new Map();

  add(metric: PairMetric, judged: Judged<Verdict>): void {
    this.#predictions.set(metric, judged);
  }

  /** Of the second model. */
  addOther(metric: PairMetric, judged: Judged<Verdict>): void {
    this.#others.set(metric, judged);
  }

  /** One per pair, in the order of the gold. */
  *pairs(): Generator<PairVerdicts> {
    const [first] = this.#predictions.values();
    const [other] = this.#others.values();
    for (const [i, { id, database, gold, predicted }] of (first?.pairs ?? []).entries()) {
      const second = other?.pairs[i];
      yield {
        id,
        db_id: database.id,
        hardness: first?.hardness[i] ?? null,
        gold,
        predicted,
        ...entriesOf(this.#predictions, i),
        ...(second !== undefined && { other: { predicted: second.predicted, ...entriesOf(this.#others, i) } }),
      };
    }
  }

  /** JSON lines. */
  *lines(): Generator<string> {
    let text = '';
    for (const pair of this.pairs()) {
      text += `${JSON.stringify(pair)}\n`;
      if (text.length < 1 << 16) continue;
      yield text;
      text = '';
    }
    yield text;
  }
}
