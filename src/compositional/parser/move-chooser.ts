import { itemAt } from '../../present.js';
import { CONTEXT_SIZE, type MoveKind, ParseState } from './parse-state.js';
import type { ParserNetworks, ReadTokens } from './parser-networks.js';

const KINDS: readonly MoveKind[] = ['S', 'D', 'L', 'R', 'B'];

/** A move with its kind and its label, "" of those without. */
interface Move {
  readonly kind: MoveKind;
  readonly label: string;
}

/** Moves of one kind, which are next to each other. */
interface MoveRun {
  readonly kind: MoveKind;
  readonly first: number;
  readonly end: number;
}

/** Heads and labels of a text's tokens; -1 and "" of those that no move attached. */
export interface Heads {
  readonly heads: Int32Array;
  readonly labels: readonly string[];
}

/** A text that is being parsed: where its tokens start among those that were read. */
interface Parse {
  readonly start: number;
  readonly state: ParseState;
}

function parseMove(name: string): Move {
  return { kind: name.slice(0, 1) as MoveKind, label: name.slice(2) };
}

function runsOf(moves: readonly Move[]): readonly MoveRun[] {
  const runs = KINDS.map((kind) => {
    const first = moves.findIndex((move) => move.kind === kind);
    return { kind, first, end: moves.findLastIndex((move) => move.kind === kind) + 1 };
  });
  return runs.sort((a, b) => a.first - b.first);
}

/** Parses texts with the best move at each step; all texts that were read together step together. */
export class MoveChooser {
  readonly #moves: readonly Move[];
  readonly #runs: readonly MoveRun[];

  /** @param names moves in the order of their scores: "S", "D", "L-det", "R-dobj", "B-ROOT" */
  constructor(names: readonly string[]) {
    this.#moves = names.map(parseMove);
    this.#runs = runsOf(this.#moves);
  }

  /** Heads of each text's tokens, by the texts' numbers of tokens. */
  async parse(
    networks: ParserNetworks,
    { features }: ReadTokens,
    lengths: readonly number[],
  ): Promise<readonly Heads[]> {
    let start = 0;
    const parses = lengths.map((length): Parse => ({
      start: (start += length) - length,
      state: new ParseState(length),
    }));
    for (let open: readonly Parse[] = parses; open.length > 0; open = open.filter(({ state }) => !state.isFinal)) {
      const scores = await networks.score(features, contextOf(open));
      open.forEach(({ state }, at) => {
        const best = this.#best(state, scores, at * this.#moves.length);
        state.make(itemAt(this.#moves, best).kind, best);
      });
    }
    return parses.map(({ state: { heads, moves } }) => ({
      heads,
      labels: Array.from(moves, (move) => this.#moves[move]?.label ?? ''),
    }));
  }

  /** The allowed move of the highest score, the first of equals. */
  #best(state: ParseState, scores: Float32Array, start: number): number {
    let [best, highest] = [-1, -Infinity];
    for (const { kind, first, end } of this.#runs) {
      if (!state.allows(kind)) continue;
      for (let move = first; move < end; move++) {
        const score = scores[start + move] ?? -Infinity;
        if (score > highest) [best, highest] = [move, score];
      }
    }
    return best;
  }
}

/** Rows of features that each text's next move depends on. */
function contextOf(parses: readonly Parse[]): Int32Array {
  const context = new Int32Array(parses.length * CONTEXT_SIZE);
  parses.forEach(({ start, state }, at) => {
    const own = context.subarray(at * CONTEXT_SIZE, (at + 1) * CONTEXT_SIZE);
    state.writeContext(own);
    // Row 0 is that of a missing token, which is -1 in the context.
    own.forEach((token, role) => {
      own[role] = (token < 0 ? 0 : start + token + 1) * CONTEXT_SIZE + role;
    });
  });
  return context;
}
