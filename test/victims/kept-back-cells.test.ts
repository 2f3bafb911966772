import { describe, expect, it } from 'vitest';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { attack, previewAttack } from '../../src/measure/attack/attack.js';
import type { AttackInput } from '../../src/measure/attack/attack-options.js';
import { openComposeParts } from '../../src/cli/compose-parts.js';
import { previewRun } from '../../src/cli/preview-run.js';
import { VICTIM_OPTIONS, victimOf } from '../../src/cli/victim-options.js';
import { TIMEOUT_OPTION } from '../../src/cli/shared-options.js';
import { composeQuestions } from '../../src/compositional/compose/compose.js';
import { consistency, previewConsistency } from '../../src/measure/consistency/consistency.js';
import { ConfigError } from '../../src/errors.js';
import { mutate } from '../../src/variants/mutate/mutate.js';
import { KEEPING_IDS, QUOTING_RELATIONS, type RelationId } from '../../src/variants/relations/relations.js';
import { withDefaults } from '../../src/variants/candidates/candidates-run.js';
import { parseSettings } from '../../src/recipes/settings.js';
import { NOOP_HOST } from '../../src/run/run-host.js';
import type { VictimChoice } from '../../src/victims/victims.js';
import { writeCandidates } from '../measure/attack/attack-fixture.js';
import { startServer } from '../chat/misbehaving-server.js';
import { acceptedDecision } from '../e2e/example-data.js';
import { errorOf } from '../error-of.js';
import { z } from 'zod';
import { CELLS, writeClinic } from './clinic-fixture.js';
import { temporaryFolder } from './victim-fixture.js';

const OPTIONS = z.object({ ...VICTIM_OPTIONS, ...TIMEOUT_OPTION });

function victimAt(baseUrl: string, more: Readonly<Record<string, unknown>> = {}): VictimChoice {
  const cache = temporaryFolder();
  const given = OPTIONS.parse({ victim: 'endpoint', baseUrl, model: 'm', ...more });
  return victimOf({ ...given, cache }, new Set(Object.keys(more)));
}

const cellsIn = (text: string): string[] => CELLS.filter((cell) => text.includes(cell));

async function clinicMutants(relations: readonly RelationId[]) {
  const folder = temporaryFolder();
  const paths = writeClinic(folder, [
    ['How heavy is Ada Example?', "SELECT weight FROM patient WHERE full_name = 'Ada Example'"],
  ]);
  await mutate({ ...paths, relations, out: join(folder, 'mutants'), guard: false, materialize: 'copy' });
  return { ...paths, mutants: join(folder, 'mutants') };
}

/** Mutants of a data set whose cells are words that a table could be called after. */
async function wardMutants(relations: readonly RelationId[], compose: number) {
  const folder = temporaryFolder();
  const databases = join(folder, 'database');
  mkdirSync(databases);
  const sqlite = new Sqlite(join(databases, 'ward.sqlite'));
  sqlite.exec(
    `CREATE TABLE patient (patient_id INTEGER PRIMARY KEY, diagnosis TEXT, treated_by_doctor TEXT, weight REAL)`,
  );
  const insert = sqlite.prepare('INSERT INTO patient (diagnosis, treated_by_doctor, weight) VALUES (?, ?, ?)');
  for (let i = 0; i < 12; i++) {
    insert.run(i % 3 === 0 ? 'Hepatitis C' : 'Leukemia', i % 2 === 0 ? 'Anna Meyer' : 'Tom Ruiz', 60 + i);
  }
  sqlite.close();
  const examples = join(folder, 'questions.json');
  const question = { db_id: 'ward', question: 'How many patients are there?', query: 'SELECT count(*) FROM patient' };
  writeFileSync(examples, JSON.stringify([question]));
  const paths = { dataset: 'sqlite', tables: null, examples, databases, connection: null } as const;
  const out = join(folder, 'mutants');
  await mutate({ ...paths, relations, compose, limit: 20, out, guard: false, materialize: 'copy' });
  return { ...paths, mutants: out };
}

function clinicAttack(victim: VictimChoice): AttackInput {
  const folder = temporaryFolder();
  const table = { db_id: 'clinic', table: 'patient' };
  const candidates = writeCandidates(folder, [
    acceptedDecision({ ...table, column: 'weight', candidate: 'body mass', bucket: 'RPL' }),
    acceptedDecision({ ...table, column: 'weight', candidate: 'former weight', bucket: 'ADD' }),
    acceptedDecision({ ...table, column: 'zip code', candidate: 'former zip code', bucket: 'ADD' }),
  ]);
  return { ...writeClinic(folder), candidates, out: join(folder, 'out'), seeds: [0], victim };
}

