import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Dataset, DatasetExample } from '../../../src/formats/dataset.js';
import type { TextChange } from '../../../src/formats/schema-text/schema-texts.js';
import { renderSpiderTables } from '../../../src/formats/spider-tables.js';
import { MutantTexts } from '../../../src/variants/mutate/mutant-texts.js';
import { mutate } from '../../../src/variants/mutate/mutate.js';
import { seedCase } from '../../../src/variants/relations/relation.js';
import type { MutantRecord } from '../../../src/formats/artifacts/mutants.js';
import type { MutatedSchema } from '../../../src/variants/databases/mutated-schema.js';
import { mustGet } from '../../../src/present.js';
import { EXAMPLES, mutateOne } from '../relations/cases.js';
import { mutationsIn, schemaRelations } from '../relations/schema/schema-fixture.js';

const inExamples = (name: string): string => fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));
const GARDEN = mustGet(EXAMPLES.databases.get('community_garden'), 'community_garden');
const QUERY = 'SELECT count(*) FROM plot WHERE plot_area > 10';
const QUESTION = 'How many plots are larger than 10?';
const EVIDENCE =
  "`birth_year` is a year; larger than 10 refers to plot_area > 10; Portugal to home_country = 'Portugal'";

type Row = Readonly<Record<string, unknown>>;
type Line = MutantRecord & { readonly evidence: string; readonly texts?: readonly TextChange[] };

const EXAMPLE: DatasetExample = {
  id: 'dev:0',
  group: 'dev:0',
  dbId: GARDEN.id,
  question: QUESTION,
  query: QUERY,
  record: { db_id: GARDEN.id, question: QUESTION, query: QUERY, evidence: EVIDENCE },
};

/** The first schema of a relation that a detail names. */
async function schemaOf(id: string, detail: string): Promise<MutatedSchema> {
  const relation = mustGet(
    schemaRelations().find((one) => one.id === id),
    id,
  );
  const mutations = mutationsIn(await mutateOne(relation, seedCase(EXAMPLE, GARDEN), 100));
  return mustGet(mutations.find((one) => one.detail.includes(detail))?.mutated, detail);
}

/** A description of each column, as KaggleDBQA has them next to Spider's fields. */
function described(): Dataset {
  const record = renderSpiderTables(GARDEN);
  const column_descriptions = record.column_names_original.map(([table, name]) => [table, `see \`${name}\``]);
  return { ...EXAMPLES, spiderTables: new Map([[GARDEN.id, { ...record, column_descriptions }]]) };
}

describe('texts about the schema', () => {
  test('follow a column that is renamed, and say so', async () => {
    const mutated = await schemaOf('CRn', 'birth_year to');
    const { example, texts } = new MutantTexts(EXAMPLES, [mutated]).follow(EXAMPLE, mutated.schema.id);
    expect((example.record as Row)['evidence']).toBe(EVIDENCE.replace('birth_year', 'birth_year_now'));
    expect(texts).toEqual([
      { field: 'evidence', edits: [{ start: 1, end: 11, before: 'birth_year', after: 'birth_year_now' }], unsure: [] },
    ]);
  });

  test('stay where a column is gone or has moved under its own name; what names one that is gone is marked', async () => {
    const gone = await schemaOf('CRm', 'birth_year');
    const followed = new MutantTexts(EXAMPLES, [gone]).follow(EXAMPLE, gone.schema.id);
    expect(followed.example).toBe(EXAMPLE);
    expect(followed.texts).toEqual([
      { field: 'evidence', edits: [], unsure: [{ start: 1, end: 11, text: 'birth_year' }] },
    ]);
    const moved = await schemaOf('NO', 'birth_year');
    expect(new MutantTexts(EXAMPLES, [moved]).follow(EXAMPLE, moved.schema.id)).toEqual({
      example: EXAMPLE,
      texts: [],
    });
  });

  test('follow a table that goes into another one, which gives its columns other names', async () => {
    const flat = await schemaOf('FL', 'gardener into plot');
    const { example } = new MutantTexts(EXAMPLES, [flat]).follow(EXAMPLE, flat.schema.id);
    expect((example.record as Row)['evidence']).toBe(
      EVIDENCE.replace('birth_year', 'gardener_birth_year').replace('home_country', 'gardener_home_country'),
    );
  });

  test('of tables.json stand with their columns, wherever these go', async () => {
    const dataset = described();
    for (const [id, detail] of [
      ['CRm', 'birth_year'],
      ['CRn', 'birth_year to'],
      ['NO', 'birth_year'],
      ['TS', 'tables'],
      ['CI', 'added'],
    ] as const) {
      const mutated = await schemaOf(id, detail);
      const record = {
        ...renderSpiderTables(mutated.schema),
        ...new MutantTexts(dataset, [mutated]).tableFields(mutated),
      };
      const texts = (record as unknown as Row)['column_descriptions'] as readonly (readonly [number, string])[];
      expect(texts).toHaveLength(record.column_names.length);
      record.column_names_original.forEach(([table, name], i) => {
        if (i === 0) return;
        expect([id, texts[i]?.[0]]).toEqual([id, table]);
        // A new column has none.
        expect(['', `see \`${name}\``]).toContain(texts[i]?.[1]);
      });
    }
  });
});

