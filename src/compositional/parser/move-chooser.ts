import { itemAt } from '../../present.js';
import type { ParserNetworks, ReadTokens } from './parser-networks.js';

const NONE = -1;

/** Tokens that a move is decided by. */
const CONTEXT_SIZE = 8;

/** Kinds of moves of an arc-eager parser, in spaCy's words: shift, reduce, left arc, right arc, break. */
type MoveKind = 'S' | 'D' | 'L' | 'R' | 'B';

/** Children of each token on one side; the last one added is the outermost. */
class Children {
  readonly #last: Int32Array;
  readonly #before: Int32Array;

  constructor(length: number) {
    this.#last = new Int32Array(length).fill(NONE);
    this.#before = new Int32Array(length).fill(NONE);
  }

  lastOf(head: number): number {
    return head === NONE ? NONE : (this.#last[head] ?? NONE);
  }

  add(head: number, child: number): void {
    this.#before[child] = this.lastOf(head);
    this.#last[head] = child;
  }

  remove(head: number, child: number): void {
    const before = this.#before[child] ?? NONE;
    if (this.lastOf(head) === child) {
      this.#last[head] = before;
      return;
    }
    for (let at = this.lastOf(head); at !== NONE; at = this.#before[at] ?? NONE) {
      if (this.#before[at] === child) this.#before[at] = before;
    }
  }
}

/**
 * Where an arc-eager parser is in a text: a stack of tokens, a buffer of those to come, the arcs so far. The moves
 * are spaCy's non-monotonic ones (spacy/pipeline/_parser_internals/arc_eager.pyx): a token that is reduced without a head
 * goes back to the buffer, and a left arc may replace a head.
 */
class ParseState {
  readonly length: number;
  /** Head of each token, -1 as long as it has none. */
  readonly heads: Int32Array;
  /** Number of the move that gave each token its head. */
  readonly moves: Int32Array;
  readonly #stack: number[] = [];
  /** Tokens put back before the buffer, the next one last. */
  readonly #returned: number[] = [];
  #next = 0;
  readonly #wasReturned: Uint8Array;
  readonly #startsSentence: Uint8Array;
  readonly #left: Children;
  readonly #right: Children;

  constructor(length: number) {
    this.length = length;
    this.heads = new Int32Array(length).fill(NONE);
    this.moves = new Int32Array(length).fill(NONE);
    this.#wasReturned = new Uint8Array(length);
    this.#startsSentence = new Uint8Array(length);
    this.#left = new Children(length);
    this.#right = new Children(length);
  }

  get isFinal(): boolean {
    return this.#stack.length === 0 && this.#bufferLength === 0;
  }

  get #bufferLength(): number {
    return this.length - this.#next + this.#returned.length;
  }

  /** The token in a place of the stack, 0 on top; -1 where there is none. */
  #stacked(place: number): number {
    return this.#stack[this.#stack.length - 1 - place] ?? NONE;
  }

  #buffered(place: number): number {
    const { length } = this.#returned;
    if (place < length) return this.#returned[length - 1 - place] ?? NONE;
    const at = this.#next + place - length;
    return at < this.length ? at : NONE;
  }

  /** The tokens that a move is decided by, -1 for those that aren't there. */
  writeContext(into: Int32Array): void {
    const [buffer, top] = [this.#buffered(0), this.#stacked(0)];
    into[0] = buffer;
    into[1] = this.#buffered(1);
    into[2] = top;
    into[3] = this.#stacked(1);
    into[4] = this.#stacked(2);
    into[5] = this.#left.lastOf(buffer);
    into[6] = this.#left.lastOf(top);
    into[7] = this.#right.lastOf(top);
  }

  allows(kind: MoveKind): boolean {
    const [depth, left] = [this.#stack.length, this.#bufferLength];
    const starts = this.#startsSentence[this.#buffered(0)] === 1;
    switch (kind) {
      case 'S':
        return depth === 0 || (left >= 2 && !starts && this.#wasReturned[this.#buffered(0)] !== 1);
      case 'D':
        return depth > 0;
      case 'L':
      case 'R':
        return depth > 0 && left > 0 && !starts;
      case 'B':
        return this.#allowsBreak(left);
    }
  }

  #allowsBreak(left: number): boolean {
    const second = this.#buffered(1);
    return left >= 2 && second === this.#buffered(0) + 1 && this.#startsSentence[second] !== 1;
  }

  /** Makes an allowed move; `number` is kept for the token that it gives a head. */
  make(kind: MoveKind, number: number): void {
    const [top, buffer] = [this.#stacked(0), this.#buffered(0)];
    switch (kind) {
      case 'S':
        this.#shift();
        break;
      case 'D':
        this.#reduce(top);
        break;
      case 'L':
        this.#attach(top, buffer, number);
        this.#wasReturned[buffer] = 0;
        this.#stack.pop();
        break;
      case 'R':
        this.#attach(buffer, top, number);
        this.#shift();
        break;
      case 'B':
        this.#startsSentence[this.#buffered(1)] = 1;
    }
  }

  #shift(): void {
    this.#stack.push(this.#returned.pop() ?? this.#next++);
  }

  #reduce(top: number): void {
    if (this.heads[top] === NONE && this.#stack.length > 1) {
      this.#wasReturned[top] = 1;
      this.#returned.push(top);
    }
    this.#stack.pop();
  }

  #attach(child: number, head: number, number: number): void {
    const before = this.heads[child] ?? NONE;
    if (before !== NONE) this.#sideOf(before, child).remove(before, child);
    this.#sideOf(head, child).add(head, child);
    this.heads[child] = head;
    this.moves[child] = number;
  }

  #sideOf(head: number, child: number): Children {
    return head > child ? this.#left : this.#right;
  }
}

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
    this.#moves = names.map((name) => ({ kind: name.slice(0, 1) as MoveKind, label: name.slice(2) }));
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
