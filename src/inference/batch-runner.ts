import type { InferenceOutput } from './inference-protocol.js';
import { zip } from '../present.js';
import { groupBy } from '../run/group-by.js';

/** Inputs of one length that show that there is work for batches: a few pairs alone are not worth opening one. */
const SMALLEST_BATCH = 4;
/** Twice as many were no faster. */
const LARGEST_BATCH = 16;

/** Runs inputs of one length together. */
export type RunBatch<E> = (inputs: readonly E[]) => Promise<readonly InferenceOutput[]>;

export interface BatchRunnerParts<E> {
  /** Inputs of equal length may share a batch: none needs padding. */
  lengthOf(input: E): number;
  runOne(input: E): Promise<InferenceOutput>;
  /** Opens what runs batches, when there is a first one; null where that would change outputs. */
  openBatch(): Promise<RunBatch<E> | null>;
  /** Called once batches have proved equal: from then on they run everything, a single input too. */
  closeOne(): Promise<void>;
}

function areEqual(a: InferenceOutput, b: InferenceOutput): boolean {
  return a.data.length === b.data.length && a.data.every((value, i) => Object.is(value, b.data[i]));
}

/**
 * Runs inputs in batches of one length where no output depends on its neighbors, else one by one. The first batch is
 * run both ways: batches are given up for good unless all outputs are equal to the last bit.
 */
export class BatchRunner<E> {
  readonly #parts: BatchRunnerParts<E>;
  #batch: RunBatch<E> | null | undefined;

  constructor(parts: BatchRunnerParts<E>) {
    this.#parts = parts;
  }

  /** One output per input, in input order. */
  async run(inputs: readonly E[]): Promise<readonly InferenceOutput[]> {
    const outputs = new Array<InferenceOutput>(inputs.length);
    for (const group of this.#groups(inputs)) {
      const together = await this.#runGroup(group.map(([, input]) => input));
      for (const [[position], output] of zip(group, together)) outputs[position] = output;
    }
    return outputs;
  }

  /** Inputs of one length with their positions, at most a batch each. */
  #groups(inputs: readonly E[]): readonly (readonly (readonly [position: number, input: E])[])[] {
    const byLength = groupBy([...inputs.entries()], ([, input]) => this.#parts.lengthOf(input));
    return [...byLength.values()].flatMap((group) =>
      Array.from({ length: Math.ceil(group.length / LARGEST_BATCH) }, (_, part) =>
        group.slice(part * LARGEST_BATCH, (part + 1) * LARGEST_BATCH),
      ),
    );
  }

  async #runGroup(inputs: readonly E[]): Promise<readonly InferenceOutput[]> {
    if (this.#batch) return this.#batch(inputs);
    const isWorthIt = this.#batch === undefined && inputs.length >= SMALLEST_BATCH;
    return isWorthIt ? this.#tryBatch(inputs) : this.#runSingly(inputs);
  }

  async #runSingly(inputs: readonly E[]): Promise<readonly InferenceOutput[]> {
    const outputs: InferenceOutput[] = [];
    for (const input of inputs) outputs.push(await this.#parts.runOne(input));
    return outputs;
  }

  async #tryBatch(inputs: readonly E[]): Promise<readonly InferenceOutput[]> {
    const alone = await this.#runSingly(inputs);
    this.#batch = null;
    const batch = await this.#openEqual(inputs, alone).catch(() => null);
    if (batch === null) return alone;
    await this.#parts.closeOne();
    this.#batch = batch;
    return alone;
  }

  /** Opens a runner of batches if it gives these inputs the same outputs as alone; it may not run at all. */
  async #openEqual(inputs: readonly E[], alone: readonly InferenceOutput[]): Promise<RunBatch<E> | null> {
    const batch = await this.#parts.openBatch();
    const together = await batch?.(inputs);
    if (together === undefined) return null;
    return zip(together, alone).every(([output, own]) => areEqual(output, own)) ? batch : null;
  }
}
