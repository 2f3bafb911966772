import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attack } from '../../../src/measure/attack/attack.js';
import { prepareAttack, type PrepareInput, scoreAttack } from '../../../src/measure/attack/prepare-attack.js';
import { InputFormatError, RunFolderError } from '../../../src/errors.js';
import { loadDataset } from '../../../src/formats/load-dataset.js';
import { DEFAULT_TEMPLATE } from '../../../src/formats/exports/prompt-template.js';
import type { PerturbedLine } from '../../../src/formats/artifacts/provenance.js';
import { applyEdits } from '../../../src/sql/edits.js';
import { resolveColumns } from '../../../src/sql/resolver.js';
import { rejectionOf } from '../../error-of.js';
import {
  candidatesFor,
  DATA,
  EXAMPLES,
  goldOn,
  inputOf,
  perfectVictim,
  stubbornVictim,
  temporaryFolder,
  writeCandidates,
} from './attack-fixture.js';

/** Candidates that leave some questions on their own tables. */
const UNEVEN = candidatesFor(2, (dbId) => dbId === 'community_garden');

interface Line {
  readonly id: string;
  readonly example: string;
  readonly db_id: string;
  readonly condition: string;
  readonly seed: number | null;
  readonly schema: string;
  readonly folder: string;
  readonly folder_db_id: string;
  readonly database: string | null;
}

function prepareInput(more: Partial<PrepareInput> = {}): PrepareInput {
  const { candidates, tables, examples, seeds, out } = inputOf(perfectVictim());
  return { candidates, tables: tables!, examples: examples!, seeds: seeds!, out, ...more };
}

