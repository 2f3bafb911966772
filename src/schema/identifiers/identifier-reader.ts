import { zip } from '../../present.js';
import { addTo, softmax } from '../../vectors.js';
import type { ColumnType, Database } from '../schema.js';
import type { AbbreviationList } from './abbreviation-list.js';
import { Beam } from './beam.js';
import type { ColumnWords } from './column-words.js';
import { DatabaseWords } from './database-words.js';
import { FeatureVector, type Weights } from './features.js';
import { FirstReadings } from './first-readings.js';
import { type IdentifierPart, identifierParts } from './identifier-parts.js';
import { PartEdges } from './part-edges.js';
import { PartHypotheses } from './part-hypotheses.js';
import { type Calibration, type IdentifierReading, readingsOf } from './reading.js';
import type { Beliefs, Edge, OthersSay, Path, Unit } from './reading-path.js';
import { Spelling, type SpellingShares } from './spelling.js';
import { NO_WORD, Transitions } from './transitions.js';

/** What is known of a database beyond its schema. */
export interface SchemaEvidence {
  /** Words of questions, descriptions and evidence, in lower case. */
  readonly words?: Iterable<string>;
  /** What the values of a column show its type to be, where they do. */
  readonly observedType?: (table: number, column: number) => ColumnType | null;
}

/** What is fitted of a reader (data/identifiers/weights.json). */
export interface ReaderSettings {
  readonly weights: Weights;
  readonly spelling: SpellingShares;
  readonly calibration: Calibration;
}

const FINAL = 16;
/** Runs that are taken apart. */
const LONGEST_RUN = 40;
const LONGEST_PIECE = 16;
/** Pieces of fewer letters are seldom words. */
const SHORTEST_PIECE = 3;

export class IdentifierReader {
  readonly #words: ColumnWords;
  readonly #hypotheses: PartHypotheses;
  readonly #weights: Weights;
  readonly #calibration: Calibration;
  readonly #transitions: Transitions;

  constructor(words: ColumnWords, list: AbbreviationList, { weights, spelling, calibration }: ReaderSettings) {
    this.#words = words;
    this.#calibration = calibration;
    this.#weights = weights;
    this.#transitions = new Transitions(words, weights);
    this.#hypotheses = new PartHypotheses(words, list, weights, new Spelling(spelling));
  }

