import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/errors.js';
import { EXECUTING_EXPORTS, type ExportName } from '../../../src/formats/exports/export-names.js';
import { DEFAULT_TEMPLATE, type PromptTemplate } from '../../../src/formats/exports/prompt-template.js';
import { writeExports } from '../../../src/formats/exports/write-exports.js';
import { PACKAGED_EXAMPLES } from '../../../src/formats/packaged-examples.js';
import { loadDataset } from '../../../src/formats/load-dataset.js';
import { ownFieldsOf } from '../../../src/formats/own-fields.js';
import { packagePath } from '../../../src/package-path.js';
import { augment } from '../../../src/variants/augment/augment.js';
import { rejectionOf } from '../../error-of.js';
import { createFolder, TOWN } from '../format-fixture.js';
import { createOutput, pathsOf } from '../output-set-fixture.js';
import { renamed, setWith } from '../variant-fixture.js';

type Json = Readonly<Record<string, unknown>>;

/** Text that a template, a YAML file or a line may trip over. */
const QUESTION = 'Which {{ towns }} {% raw %}?\n"\u2028"';
const GOLD = 'SELECT Home_Town FROM Singer WHERE Singer_ID > 1';
const GOLD_RPL = 'SELECT origin FROM Singer WHERE Singer_ID > 1';

/** A question on its own schema and with a column renamed, exported. */
async function exported(name: ExportName, template: PromptTemplate = DEFAULT_TEMPLATE): Promise<string> {
  const root = createFolder({
    'tables.json': JSON.stringify([TOWN]),
    'dev.json': JSON.stringify([{ db_id: 'town', question: QUESTION, query: GOLD, evidence: 'origin is a town' }]),
  });
  const dataset = await loadDataset(
    pathsOf('spider', { tables: join(root, 'tables.json'), examples: join(root, 'dev.json') }),
  );
  const [town] = dataset.databases.values();
  const set = setWith(dataset, [renamed(town!, 0, 1, 'origin', 'origin')]);
  const { path, folder } = createOutput();
  await writeExports([name], set, folder, { template, fieldsOf: ownFieldsOf(set, undefined) });
  return path;
}

const recordsOf = (path: string): Json[] => {
  const text = readFileSync(path, 'utf8');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Json]));
};

const SYSTEM = 'You translate questions into SQLite SQL. Answer with one SQL query and nothing else.';
const saying = (column: string) =>
  expect.stringMatching(new RegExp(`${column}[^]*\\{\\{ towns \\}\\} \\{% raw`)) as unknown;
const messages = (column: string) => [
  { role: 'system', content: SYSTEM },
  { role: 'user', content: saying(column) },
];
const BOTH = [
  { id: 'dev:0', kind: 'original', db_id: 'town', gold: GOLD, column: 'Home_Town' },
  { id: 'dev:0__rpl', kind: 'RPL', db_id: 'town__rpl_1', gold: GOLD_RPL, column: 'origin' },
] as const;

