import type { ColumnType, Database } from '../schema.js';
import type { AbbreviationList } from './abbreviation-list.js';
import { EDGE, type ColumnWords, topicCosine } from './column-words.js';
import { DatabaseWords, stemOf, type TableWords } from './database-words.js';
import { Agreement } from './agreement.js';
import { type Feature, type FeatureValue, type Weights, weightVector } from './features.js';
import { type IdentifierPart, identifierParts } from './identifier-parts.js';
import { type Hypothesis, PartHypotheses } from './part-hypotheses.js';
import { type Calibration, type IdentifierReading, readingsOf } from './reading.js';
import { type Beliefs, type Edge, edgesOf, type Path, type Unit } from './reading-path.js';
import { itemAt, zip } from '../../present.js';

/** What is known of a database beyond its schema. */
export interface SchemaEvidence {
  /** Words of questions, descriptions and evidence, in lower case. */
  readonly words?: Iterable<string>;
  /** What the values of a column show its type to be, where they do. */
  readonly observedType?: (table: number, column: number) => ColumnType | null;
}

/** What the step from one word to the next says. */
interface Turn {
  readonly values: readonly FeatureValue[];
  readonly score: number;
}

const NO_TURN: Turn = { values: [], score: 0 };

const BEAM = 12;
const FINAL = 16;
/** Runs that are taken apart. */
const LONGEST_RUN = 40;
const LONGEST_PIECE = 16;

export class IdentifierReader {
  readonly #words: ColumnWords;
  readonly #hypotheses: PartHypotheses;
  readonly #weights: Float64Array;
  readonly #byFeature: Weights;
  readonly #calibration: Calibration;
  /** Steps by both words, of one database: thousands of databases have millions. */
  #turns = new Map<string, Map<string, Turn>>();
  #contexts = new WeakMap<TableWords, Map<Hypothesis, readonly FeatureValue[]>>();

