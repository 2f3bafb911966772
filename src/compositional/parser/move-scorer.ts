import type { ParserFiles } from './model-files.js';
import { type MoveKind, ParseState } from './parse-state.js';

/** Tokens that a move is decided by. */
const ROLES = 8;
const KINDS: readonly MoveKind[] = ['S', 'D', 'L', 'R', 'B'];

/** A move with its kind and its label, "" of those without. */
interface Move {
  readonly kind: MoveKind;
  readonly label: string;
}

/** Heads and labels of a text's tokens; -1 and "" of those that no move attached. */
export interface Arcs {
  readonly heads: Int32Array;
  readonly labels: readonly string[];
}

/** Runs of moves of one kind, which lie next to each other. */
interface MoveRun {
  readonly kind: MoveKind;
  readonly first: number;
  readonly end: number;
}

function parseMove(name: string): Move {
  return { kind: name.slice(0, 1) as MoveKind, label: name.slice(2) };
}

function runsOf(moves: readonly Move[]): readonly MoveRun[] {
  return KINDS.map((kind) => {
    const first = moves.findIndex((move) => move.kind === kind);
    return { kind, first, end: moves.findLastIndex((move) => move.kind === kind) + 1 };
  }).sort((a, b) => a.first - b.first);
}

/** Decides an arc-eager parser's moves: greedily, by one hidden layer of maxout units over the features of eight tokens. */
export class MoveScorer {
  readonly #moves: readonly Move[];
  readonly #runs: readonly MoveRun[];
  readonly #units: number;
  /** Features of a missing token, `[roles, units × 2]`. */
  readonly #missing: Float64Array;
  readonly #bias: Float64Array;
  /** `[moves, units]`. */
  readonly #weights: Float64Array;
  readonly #shifts: Float64Array;
  readonly #context = new Int32Array(ROLES);
  readonly #sums: Float64Array;
  readonly #hidden: Float64Array;

  constructor({ language, moves }: Pick<ParserFiles, 'language' | 'moves'>) {
    const { hidden, pieces } = language.sizes;
    const width = hidden * pieces;
    this.#moves = language.moves.map(parseMove);
    this.#runs = runsOf(this.#moves);
    this.#units = hidden;
    let at = 0;
    const take = (count: number): Float64Array => Float64Array.from(moves.subarray(at, (at += count)));
    this.#missing = take(ROLES * width);
    this.#bias = take(width);
    this.#weights = take(this.#moves.length * hidden);
    this.#shifts = take(this.#moves.length);
    if (this.#shifts.length !== this.#moves.length || at !== moves.length) throw new RangeError('moves.bin has another size');
    this.#sums = new Float64Array(width);
    this.#hidden = new Float64Array(hidden);
  }

  /** Parses a text of some tokens by their features, `[tokens, roles × units × 2]`. */
  parse(length: number, features: Float32Array): Arcs {
    const state = new ParseState(length);
    while (!state.isFinal) {
      this.#activate(state, features);
      const best = this.#bestMove(state);
      state.make(this.#moves[best]?.kind ?? 'D', best);
    }
    const labels = Array.from(state.moves, (move) => this.#moves[move]?.label ?? '');
    return { heads: state.heads, labels };
  }

  #activate(state: ParseState, features: Float32Array): void {
    const [sums, context, missing, hidden, units] = [this.#sums, this.#context, this.#missing, this.#hidden, this.#units];
    state.writeContext(context);
    sums.set(this.#bias);
    const width = 2 * units;
    for (let role = 0; role < ROLES; role++) {
      const token = context[role] ?? -1;
      const source = token < 0 ? missing : features;
      const start = (token < 0 ? role : token * ROLES + role) * width;
      for (let i = 0; i < width; i++) sums[i] = (sums[i] ?? 0) + (source[start + i] ?? 0);
    }
    for (let i = 0; i < units; i++) hidden[i] = Math.max(sums[2 * i] ?? 0, sums[2 * i + 1] ?? 0);
  }

  /** The allowed move of the highest score, the first of equals. */
  #bestMove(state: ParseState): number {
    let [best, highest] = [-1, -Infinity];
    for (const { kind, first, end } of this.#runs) {
      if (!state.allows(kind)) continue;
      for (let move = first; move < end; move++) {
        const score = this.#score(move);
        if (score > highest) [best, highest] = [move, score];
      }
    }
    return best;
  }

  #score(move: number): number {
    const [weights, hidden, units] = [this.#weights, this.#hidden, this.#units];
    let score = this.#shifts[move] ?? 0;
    for (let i = 0, at = move * units; i < units; i++, at++) score += (weights[at] ?? 0) * (hidden[i] ?? 0);
    return score;
  }
}
