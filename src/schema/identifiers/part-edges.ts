import { itemAt } from '../../present.js';
import { topicCosine } from './column-words.js';
import type { DatabaseWords, TableWords } from './database-words.js';
import type { Feature, FeatureValue, Weights } from './features.js';
import type { FirstReadings } from './first-readings.js';
import type { Hypothesis, PartHypotheses } from './part-hypotheses.js';
import type { Edge, OthersSay, Unit } from './reading-path.js';

/** What a table and its database say of a hypothesis, whichever column it is of. */
interface Context {
  readonly values: readonly FeatureValue[];
  readonly score: number;
}

/** Ways to read runs of letters in one database; what comes again is remembered. */
export class PartEdges {
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
    let ofTable = this.#contexts.get(table);
    if (ofTable === undefined) this.#contexts.set(table, (ofTable = new Map<Hypothesis, Context>()));
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
