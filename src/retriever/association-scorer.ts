import type { StageContext, TargetColumn } from '../stage.js';
import { embedChecked, type TextEmbedder } from './text-embedder.js';

/** Vectors remembered, 1.5 kB each: a bound to memory in long runs. */
const REMEMBERED = 20_000;

/**
 * How well names go with a target column and its table, by the table-context encoder: ADVETA §2.3 asks an added column
 * to "fit nicely into the table context" and to have "high semantic association with the target column". Word vectors
 * see neither: to them "wedding date" is as near to a workshop's date as "closing date".
 */
export class AssociationScorer {
  readonly fingerprint: string;
  readonly #embedder: TextEmbedder;
  readonly #vectors = new Map<string, Float32Array>();

  constructor(embedder: TextEmbedder) {
    this.#embedder = embedder;
    this.fingerprint = `association-2:${embedder.fingerprint}`;
  }

  /** Cosine of each name with the column plus its cosine with the table (domain, name and columns), -2 to 2. */
  async score(target: TargetColumn, names: readonly string[], context: StageContext): Promise<readonly number[]> {
    const { dbId, table } = target.target;
    const columns = table.columns.map(({ name }) => name).join(', ');
    const tableText = `${dbId.replaceAll('_', ' ')}: ${table.name} | ${columns}`;
    const columnName = table.columns[target.column]!.name;
    const [ofTable, ofColumn, ...ofNames] = await this.#embed([tableText, columnName, ...names], context.signal);
    return ofNames.map((vector) => dot(vector, ofTable!) + dot(vector, ofColumn!));
  }

  /** Cosine of each title of a table with the target table's name, -1 to 1. */
  async nearness(
    { target }: TargetColumn,
    titles: readonly string[],
    context: StageContext,
  ): Promise<readonly number[]> {
    const [ofTable, ...ofTitles] = await this.#embed([target.table.name, ...titles], context.signal);
    return ofTitles.map((vector) => dot(vector, ofTable!));
  }

  async #embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const known = new Map(texts.map((text) => [text, this.#vectors.get(text)]));
    const missing = [...known].flatMap(([text, vector]) => (vector === undefined ? [text] : []));
    const vectors = await embedChecked(this.#embedder, missing, signal);
    missing.forEach((text, i) => known.set(text, vectors[i]));
    if (this.#vectors.size + missing.length > REMEMBERED) this.#vectors.clear();
    for (const [i, text] of missing.entries()) this.#vectors.set(text, vectors[i]!);
    return texts.map((text) => known.get(text)!);
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
