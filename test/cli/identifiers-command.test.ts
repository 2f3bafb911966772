import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { command as candidates } from '../../src/cli/candidates-command.js';
import { command } from '../../src/cli/identifiers-command.js';
import type { IdentifierLine } from '../../src/formats/given-readings.js';
import { type MisbehavingServer, startServer } from '../chat/misbehaving-server.js';
import { createSqlite } from '../formats/output-set-fixture.js';
import { temporaryFolder } from '../llm/llm-fixture.js';
import { runOf } from './run-of.js';

const CLINIC = `
  CREATE TABLE doctors (doc_id INTEGER PRIMARY KEY, doc_nm TEXT, zqxv TEXT);
  INSERT INTO doctors VALUES (1, 'Ann Lee', 'secret');`;

/** What the command prints with these options. */
async function printed(given: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    await runOf(command)(given);
    return log.mock.calls.map(([line]) => String(line));
  } finally {
    log.mockRestore();
  }
}

const readLines = (lines: readonly string[]): readonly IdentifierLine[] =>
  lines.map((line) => JSON.parse(line) as IdentifierLine);

function asking({ baseUrl }: Pick<MisbehavingServer, 'baseUrl'>): Readonly<Record<string, unknown>> {
  const databases = createSqlite(CLINIC, 'clinic.sqlite');
  return { databases, set: ['identifiers.id=llm'], baseUrl, model: 'm', cache: temporaryFolder() };
}

async function serving(): Promise<MisbehavingServer> {
  const server = await startServer();
  server.words = () => '{"doc_id": "doctor id", "doc_nm": "doctor name", "zqxv": "shift code"}';
  return server;
}

describe('perturbql identifiers', () => {
  it('prints a record of what a language model reads, which --readings replays', async () => {
    const notes = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const [server, folder] = [await serving(), temporaryFolder()];
    const options = asking(server);
    const record = await printed({ ...options, json: true });
    expect(readLines(record).map(({ column, reading, evidence }) => [column, reading, evidence])).toEqual([
      ['zqxv', 'shift code', 'llm'],
      ['doc_id', 'doctor id', 'llm'],
      ['doc_nm', 'doctor name', 'llm'],
      [null, 'doctors', 'words'],
    ]);
    expect(notes.mock.calls.join('')).toContain('3 identifiers asked about: 3 read by the model');
    expect(await printed({ ...options, json: true })).toEqual(record);
    expect(server.seen).toHaveLength(1);

    const readings = join(folder, 'readings.jsonl');
    writeFileSync(readings, record.map((line) => `${line}\n`).join(''));
    expect(await printed({ databases: options['databases'], readings, json: true })).toEqual(record);
    expect(await printed({ databases: options['databases'], readings })).toHaveLength(5);
    expect(server.seen).toHaveLength(1);
    notes.mockRestore();
  });

  it('prints the unsure readings first, each with its evidence, and says which given ones it has no use for', async () => {
    const databases = createSqlite('CREATE TABLE kilns (max_temp REAL, zqxv TEXT, min_age INTEGER);', 'kilns.sqlite');
    const readings = join(temporaryFolder(), 'readings.jsonl');
    writeFileSync(readings, '{"db_id": "clinic", "table": "rx", "column": null, "reading": "prescriptions"}\n');
    const notes = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const lines = readLines(await printed({ databases, readings, json: true }));
    expect(notes.mock.calls.join('')).toContain('readings of 1 database that the data set lacks, clinic the first');
    notes.mockRestore();
    expect(lines).toHaveLength(4);
    const confidences = lines.map(({ confidence }) => confidence);
    expect(confidences).toEqual([...confidences].sort((a, b) => a - b));
    expect(lines.filter(({ evidence }) => evidence === '')).toEqual([]);
  });

  it('says in a dry run what would be asked, and asks nothing', async () => {
    const server = await serving();
    const [estimate, first, ...prompt] = await printed({ ...asking(server), dryRun: true, prices: '1,2' });
    expect(estimate).toMatch(/asked 1 time at most, about \d+ tokens of prompts and 42 of answers, at a price of/);
    expect(first).toContain('has no cell of the database (--send-values adds sample values):');
    expect(prompt.join('\n')).toContain('- zqxv (text)');
    expect(server.seen).toHaveLength(0);
  });

  it('refuses options of a model where none is asked, and a model without an address', async () => {
    const { databases } = asking({ baseUrl: '' });
    await expect(runOf(command)({ databases, model: 'm' })).rejects.toThrow(
      /--model is of no use to a reading that asks no language model/,
    );
    await expect(runOf(command)({ databases, set: ['identifiers.id=llm'] })).rejects.toThrow(
      /identifiers.id llm needs --base-url/,
    );
  });

  it('alone asks: other commands refuse the setting, and leave that of a configuration file out of their runs', async () => {
    const folder = temporaryFolder();
    const given = { tables: 'examples/tables.json', examples: 'examples/dev.json', out: join(folder, 'run') };
    const asked = runOf(candidates)({ ...given, set: ['identifiers.id=llm'], dryRun: true });
    await expect(asked).rejects.toMatchObject({ fix: expect.stringContaining('--readings readings.jsonl') as string });
    const config = join(folder, 'config.json');
    writeFileSync(config, '{"identifiers": {"id": "llm"}}');
    const quiet = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    await runOf(candidates)({ ...given, config, recipe: 'random', cache: folder });
    quiet.mockRestore();
    vi.restoreAllMocks();
    const { settings } = JSON.parse(readFileSync(join(folder, 'run', 'run.json'), 'utf8')) as {
      readonly settings: Readonly<Record<string, unknown>>;
    };
    expect(settings['identifiers']).toEqual({ id: null });
  }, 60_000);
});

describe('identifiers of schemas alone', () => {
  it.each(['wikisql', 'csv', 'squall', 'evoschema'])(
    'refuses %s, whose schemas its reader takes from the questions',
    async (dataset) => {
      const tables = join(temporaryFolder(), 'tables.json');
      writeFileSync(tables, '[]');
      await expect(printed({ dataset, tables })).rejects.toThrow(/read with its questions|does not read --tables/);
    },
  );
});