describe('an endpoint that is attacked', () => {
  it('is sent no cell of the database, neither with the first prompt nor with another', async () => {
    const server = await startServer();
    const input = clinicAttack(victimAt(server.baseUrl));
    const { report } = await attack(input);
    expect(server.seen).toHaveLength(report.usage.questions);
    const bodies = server.seen.map(({ body }) => JSON.stringify(body));
    expect(bodies.filter((body) => cellsIn(body).length > 0)).toEqual([]);
    expect(bodies[0]).toContain('How many patients are there?');
  });

  it('reads the types that the database declares, of renamed and added columns too', async () => {
    const server = await startServer();
    await attack(clinicAttack(victimAt(server.baseUrl)));
    const [first = '', ...others] = server.seen.map(({ body }) => body.messages.at(-1)!.content);
    expect(first).toContain(
      'id INTEGER,\n  full_name VARCHAR(40),\n  birth_date DATE,\n  zip_code TEXT,\n  weight REAL,\n  notes,\n',
    );
    expect(others.some((prompt) => /body_mass REAL/.test(prompt))).toBe(true);
    expect(others.some((prompt) => /former_weight (?:REAL|INTEGER)/.test(prompt))).toBe(true);
    expect(others.join('')).not.toContain('NUMERIC');
  });

  it('is sent sample values where the flag lets it, and is another victim then', async () => {
    const server = await startServer();
    await attack(clinicAttack(victimAt(server.baseUrl, { sendValues: true })));
    expect(cellsIn(server.seen[0]!.body.messages.at(-1)!.content)).toEqual(CELLS);
    const input = clinicAttack(victimAt(server.baseUrl));
    await attack(input);
    await expect(attack({ ...input, victim: victimAt(server.baseUrl, { sendValues: true }) })).rejects.toThrow(
      /victim/,
    );
  });

  it('is told in a dry run what its first prompt is, and how many cells are in it', async () => {
    const server = await startServer();
    const without = (await previewAttack(clinicAttack(victimAt(server.baseUrl)))).join('\n');
    expect(without).toContain('the first prompt, of dev:0~original, has no cell of the database (--send-values adds');
    expect(without).toContain('  -- How many patients are there?');
    expect(cellsIn(without)).toEqual([]);
    const lines = await previewAttack(clinicAttack(victimAt(server.baseUrl, { sendValues: true })));
    // Three ids, names, dates and weights, and two zip codes; no note.
    expect(lines.join('\n')).toMatch(/the first prompt, of dev:0~original, has 14 cells of the database:/);
    expect(server.seen).toEqual([]);
  });

  it('may not execute queries without the flag, as their results are cells', () => {
    const { message, fix } = errorOf(ConfigError, () => victimAt('http://host/v1', { executions: 3 }));
    expect(message).toBe('--executions sends the endpoint rows of the databases');
    expect(fix).toMatch(/^Add --send-values/);
    expect(victimAt('http://host/v1', { executions: 3, sendValues: true })).toMatchObject({ kind: 'endpoint' });
  });
});

describe('an endpoint that is tested for consistency', () => {
  it('is sent no cell of seeds and mutants, and types that are declared', async () => {
    const server = await startServer();
    const data = await clinicMutants(['TRn']);
    const out = join(temporaryFolder(), 'out');
    const input = { ...data, out, victim: victimAt(server.baseUrl) };
    const told = (await previewConsistency(input)).join('\n');
    expect(told).toContain('the first prompt, of dev:0, has no cell of the database (--send-values adds');
    await consistency(input);
    const prompts = server.seen.map(({ body }) => body.messages.at(-1)!.content);
    expect(prompts.length).toBeGreaterThan(3);
    // One question quotes a name.
    expect(new Set(prompts.flatMap(cellsIn))).toEqual(new Set(['Ada Example']));
    expect(prompts.filter((prompt) => !/weight REAL/.test(prompt) || prompt.includes('NUMERIC'))).toEqual([]);
  });
});

