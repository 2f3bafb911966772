import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBenchIndex } from '../../bench/retrieval/bench-index.js';
import {
  chooseTestKeys,
  chooseTestPages,
  chooseTestTables,
  readWebTables,
  type WebTable,
} from '../../bench/retrieval/held-out-tables.js';
import { measureRecall } from '../../bench/retrieval/measure-recall.js';
import { createTasks, type RetrievalQuery } from '../../bench/retrieval/retrieval-tasks.js';
import { renderRetrievalReport } from '../../bench/retrieval/retrieval-report.js';
import { runRetrieval } from '../../bench/retrieval/run-retrieval.js';
import { ConfigError, InputFormatError } from '../../src/errors.js';
import { Bm25Retriever } from '../../src/retriever/bm25-retriever.js';
import type { TextEmbedder } from '../../src/retriever/text-embedder.js';
import type { StageContext, TableRetriever } from '../../src/stage.js';

const signal = new AbortController().signal;
const context: StageContext = {
  signal,
  rngFor: () => {
    throw new Error('no stage here draws');
  },
  emit: () => undefined,
};

function createTable(number: number): WebTable {
  return {
    id: `id-${number}`,
    title: number % 2 === 0 ? `Page ${Math.floor(number / 4)}` : '',
    columns: ['ship', 'home port', 'berth', 'flag', 'owner', 'draft'],
    rows: [[`vessel${number}`, `harbor${number}`, '3', 'red', 'nobody', '7']],
    questions: number % 2 === 1 ? [`who owns vessel${number}?`, `where is harbor${number}?`] : [],
  };
}

/** 1,000 tables: 500 with questions, and 250 pages with two tables each. */
const TABLES = Array.from({ length: 1000 }, (_, number) => createTable(number));

const embedder: TextEmbedder = {
  fingerprint: 'fake',
  dimension: 2,
  model: { name: 'fake', revision: 'v0', sha256: 'f'.repeat(64) },
  embed: (texts) => Promise.resolve(texts.map(({ length }) => Float32Array.of(Math.cos(length), Math.sin(length)))),
};

let root: string;

function writeTables(name: string, tables: readonly unknown[]): void {
  const text = tables.map((table) => `${JSON.stringify(table)}\n`).join('');
  writeFileSync(join(root, 'tables', `${name}.jsonl.gz`), gzipSync(text));
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'retrieval-'));
  mkdirSync(join(root, 'tables'));
  writeTables('tabfact', TABLES.slice(0, 400));
  writeTables('wikitablequestions', TABLES.slice(400));
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Answers every query with the same ids. */
function fakeRetriever(ids: readonly string[]): TableRetriever {
  const answer = ids.map((id) => ({ table: { id, title: '', columns: [], types: [], rows: [] }, score: 1 }));
  return {
    id: 'fake',
    fingerprint: 'fake',
    size: ids.length,
    retrieve: (targets, k) => Promise.resolve(targets.map(() => answer.slice(0, k))),
  };
}

function query(wanted: readonly string[], own: string | null = null): RetrievalQuery {
  const target = { dbId: '', table: { name: '', originalName: '', columns: [] }, questions: [], values: [] };
  return { target, wanted: new Set(wanted), own };
}

describe('the held-out part', () => {
  it('is chosen as training/table_data.py chooses it', () => {
    const keys = Array.from({ length: 1000 }, (_, number) => `key ${number}`);
    const chosen = chooseTestKeys(keys);
    expect(chosen).toHaveLength(300);
    // hash_order(...)[100:103] in Python.
    expect(chosen.slice(0, 3)).toEqual(['key 484', 'key 654', 'key 30']);
    expect(chooseTestKeys([...keys, ...keys].reverse())).toEqual(chosen);
  });

  it('asks for tables with questions and for pages with several tables', () => {
    const tables = readWebTables(join(root, 'tables'));
    expect(tables).toHaveLength(1000);
    const asked = chooseTestTables(tables);
    expect(asked).toHaveLength(300);
    expect(asked.every(({ questions }) => questions.length === 2)).toBe(true);
    // Of 250 pages only those beyond the validation part.
    const pages = chooseTestPages(tables);
    expect(pages).toHaveLength(150);
    expect(pages.every((page) => page.length === 2 && page[0]!.title === page[1]!.title)).toBe(true);
  });

  it('names the line that is no table', () => {
    writeTables('tabfact', [{ id: 'x' }]);
    expect(() => readWebTables(join(root, 'tables'))).toThrow(InputFormatError);
    writeTables('tabfact', TABLES.slice(0, 400));
  });
});