describe('mutate on a data set with texts about the schema', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mutant-texts-'));
  const databases = join(folder, 'database');
  cpSync(inExamples('database'), databases, { recursive: true });
  const descriptions = join(databases, GARDEN.id, 'database_description');
  mkdirSync(descriptions, { recursive: true });
  const header = 'original_column_name,column_name,column_description,data_format,value_description';
  const rows = ['birth_year,year of birth,when,integer,', 'home_country,,as birth_year,text,'];
  writeFileSync(join(descriptions, 'gardener.csv'), `${[header, ...rows].join('\r\n')}\r\n`);
  const examples = join(folder, 'dev.json');
  const record = { question_id: 3, db_id: GARDEN.id, question: QUESTION, evidence: EVIDENCE, SQL: QUERY };
  writeFileSync(examples, JSON.stringify([record]));
  const linesOf = (out: string, name: string): Line[] =>
    readFileSync(join(out, name), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);

  test('writes them with seeds, mutants, training examples and databases', async () => {
    const out = join(folder, 'run');
    const paths = { dataset: 'bird', tables: inExamples('tables.json'), examples, databases } as const;
    const choice = {
      relations: ['PI', 'FL', 'CRm'],
      guard: false,
      limit: 50,
      materialize: 'copy',
      asTraining: true,
    } as const;
    await mutate({ ...paths, ...choice, out });
    expect(linesOf(out, 'seeds.jsonl')).toMatchObject([{ id: '3', evidence: EVIDENCE }]);
    const mutants = linesOf(out, 'mutants.jsonl');
    expect(mutants.filter(({ texts }) => texts !== undefined).length).toBeGreaterThan(0);
    for (const { relations, details, evidence, texts = [] } of mutants) {
      const isGone = /^dropped gardener\.(?:birth_year|home_country)$/.test(details[0] ?? '');
      const isFlat = relations[0] === 'FL' && details[0]?.includes('gardener into') === true;
      expect(evidence === EVIDENCE).toBe(!isFlat);
      expect(texts.some(({ unsure }) => unsure.length > 0)).toBe(isGone);
    }
    const trained = JSON.parse(readFileSync(join(out, 'examples.json'), 'utf8')) as readonly Row[];
    expect(trained.map(({ evidence }) => evidence).sort()).toEqual(
      [EVIDENCE, ...mutants.map(({ evidence }) => evidence)].sort(),
    );

    const gone = mustGet(
      mutants.find(({ details: [one] }) => one === 'dropped gardener.birth_year'),
      'the mutant',
    );
    const at = (id: string): string => join(out, 'database', id, 'database_description');
    expect(readFileSync(join(at(gone.db_id), 'gardener.csv'), 'utf8')).toBe(`${[header, rows[1]].join('\r\n')}\r\n`);
    expect(readFileSync(join(at(GARDEN.id), 'gardener.csv'))).toEqual(readFileSync(join(descriptions, 'gardener.csv')));
    const flat = mustGet(
      mutants.find(({ details: [one] }) => one?.includes('gardener into')),
      'the mutant',
    );
    expect(existsSync(at(flat.db_id)) ? readdirSync(at(flat.db_id)) : []).toEqual([]);
    expect(linesOf(out, 'descriptions.jsonl').map(({ db_id }) => db_id)).toContain(gone.db_id);
  });
});
