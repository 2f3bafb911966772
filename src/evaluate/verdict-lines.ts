import type { Hardness } from './exact/hardness.js';
import type { MetricName } from './metric-names.js';
import type { Judged } from './judged.js';
import type { Outcome, Verdict } from './metric.js';
import type { PlainCounterexample } from './suite/plain-counterexample.js';
import type { SuiteVerdict } from './suite/suite-verdict.js';

export type PairMetric = Exclude<MetricName, 'linking'>;

/** What a metric says of one pair. */
export interface VerdictEntry {
  readonly outcome: Outcome;
  readonly reason?: string;
  /** As in `Verdict`. */
  readonly plugged?: string;
  readonly softF1?: number;
}

/** What a suite says of it. */
export interface SuiteEntry extends VerdictEntry {
  /** Databases that it was executed on. */
  readonly databases: number;
  /** Where it is wrong, the first of them on which the results differ. */
  readonly differsOn?: string;
  /** Where it was asked for. */
  readonly counterexample?: PlainCounterexample;
}

/** By metric. */
export type VerdictEntries = Partial<Record<Exclude<PairMetric, 'suite'>, VerdictEntry>> & {
  readonly suite?: SuiteEntry;
};

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

type Side = Map<PairMetric, Judged<Verdict>>;

const isOfSuite = (verdict: Verdict): verdict is SuiteVerdict => 'counterexample' in verdict;

function entryOf(verdict: Verdict): VerdictEntry | SuiteEntry {
  const { outcome, reason, plugged, softF1 } = verdict;
  const entry = {
    outcome,
    ...(reason !== undefined && { reason }),
    ...(plugged !== undefined && { plugged }),
    ...(softF1 !== undefined && { softF1 }),
  };
  if (!isOfSuite(verdict)) return entry;
  const { databases, differsOn, counterexample } = verdict;
  return {
    ...entry,
    databases,
    ...(differsOn !== null && { differsOn }),
    ...(counterexample !== null && { counterexample }),
  };
}

function entriesOf(side: Side, at: number): VerdictEntries {
  return Object.fromEntries([...side].map(([metric, { verdicts }]) => [metric, entryOf(verdicts[at]!)]));
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

  /** What the metrics so far say of the predictions, or of the second model's. */
  verdictsOf(side: 'predictions' | 'other'): Readonly<Partial<Record<PairMetric, readonly Verdict[]>>> {
    const judged = side === 'predictions' ? this.#predictions : this.#others;
    return Object.fromEntries([...judged].map(([metric, { verdicts }]) => [metric, verdicts]));
  }

  /** One per pair, in the order of the gold. */
  *pairs(): Generator<PairVerdicts> {
    const [first] = this.#predictions.values();
    for (const i of first?.pairs.keys() ?? []) yield this.#at(i);
  }

  /** That of one pair; undefined where no pair has the id, or no metric judged it. */
  pair(id: string): PairVerdicts | undefined {
    const [first] = this.#predictions.values();
    const at = first?.pairs.findIndex((pair) => pair.id === id) ?? -1;
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
    const { id, database, gold, predicted } = first!.pairs[i]!;
    const second = other?.pairs[i];
    return {
      id,
      db_id: database.id,
      hardness: first!.hardness[i] ?? null,
      gold,
      predicted,
      ...entriesOf(this.#predictions, i),
      ...(second !== undefined && { other: { predicted: second.predicted, ...entriesOf(this.#others, i) } }),
    };
  }
}
