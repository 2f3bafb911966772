import { getOrMake, itemAt, zip } from '../../present.js';
import { addTo, softmax } from '../../vectors.js';
import type { ColumnType, Database } from '../schema.js';
import { type AbbreviationList, type Hypothesis, PartHypotheses } from './part-hypotheses.js';
import { Beam, type Beliefs, type Edge, type OthersSay, type Path, type Unit } from './reading-path.js';
import { type ColumnWords, topicCosine } from './column-words.js';
import { DatabaseWords, type TableWords } from './database-words.js';
import { type Feature, type FeatureValue, FeatureVector, type Weights } from './features.js';
import { FirstReadings } from './first-readings.js';
import { type IdentifierPart, identifierParts } from './identifier-parts.js';
import { type Calibration, type IdentifierReading, readingsOf } from './reading.js';
import { Spelling, type SpellingShares } from './spelling.js';
import { NO_WORD, Transitions } from './transitions.js';

/** What a table and its database say of a hypothesis, whichever column it is of. */
interface Context {
  readonly values: readonly FeatureValue[];
  readonly score: number;
}

/** Ways to read runs of letters in one database; what comes again is remembered. */
class PartEdges {
  readonly #hypotheses: PartHypotheses;
  readonly #weights: Weights;
  readonly #database: DatabaseWords;
  readonly #ofPart = new Map<string, readonly Hypothesis[]>();
  readonly #contexts = new Map<TableWords, Map<Hypothesis, Context>>();

  constructor(hypotheses: PartHypotheses, weights: Weights, database: DatabaseWords) {
    this.#hypotheses = hypotheses;
    this.#weights = weights;
    this.#database = database;
  }

  /** Readings of letters that are a whole part, or a piece of one. */
  of(letters: string, isPart: boolean, part: number, unit: Unit, first: FirstReadings | null): readonly Edge[] {
    const hypotheses = isPart ? this.#hypothesesOfPart(letters) : this.#hypotheses.ofPiece(letters);
    const table = itemAt(this.#database.tables, unit.table);
    const keyTables = unit.column === null ? [] : this.#database.keyTableWords(unit.table, unit.column);
    const sayOthers = first?.of(unit, letters) ?? null;
    return hypotheses.map((hypothesis) => {
      const { values, score } = this.#context(hypothesis, letters, table);
      const isOfKeyTable = this.#isOfKeyTable(hypothesis, keyTables);
      const others = sayOthers?.(hypothesis) ?? null;
      const whole = hypothesis.score + score + (isOfKeyTable ? this.#weights.inKeyTable : 0) + this.#scoreOf(others);
      return { hypothesis, part, letters, context: values, isOfKeyTable, others, score: whole };
    });
  }

  /** Those of the language, and words that the database has in full. */
  #hypothesesOfPart(letters: string): readonly Hypothesis[] {
    let found = this.#ofPart.get(letters);
    if (found === undefined) {
      const general = this.#hypotheses.ofPart(letters);
      const known = new Set(general.map(({ reading }) => reading));
      const own: Hypothesis[] = [];
      for (const word of this.#database.ownWords(letters.charAt(0))) {
        if (known.has(word)) continue;
        const hypothesis = this.#hypotheses.ofOwnWord(letters, word);
        if (hypothesis !== null) own.push(hypothesis);
      }
      this.#ofPart.set(letters, (found = [...general, ...own]));
    }
    return found;
  }

  #isOfKeyTable({ words, isExpanded }: Hypothesis, keyTables: readonly ReadonlySet<string>[]): boolean {
    return isExpanded && keyTables.some((ofName) => words.every((word) => this.#database.isIn(ofName, word)));
  }

  #context(hypothesis: Hypothesis, letters: string, table: TableWords): Context {
    const ofTable = getOrMake(this.#contexts, table, () => new Map<Hypothesis, Context>());
    let context = ofTable.get(hypothesis);
    if (context === undefined) {
      const values = this.#values(hypothesis, letters, table);
      const score = values.reduce((sum, [feature, value]) => sum + this.#weights[feature] * value, 0);
      ofTable.set(hypothesis, (context = { values, score }));
    }
    return context;
  }

  #values(
    { words, topics, isExpanded, cues }: Hypothesis,
    letters: string,
    table: TableWords,
  ): readonly FeatureValue[] {
    if (!isExpanded) return [];
    const values: FeatureValue[] = [];
    const database = this.#database;
    const all = (isKnown: (word: string) => boolean): boolean => words.every(isKnown);
    if (all((word) => database.isIn(table.ofColumns, word))) values.push(['inTable', 1]);
    if (all((word) => database.isIn(table.ofName, word)))
      values.push(['inTableName', 1], ['initialOfTable', letters.length === 1 ? 1 : 0]);
    if (all((word) => database.has(word))) values.push(['inDatabase', 1]);
    else if (words.some((word) => word.length > 3 && database.has(word))) values.push(['someInDatabase', 1]);
    if (all((word) => database.isInTexts(word))) values.push(['inText', 1]);
    const { topic } = table;
    if (topic !== null && topics.length > 0)
      values.push(['topic', Math.max(...topics.map((one) => topicCosine(one, topic)))]);
    if (cues !== null) values.push([cueFeature(cues, table, database), 1]);
    return values;
  }

  #scoreOf(others: OthersSay | null): number {
    if (others === null) return 0;
    const { agree, agreeDatabase, habit, elsewhere, topicRead, topicNear } = others;
    const weights = this.#weights;
    const agreement = agree === null ? 0 : agree * weights.agree + (1 - agree) * weights.disagree;
    return (
      agreement +
      (agreeDatabase === null ? 0 : agreeDatabase * weights.agreeDatabase) +
      habit * weights.habit +
      elsewhere * weights.elsewhere +
      topicRead * weights.topicRead +
      topicNear * weights.topicNear
    );
  }
}

/** How near the words stand that a reading is known by. */
function cueFeature(cues: readonly string[], table: TableWords, context: DatabaseWords): Feature {
  const isInTable = (cue: string): boolean => context.isIn(table.ofColumns, cue) || context.isIn(table.ofName, cue);
  if (cues.some(isInTable)) return 'listedCue';
  return cues.some((cue) => context.has(cue) || context.isInTexts(cue)) ? 'listedCueInDatabase' : 'listedWithoutCue';
}

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
