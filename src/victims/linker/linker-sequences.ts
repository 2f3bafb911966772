import type { ColumnRef, Database } from '../../schema/schema.js';

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
  readonly #lengths = new Map<string, number>();

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

  #lengthOf(name: string): number {
    const known = this.#lengths.get(name) ?? this.#tokenizer.encode(name).length;
    this.#lengths.set(name, known);
    return known;
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
