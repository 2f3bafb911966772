import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { previewRun } from '../../src/cli/preview-run.js';
import type { DatasetPaths } from '../../src/formats/dataset.js';
import { loadSchemas } from '../../src/formats/load-dataset.js';
import { sqlitePath } from '../../src/formats/sample-values.js';
import { estimateReadings, ModelReadings } from '../../src/llm/model-readings.js';
import { mutate } from '../../src/variants/mutate/mutate.js';
import { augment } from '../../src/variants/augment/augment.js';
import { withDefaults } from '../../src/variants/candidates/candidates-run.js';
import { generateCandidates } from '../../src/variants/candidates/generate-candidates.js';
import { parseSettings } from '../../src/recipes/settings.js';
import { NOOP_HOST } from '../../src/run/run-host.js';
import { type MisbehavingServer, type Seen, startServer } from '../chat/misbehaving-server.js';
import { askedPairs, judgmentsFor, listeningContext, namesFor } from '../llm/llm-fixture.js';
import { writeClinic } from './clinic-fixture.js';
import { temporaryFolder } from './victim-fixture.js';

/** Every distinct cell of three characters or more that neither the schema nor a question says. */
function secretsOf({ databases, examples, tables }: DatasetPaths): readonly string[] {
  const sqlite = new Sqlite(sqlitePath(databases!, 'clinic'), { readonly: true });
  const cells: readonly unknown[] = sqlite.prepare('SELECT * FROM patient').raw().all().flat();
  sqlite.close();
  const known = [examples!, tables!].map((file) => readFileSync(file, 'utf8')).join('\n');
  return [
    ...new Set(cells.flatMap((cell) => (typeof cell === 'string' || typeof cell === 'number' ? [String(cell)] : []))),
  ].filter((cell) => cell.length >= 3 && !known.includes(cell));
}

const WORDS = (seen: Seen): string => {
  const asked = seen.body.messages.at(-1)!.content;
  if (asked.includes('fluent')) return '{"fluent": true}';
  return askedPairs(seen).length > 0 ? judgmentsFor(seen) : namesFor(seen);
};

async function serving(): Promise<MisbehavingServer> {
  const server = await startServer();
  server.words = WORDS;
  return server;
}

const bodiesOf = ({ seen }: MisbehavingServer): readonly string[] => seen.map(({ body }) => JSON.stringify(body));
const endpointAt = ({ baseUrl }: MisbehavingServer) => ({ baseUrl, model: 'm', backoffMs: 1, timeoutMs: 10_000 });

const proposing = (server: MisbehavingServer, sendValues: boolean) =>
  ({ kind: 'endpoint', endpoint: endpointAt(server), prompt: null, sendValues, prices: null }) as const;

/** The clinic, and a run on it that asks for names, judgments and entities. */
function llmRun(server: MisbehavingServer, sendValues: boolean) {
  const folder = temporaryFolder();
  const paths = writeClinic(folder);
  const settings = parseSettings({ tpe: { id: 'llm' }, nli: { id: 'llm' } });
  const out = join(folder, 'out');
  return { ...paths, out, recipe: 'llm', settings, jobs: 1, proposer: proposing(server, sendValues) } as const;
}

type Run = (server: MisbehavingServer, sendValues: boolean) => Promise<DatasetPaths>;

const RUNS: Readonly<Record<string, Run>> = {
  async candidates(server, sendValues) {
    const input = llmRun(server, sendValues);
    await generateCandidates(input);
    return input;
  },
  async augment(server, sendValues) {
    const input = llmRun(server, sendValues);
    await augment(input);
    return input;
  },
  async identifiers(server, sendValues) {
    const paths = writeClinic(temporaryFolder());
    const readings = new ModelReadings({ endpoint: endpointAt(server), sendValues, prices: null }, {});
    await readings.read(await loadSchemas(paths), listeningContext());
    await readings.dispose();
    return paths;
  },
};

describe.each(Object.entries(RUNS))('%s that asks an endpoint', (_, run) => {
  it('sends no cell of the database, in no request', async () => {
    const server = await serving();
    const secrets = secretsOf(await run(server, false));
    expect(secrets).toEqual(expect.arrayContaining(['Ada Example', '1961-03-14', '90210', '61.25', '4711']));
    const bodies = bodiesOf(server);
    expect(bodies.length).toBeGreaterThan(0);
    expect(bodies.flatMap((body) => secrets.filter((cell) => body.includes(cell)))).toEqual([]);
  });

  it('sends sample values with the flag', async () => {
    const server = await serving();
    const secrets = secretsOf(await run(server, true));
    const sent = bodiesOf(server).join('\n');
    expect(secrets.filter((cell) => !sent.includes(cell))).toEqual([]);
  });
});

describe('mutate that asks whether questions are fluent', () => {
  it('sends no cell, also where mutants quote some that no question does', async () => {
    const server = await serving();
    const folder = temporaryFolder();
    const paths = writeClinic(folder, [
      ['How heavy is Ada Example?', "SELECT weight FROM patient WHERE full_name = 'Ada Example'"],
    ]);
    const askFluency = { endpoint: endpointAt(server), prompt: null, prices: null };
    const relations = ['QDt', 'PI'] as const;
    await mutate({ ...paths, relations, out: join(folder, 'out'), guard: false, materialize: 'copy', askFluency });
    const mutants = readFileSync(join(folder, 'out', 'mutants.jsonl'), 'utf8');
    const secrets = secretsOf(paths);
    expect(secrets.some((cell) => mutants.includes(cell))).toBe(true);
    expect(bodiesOf(server).some((body) => body.toLowerCase().includes('how many patients are there'))).toBe(true);
    expect(bodiesOf(server).flatMap((body) => secrets.filter((cell) => body.includes(cell)))).toEqual([]);
  });
});

describe('the first prompt of a dry run', () => {
  const countIn = (told: readonly string[]): number =>
    Number(/^the first prompt, .*, has (\d+) cells? of/m.exec(told.join('\n'))?.[1] ?? 0);

  it('is the one that a run sends, with as many cells as it says', async () => {
    for (const sendValues of [false, true]) {
      const server = await serving();
      const input = llmRun(server, sendValues);
      const told = await previewRun(withDefaults(input), NOOP_HOST);
      expect(server.seen).toEqual([]);
      await generateCandidates(input);
      const prompts = server.seen.map(({ body }) => body.messages.at(-1)!.content);
      const isTold = (prompt: string): boolean =>
        told.join('\n').includes(
          prompt
            .split('\n')
            .map((line) => `  ${line}`.trimEnd())
            .join('\n'),
        );
      expect(prompts.some(isTold)).toBe(true);
      // Three ids, names, dates and weights, and two zip codes; no note.
      expect(countIn(told)).toBe(sendValues ? 14 : 0);
      const secrets = secretsOf(input);
      const inTold = secrets.filter((cell) => told.join('\n').includes(cell));
      expect(inTold).toHaveLength(sendValues ? 14 : 0);
    }
  });

  it('of identifiers says how many cells it has', async () => {
    const dataset = await loadSchemas(writeClinic(temporaryFolder()));
    const toldOf = (sendValues: boolean): readonly string[] =>
      estimateReadings({ endpoint: { baseUrl: 'http://host/v1', model: 'm' }, sendValues, prices: null }, dataset)
        .firstPrompts ?? [];
    expect(countIn(toldOf(false))).toBe(0);
    expect(toldOf(false)[0]).toContain('has no cell of the database');
    expect(countIn(toldOf(true))).toBeGreaterThan(0);
  });
});