describe('the export for', () => {
  it('verl has the columns of its data sets', async () => {
    const bytes = readFileSync(join(await exported('verl'), 'verl/validation.parquet'));
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const about = { split: 'validation', source_id: 'dev:0', original_db_id: 'town', question: QUESTION };
    expect(await parquetReadObjects({ file })).toEqual(
      BOTH.map(({ id, kind, db_id, gold, column }, i) => ({
        data_source: `perturbql/${kind.toLowerCase()}`,
        prompt: messages(column),
        ability: 'text-to-sql',
        reward_model: { style: 'rule', ground_truth: gold },
        extra_info: { index: BigInt(i), id, kind, db_id, ...about },
      })),
    );
  });

  it('NeMo Gym has the fields of its bird_sql', async () => {
    const path = await exported('nemo-gym');
    const tasks = recordsOf(join(path, 'nemo-gym/resources_servers/perturbql_sql/data/tasks.jsonl'));
    expect(tasks).toEqual(
      BOTH.map(({ id, kind, db_id, gold, column }, i) => ({
        responses_create_params: { input: messages(column) },
        question: QUESTION,
        gt_sql: gold,
        sql_context: expect.stringContaining(column) as unknown,
        db_id,
        id: i,
        kind,
        example_id: id,
        source_id: 'dev:0',
        original_db_id: 'town',
      })),
    );
  });

  it('Verifiers has tasks in its package', async () => {
    const tasks = recordsOf(join(await exported('verifiers'), 'verifiers/perturbql_sql/tasks.jsonl'));
    expect(tasks).toEqual(
      BOTH.map(({ id, kind, db_id, gold, column }) => ({
        id,
        kind,
        db_id,
        query: gold,
        prompt: saying(column),
        system_prompt: SYSTEM,
      })),
    );
  });

  it('lm-eval has a question in one text', async () => {
    const rows = recordsOf(join(await exported('lm-eval'), 'lm-eval/questions.jsonl'));
    expect(rows).toMatchObject(
      BOTH.map(({ id, kind, db_id, gold }) => ({ id, kind: kind.toLowerCase(), db_id, query: gold })),
    );
    expect(String(rows[0]!['prompt']).startsWith(`${SYSTEM}\n\nCREATE TABLE`)).toBe(true);
  });

  it('Inspect has samples', async () => {
    const about = { source_id: 'dev:0', original_db_id: 'town' };
    expect(recordsOf(join(await exported('inspect'), 'inspect/samples.jsonl'))).toEqual(
      BOTH.map(({ id, kind, db_id, gold, column }) => ({
        id,
        input: messages(column),
        target: gold,
        metadata: { kind, db_id, ...about },
      })),
    );
  });

  it('promptfoo keeps texts out of what is read as a template', async () => {
    const path = await exported('promptfoo');
    expect(recordsOf(join(path, 'promptfoo/tests.jsonl'))).toEqual(
      BOTH.map(({ id, kind, db_id, gold, column }) => ({
        description: id,
        metadata: { kind, db_id },
        vars: { system: SYSTEM, user: saying(column), db_id, gold },
      })),
    );
    const promptOf = (folder: string): unknown =>
      JSON.parse(readFileSync(join(folder, 'promptfoo/prompt.json'), 'utf8'));
    const user = { role: 'user', content: '{{user}}' };
    expect(promptOf(path)).toEqual([{ role: 'system', content: '{{system}}' }, user]);
    expect(promptOf(await exported('promptfoo', { system: null, user: '{question}' }))).toEqual([user]);
  });

  it.each([...EXECUTING_EXPORTS].filter((name) => name !== 'omnisql'))(
    '%s has its files as they are shipped',
    async (name) => {
      const path = join(await exported(name), name);
      const shipped = packagePath(`integrations/loops/${name}`);
      const files = readdirSync(shipped, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      expect(files).not.toEqual([]);
      for (const { name: file, parentPath } of files) {
        const source = join(parentPath, file);
        expect(readFileSync(join(path, source.slice(shipped.length)))).toEqual(readFileSync(source));
      }
    },
  );
});

describe('the export for OmniSQL', () => {
  it('has the fields that its scripts read, next to tables and databases', async () => {
    const out = join(createFolder(), 'run');
    await augment({ ...PACKAGED_EXAMPLES, recipe: 'random', exports: ['omnisql'], verify: false, out });
    const load = (path: string): Json[] => JSON.parse(readFileSync(join(out, path), 'utf8')) as Json[];
    const tables = new Map(load('tables.json').map((record) => [record['db_id'], record]));
    const rows = load('omnisql/data.json');
    expect(rows).toHaveLength(90);
    for (const row of rows) {
      const { db_id, question, external_knowledge, cot, sql, query } = row as Readonly<Record<string, string>>;
      expect([typeof question, external_knowledge, cot, query]).toEqual([
        'string',
        '',
        `\`\`\`sql\n${sql}\n\`\`\``,
        sql,
      ]);
      const record = tables.get(db_id) as { readonly [name: string]: readonly [number, string][] };
      const columns = record['column_names_original']!;
      expect(record['column_names']).toHaveLength(columns.length);
      expect(record['column_types']).toHaveLength(columns.length);
      const sqlite = new Sqlite(join(out, `database/${db_id}/${db_id}.sqlite`), { readonly: true });
      const names = (table: unknown) =>
        sqlite.pragma(`table_info(\`${String(table)}\`)`) as { readonly name: string }[];
      const found = (record['table_names_original'] as readonly unknown[]).flatMap((table) => names(table));
      expect(found.map(({ name }) => name)).toEqual(columns.slice(1).map(([, name]) => name));
      sqlite.close();
    }
  });

  it('says what a question takes for granted', async () => {
    const [row] = JSON.parse(readFileSync(join(await exported('omnisql'), 'omnisql/data.json'), 'utf8')) as Json[];
    expect(row).toMatchObject({ external_knowledge: 'origin is a town', question: QUESTION });
  });
});

describe('augment', () => {
  it('refuses an export that needs databases where it writes none', async () => {
    const options = { ...PACKAGED_EXAMPLES, recipe: 'random', out: join(createFolder(), 'run') } as const;
    const given = { ...options, databases: null, exports: ['verl'] } as const;
    const error = await rejectionOf(ConfigError, () => augment(given));
    expect(error.message).toContain('--export verl');
    const mode = { ...options, exports: ['omnisql'], materialize: 'views' } as const;
    await rejectionOf(ConfigError, () => augment(mode));
  });

  it('refuses a prompt template without an export that has prompts', async () => {
    const given = { ...PACKAGED_EXAMPLES, exports: ['omnisql'], promptTemplate: 'prompt.txt' } as const;
    const error = await rejectionOf(ConfigError, () => augment({ ...given, out: join(createFolder(), 'run') }));
    expect(error.fix).toContain('inspect');
  });
});
