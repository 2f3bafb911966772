import { mustGet, zip } from '../../present.js';
import { Agreement, LetterReadings, shareOf } from './agreement.js';
import { type ColumnWords, meanTopic, topicCosine, topicWeight } from './column-words.js';
import { stemOf } from './database-words.js';
import type { Hypothesis } from './part-hypotheses.js';
import { type Beliefs, edgesOf, type OthersSay, type Unit } from './reading-path.js';

/** Masses below are no evidence. */
const LEAST_MASS = 0.02;

/** Words that some identifiers say, and how much that is believed. */
class WordMass {
  readonly #byStem = new Map<string, number>();
  readonly #byWord = new Map<string, number>();

  add(word: string, mass: number): void {
    this.#byWord.set(word, (this.#byWord.get(word) ?? 0) + mass);
    const stem = stemOf(word);
    this.#byStem.set(stem, (this.#byStem.get(stem) ?? 0) + mass);
  }

  of(word: string): number {
    return this.#byStem.get(stemOf(word)) ?? 0;
  }

  topic(words: ColumnWords): Float64Array | null {
    return meanTopic(
      [...this.#byWord].flatMap(([word, mass]) => {
        const topic = words.topic(word);
        return topic === null ? [] : [[topic, Math.sqrt(mass) * topicWeight(words, word)] as const];
      }),
    );
  }
}

/** How each identifier of a database is read by itself, so that each is read again in the light of the others. */
export class FirstReadings {
  readonly #agreement = new Agreement();
  readonly #own = new Map<Unit, LetterReadings>();
  readonly #inTable = new Map<number, WordMass>();
  readonly #topics = new Map<number, Float64Array | null>();
  readonly #near = new Map<Unit, Float64Array | null>();
  readonly #habits = new Map<string, number>();

  constructor(words: ColumnWords, read: readonly (readonly [Unit, Beliefs])[]) {
    const noted = read.map(([unit, beliefs]) => ({ unit, said: this.#note(unit, beliefs) }));
    for (const [table, mass] of this.#inTable) this.#topics.set(table, mass.topic(words));
    for (const [i, { unit }] of noted.entries()) {
      const near = new WordMass();
      for (const beside of [noted[i - 1], noted[i + 1]])
        if (beside?.unit.table === unit.table) for (const [word, mass] of beside.said) near.add(word, mass);
      this.#near.set(unit, near.topic(words));
    }
  }

  /** What the other identifiers say of the readings of some letters of a unit. */
  of(unit: Unit, letters: string): (hypothesis: Hypothesis) => OthersSay {
    const own = this.#own.get(unit)?.of(letters) ?? null;
    const ofTable = this.#agreement.inTable(unit.table).of(letters);
    const ofAll = this.#agreement.inAll.of(letters);
    const inTable = mustGet(this.#inTable.get(unit.table), 'what a table says');
    const [topic, near] = [this.#topics.get(unit.table) ?? null, this.#near.get(unit) ?? null];
    return ({ words, topics, reading, manner, isExpanded }) => {
      const agree = shareOf(ofTable, own, reading);
      const agreeDatabase = shareOf(ofAll, own, reading);
      const habit = this.#habit(manner);
      if (!isExpanded) return { agree, agreeDatabase, habit, elsewhere: 0, topicRead: 0, topicNear: 0 };
      const same = ofTable?.of(reading) ?? 0;
      const mass = Math.max(0, Math.min(...words.map((word) => inTable.of(word))) - same);
      return {
        agree,
        agreeDatabase,
        habit,
        elsewhere: Math.log1p(mass),
        topicRead: closeness(topics, topic),
        topicNear: closeness(topics, near),
      };
    };
  }

  #habit(manner: string): number {
    let gain = this.#habits.get(manner);
    if (gain === undefined) this.#habits.set(manner, (gain = this.#agreement.habits.gain(manner)));
    return gain;
  }

  #note(unit: Unit, { paths, masses }: Beliefs): ReadonlyMap<string, number> {
    const own = new LetterReadings();
    const said = new Map<string, number>();
    const table = this.#agreement.inTable(unit.table);
    for (const [path, mass] of zip(paths, masses)) {
      if (mass < LEAST_MASS) continue;
      for (const { letters, hypothesis } of edgesOf(path)) {
        const { reading, manner, words, isKept } = hypothesis;
        own.add(letters, reading, mass);
        table.add(letters, reading, mass);
        this.#agreement.inAll.add(letters, reading, mass);
        this.#agreement.habits.add(manner, mass);
        if (!isKept) for (const word of words) said.set(word, (said.get(word) ?? 0) + mass);
      }
    }
    this.#own.set(unit, own);
    let inTable = this.#inTable.get(unit.table);
    if (inTable === undefined) this.#inTable.set(unit.table, (inTable = new WordMass()));
    for (const [word, mass] of said) inTable.add(word, mass);
    return said;
  }
}

/** Cosine of the nearest of some topics with a direction, at least 0. */
function closeness(topics: readonly Int8Array[], direction: Float64Array | null): number {
  let closest = 0;
  if (direction !== null) for (const topic of topics) closest = Math.max(closest, topicCosine(topic, direction));
  return closest;
}
