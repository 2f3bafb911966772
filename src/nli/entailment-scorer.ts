import { ModelFileError } from '../errors.js';
import { type Device, markDevice } from '../inference/device.js';
import { InferencePool } from '../inference/inference-pool.js';
import type { NliLabel, NliManifest, ReadingLabel } from '../inference/model-manifest.js';
import type { LocatedModel } from '../inference/model-store.js';
import type { EntailmentPair, EntailmentScore, EntailmentScorer, Reading, StageContext } from '../stage.js';
import { itemAt, zip } from '../present.js';
import { softmax } from '../vectors.js';

/** Where scores outlive the run; `ScoreCache` is one. */
export interface ScoreStore {
  get(pair: EntailmentPair): EntailmentScore | null;
  put(pair: EntailmentPair, score: EntailmentScore): void;
  /** Writes what is held back; called once, by the scorer's `dispose`. */
  close?(): void;
}

interface ScoringCounts {
  /** Pairs asked for. */
  readonly asked: number;
  /** Pairs that went through the model. */
  readonly inferred: number;
  /** Pairs answered from the store. */
  readonly cached: number;
}

/** Pairs remembered: far more than the tables under way ask for twice, and a bound to memory in long runs. */
const REMEMBERED = 50_000;

interface Waiting {
  readonly key: string;
  readonly pair: EntailmentPair;
  readonly resolve: (score: EntailmentScore) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Scores each distinct pair once per run: identical pairs in flight share one inference, known ones come from the
 * store. Pairs asked for in one turn of the event loop go to the model together, as many at a time as it takes.
 */
export class EconomicalScorer implements EntailmentScorer {
  readonly id: string;
  readonly fingerprint: string;
  readonly #inner: EntailmentScorer;
  readonly #store: ScoreStore | null;
  readonly #known = new Map<string, Promise<EntailmentScore>>();
  #waiting: Waiting[] = [];
  #asked = 0;
  #inferred = 0;
  #cached = 0;

  constructor(inner: EntailmentScorer, store: ScoreStore | null) {
    this.id = inner.id;
    this.fingerprint = inner.fingerprint;
    this.#inner = inner;
    this.#store = store;
  }

  get counts(): ScoringCounts {
    return { asked: this.#asked, inferred: this.#inferred, cached: this.#cached };
  }

  score(pairs: readonly EntailmentPair[], context: StageContext): Promise<readonly EntailmentScore[]> {
    return Promise.all(pairs.map((pair) => this.#scoreOne(pair, context)));
  }

  async dispose(): Promise<void> {
    await this.#inner.dispose?.();
    this.#store?.close?.();
  }

  #scoreOne(pair: EntailmentPair, context: StageContext): Promise<EntailmentScore> {
    this.#asked++;
    const key = `${pair.premise}\u0000${pair.hypothesis}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const stored = this.#store?.get(pair) ?? null;
    if (stored !== null) this.#cached++;
    const promise = stored === null ? this.#enqueue(key, pair, context) : Promise.resolve(stored);
    this.#remember(key, promise);
    return promise;
  }

  /** Forgets the oldest pair for a new one; asked for again, it comes from the store or is scored again. */
  #remember(key: string, score: Promise<EntailmentScore>): void {
    const [oldest] = this.#known.size < REMEMBERED ? [] : this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(key, score);
  }

  #enqueue(key: string, pair: EntailmentPair, context: StageContext): Promise<EntailmentScore> {
    if (this.#waiting.length === 0) setImmediate(() => void this.#drain(context));
    return new Promise((resolve, reject) => this.#waiting.push({ key, pair, resolve, reject }));
  }

  async #drain(context: StageContext): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#inferred += waiting.length;
    const { batchSize = waiting.length } = this.#inner;
    const batches: Promise<() => void>[] = [];
    for (let at = 0; at < waiting.length; at += batchSize)
      batches.push(this.#scoreBatch(waiting.slice(at, at + batchSize), context));
    // Nobody learns of a failure while others of its turn are still being paid for.
    for (const reject of await Promise.all(batches)) reject();
  }

  /** Resolves with what tells of a failure; scores are kept and told at once. */
  async #scoreBatch(batch: readonly Waiting[], context: StageContext): Promise<() => void> {
    try {
      const scores = await this.#inner.score(
        batch.map(({ pair }) => pair),
        context,
      );
      for (const [{ pair, resolve }, score] of zip(batch, scores)) {
        this.#store?.put(pair, score);
        resolve(score);
      }
      return () => undefined;
    } catch (error) {
      return () => {
        for (const { key, reject } of batch) {
          // A failure is not known of the pair: after an abort it can be asked for again.
          this.#known.delete(key);
          reject(error);
        }
      };
    }
  }
}

const valueOf =
  <Label>(labels: readonly Label[], values: ArrayLike<number>) =>
  (label: Label): number =>
    itemAt(values, labels.indexOf(label));

const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit));

/** Softmax of the labels' logits, then a probability of each reading; their order is read from the model's manifest. */
export function toEntailmentScore(
  logits: Float32Array,
  labels: readonly NliLabel[],
  readings: readonly ReadingLabel[] = [],
): EntailmentScore {
  const ofLabels = logits.subarray(0, labels.length);
  const of = valueOf(labels, softmax(ofLabels));
  return {
    entailment: of('entailment'),
    neutral: of('neutral'),
    contradiction: of('contradiction'),
    entailmentLogit: valueOf(labels, logits)('entailment'),
    reading: readings.length === 0 ? null : readingOf(logits.subarray(labels.length), readings),
  };
}

function readingOf(logits: Float32Array, readings: readonly ReadingLabel[]): Reading {
  const of = valueOf(readings, Array.from(logits, sigmoid));
  return { replacement: of('replacement'), addition: of('addition'), topic: of('topic') };
}

/** ADVETA §4.4: an NLI cross-encoder; each pair is one inference, so a score never depends on its neighbors. */
export class OnnxEntailmentScorer implements EntailmentScorer {
  readonly id = 'onnx';
  readonly fingerprint: string;
  readonly #pool: InferencePool;
  readonly #labels: readonly NliLabel[];
  readonly #readings: readonly ReadingLabel[];
  readonly #name: string;

  constructor(model: LocatedModel<NliManifest>, workers?: number, device: Device = 'cpu') {
    this.fingerprint = markDevice(model.fingerprint, device);
    this.#labels = model.manifest.labels;
    this.#readings = model.manifest.readings ?? [];
    this.#name = model.manifest.name;
    this.#pool = new InferencePool(model, workers, { device });
  }

  async score(pairs: readonly EntailmentPair[], context: StageContext): Promise<readonly EntailmentScore[]> {
    const inputs = pairs.map(({ premise, hypothesis }) => ({ text: premise, pair: hypothesis }));
    const outputs = await this.#pool.run(inputs, context.signal);
    return outputs.map(({ data }) => {
      const expected = this.#labels.length + this.#readings.length;
      if (data.length !== expected || data.some(Number.isNaN)) {
        throw new ModelFileError(`model ${this.#name} gives ${data.length} scores a pair, not ${expected} numbers`, {
          fix: 'Name a three-way NLI model whose manifest states its labels.',
        });
      }
      return toEntailmentScore(data, this.#labels, this.#readings);
    });
  }

  dispose(): Promise<void> {
    return this.#pool.dispose();
  }
}
