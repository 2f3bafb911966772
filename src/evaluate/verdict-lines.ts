import { itemAt, mustGet } from '../present.js';
import type { Hardness } from './exact/hardness.js';
import type { PairFields, PairMetric } from './metrics.js';
import type { Judged } from './judged.js';
import type { Outcome, Verdict } from './metric.js';

/** A metric's verdict on one pair. */
export interface VerdictEntry {
  readonly outcome: Outcome;
  readonly reason?: string;
  /** As in `Verdict`. */
  readonly plugged?: string;
  readonly softF1?: number;
}

/** By metric. */
export type VerdictEntries = { readonly [K in PairMetric]?: VerdictEntry & PairFields<K> };

/** A pair with the verdict of each metric. */
export interface PairVerdicts extends VerdictEntries {
  readonly id: string;
  readonly db_id: string;
  /** Of the gold; null where that can't be told. */
  readonly hardness: Hardness | null;
  readonly gold: string;
  readonly predicted: string;
  /** The second model's prediction for the same gold. */
  readonly other?: { readonly predicted: string } & VerdictEntries;
}

/** A metric's verdicts on all pairs, and the fields of one beyond those of every metric. */
interface Gathered {
  readonly judged: Judged<Verdict>;
  fieldsOf(this: void, verdict: Verdict): object;
}

type Side = Map<PairMetric, Gathered>;

function entryOf({ outcome, reason, plugged, softF1 }: Verdict): VerdictEntry {
  return {
    outcome,
    ...(reason !== undefined && { reason }),
    ...(plugged !== undefined && { plugged }),
    ...(softF1 !== undefined && { softF1 }),
  };
}

function entriesOf(side: Side, at: number): VerdictEntries {
  const entries = [...side].map(([metric, { judged, fieldsOf }]) => {
    const verdict = itemAt(judged.verdicts, at);
    return [metric, { ...entryOf(verdict), ...fieldsOf(verdict) }];
  });
  return Object.fromEntries(entries) as VerdictEntries;
}

/** Gathers what metrics said of the pairs of one data set, pair by pair. */
export class VerdictLines {
  readonly #predictions: Side = new Map();
  readonly #others: Side = new Map();

  add(metric: PairMetric, gathered: Gathered): void {
    this.#predictions.set(metric, gathered);
  }

  /** Of the second model. */
  addOther(metric: PairMetric, gathered: Gathered): void {
    this.#others.set(metric, gathered);
  }

  /** Returns the metrics' verdicts so far on the predictions, or on the second model's. */
  verdictsOf(side: 'predictions' | 'other'): Readonly<Partial<Record<PairMetric, readonly Verdict[]>>> {
    const gathered = side === 'predictions' ? this.#predictions : this.#others;
    return Object.fromEntries([...gathered].map(([metric, { judged }]) => [metric, judged.verdicts]));
  }

  /** One per pair, in the order of the gold. */
  *pairs(): Generator<PairVerdicts> {
    const [first] = this.#predictions.values();
    for (const i of first?.judged.pairs.keys() ?? []) yield this.#at(i);
  }

  /** That of one pair; undefined where no pair has the id, or no metric judged it. */
  pair(id: string): PairVerdicts | undefined {
    const [first] = this.#predictions.values();
    const at = first?.judged.pairs.findIndex((pair) => pair.id === id) ?? -1;
    return at === -1 ? undefined : this.#at(at);
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

  #at(i: number): PairVerdicts {
    const [first] = this.#predictions.values();
    const [other] = this.#others.values();
    const { pairs, hardness } = mustGet(first, 'a metric that judged').judged;
    const { id, database, gold, predicted } = itemAt(pairs, i);
    const second = other?.judged.pairs[i];
    return {
      id,
      db_id: database.id,
      hardness: hardness[i] ?? null,
      gold,
      predicted,
      ...entriesOf(this.#predictions, i),
      ...(second !== undefined && { other: { predicted: second.predicted, ...entriesOf(this.#others, i) } }),
    };
  }
}
