import type { Table } from '../schema/schema.js';
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
    this.fingerprint = `association-3:${embedder.fingerprint}`;
  }

  /** Cosine of each name with the column plus its cosine with the table (domain, name and columns), -2 to 2. */
  async score(target: TargetColumn, names: readonly string[], context: StageContext): Promise<readonly number[]> {
    const { dbId, table } = target.target;
    const columnName = table.columns[target.column]!.name;
    const texts = [tableText(dbId, table), columnName, ...names];
    const [ofTable, ofColumn, ...ofNames] = await this.#embed(texts, context.signal);
    return ofNames.map((vector) => dot(vector, ofTable!) + dot(vector, ofColumn!));
  }

  /**
   * How much nearer each name is to another table of the database than to the target's own, by the cosine with what it
   * is called plus the cosine with what it holds, 0 to 4: a "pet name" belongs to the pets, not to their owners.
   */
  async foreignness(
    { target: { dbId, table, siblings = [] } }: TargetColumn,
    names: readonly string[],
    context: StageContext,
  ): Promise<readonly number[]> {
    const texts = [table, ...siblings].flatMap((one) => [one.name, tableText(dbId, one)]);
    const vectors = await this.#embed([...names, ...texts], context.signal);
    const ofTexts = vectors.slice(names.length);
    return vectors.slice(0, names.length).map((vector) => {
      const nearness = (position: number): number =>
        dot(vector, ofTexts[2 * position]!) + dot(vector, ofTexts[2 * position + 1]!);
      return Math.max(0, ...siblings.map((_, i) => nearness(i + 1) - nearness(0)));
    });
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

/** A table in words: domain, name and columns. */
function tableText(dbId: string, { name, columns }: Table): string {
  return `${dbId.replaceAll('_', ' ')}: ${name} | ${columns.map((column) => column.name).join(', ')}`;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
