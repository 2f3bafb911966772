import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { CorpusFilter } from '../../src/retriever/corpus-filter.js';
import type { CorpusEntry, CorpusReader } from '../../src/retriever/corpus-reader.js';
import { buildIndex, type BuildOptions, type BuildReport } from '../../src/retriever/index-builder.js';
import type { CorpusTable, StageContext, StageEvent, TargetTable } from '../../src/stage.js';
import { HashingEmbedder } from './hashing-embedder.js';

/** A new folder that goes when the test (or, outside a test, `remove`) ends. */
export async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'perturbql-retriever-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes files into a new folder. */
export async function createFiles(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await createFolder();
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}

function seedOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32LE(0);
}

/** A context with a stream of random numbers per item, and the events it was given. */
export function createContext(
  seed = 1,
  signal = new AbortController().signal,
): StageContext & { events: StageEvent[] } {
  const events: StageEvent[] = [];
  return {
    events,
    signal,
    emit: (event) => void events.push(event),
    rngFor(itemId) {
      let state = seedOf(`${seed}:${itemId}`);
      const next = (): number => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
      };
      return { next, int: (bound) => Math.floor(next() * bound) };
    },
  };
}

const TOPICS = ['singer', 'stadium', 'flight', 'student', 'museum', 'orchestra', 'poker', 'car', 'pet', 'museum visit'];
const FIELDS = ['name', 'age', 'country', 'capacity', 'year', 'price', 'rating', 'owner', 'distance', 'founder'];

/** `count` tables on ten topics, each with three columns and two rows. */
export function createTables(count: number): CorpusTable[] {
  return Array.from({ length: count }, (_, number) => {
    const topic = TOPICS[number % TOPICS.length]!;
    const field = (offset: number): string => `${topic} ${FIELDS[(number + offset * 3) % FIELDS.length]!}`;
    const rows = [0, 1].map((row) => [`${topic} ${number}`, String(number + row), `value ${number * 7 + row}`]);
    const title = `List of ${topic} number ${number}`;
    return {
      id: `t${number}`,
      title,
      columns: [field(0), field(1), field(2)],
      types: ['text', 'number', 'text'],
      rows,
    };
  });
}

/** A corpus of the given tables. */
function createCorpus(tables: readonly CorpusTable[]): CorpusReader {
  return {
    name: 'test corpus',
    async *read(): AsyncGenerator<CorpusEntry> {
      for (const table of tables) yield { kind: 'table', table, language: null, where: table.id };
    },
  };
}

/** Builds an index of the tables with the defaults of the tests. */
export function build(
  folder: string,
  tables: readonly CorpusTable[],
  options: Partial<BuildOptions> = {},
): Promise<BuildReport> {
  return buildIndex({
    corpus: createCorpus(tables),
    folder,
    embedder: new HashingEmbedder(),
    filter: new CorpusFilter(),
    signal: new AbortController().signal,
    ...options,
  });
}

/** All entries of a corpus. */
export async function readAll(reader: CorpusReader): Promise<CorpusEntry[]> {
  const entries: CorpusEntry[] = [];
  for await (const entry of reader.read(new AbortController().signal)) entries.push(entry);
  return entries;
}

/** Contents of a folder's files, for comparing two builds to the byte. */
export async function readFolder(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).sort();
  return Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, (await readFile(join(folder, name))).toString('base64')] as const),
    ),
  );
}

/** A table to be perturbed. */
export function createTarget(name: string, columns: readonly string[], questions: readonly string[] = []): TargetTable {
  return {
    dbId: `db_of_${name}`,
    table: {
      name,
      originalName: name,
      columns: columns.map((column) => ({ name: column, originalName: column, type: 'text' })),
    },
    questions,
    values: columns.map(() => []),
  };
}