function readLines(run: string): readonly Line[] {
  const text = readFileSync(join(run, 'inputs/questions.jsonl'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

/** Predictions by a model that knows the original names alone. */
function stubbornPredictions(lines: readonly { readonly id: string; readonly example: string }[]): string {
  const queries = new Map(EXAMPLES.map(({ id, query }) => [id, query]));
  return lines.map(({ id, example }) => `${JSON.stringify({ id, sql: queries.get(example) })}\n`).join('');
}

function writePredictions(text: string): string {
  const file = join(temporaryFolder(), 'model.jsonl');
  writeFileSync(file, text);
  return file;
}

describe('prepared inputs', () => {
  it('are the questions that an attack asks, with ids, tables and prompt', async () => {
    const input = prepareInput();
    const { questions, folders, fresh } = await prepareAttack(input);
    const lines = readLines(input.out);
    expect(fresh).toBe(true);
    expect(lines).toHaveLength(questions);
    expect(folders).toEqual(['original', 'RPL-0', 'RPL-1', 'ADD-0', 'ADD-1']);
    const victim = perfectVictim();
    await attack(inputOf(victim, { candidates: input.candidates }));
    expect(lines.map(({ id }) => id).sort()).toEqual([...victim.asked].sort());
    const line = lines.find(({ id }) => id === 'dev:0~RPL~0')!;
    expect(line).toMatchObject({ example: 'dev:0', db_id: 'community_garden', condition: 'RPL', seed: 0 });
    expect(line.schema).toMatch(/home_country_(?:label|entry)/);
    expect(JSON.stringify(line)).not.toContain('SELECT count');
  });

  it('are there in Spider’s format, per condition and seed', async () => {
    const input = prepareInput();
    const { folders } = await prepareAttack(input);
    for (const name of folders) {
      const at = (file: string): string => join(input.out, 'inputs', name, file);
      const paths = { tables: at('tables.json'), examples: at('dev.json'), databases: null, connection: null };
      const dataset = await loadDataset({ dataset: 'spider', ...paths });
      expect(dataset.size).toBe(EXAMPLES.length);
      for (const { dbId, query, record } of dataset.examples()) {
        const schema = dataset.databases.get(dbId)!;
        expect(resolveColumns(query, schema, dataset.dialect)).toBeDefined();
        expect((record as { question_id: string }).question_id).toMatch(/^dev:\d+~/);
      }
      expect(readFileSync(at('gold.sql'), 'utf8').trimEnd().split('\n')).toHaveLength(EXAMPLES.length);
    }
  });

  it('say of each record what it was made from, and how', async () => {
    const input = prepareInput({ seeds: [1], candidates: writeCandidates(temporaryFolder(), UNEVEN) });
    const { folders } = await prepareAttack(input);
    const golds = new Map(EXAMPLES.map(({ id, query }) => [id, query]));
    for (const name of folders) {
      const at = (file: string): string => readFileSync(join(input.out, 'inputs', name, file), 'utf8');
      const records = JSON.parse(at('dev.json')) as { db_id: string; query: string; question_id: string }[];
      const lines = at('provenance.jsonl').trimEnd().split('\n');
      expect(lines).toHaveLength(EXAMPLES.length);
      const kinds = lines.map((text, i) => {
        const { index, source, db_id, original_db_id, kind, changes, edits } = JSON.parse(text) as PerturbedLine;
        const record = records[i]!;
        expect({ index, db_id }).toEqual({ index: i, db_id: record.db_id });
        expect(record.question_id).toBe([source, ...name.split('-')].join('~'));
        expect(applyEdits(golds.get(source)!, edits)).toBe(record.query);
        expect([changes.length === 0, db_id === original_db_id]).toEqual([kind === 'original', kind === 'original']);
        return kind;
      });
      const kind = name.split('-')[0]!;
      expect([...new Set(kinds)].sort()).toEqual([...new Set([kind, 'original'])].sort());
    }
  });

  it('come with databases where they are asked for', async () => {
    const input = prepareInput({ databases: DATA.databases, materialize: 'copy', seeds: [0] });
    await prepareAttack(input);
    const { database, folder_db_id: dbId } = readLines(input.out).find(({ id }) => id === 'dev:0~ADD~0')!;
    expect(dbId).toMatch(/^community_garden__add_\d+$/);
    expect(database).toBe(join(input.out, 'inputs/ADD-0/database', dbId, `${dbId}.sqlite`));
    expect(existsSync(database!)).toBe(true);
    await expect(prepareAttack(prepareInput({ materialize: 'copy' }))).rejects.toThrow(/no databases to write/);
  });

  it('that are finished are left as they are, and other ones refused in their folder', async () => {
    const input = prepareInput();
    const { questions } = await prepareAttack(input);
    const before = readFileSync(join(input.out, 'inputs/questions.jsonl'), 'utf8');
    expect(await prepareAttack(input)).toMatchObject({ questions, fresh: false });
    expect(readFileSync(join(input.out, 'inputs/questions.jsonl'), 'utf8')).toBe(before);
    await expect(prepareAttack({ ...input, seeds: [7] })).rejects.toThrow(RunFolderError);
    const template = { ...DEFAULT_TEMPLATE, system: null };
    await expect(prepareAttack({ ...input, template })).rejects.toThrow(/prompt/);
  });
});

describe('predictions for them', () => {
  it('get the report of an attack', async () => {
    const input = prepareInput({ databases: DATA.databases });
    await prepareAttack(input);
    const predictions = writePredictions(stubbornPredictions(readLines(input.out)));
    const { report, open } = await scoreAttack({ run: input.out, predictions });
    const asked = inputOf(stubbornVictim(), { candidates: input.candidates, databases: DATA.databases });
    const { report: same } = await attack(asked);
    expect(open).toBe(0);
    expect(report.scores).toEqual(same.scores);
    expect(report.cases).toEqual(same.cases);
    expect(readdirSync(join(input.out, 'scores/model.jsonl'))).toContain('report.html');
    expect(report.victim).toMatchObject({ id: 'file', description: 'predictions in model.jsonl' });
  });

  it('are scored with the readings that the questions were made with', async () => {
    const readings = join(temporaryFolder(), 'readings.jsonl');
    const line = { db_id: 'community_garden', table: 'gardener', column: 'home_country', reading: 'country of birth' };
    writeFileSync(readings, `${JSON.stringify(line)}\n`);
    const input = prepareInput({ readings });
    await prepareAttack(input);
    const predictions = writePredictions(stubbornPredictions(readLines(input.out)));
    const { open } = await scoreAttack({ run: input.out, predictions });
    expect(open).toBe(0);
    const prepared = JSON.parse(readFileSync(join(input.out, 'inputs/attack.json'), 'utf8')) as object;
    expect(prepared).toMatchObject({ options: { readings } });
  });

  it('are refused where an earlier version did not keep which readings these were', async () => {
    const readings = join(temporaryFolder(), 'readings.jsonl');
    const line = { db_id: 'community_garden', table: 'gardener', column: 'home_country', reading: 'country of birth' };
    writeFileSync(readings, `${JSON.stringify(line)}\n`);
    const input = prepareInput({ readings, seeds: [0] });
    await prepareAttack(input);
    const predictions = writePredictions(stubbornPredictions(readLines(input.out)));
    const file = join(input.out, 'inputs/attack.json');
    const prepared = JSON.parse(readFileSync(file, 'utf8')) as { options: Record<string, unknown> };
    const { readings: _, ...options } = prepared.options;
    writeFileSync(file, JSON.stringify({ ...prepared, options }));
    const error = await rejectionOf(RunFolderError, () => scoreAttack({ run: input.out, predictions }));
    expect(error).toMatchObject({
      where: { file },
      message: expect.stringContaining('prepared with --readings') as string,
    });
    writeFileSync(file, JSON.stringify({ ...prepared, options: { ...options, readings } }));
    expect(await scoreAttack({ run: input.out, predictions })).toMatchObject({ open: 0 });
  });

  it('may be given for every id of the Spider folders', async () => {
    const input = prepareInput();
    await prepareAttack(input);
    const ids = EXAMPLES.flatMap(({ id: example }) =>
      ['original', 'RPL~0', 'RPL~1', 'ADD~0', 'ADD~1'].map((end) => ({ id: `${example}~${end}`, example })),
    );
    const predictions = writePredictions(stubbornPredictions(ids));
    const { report } = await scoreAttack({ run: input.out, predictions, out: join(input.out, 'all') });
    expect(report.usage.questions).toBe(ids.length);
    expect(report.usage.failures).toEqual({});
  });

  it('that are missing count as unanswered, by name', async () => {
    const input = prepareInput();
    await prepareAttack(input);
    const lines = readLines(input.out).filter(({ id }) => id !== 'dev:2~original');
    const predictions = writePredictions(stubbornPredictions(lines));
    const { report, open } = await scoreAttack({ run: input.out, predictions });
    expect(open).toBe(0);
    expect(report.warnings.join()).toContain('1 questions have no prediction and count as unanswered: dev:2~original');
    expect(report.cases[2]!.original).toMatchObject({ predicted: null, failure: 'unanswered', exact: 'empty' });
    expect(report.usage.failures).toEqual({ original: { unanswered: 1 } });
  });

  it.each([
    ['an unknown id', '{"id": "dev:0~RPL~9", "sql": "SELECT 1"}\n', /no question has this id/],
    ['an id twice', '{"id": "dev:0~original", "sql": ""}\n'.repeat(2), /predicted twice/],
    ['no SQL', '{"id": "dev:0~original"}\n', /"sql" is missing/],
  ])('with %s are refused', async (_, text, message) => {
    const input = prepareInput({ seeds: [0] });
    await prepareAttack(input);
    const predictions = writePredictions(text);
    const scored = scoreAttack({ run: input.out, predictions });
    await expect(scored).rejects.toThrow(message);
    await expect(scored).rejects.toBeInstanceOf(InputFormatError);
    writeFileSync(predictions, stubbornPredictions(readLines(input.out)));
    expect(await scoreAttack({ run: input.out, predictions })).toMatchObject({ open: 0, fresh: true });
  });

  it('get a report each, where the names of the files differ by their ends alone', async () => {
    const input = prepareInput({ seeds: [0] });
    await prepareAttack(input);
    const predictions = writePredictions(stubbornPredictions(readLines(input.out)));
    const other = predictions.replace(/jsonl$/, 'txt');
    writeFileSync(other, '{"id": "dev:0~original", "sql": "SELECT 1"}\n');
    await scoreAttack({ run: input.out, predictions });
    await scoreAttack({ run: input.out, predictions: other });
    expect(readdirSync(join(input.out, 'scores'))).toEqual(['model.jsonl', 'model.txt']);
    writeFileSync(predictions, readFileSync(other));
    await expect(scoreAttack({ run: input.out, predictions })).rejects.toThrow(RunFolderError);
  });

  it('are refused when the data has changed since, or nothing was prepared', async () => {
    const input = prepareInput({ seeds: [0] });
    await prepareAttack(input);
    const predictions = writePredictions(stubbornPredictions(readLines(input.out)));
    writeCandidates(join(input.candidates!, '..'), candidatesFor(3));
    await expect(scoreAttack({ run: input.out, predictions })).rejects.toThrow(/candidatesSha256 has changed since/);
    const attacked = inputOf(perfectVictim());
    await attack(attacked);
    await expect(scoreAttack({ run: attacked.out, predictions })).rejects.toThrow(/this is a run of attack/);
    await expect(scoreAttack({ run: temporaryFolder(), predictions })).rejects.toThrow(RunFolderError);
  });

  it('are made on the tables of an attack: a perfect model stays perfect', async () => {
    const input = prepareInput({ seeds: [0] });
    await prepareAttack(input);
    const victim = perfectVictim();
    await attack(inputOf(victim, { candidates: input.candidates, seeds: [0] }));
    const lines = [...victim.questions].map(([id, { schema }]) => ({ id, sql: goldOn(id.split('~')[0]!, schema) }));
    const predictions = writePredictions(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { report } = await scoreAttack({ run: input.out, predictions });
    expect(new Set(report.scores.map(({ accuracy }) => accuracy))).toEqual(new Set([1]));
  });
});
