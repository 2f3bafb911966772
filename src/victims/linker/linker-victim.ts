import { ModelFileError } from '../../errors.js';
import { InferencePool } from '../../inference/inference-pool.js';
import type { LinkerManifest } from '../../inference/model-manifest.js';
import type { LocatedModel } from '../../inference/model-store.js';
import { AutoTokenizer, env } from '../../inference/transformers.js';
import { memoize } from '../../schema/memoize.js';
import type { ColumnRef, Database } from '../../schema/schema.js';
import {
  columnsAnswer,
  failedAnswer,
  type Victim,
  type VictimAnswer,
  type VictimContext,
  type VictimQuestion,
} from '../victim.js';

/** Tokens of a question that a linker reads, as in its training (training/linker/train_linker.py). */
const QUESTION_TOKENS = 60;

/** The used part of a tokenizer. */
export interface LinkerTokenizer {
  /** Ids of a text's tokens, without those that begin and end a sequence. */
  encode(text: string): readonly number[];
  decode(ids: readonly number[]): string;
}

/** A text that the network reads, and the columns that its last stretches are. */
export interface LinkerSequence {
  readonly text: string;
  /** Tokens that it has at most, those that begin and end it among them, counted as in training. */
  readonly tokens: number;
  /** For each stretch between two separators, counted from the end, the column that it names; null where it is none. */
  readonly stretches: readonly (ColumnRef | null)[];
}

/** A part of a table: its name and some of its columns, in text and tokens. */
interface TablePiece {
  readonly name: string;
  readonly columns: readonly { readonly ref: ColumnRef; readonly name: string; readonly tokens: number }[];
  /** Tokens of it in a sequence, separators among them. */
  readonly tokens: number;
}

/** A name without what would end its stretch. */
function stretchText(name: string): string {
  return name.replaceAll(/[:,]|\[SEP\]/g, ' ').trim();
}

/** Writes questions and schemas as a schema linker reads them: `question [SEP] table : column , column [SEP] …`. */
export class LinkerSequences {
  readonly #tokenizer: LinkerTokenizer;
  readonly #maxTokens: number;
  readonly #lengthOf = memoize((name) => this.#tokenizer.encode(name).length);

  /** `maxTokens`: of a whole sequence, those that begin and end it among them. */
  constructor(tokenizer: LinkerTokenizer, maxTokens: number) {
    this.#tokenizer = tokenizer;
    this.#maxTokens = maxTokens;
  }

