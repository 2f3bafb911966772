import type Sqlite from 'better-sqlite3';
import { AnnotationError } from '../../errors.js';
import { itemAt } from '../../present.js';
import type { AnnotationItem, ItemContext, Role } from '../annotation.js';
import { createToken, hashToken } from '../../http/access-token.js';
import { AnnotationRefusal } from './annotation-refusal.js';
import { type AssignableChunk, assignChunks, type Chunk, makeChunks } from './chunks.js';
import { checkPersonName, type NewPerson, type ProjectItem, type ProjectSettings } from './project-content.js';
import { createProjectFile } from './project-file.js';

export interface ProjectStart {
  readonly settings: ProjectSettings;
  readonly people: readonly NewPerson[];
}

function requireContent(items: readonly ProjectItem[], people: readonly NewPerson[], file: string): void {
  const where = { file };
  if (items.length === 0)
    throw new AnnotationError('the project would have no items', { where, fix: 'Give candidates for its columns.' });
  const ids = new Set<string>();
  for (const { item } of items) {
    if (ids.has(item.id))
      throw new AnnotationError('two items have one id', { where: { file, id: item.id }, fix: 'Give each its own.' });
    ids.add(item.id);
  }
  const names = people.map(({ name }) => name.trim().toLowerCase());
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined)
    throw new AnnotationError(`"${twice}" is named twice`, { where, fix: 'Name each person once, in one role.' });
}

/** Adds a person and returns the token, of which the file keeps a hash alone. */
export function insertPerson(sqlite: Sqlite.Database, person: NewPerson): string {
  const token = createToken();
  const sql = 'INSERT INTO people (name, role, token_hash) VALUES (?, ?, ?)';
  sqlite.prepare(sql).run(checkPersonName(person.name), person.role, hashToken(token));
  return token;
}

/** Who takes a name takes one candidate. @throws AnnotationRefusal `bad-answer` where a list has it twice */
function requireDistinctNames({ id, candidates }: AnnotationItem): void {
  const names = candidates.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined)
    throw new AnnotationRefusal('bad-answer', `"${twice}" is in the list twice`, 'List each name once.', id);
}

/** Adds items in chunks of their own, after those that the file has. */
export function insertChunks(sqlite: Sqlite.Database, items: readonly ProjectItem[], chunks: readonly Chunk[]): void {
  const lastId = (table: string): number =>
    sqlite.prepare(`SELECT ifnull(max(id), 0) FROM ${table}`).pluck().get() as number;
  const [lastItem, lastChunk, lastContext] = [lastId('items'), lastId('chunks'), lastId('contexts')];
  const contextIds = new Map<string, number>();
  const addContext = sqlite.prepare('INSERT INTO contexts VALUES (?, ?)');
  const contextOf = ({ entity, columns, rows }: ItemContext): number => {
    const content = JSON.stringify({ entity, columns, rows });
    const known = contextIds.get(content);
    if (known !== undefined) return known;
    const id = lastContext + contextIds.size + 1;
    contextIds.set(content, id);
    addContext.run(id, content);
    return id;
  };
  const addChunk = sqlite.prepare('INSERT INTO chunks VALUES (?, ?, ?)');
  const addItem = sqlite.prepare(
    'INSERT INTO items (id, name, kind, db_id, table_name, column_name, chunk, context) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const addContent = sqlite.prepare('INSERT INTO item_contents VALUES (?, ?, ?, ?)');
  for (const [c, chunk] of chunks.entries()) {
    const chunkId = lastChunk + c + 1;
    addChunk.run(chunkId, chunk.kind, chunk.items.length);
    for (const i of chunk.items) {
      const { item, context, scores } = itemAt(items, i);
      requireDistinctNames(item);
      const id = lastItem + i + 1;
      addItem.run(id, item.id, item.kind, item.dbId, item.table, item.column, chunkId, contextOf(context));
      addContent.run(id, JSON.stringify(item), JSON.stringify(context.questions), JSON.stringify(scores));
    }
  }
}

interface AssignmentRow {
  readonly chunk: number;
  readonly name: string;
  readonly begun: number;
}

/** The chunks with who has them, and who of these has an answer in them. */
function readChunks(sqlite: Sqlite.Database): readonly AssignableChunk[] {
  const rows = sqlite
    .prepare(
      `SELECT s.chunk, p.name, EXISTS (SELECT 1 FROM answers a WHERE a.slot = s.person AND a.chunk = s.chunk) AS begun
       FROM assignments s JOIN people p ON p.id = s.person ORDER BY s.chunk, p.id`,
    )
    .all() as AssignmentRow[];
  const byChunk = new Map<number, AssignmentRow[]>();
  for (const row of rows) byChunk.set(row.chunk, [...(byChunk.get(row.chunk) ?? []), row]);
  const chunks = sqlite.prepare('SELECT id, items FROM chunks ORDER BY id').all() as { id: number; items: number }[];
  return chunks.map(({ id, items }) => {
    const given = byChunk.get(id) ?? [];
    const begun = given.filter((row) => row.begun === 1);
    return { id, items, has: given.map(({ name }) => name), begun: begun.map(({ name }) => name) };
  });
}

/** Deals the chunks to the annotators; whoever has begun one keeps it. */
export function dealChunks(sqlite: Sqlite.Database, { overlap, seed }: ProjectSettings): void {
  const people = sqlite.prepare('SELECT id, name, role FROM people ORDER BY id').all() as {
    readonly id: number;
    readonly name: string;
    readonly role: Role;
  }[];
  const annotators = people.filter(({ role }) => role === 'annotator').map(({ name }) => name);
  const assignment = assignChunks(readChunks(sqlite), annotators, overlap, seed);
  const ids = new Map(people.map(({ id, name }) => [name, id]));
  sqlite.prepare('DELETE FROM assignments').run();
  const add = sqlite.prepare('INSERT INTO assignments (person, chunk) VALUES (?, ?)');
  for (const [chunk, given] of assignment) for (const name of given) add.run(ids.get(name), chunk);
}

/**
 * Makes a project file with its items, chunks and people, whose links `renewToken` makes. Items of one table follow one
 * another.
 * @throws AnnotationError when the file or the log of another is there, there are no items, two items or people have one
 *   name, or a list has one twice
 */
export function createProject(file: string, items: readonly ProjectItem[], { settings, people }: ProjectStart): void {
  requireContent(items, people, file);
  createProjectFile(file, (sqlite) => {
    sqlite.prepare("INSERT INTO meta VALUES ('settings', ?)").run(JSON.stringify(settings));
    const chunks = makeChunks(
      items.map(({ item }) => item),
      settings.chunkSize,
    );
    insertChunks(sqlite, items, chunks);
    for (const person of people) insertPerson(sqlite, person);
    dealChunks(sqlite, settings);
  });
}
