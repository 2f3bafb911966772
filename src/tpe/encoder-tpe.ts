import type { SentenceEncoder } from '../inference/sentence-encoder.js';
import type { StageContext, TargetTable, TpePredictor } from '../stage.js';
import type { EntityHead } from './entity-head.js';
import type { RankedEntity } from './entity-labels.js';
import { namesAnEntity, singularTableName } from './table-name-tpe.js';
import { itemAt, zip } from '../present.js';

/** Budget in characters: more than that the encoder does not read. */
const COLUMNS_LENGTH = 320;

/** Below it a label is not taken: of the labeled development tables above it, 95 % are right (`npm run bench:tpe`). */
const LEAST_PROBABILITY = 0.6;

/** Renders the encoder's input for a table: its columns' natural names, as many as fit: "player, position, team". */
export function renderColumns(names: readonly string[]): string {
  const text = names.map((name) => name.toLowerCase().replace(/\s+/gu, ' ').trim()).join(', ');
  return text.slice(0, COLUMNS_LENGTH);
}

/**
 * Primary entity by a linear head over the table encoder, from the columns alone; the table's name where no label is
 * sure.
 */
export class EncoderTpe implements TpePredictor {
  readonly id = 'encoder';
  readonly fingerprint: string;
  readonly #encoder: Pick<SentenceEncoder, 'embed' | 'fingerprint'>;
  readonly #head: EntityHead;

  constructor(encoder: Pick<SentenceEncoder, 'embed' | 'fingerprint'>, head: EntityHead) {
    this.#encoder = encoder;
    this.#head = head;
    this.fingerprint = `encoder-tpe:1:${encoder.fingerprint}:${head.fingerprint}`;
  }

  async predict(targets: readonly TargetTable[], context: StageContext): Promise<readonly string[]> {
    const ranked = await this.rank(targets, context);
    return zip(targets, ranked).map(([{ table }, ofTable]) => {
      const { label, probability } = itemAt(ofTable, 0);
      // Columns without a word, such as c1 and c2, tell nothing, whatever the head makes of them.
      const isSure = probability >= LEAST_PROBABILITY && table.columns.some(({ name }) => namesAnEntity(name));
      return isSure ? label : singularTableName(table.name);
    });
  }

  /** For each table all labels, the likeliest first. */
  async rank(targets: readonly TargetTable[], context: StageContext): Promise<readonly (readonly RankedEntity[])[]> {
    const texts = targets.map(({ table }) => renderColumns(table.columns.map(({ name }) => name)));
    const vectors = await this.#encoder.embed(texts, context.signal);
    return vectors.map((vector) => this.#head.rank(vector));
  }
}