  /** The whole schema in as many sequences as it takes; a table stays in one unless it is longer than that. */
  of(question: string, schema: Database): readonly LinkerSequence[] {
    const ids = this.#tokenizer.encode(question);
    const asked = ids.length > QUESTION_TOKENS ? this.#tokenizer.decode(ids.slice(0, QUESTION_TOKENS)) : question;
    const room = this.#maxTokens - Math.min(QUESTION_TOKENS, ids.length) - 3;
    const parts: TablePiece[][] = [];
    let free = 0;
    for (const piece of schema.tables.flatMap((_, table) => split(this.#piece(schema, table), room))) {
      if (parts.length === 0 || piece.tokens > free) {
        parts.push([]);
        free = room;
      }
      parts.at(-1)?.push(piece);
      free -= piece.tokens;
    }
    const taken = this.#maxTokens - room;
    return parts.map((pieces) => sequenceOf(asked, pieces, taken));
  }

  #piece({ tables }: Database, table: number): TablePiece {
    const { name, columns: all = [] } = tables[table] ?? { name: '' };
    const columns = all.map((column, place) => {
      const text = stretchText(column.name);
      return { ref: { table, column: place }, name: text, tokens: 1 + this.#lengthOf(text) };
    });
    return pieceOf(stretchText(name), 2 + this.#lengthOf(stretchText(name)), columns);
  }
}

function pieceOf(name: string, own: number, columns: TablePiece['columns']): TablePiece {
  return { name, columns, tokens: own + columns.reduce((sum, { tokens }) => sum + tokens, 0) };
}

/** Halves, and halves of these, of a table that is too long. */
function split(piece: TablePiece, room: number): readonly TablePiece[] {
  const { name, columns, tokens } = piece;
  if (tokens <= room || columns.length < 2) return [piece];
  const half = columns.length >> 1;
  const own = tokens - columns.reduce((sum, column) => sum + column.tokens, 0);
  return [columns.slice(0, half), columns.slice(half)].flatMap((some) => split(pieceOf(name, own, some), room));
}

function sequenceOf(question: string, pieces: readonly TablePiece[], taken: number): LinkerSequence {
  const tables = pieces.map(({ name, columns }) => `${name} : ${columns.map((column) => column.name).join(' , ')}`);
  const named = pieces.flatMap(({ columns }): readonly (ColumnRef | null)[] => [
    null,
    // The stretch of no column comes after the colon of a table without any.
    ...(columns.length === 0 ? [null] : columns.map(({ ref }) => ref)),
  ]);
  const tokens = pieces.reduce((sum, piece) => sum + piece.tokens, taken);
  return { text: [question, ...tables].join(' [SEP] '), tokens, stretches: named.toReversed() };
}

/** Raised when a linker is read otherwise than before. */
const VERSION = 1;

const byPlace = (a: ColumnRef, b: ColumnRef): number => a.table - b.table || a.column - b.column;

async function openSequences({ folder, manifest }: LocatedModel<LinkerManifest>): Promise<LinkerSequences> {
  env.allowRemoteModels = false;
  const tokenizer = await AutoTokenizer.from_pretrained(folder, { local_files_only: true });
  const words = {
    encode: (text: string) => tokenizer.encode(text, { add_special_tokens: false }),
    decode: (ids: readonly number[]) => tokenizer.decode([...ids]),
  };
  return new LinkerSequences(words, manifest.maxTokens);
}

/** A schema linker: it answers with the columns that a question asks for, not with SQL (docs/defense.md). */
export class LinkerVictim implements Victim {
  readonly id = 'linker';
  readonly fingerprint: string;
  readonly concurrency: number;
  readonly #model: LocatedModel<LinkerManifest>;
  readonly #pool: InferencePool;
  #sequences: Promise<LinkerSequences> | null = null;

  constructor(model: LocatedModel<LinkerManifest>) {
    this.#model = model;
    this.#pool = new InferencePool(model);
    // One waits for each that is read.
    this.concurrency = 2 * this.#pool.size;
    this.fingerprint = `linker-${VERSION}:${model.fingerprint}`;
  }

  /**
   * @throws ModelFileError when the model's files are wrong or its network can't be run
   * @throws the signal's reason when aborted
   */
  async answer(asked: VictimQuestion, { signal }: Pick<VictimContext, 'signal'>): Promise<VictimAnswer> {
    const { id, question, schema } = asked;
    this.#sequences ??= openSequences(this.#model);
    const sequences = (await this.#sequences).of(question, schema);
    const { maxTokens } = this.#model.manifest;
    if (sequences.some(({ tokens }) => tokens > maxTokens)) {
      return failedAnswer(id, 'too-long', `a name is longer than the ${maxTokens} tokens of the linker`);
    }
    const outputs = await this.#pool.run(sequences, signal);
    const columns = sequences.flatMap((sequence, i) => this.#linked(sequence, outputs[i]?.data ?? new Float32Array()));
    return columnsAnswer(id, columns.sort(byPlace), schema);
  }

  dispose(): Promise<void> {
    return this.#pool.dispose();
  }

  #linked({ stretches }: LinkerSequence, logits: Float32Array): readonly ColumnRef[] {
    const { name, threshold } = this.#model.manifest;
    if (logits.length < stretches.length) {
      throw new ModelFileError(`the network of ${name} gives ${logits.length} logits, not one for each stretch`, {
        where: { file: this.#model.folder },
        fix: 'Export the linker with training/linker/export_linker.py.',
      });
    }
    return stretches.flatMap((ref, at) => (ref !== null && (logits[at] ?? -Infinity) >= threshold ? [ref] : []));
  }
}