describe('retrieval tasks', () => {
  it('hide the own table’s other texts and leave the asking table of a page out', () => {
    const tasks = createTasks(TABLES);
    const sizes = Object.fromEntries(tasks.map(({ name, queries }) => [name, queries.length]));
    expect(sizes).toEqual({
      'own table, all questions': 300,
      'own table, first question': 300,
      'own table, each question alone': 600,
      'own table, questions and columns': 300,
      'same page, with title': 150,
      'same page, without title': 150,
    });
    const [first] = tasks[1]!.queries;
    expect(first!.target.questions).toHaveLength(1);
    expect(first!.target.table.columns).toEqual([]);
    const [untitled] = tasks[5]!.queries;
    expect(untitled!.target.table.name).toBe('');
    expect(untitled!.wanted.has(untitled!.own!)).toBe(false);
  });

  it('are answered by BM25 over an index of all tables, wide ones too', async () => {
    const corpus = join(root, 'corpus');
    mkdirSync(corpus);
    const asked = chooseTestTables(TABLES).slice(0, 20);
    writeFileSync(join(corpus, 'asked.jsonl'), asked.map((table) => JSON.stringify(table)).join('\n'));
    const index = await openBenchIndex(corpus, join(root, 'index'), embedder, signal, () => undefined);
    expect(index.size).toBe(20);
    const [all] = createTasks(TABLES);
    const recall = await measureRecall(new Bm25Retriever(index), all!.queries.slice(0, 20), context);
    expect(recall[1]).toBe(1);
    const former: TextEmbedder = { ...embedder, embed: () => Promise.reject(new Error('embedded twice')) };
    expect((await openBenchIndex(corpus, join(root, 'index'), former, signal, () => undefined)).size).toBe(20);
  });
});

describe('recall', () => {
  it('is the share of wanted tables that could stand among the first', async () => {
    const retriever = fakeRetriever(['a', 'own', 'b', 'c']);
    expect(await measureRecall(retriever, [query(['a'])], context)).toEqual({ 1: 1, 10: 1, 100: 1 });
    expect(await measureRecall(retriever, [query(['b', 'x'], 'own')], context)).toEqual({ 1: 0, 10: 0.5, 100: 0.5 });
    expect(await measureRecall(retriever, [query(['a', 'b']), query(['x'])], context)).toMatchObject({ 1: 0.5 });
  });

  it('does not count the asking table', async () => {
    const recall = await measureRecall(fakeRetriever(['own', 'b']), [query(['b'], 'own')], context);
    expect(recall[1]).toBe(1);
  });
});

describe('bench:retrieval', () => {
  const silent = { print: () => undefined, tell: () => undefined, record: () => undefined };

  it('says so where the shared data is absent', async () => {
    const printed: string[] = [];
    await runRetrieval(['--data', 'nowhere'], root, { ...silent, print: (text: string) => void printed.push(text) });
    expect(printed).toEqual(['bench:retrieval skipped: no tables in nowhere/tables']);
  });

  it('refuses options that it does not know', async () => {
    await expect(runRetrieval(['--retriever', 'tapas'], root, silent)).rejects.toThrow(ConfigError);
    await expect(runRetrieval(['--depth', '5'], root, silent)).rejects.toThrow(ConfigError);
  });

  it('reports task by task', () => {
    const row = (task: string, retriever: string) => ({
      task,
      queries: 3,
      retriever,
      recall: { 1: 0.5, 10: 0.75, 100: 1 },
    });
    const text = renderRetrievalReport({
      date: '2025-01-31',
      machine: 'a machine',
      seconds: 9.6,
      tables: 12,
      encoders: [{ name: 'fake', revision: 'v1', sha256: '0123456789abcdef' }],
      rows: [row('one', 'bm25'), row('two', 'bm25'), row('one', 'exact, fake v1')],
    });
    expect(text).toContain('- encoder: fake v1 (0123456789ab)');
    expect(text).toContain('- 2025-01-31, a machine, 10 s');
    expect(text.split('\n').filter((line) => /^\| (?:one|two) /u.test(line))).toEqual([
      '| one | 3 | bm25 | 0.500 | 0.750 | 1.000 |',
      '| one | 3 | exact, fake v1 | 0.500 | 0.750 | 1.000 |',
      '| two | 3 | bm25 | 0.500 | 0.750 | 1.000 |',
    ]);
  });
});

describe.skipIf(!existsSync('../shared/data/tables'))('the shared tables (skipped without ../shared/data)', () => {
  it('hold 300 tables with questions and 300 pages to ask for', () => {
    const tables = readWebTables('../shared/data/tables');
    expect(tables).toHaveLength(18354);
    expect(chooseTestTables(tables)).toHaveLength(300);
    expect(chooseTestPages(tables)).toHaveLength(300);
  });
});