describe('mutants that quote cells in questions or names where their seeds do not', () => {
  it('are asked of an endpoint only with the flag', async () => {
    const server = await startServer();
    const data = await clinicMutants(['QDt']);
    const input = { ...data, candidates: null, out: join(temporaryFolder(), 'out'), victim: victimAt(server.baseUrl) };
    for (const run of [attack, consistency, previewAttack, previewConsistency]) {
      const error = await run(input).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ message: '2 mutants of QDt have cells of the database in questions' });
    }
    expect(server.seen).toEqual([]);
    await consistency({ ...input, victim: victimAt(server.baseUrl, { sendValues: true }) });
    expect(server.seen.some(({ body }) => body.messages.at(-1)!.content.includes('-- How heavy is Bo Sample?'))).toBe(
      true,
    );
  });

  it.each([
    ['alone', ['TPa'], 1],
    ['with another relation', ['TS', 'TPa'], 2],
  ] as const)('may not name tables after cells without it either: TPa %s', async (_, relations, compose) => {
    const server = await startServer();
    const data = await wardMutants(relations, compose);
    const input = { ...data, candidates: null, out: join(temporaryFolder(), 'out'), victim: victimAt(server.baseUrl) };
    for (const run of [attack, consistency, previewAttack, previewConsistency]) {
      const error = await run(input).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ConfigError);
      const { message, fix } = error as ConfigError;
      expect(message).toMatch(/^\d+ mutants? of TPa ha(?:s|ve) cells of the database in names of tables$/);
      expect(fix).toContain('make mutants without TPa, QDn and QDt');
    }
    expect(server.seen).toEqual([]);
    const asked = { ...input, victim: victimAt(server.baseUrl, { sendValues: true }) };
    for (const preview of [previewAttack, previewConsistency]) {
      expect((await preview(asked)).join('\n')).toMatch(
        /^\d+ mutants? of TPa ha(?:s|ve) cells .* in names of tables$/m,
      );
    }
    await consistency(asked);
    const named = server.seen.filter(({ body }) => /patient_leukemia/.test(body.messages.at(-1)!.content));
    expect(named).not.toEqual([]);
  });

  it('are all that name a table or a column after a cell', async () => {
    const { mutants } = await wardMutants(
      KEEPING_IDS.filter((id) => !QUOTING_RELATIONS.has(id)),
      1,
    );
    expect(readFileSync(join(mutants, 'tables.json'), 'utf8')).not.toMatch(/leukemia|hepatitis|meyer|ruiz/iu);
  });
});

describe('an endpoint that proposes names or says what rows are', () => {
  it.each([
    ['llm', parseSettings({}), 'for the names of a column'],
    ['cta', parseSettings({ tpe: { id: 'llm' } }), 'for what a row is'],
  ] as const)('is told no cell by recipe %s, which a dry run shows', async (recipe, settings, what) => {
    const [folder, server] = [temporaryFolder(), await startServer()];
    const endpoint = { baseUrl: server.baseUrl, model: 'm' };
    const paths = writeClinic(folder);
    const told = async (sendValues: boolean): Promise<string> => {
      const proposer = { kind: 'endpoint', endpoint, prompt: null, sendValues, prices: null } as const;
      const options = { ...paths, out: join(folder, 'out'), recipe, settings, proposer };
      return (await previewRun(withDefaults(options), NOOP_HOST)).join('\n');
    };
    const without = await told(false);
    expect(without).toContain(`the first prompt, ${what}, has no cell of the database (--send-values adds`);
    expect(without).toMatch(/^ {2}- birth date/m);
    expect(cellsIn(without)).toEqual([]);
    expect(await told(true)).toContain(`the first prompt, ${what}, has 14 cells of the database:`);
  });
});

describe('an endpoint that is asked whether composed questions read well', () => {
  it('is sent no cell with any of them', async () => {
    const [folder, server] = [temporaryFolder(), await startServer()];
    server.words = () => '{"fluent": true}';
    const paths = writeClinic(folder, [
      [
        'Show the full names of the patients who weigh more than 65.',
        'SELECT full_name FROM patient WHERE weight > 65',
      ],
      ['Show the zip codes of the patients who weigh less than 78.', 'SELECT zip_code FROM patient WHERE weight < 78'],
      ['Show the birth dates of the patients who have no notes.', 'SELECT birth_date FROM patient WHERE notes IS NULL'],
    ]);
    const endpoint = { baseUrl: server.baseUrl, model: 'm', cache: temporaryFolder() };
    const parts = await openComposeParts(null, { endpoint, prompt: null, prices: null });
    try {
      const { report } = await composeQuestions({ ...paths, out: join(folder, 'out'), jobs: 1 }, parts);
      const { SUB, APP } = report.written;
      expect(server.seen).toHaveLength(SUB.total + APP.total);
    } finally {
      await parts.source.dispose?.();
      await parts.asked?.dispose();
    }
    const bodies = server.seen.map(({ body }) => JSON.stringify(body));
    expect(bodies.some((body) => body.includes('Show the full names of the patients who weigh less than 78'))).toBe(
      true,
    );
    expect(bodies.filter((body) => cellsIn(body).length > 0)).toEqual([]);
  });
});
