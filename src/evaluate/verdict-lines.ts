import { itemAt, mustGet } from '../present.js';
import type { Hardness } from './exact/hardness.js';
import type { PairFields, PairMetric } from './metrics.js';
import type { Judged } from './metric-kind.js';
import type { Verdict } from './metric.js';

/** A metric's verdict on one pair. */
export type VerdictEntry = Omit<Verdict, 'id'>;

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

function entryOf({ outcome, reason, plugged, softF1 }: Verdict): VerdictEntry {
  return {
    outcome,
    ...(reason !== undefined && { reason }),
    ...(plugged !== undefined && { plugged }),
    ...(softF1 !== undefined && { softF1 }),
  };
}

/** Gathers what metrics said of a model's predictions, pair by pair. */
export class VerdictLines {
  readonly #gathered = new Map<PairMetric, Gathered>();
  readonly #other: VerdictLines | null;

  /** `other`: of a second model's predictions for the same gold, which it is compared with. */
  constructor(other: VerdictLines | null = null) {
    this.#other = other;
  }

  add(metric: PairMetric, gathered: Gathered): void {
    this.#gathered.set(metric, gathered);
  }

  /** The metrics' verdicts so far. */
  get verdicts(): Readonly<Partial<Record<PairMetric, readonly Verdict[]>>> {
    return Object.fromEntries([...this.#gathered].map(([metric, { judged }]) => [metric, judged.verdicts]));
  }

  /** One per pair, in the order of the gold. */
  *pairs(): Generator<PairVerdicts> {
    for (const i of this.#judged?.pairs.keys() ?? []) yield this.#at(i);
  }

  /** That of one pair; undefined where no pair has the id, or no metric judged it. */
  pair(id: string): PairVerdicts | undefined {
    const at = this.#judged?.pairs.findIndex((pair) => pair.id === id) ?? -1;
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

  /** By the first metric. */
  get #judged(): Judged<Verdict> | undefined {
    const [first] = this.#gathered.values();
    return first?.judged;
  }

  #entries(at: number): { readonly predicted: string } & VerdictEntries {
    const entries = [...this.#gathered].map(([metric, { judged, fieldsOf }]) => {
      const verdict = itemAt(judged.verdicts, at);
      return [metric, { ...entryOf(verdict), ...fieldsOf(verdict) }];
    });
    const { predicted } = itemAt(mustGet(this.#judged, 'a metric that judged').pairs, at);
    return { predicted, ...(Object.fromEntries(entries) as VerdictEntries) };
  }

  #at(i: number): PairVerdicts {
    const { pairs, hardness } = mustGet(this.#judged, 'a metric that judged');
    const { id, database, gold } = itemAt(pairs, i);
    const common = { id, db_id: database.id, hardness: hardness[i] ?? null, gold };
    return { ...common, ...this.#entries(i), ...(this.#other !== null && { other: this.#other.#entries(i) }) };
  }
}
