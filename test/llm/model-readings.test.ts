import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { EndpointSettings } from '../../src/chat/chat-endpoint.js';
import { EndpointError } from '../../src/errors.js';
import { type IdentifierLine, readingLinesOf } from '../../src/formats/given-readings.js';
import { loadSchemas } from '../../src/formats/load-dataset.js';
import { estimateReadings, ModelReadings } from '../../src/llm/model-readings.js';
import { type BehaviorName, type MisbehavingServer, startServer } from '../chat/misbehaving-server.js';
import { createSqlite, pathsOf } from '../formats/output-set-fixture.js';
import { listeningContext, temporaryFolder } from './llm-fixture.js';

const CLINIC = `
  CREATE TABLE doctors (doc_id INTEGER PRIMARY KEY, doc_nm TEXT, zqxv TEXT);
  CREATE TABLE visits (vst_id INTEGER PRIMARY KEY, doc_id INTEGER REFERENCES doctors, dur_min INTEGER, city TEXT);
  CREATE TABLE cities (city TEXT, country TEXT);
  INSERT INTO doctors VALUES (1, 'Ann Lee', 'secret'), (2, 'Bob Moe', 'hidden');
  INSERT INTO visits VALUES (1, 1, 31, 'Oslo');`;

const READINGS: Readonly<Record<string, unknown>> = {
  doc_id: 'Doctor ID',
  doc_nm: 'doctor_name',
  zqxv: 'shift code',
  vst_id: 'visit id',
  dur_min: 'duration in minutes',
};

const clinic = () => loadSchemas(pathsOf('sqlite', { databases: createSqlite(CLINIC, 'clinic.sqlite') }));
const promptsOf = ({ seen }: MisbehavingServer): readonly string[] =>
  seen.map(({ body }) => body.messages.at(-1)!.content);
const aboutDoctors = (prompt: string): boolean => prompt.startsWith('The table "doctors"');

async function serving(readings: object = READINGS, ...script: BehaviorName[]): Promise<MisbehavingServer> {
  const server = await startServer(...script);
  server.words = () => JSON.stringify(readings);
  return server;
}

function choiceOf(
  { baseUrl }: Pick<MisbehavingServer, 'baseUrl'>,
  sendValues = false,
  given: Partial<EndpointSettings> = {},
) {
  const endpoint = { baseUrl, model: 'm', backoffMs: 1, timeoutMs: 10_000, concurrency: 1, ...given };
  return { endpoint, sendValues, prices: { prompt: 1, answer: 2 } };
}

function readingsOf(...words: Parameters<typeof choiceOf>): ModelReadings {
  const readings = new ModelReadings(choiceOf(...words), {});
  onTestFinished(() => readings.dispose());
  return readings;
}