  constructor(words: ColumnWords, list: AbbreviationList, weights: Weights, calibration: Calibration) {
    this.#words = words;
    this.#calibration = calibration;
    this.#weights = weightVector(weights);
    this.#byFeature = weights;
    this.#hypotheses = new PartHypotheses(words, list, this.#weights);
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
    this.#turns = new Map();
    this.#contexts = new WeakMap();
    const context = new DatabaseWords(database, this.#words, evidence.words);
    const first = units.map((unit) => this.#read(unit, context, null, null));
    const agreement = new Agreement();
    const own = zip(units, first).map(([unit, beliefs]) => noteBeliefs(unit, beliefs, agreement));
    return zip(units, own).map(([unit, noted]) => [unit, this.#read(unit, context, agreement, noted)] as const);
  }

  #read(
    unit: Unit,
    context: DatabaseWords,
    agreement: Agreement | null,
    own: ReadonlyMap<string, number> | null,
  ): Beliefs {
    let paths: readonly Path[] = [{ score: 0, edge: null, before: null, word: EDGE, transition: [] }];
    const table = itemAt(context.tables, unit.table);
    for (const [at, part] of unit.parts.entries()) {
      if (part.kind === 'digits') {
        paths = paths.map((path) => ({ ...path, before: path, edge: null, word: '', transition: [] }));
        continue;
      }
      const edges = (letters: string, isPart: boolean): readonly Edge[] =>
        this.#edges(letters, isPart, at, unit, table, context, agreement, own);
      paths = this.#through(part.text, paths, edges);
    }
    const ended = paths.map((path) => this.#ended(path, unit));
    ended.sort((a, b) => b.score - a.score);
    const best = ended.slice(0, FINAL);
    const top = Math.max(...best.map(({ score }) => score));
    const masses = best.map(({ score }) => Math.exp(score - top));
    const total = masses.reduce((sum, mass) => sum + mass, 0);
    return { paths: best, masses: masses.map((mass) => mass / total) };
  }

  #ended(path: Path, unit: Unit): Path {
    if (path.word === '' || path.word === EDGE || path.edge?.hypothesis.isKept === true) return path;
    const transition: FeatureValue[] = [['lastWord', this.#words.pairGain(path.word, EDGE)]];
    if (unit.type !== null) transition.push(['typeGain', this.#words.typeGain(path.word, unit.type)]);
    return { ...path, before: path, edge: null, transition, score: path.score + this.#scoreOf(transition) };
  }

  #scoreOf(transition: readonly FeatureValue[]): number {
    let sum = 0;
    for (const [feature, value] of transition) sum += this.#byFeature[feature] * value;
    return sum;
  }

  #through(
    letters: string,
    incoming: readonly Path[],
    edges: (letters: string, isPart: boolean) => readonly Edge[],
  ): readonly Path[] {
    const whole = edges(letters, true);
    const out = this.#extend(incoming, whole, []);
    // A word of its own is never taken apart: "torch" is no "to reach".
    const isApart = letters.length >= 4 && letters.length <= LONGEST_RUN && !this.#words.isWord(letters);
    if (!isApart) return prune(out);
    const beams = new Map<number, Path[]>([[0, [...incoming]]]);
    for (let start = 0; start < letters.length; start++) {
      const here = prune(beams.get(start) ?? []);
      if (here.length === 0) continue;
      for (let end = start + 1; end <= Math.min(letters.length, start + LONGEST_PIECE); end++) {
        if (start === 0 && end === letters.length) continue;
        const piece = letters.slice(start, end);
        const transition: FeatureValue[] = start === 0 ? [] : [['inner', 1]];
        if (piece.length < 3) transition.push(['innerShort', 1]);
        const extended = this.#extend(here, edges(piece, false), transition);
        const beam = beams.get(end);
        if (beam === undefined) beams.set(end, extended);
        else beam.push(...extended);
      }
    }
    return prune([...out, ...(beams.get(letters.length) ?? [])]);
  }

  #extend(paths: readonly Path[], edges: readonly Edge[], base: readonly FeatureValue[]): Path[] {
    const out: Path[] = [];
    const baseScore = this.#scoreOf(base);
    for (const path of paths) {
      for (const edge of edges) {
        const { words, isKept } = edge.hypothesis;
        const [first = '', last = first] = [words[0], words.at(-1)];
        const turn = isKept || path.word === '' ? NO_TURN : this.#turn(path.word, first);
        out.push({
          score: path.score + edge.score + baseScore + turn.score,
          edge,
          before: path,
          word: isKept ? '' : last,
          transition: base.length === 0 ? turn.values : [...base, ...turn.values],
        });
      }
    }
    return out;
  }

  /** What it says that one word follows another. */
  #turn(from: string, to: string): Turn {
    let turns = this.#turns.get(from);
    if (turns === undefined) this.#turns.set(from, (turns = new Map<string, Turn>()));
    let turn = turns.get(to);
    if (turn === undefined) {
      const values: FeatureValue[] = [[from === EDGE ? 'firstWord' : 'pairGain', this.#words.pairGain(from, to)]];
      if (stemOf(from) === stemOf(to)) values.push(['repeated', 1]);
      if (from !== EDGE) values.push(['nearPrevious', this.#words.nearness(from, to)]);
      turns.set(to, (turn = { values, score: this.#scoreOf(values) }));
    }
    return turn;
  }

  #edges(
    letters: string,
    isPart: boolean,
    part: number,
    unit: Unit,
    table: TableWords,
    context: DatabaseWords,
    agreement: Agreement | null,
    own: ReadonlyMap<string, number> | null,
  ): readonly Edge[] {
    const general = isPart ? this.#hypotheses.ofPart(letters) : this.#hypotheses.ofPiece(letters);
    const known = new Set(general.map(({ words }) => words.join(' ')));
    const ofDatabase = isPart
      ? this.#ofDatabase(letters, context).filter(({ words: [word = ''] }) => !known.has(word))
      : [];
    const keyTables = unit.column === null ? [] : context.keyTableWords(unit.table, unit.column);
    return [...general, ...ofDatabase].map((hypothesis) => {
      const values = [...this.#knownContext(hypothesis, table, context)];
      if (isOfKeyTable(hypothesis, keyTables, context)) values.push(['inKeyTable', 1]);
      const reading = hypothesis.words.join(' ');
      const inTable = agreement?.share(String(unit.table), letters, reading, own) ?? null;
      if (inTable !== null) values.push(['agree', inTable], ['disagree', 1 - inTable]);
      const inAll = agreement?.share('', letters, reading, own) ?? null;
      if (inAll !== null) values.push(['agreeDatabase', inAll]);
      if (agreement !== null) values.push(['habit', agreement.habits.gain(hypothesis.manner)]);
      return { hypothesis, part, letters, context: values, score: hypothesis.score + this.#scoreOf(values) };
    });
  }

  #ofDatabase(letters: string, context: DatabaseWords): readonly Hypothesis[] {
    const found: Hypothesis[] = [];
    for (const word of context.ownWords(letters.charAt(0))) {
      const hypothesis = this.#hypotheses.ofWord(letters, word);
      if (hypothesis !== null) found.push(hypothesis);
    }
    return found;
  }

  /** The same letters stand in many identifiers of a table, and each is read twice. */
  #knownContext(hypothesis: Hypothesis, table: TableWords, context: DatabaseWords): readonly FeatureValue[] {
    let ofTable = this.#contexts.get(table);
    if (ofTable === undefined) this.#contexts.set(table, (ofTable = new Map<Hypothesis, readonly FeatureValue[]>()));
    let values = ofTable.get(hypothesis);
    if (values === undefined) ofTable.set(hypothesis, (values = this.#contextValues(hypothesis, table, context)));
    return values;
  }

  #contextValues(
    { words, isExpanded, isKept, cues }: Hypothesis,
    table: TableWords,
    context: DatabaseWords,
  ): FeatureValue[] {
    const values: FeatureValue[] = [];
    if (isKept || !isExpanded) return values;
    const all = (isKnown: (word: string) => boolean): boolean => words.every(isKnown);
    if (all((word) => context.isIn(table.ofColumns, word))) values.push(['inTable', 1]);
    if (all((word) => context.isIn(table.ofName, word))) values.push(['inTableName', 1]);
    if (all((word) => context.has(word))) values.push(['inDatabase', 1]);
    if (all((word) => context.isInTexts(word))) values.push(['inText', 1]);
    const topics = words.flatMap((word) => this.#words.topic(word) ?? []);
    const { topic: own } = table;
    if (own !== null && topics.length > 0)
      values.push(['topic', Math.max(...topics.map((topic) => topicCosine(topic, own)))]);
    if (cues !== null) values.push([cueFeature(cues, table, context), 1]);
    return values;
  }
}

/** Whether the name of the table whose rows a key tells apart has the words. */
function isOfKeyTable(
  { words, isExpanded }: Hypothesis,
  keyTables: readonly ReadonlySet<string>[],
  context: DatabaseWords,
): boolean {
  return isExpanded && keyTables.some((ofName) => words.every((word) => context.isIn(ofName, word)));
}

/** How near the words stand that a reading is known by. */
function cueFeature(cues: readonly string[], table: TableWords, context: DatabaseWords): Feature {
  const isInTable = (cue: string): boolean => context.isIn(table.ofColumns, cue) || context.isIn(table.ofName, cue);
  if (cues.some(isInTable)) return 'listedCue';
  return cues.some((cue) => context.has(cue) || context.isInTexts(cue)) ? 'listedCueInDatabase' : 'listedWithoutCue';
}

function prune(paths: readonly Path[]): Path[] {
  const sorted = [...paths].sort((a, b) => b.score - a.score);
  const kept: Path[] = [];
  const seen = new Map<string, number>();
  for (const path of sorted) {
    if (kept.length === BEAM) break;
    // Several paths that end in one word differ only in what came before.
    const count = seen.get(path.word) ?? 0;
    if (count >= 3) continue;
    seen.set(path.word, count + 1);
    kept.push(path);
  }
  return kept;
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

function noteBeliefs(unit: Unit, { paths, masses }: Beliefs, agreement: Agreement): ReadonlyMap<string, number> {
  const own = new Map<string, number>();
  for (const [path, mass] of zip(paths, masses)) {
    for (const { letters, hypothesis } of edgesOf(path)) {
      const reading = hypothesis.words.join(' ');
      const key = `${letters}\n${reading}`;
      own.set(key, (own.get(key) ?? 0) + mass);
      agreement.habits.add(hypothesis.manner, mass);
      agreement.add(String(unit.table), letters, reading, mass);
      agreement.add('', letters, reading, mass);
    }
  }
  return own;
}
