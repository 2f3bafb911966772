import { getOrMake, mustGet, zip } from '../../present.js';
import { type ColumnWords, topicCosine } from './column-words.js';
import { stemOf, topicOf } from './database-words.js';
import type { Hypothesis } from './part-hypotheses.js';
import { type Beliefs, edgesOf, type OthersSay, type Unit } from './reading-path.js';

/** Expansions that a manner is believed to have before any was seen. */
const HABIT_PRIOR = 3;

/** Shares of manners in the databases that the weights were fitted to. */
const USUAL: Readonly<Record<string, number>> = {
  word: 0.35,
  kept: 0.05,
  truncated: 0.25,
  skeleton: 0.1,
  'short-skeleton': 0.05,
  contracted: 0.1,
  picked: 0.02,
  listed: 0.08,
};

/** How much is believed of each of some texts, and in all: of readings of letters, manners to abbreviate, words. */
class Masses {
  total = 0;
  readonly #masses = new Map<string, number>();

  add(text: string, mass: number): void {
    this.total += mass;
    this.#masses.set(text, this.of(text) + mass);
  }

  of(text: string): number {
    return this.#masses.get(text) ?? 0;
  }

  [Symbol.iterator](): Iterator<readonly [text: string, mass: number]> {
    return this.#masses.entries();
  }
}

/** Nats by which a manner to abbreviate is more usual in a database than anywhere. */
function habitGain(manners: Masses, manner: string): number {
  const usual = USUAL[manner] ?? 0.1;
  return Math.log((manners.of(manner) + HABIT_PRIOR * usual) / (manners.total + HABIT_PRIOR) / usual);
}

/** How much is believed of each reading of each run of letters of some identifiers. */
class LetterReadings {
  readonly #byLetters = new Map<string, Masses>();

  add(letters: string, reading: string, mass: number): void {
    const found = getOrMake(this.#byLetters, letters, () => new Masses());
    found.add(reading, mass);
  }

  of(letters: string): Masses | null {
    return this.#byLetters.get(letters) ?? null;
  }
}

/** How the identifiers of a database are read: by table, and in all. */
class Agreement {
  /** How it abbreviates: how much is believed of each manner. */
  readonly habits = new Masses();
  readonly inAll = new LetterReadings();
  readonly #byTable = new Map<number, LetterReadings>();

  inTable(table: number): LetterReadings {
    return getOrMake(this.#byTable, table, () => new LetterReadings());
  }
}

/** Share of a reading among those of other identifiers; null where these letters stand in no other. */
function shareOf(all: Masses | null, own: Masses | null, reading: string): number | null {
  if (all === null) return null;
  const total = all.total - (own?.total ?? 0);
  return total < 0.01 ? null : (all.of(reading) - (own?.of(reading) ?? 0)) / total;
}

/** Masses below are no evidence. */
const LEAST_MASS = 0.02;

/** Words that some identifiers say, and how much that is believed. */
class WordMass {
  readonly #byStem = new Masses();
  readonly #byWord = new Masses();

  add(word: string, mass: number): void {
    this.#byWord.add(word, mass);
    this.#byStem.add(stemOf(word), mass);
  }

  of(word: string): number {
    return this.#byStem.of(stemOf(word));
  }

  topic(words: ColumnWords): Float64Array | null {
    return topicOf(this.#byWord, words);
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
      const habit = getOrMake(this.#habits, manner, () => habitGain(this.#agreement.habits, manner));
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

  #note(unit: Unit, { paths, masses }: Beliefs): Masses {
    const own = new LetterReadings();
    const said = new Masses();
    const table = this.#agreement.inTable(unit.table);
    for (const [path, mass] of zip(paths, masses)) {
      if (mass < LEAST_MASS) continue;
      for (const { letters, hypothesis } of edgesOf(path)) {
        const { reading, manner, words, isKept } = hypothesis;
        own.add(letters, reading, mass);
        table.add(letters, reading, mass);
        this.#agreement.inAll.add(letters, reading, mass);
        this.#agreement.habits.add(manner, mass);
        if (!isKept) for (const word of words) said.add(word, mass);
      }
    }
    this.#own.set(unit, own);
    const inTable = getOrMake(this.#inTable, unit.table, () => new WordMass());
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
