/** Expansions that a manner is believed to have before any was seen. */
const HABIT_PRIOR = 3;

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

/** How much is believed of each reading of each run of letters, by table and in all. */
export class Agreement {
  readonly habits = new Habits();
  readonly #mass = new Map<string, Map<string, number>>();

  add(scope: string, letters: string, reading: string, mass: number): void {
    const key = `${scope}\n${letters}`;
    const readings = this.#mass.get(key) ?? new Map<string, number>();
    readings.set(reading, (readings.get(reading) ?? 0) + mass);
    this.#mass.set(key, readings);
  }

  /** Share of a reading among those of other identifiers; null where these letters stand in no other. */
  share(scope: string, letters: string, reading: string, own: ReadonlyMap<string, number> | null): number | null {
    const readings = this.#mass.get(`${scope}\n${letters}`);
    if (readings === undefined) return null;
    let [total, agreed] = [0, 0];
    for (const [other, mass] of readings) {
      const rest = mass - (own?.get(`${letters}\n${other}`) ?? 0);
      total += rest;
      if (other === reading) agreed += rest;
    }
    return total < 0.01 ? null : agreed / total;
  }
}
