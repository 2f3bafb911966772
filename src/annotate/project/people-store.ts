import type Sqlite from 'better-sqlite3';
import type { Person, Role } from '../annotation.js';
import { createToken, hashToken, matchesToken } from '../../http/access-token.js';
import { AnnotationRefusal } from './annotation-refusal.js';
import { dealChunks, insertPerson } from './create-project.js';
import { Prepared } from './project-file.js';
import type { ProjectSettings } from './project-content.js';
import { createRng, shuffled } from '../../seeded-rng.js';

/**
 * The items of a chunk in one person's own order: tables shuffled, and columns within each, so that a table is looked
 * at once but nobody's tiredness falls on the same columns as another's. The same seed, person and chunk give the same.
 */
export function inPersonOrder<T extends { readonly dbId: string; readonly table: string }>(
  items: readonly T[],
  seed: number,
  person: string,
  chunk: number,
): readonly T[] {
  const rng = createRng(seed, `order/${chunk}/${person}`);
  const tables = new Map<string, T[]>();
  for (const item of items) {
    const key = JSON.stringify([item.dbId, item.table]);
    tables.set(key, [...(tables.get(key) ?? []), item]);
  }
  return shuffled([...tables.values()], rng).flatMap((table) => shuffled(table, rng));
}

interface PersonRow extends Person {
  readonly id: number;
  readonly token_hash: Buffer;
}

function toPerson({ name, role, qualification }: PersonRow): Person {
  return { name, role, qualification };
}

/** The people of a project, in the order that they came. */
export class PeopleStore {
  readonly #sqlite: Sqlite.Database;
  readonly #prepared: Prepared;

  constructor(sqlite: Sqlite.Database) {
    this.#sqlite = sqlite;
    this.#prepared = new Prepared(sqlite);
  }

  all(): readonly Person[] {
    return this.#rows().map(toPerson);
  }

  byToken(token: string): Person | null {
    const row = this.#rows().find(({ token_hash }) => matchesToken(token, token_hash));
    return row === undefined ? null : toPerson(row);
  }

  /** A person by name, whatever its case. @throws AnnotationRefusal `unknown-person` */
  require(name: string): PersonRow {
    const row = this.#find(name);
    if (row !== undefined) return row;
    throw new AnnotationRefusal(
      'unknown-person',
      `nobody here is called "${name}"`,
      'See `perturbql annotate status`.',
    );
  }

  /**
   * Adds a person, deals chunks again where they annotate, and returns the token. @throws AnnotationRefusal
   * `bad-person`
   */
  add(name: string, role: Role, settings: ProjectSettings): string {
    return this.#prepared.atOnce(() => {
      if (this.#find(name.trim()) !== undefined)
        throw new AnnotationRefusal('bad-person', `"${name}" is taken`, 'Choose another name, or renew that link.');
      const token = insertPerson(this.#sqlite, { name, role });
      if (role === 'annotator') dealChunks(this.#sqlite, settings);
      return token;
    });
  }

  renewToken(name: string): string {
    const token = createToken();
    this.#prepared.run('UPDATE people SET token_hash = ? WHERE id = ?', hashToken(token), this.require(name).id);
    return token;
  }

  /** Keeps a round of known items; the best score counts. */
  keepRound(name: string, score: number, answers: unknown, takenAt: string): void {
    const { id } = this.require(name);
    this.#prepared.atOnce(() => {
      const given = JSON.stringify(answers);
      this.#prepared.run('INSERT INTO qualification_rounds VALUES (?, ?, ?, ?)', id, takenAt, score, given);
      const best = 'UPDATE people SET qualification = max(ifnull(qualification, 0), ?) WHERE id = ?';
      this.#prepared.run(best, score, id);
    });
  }

  #rows(): readonly PersonRow[] {
    return this.#prepared.all('SELECT * FROM people ORDER BY id') as PersonRow[];
  }

  #find(name: string): PersonRow | undefined {
    return this.#prepared.get('SELECT * FROM people WHERE name = ?', name) as PersonRow | undefined;
  }
}