  /** What each identifier of a database says, tables and columns in their order. */
  read(database: Database, evidence: SchemaEvidence = {}): readonly IdentifierReading[] {
    const isWord = (letters: string): boolean => this.#words.isWord(letters);
    const isClear = (letters: string): boolean => this.#hypotheses.isClear(letters);
    return readingsOf(this.beliefs(database, evidence), this.#calibration, { isWord, isClear });
  }

  /** Whether letters are one word. */
  isWord(letters: string): boolean {
    return this.#words.isWord(letters);
  }

  /** Whether parts are words as they stand and no abbreviations that are read otherwise: "home_town", but not "min_temp". */
  isClear(parts: readonly IdentifierPart[]): boolean {
    return parts.every(({ text, kind }) => kind === 'digits' || this.#hypotheses.isClear(text));
  }

  /** Beliefs for each identifier of a database: first each alone, then each in the light of the others. */
  beliefs(database: Database, evidence: SchemaEvidence = {}): readonly (readonly [Unit, Beliefs])[] {
    const units = unitsOf(database, evidence);
    const context = new DatabaseWords(database, this.#words, evidence.words);
    const edges = new PartEdges(this.#hypotheses, this.#weights, context);
    const readOne = (unit: Unit, first: FirstReadings | null, isApart: boolean): Beliefs =>
      this.#read(unit, (letters, isPart, part) => edges.of(letters, isPart, part, unit, first), isApart);
    const alone = units.map((unit) => [unit, readOne(unit, null, true)] as const);
    const first = new FirstReadings(this.#words, alone);
    return alone.map(([unit, beliefs]) => [unit, readOne(unit, first, hasPieces(beliefs))] as const);
  }

  /** Features of a path of a unit, for whoever fits weights. */
  pathFeatures(path: Path, unit: Unit): FeatureVector {
    return pathFeatures(path, unit, this.#transitions);
  }

  #read(unit: Unit, edgesOf: EdgesOf, mayBeApart: boolean): Beliefs {
    let paths: readonly Path[] = [{ score: 0, edge: null, before: null, word: this.#transitions.edge, isInner: false }];
    for (const [at, { kind, text }] of unit.parts.entries()) {
      if (kind === 'digits')
        paths = paths.map((before) => ({ score: before.score, before, edge: null, word: NO_WORD, isInner: false }));
      else paths = this.#through(text, at, paths, edgesOf, mayBeApart);
    }
    const ended = paths.map((path) => endOf(path, unit, this.#transitions));
    ended.sort((a, b) => b.score - a.score);
    const best = ended.slice(0, FINAL);
    return { paths: best, masses: softmax(best.map(({ score }) => score)) };
  }

  #through(
    letters: string,
    part: number,
    incoming: readonly Path[],
    edgesOf: EdgesOf,
    mayBeApart: boolean,
  ): readonly Path[] {
    const transitions = this.#transitions;
    const out = new Beam();
    extend(incoming, edgesOf(letters, true, part), out, 0, transitions);
    // A word of its own is never taken apart: "torch" is no "to reach".
    const isApart = mayBeApart && letters.length >= 4 && letters.length <= LONGEST_RUN && !this.#words.isWord(letters);
    if (!isApart) return out.paths();
    const beams = Array.from({ length: letters.length }, () => new Beam());
    for (const [start, beam] of beams.entries()) {
      const here = start === 0 ? incoming : beam.paths().filter(({ score }) => out.isNear(score));
      if (here.length === 0) continue;
      for (const [i, into] of [...beams, out].slice(start + 1, start + 1 + LONGEST_PIECE).entries()) {
        const piece = letters.slice(start, start + 1 + i);
        if (piece === letters) continue;
        const inner =
          start === 0 ? 0 : this.#weights.inner + (piece.length < SHORTEST_PIECE ? this.#weights.innerShort : 0);
        extend(here, edgesOf(piece, false, part), into, inner, transitions, start > 0);
      }
    }
    return out.paths();
  }
}

/** A belief that is too small to be changed by what other identifiers say. */
const NEGLIGIBLE = 1e-4;

/** Whether an identifier may have parts that are several words. */
function hasPieces({ paths, masses }: Beliefs): boolean {
  return zip(paths, masses).some(([path, mass]) => {
    if (mass < NEGLIGIBLE) return false;
    for (let at: Path | null = path; at !== null; at = at.before) if (at.isInner) return true;
    return false;
  });
}

/** Readings of letters that are a whole part, or a piece of one. */
type EdgesOf = (letters: string, isPart: boolean, part: number) => readonly Edge[];

/** Offers a beam each path with each edge; `base`: the score of going on within a part. */
function extend(
  paths: readonly Path[],
  edges: readonly Edge[],
  into: Beam,
  base: number,
  transitions: Transitions,
  isInner = false,
): void {
  for (const path of paths) {
    for (const edge of edges) {
      const { first, last } = edge.hypothesis;
      const turn = first === NO_WORD || path.word === NO_WORD ? 0 : transitions.score(path.word, first);
      into.offer(path.score + edge.score + base + turn, last, path, edge, isInner);
    }
  }
}

function endOf(path: Path, { type }: Unit, transitions: Transitions): Path {
  if (path.word === NO_WORD || path.word === transitions.edge) return path;
  const score = path.score + transitions.endScore(path.word, type);
  return { score, edge: null, before: path, word: path.word, isInner: false };
}

function unitsOf(database: Database, evidence: SchemaEvidence): readonly Unit[] {
  return database.tables.flatMap((table, t) => [
    { table: t, column: null, identifier: table.originalName, parts: identifierParts(table.originalName), type: null },
    ...table.columns.map((column, c) => ({
      table: t,
      column: c,
      identifier: column.originalName,
      parts: identifierParts(column.originalName),
      type: evidence.observedType?.(t, c) ?? column.type,
    })),
  ]);
}

function addOthers(
  sum: FeatureVector,
  { agree, agreeDatabase, habit, elsewhere, topicRead, topicNear }: OthersSay,
): void {
  if (agree !== null) sum.add('agree', agree).add('disagree', 1 - agree);
  if (agreeDatabase !== null) sum.add('agreeDatabase', agreeDatabase);
  sum.add('habit', habit).add('elsewhere', elsewhere).add('topicRead', topicRead).add('topicNear', topicNear);
}

function addEdge(sum: FeatureVector, edge: Edge, isInner: boolean, before: Path, transitions: Transitions): void {
  const { hypothesis, letters, context, isOfKeyTable, others } = edge;
  if (isInner) sum.add('inner').add('innerShort', letters.length < 3 ? 1 : 0);
  addTo(sum.values, hypothesis.features.values);
  for (const [feature, value] of context) sum.add(feature, value);
  if (isOfKeyTable) sum.add('inKeyTable');
  if (others !== null) addOthers(sum, others);
  if (hypothesis.first === NO_WORD || before.word === NO_WORD) return;
  for (const [feature, value] of transitions.values(before.word, hypothesis.first)) sum.add(feature, value);
}

/** Features of a whole path of a unit, for whoever fits weights. */
function pathFeatures(path: Path, { type }: Unit, transitions: Transitions): FeatureVector {
  const sum = new FeatureVector();
  for (let at: Path | null = path; at?.before != null; at = at.before) {
    if (at.edge !== null) addEdge(sum, at.edge, at.isInner, at.before, transitions);
    // Without an edge, a path that has a word has come to its end.
    else if (at.word !== NO_WORD)
      for (const [feature, value] of transitions.endValues(at.word, type)) sum.add(feature, value);
  }
  return sum;
}
