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

/** How a database abbreviates: the share of each manner among its expansions, over that among all databases. */
class Habits {
  readonly #mass = new Map<string, number>();
  #total = 0;

  add(manner: string, mass: number): void {
    this.#mass.set(manner, (this.#mass.get(manner) ?? 0) + mass);
    this.#total += mass;
  }

  /** Nats by which a manner is more usual here than anywhere. */
  gain(manner: string): number {
    const usual = USUAL[manner] ?? 0.1;
    return Math.log(((this.#mass.get(manner) ?? 0) + HABIT_PRIOR * usual) / (this.#total + HABIT_PRIOR) / usual);
  }
}

/** How much is believed of each reading of some letters. */
class ReadingMass {
  total = 0;
  readonly #byReading = new Map<string, number>();

  add(reading: string, mass: number): void {
    this.total += mass;
    this.#byReading.set(reading, (this.#byReading.get(reading) ?? 0) + mass);
  }

  of(reading: string): number {
    return this.#byReading.get(reading) ?? 0;
  }
}

/** How much is believed of each reading of each run of letters of some identifiers. */
export class LetterReadings {
  readonly #byLetters = new Map<string, ReadingMass>();

  add(letters: string, reading: string, mass: number): void {
    let found = this.#byLetters.get(letters);
    if (found === undefined) this.#byLetters.set(letters, (found = new ReadingMass()));
    found.add(reading, mass);
  }

  of(letters: string): ReadingMass | null {
    return this.#byLetters.get(letters) ?? null;
  }
}

/** How the identifiers of a database are read: by table, and in all. */
export class Agreement {
  readonly habits = new Habits();
  readonly inAll = new LetterReadings();
  readonly #byTable = new Map<number, LetterReadings>();

  inTable(table: number): LetterReadings {
    let readings = this.#byTable.get(table);
    if (readings === undefined) this.#byTable.set(table, (readings = new LetterReadings()));
    return readings;
  }
}

/** Share of a reading among those of other identifiers; null where these letters stand in no other. */
export function shareOf(all: ReadingMass | null, own: ReadingMass | null, reading: string): number | null {
  if (all === null) return null;
  const total = all.total - (own?.total ?? 0);
  return total < 0.01 ? null : (all.of(reading) - (own?.of(reading) ?? 0)) / total;
}