const byPlace = (lines: readonly IdentifierLine[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    lines.map(({ table, column, reading, evidence }) => [`${table}.${column ?? ''}`, `${reading} (${evidence})`]),
  );

describe('identifiers read by a language model', () => {
  it('are what it says, one call for each table that has any to read, without cells', async () => {
    const server = await serving();
    const readings = readingsOf(server);
    const [dataset, context] = [await clinic(), listeningContext()];
    const lines = await readings.read(dataset, context);
    expect(byPlace(lines)).toEqual({
      'doctors.': 'doctors (words)',
      'doctors.doc_id': 'doctor id (llm)',
      'doctors.doc_nm': 'doctor name (llm)',
      'doctors.zqxv': 'shift code (llm)',
      'visits.': 'visits (words)',
      'visits.vst_id': 'visit id (llm)',
      'visits.doc_id': 'doctor id (llm)',
      'visits.dur_min': 'duration in minutes (llm)',
      'visits.city': 'city (words)',
      'cities.': 'cities (words)',
      'cities.city': 'city (words)',
      'cities.country': 'country (words)',
    });
    expect(lines.map(({ table, column }) => [table, column])).toEqual(
      readingLinesOf(dataset).map(({ table, column }) => [table, column]),
    );
    expect(context.warnings()).toEqual([]);
    expect(server.seen).toHaveLength(2);
    const [doctors = ''] = promptsOf(server);
    expect(doctors).toContain('The table "doctors" of the database "clinic"');
    expect(doctors).toContain('- zqxv (text)\n');
    expect(doctors).toContain('Other tables of the database: visits, cities\n');
    expect(doctors).toContain('\n["doc_id","doc_nm","zqxv"]\n');
    for (const cell of ['Ann', 'secret', '31', 'Oslo']) expect(promptsOf(server).join('\n')).not.toContain(cell);
    expect(readings.describe()).toEqual([
      '2 tables of identifiers asked about (0 from the cache); calls: 2, tokens: 200',
      '6 identifiers asked about: 6 read by the model, 0 keep our own reader’s reading (0 not in the answers, 0 whose reading is no words)',
    ]);
  });

  it('come with sample values where these may be sent', async () => {
    const server = await serving();
    await readingsOf(server, true).read(await clinic(), listeningContext());
    expect(promptsOf(server)[0]).toContain("- zqxv (text, such as 'secret', 'hidden')\n");
  });

  it('are surer where our own reader says the same', async () => {
    const dataset = await clinic();
    const own = readingLinesOf(dataset).find(({ column }) => column === 'doc_nm')!;
    const lines = await readingsOf(await serving()).read(dataset, listeningContext());
    const confidenceOf = (name: string): number => lines.find(({ column }) => column === name)!.confidence;
    expect(own.reading).toBe('doctor name');
    expect(confidenceOf('doc_nm')).toBe(own.confidence);
    expect(confidenceOf('dur_min')).toBe(0.5);
  });

  it('stay our own reader’s where the answer lacks them or has no words', async () => {
    const server = await serving({ ZQXV: 'zqxv code', doc_nm: null, doc_id: 'doctor (id)', dur_min: ['duration'] });
    const readings = readingsOf(server);
    const dataset = await clinic();
    expect(await readings.read(dataset, listeningContext())).toEqual(readingLinesOf(dataset));
    expect(readings.describe()[1]).toMatch(/^6 .* 0 read by the model, 6 keep .* \(1 not in .*, 5 whose/);
  });

  it.each(['The first is a doctor.', '["doctor id"]', '{"doc_id": "doctor id"'])(
    'cost a broken answer’s table alone: %s',
    async (broken) => {
      const server = await serving();
      server.words = ({ body }) => (aboutDoctors(body.messages.at(-1)!.content) ? broken : JSON.stringify(READINGS));
      const [dataset, context] = [await clinic(), listeningContext()];
      const read = byPlace(await readingsOf(server).read(dataset, context));
      const own = byPlace(readingLinesOf(dataset));
      expect(read['doctors.doc_id']).toBe(own['doctors.doc_id']);
      expect(read['visits.doc_id']).toBe('doctor id (llm)');
      expect(context.warnings()).toEqual([
        'clinic/doctors has no readings by the model: the answer is not the JSON object asked for',
      ]);
    },
  );

  it('are asked for once, whoever asks again; a service that gives no answer ends the asking', async () => {
    const server = await serving(READINGS, 'ok', '500');
    const cacheFile = join(temporaryFolder(), 'answers.sqlite');
    const dataset = await clinic();
    const first = readingsOf(server, false, { cacheFile, maxAttempts: 1 });
    await expect(first.read(dataset, listeningContext())).rejects.toThrow(EndpointError);
    await first.dispose();
    const again = readingsOf(server, false, { cacheFile });
    await again.read(dataset, listeningContext());
    expect(again.describe()[0]).toContain('(1 from the cache); calls: 1,');
    expect(server.seen).toHaveLength(3);
  });

  it('are replayed by --readings, as they were read, and not asked for again', async () => {
    const server = await serving({ ...READINGS, zqxv: 'zqxv' });
    const databases = createSqlite(CLINIC, 'clinic.sqlite');
    const dataset = await loadSchemas(pathsOf('sqlite', { databases }));
    const lines = await readingsOf(server).read(dataset, listeningContext());
    const file = join(temporaryFolder(), 'readings.jsonl');
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const replayed = await loadSchemas({ ...pathsOf('sqlite', { databases }), readings: file });
    expect(readingLinesOf(replayed)).toEqual(lines);
    const [doctors, visits] = replayed.databases.get('clinic')!.tables;
    expect(visits!.columns[2]).toMatchObject({ name: 'duration in minutes', reading: { evidence: 'llm', unread: [] } });
    // What nobody could read does not become read by being written down.
    expect(doctors!.columns[2]).toMatchObject({ name: 'zqxv', reading: { unread: ['zqxv'] } });
    const calls = server.seen.length;
    await readingsOf(server).read(replayed, listeningContext());
    expect(promptsOf(server).slice(calls)).toHaveLength(1);
    expect(promptsOf(server).at(-1)).toContain('\n["zqxv"]\n');
  });

  it('are estimated before anything is asked', async () => {
    const dataset = await clinic();
    const estimate = (sendValues: boolean) =>
      estimateReadings(choiceOf({ baseUrl: 'http://host/v1' }, sendValues), dataset);
    expect(estimate(false)).toMatchObject({ calls: 2, answerTokens: 6 * 14 });
    expect(estimate(false).price).toBeCloseTo((estimate(false).promptTokens + 2 * 6 * 14) / 1e6, 12);
    expect(estimate(false).firstPrompts![0]).toBe(
      'the first prompt, for what identifiers say, has no cell of the database (--send-values adds sample values):',
    );
    expect(estimate(true).firstPrompts![0]).toBe(
      'the first prompt, for what identifiers say, has 6 cells of the database:',
    );
  });
});
