import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { auditPublished } from '../../../bench/published/audit-published.js';
import { auditDataset } from '../../../src/evaluate/audit/audit-dataset.js';
import { ConfigError } from '../../../src/errors.js';
import { rejectionOf } from '../../error-of.js';
import { createFolder } from '../../formats/format-fixture.js';

const DDL = {
  singer: 'create table singer( singer_id integer primary key, name text, country text)',
  song: 'create table song( song_id integer primary key, foreign key(singer_id) references singer(singer_id) integer, title text, sold integer)',
};
const JOIN =
  "SELECT T2.title FROM singer AS T1 JOIN song AS T2 ON T1.singer_id = T2.singer_id WHERE T1.country = 'France'";

interface Change {
  readonly query: string;
  readonly gold?: string;
  readonly tables: Readonly<Record<string, string>>;
  readonly more?: object;
}

const record = ({ query, gold, tables, more = {} }: Change): unknown => ({
  db_id: 'music',
  question: 'Which?',
  query,
  train_idx: 0,
  relevant_table: { singer: { ddl: DDL.singer }, song: { ddl: DDL.song } },
  new_relevant_table: Object.fromEntries(Object.entries(tables).map(([name, ddl]) => [name, { ddl }])),
  ...(gold === undefined ? {} : { new_gold_sql: gold }),
  ...more,
});

const RENAMED = { ...DDL, singer: DDL.singer.replace('name text, country', 'Stage Name text, home') };
const MERGED =
  'create table both( song_id integer primary key, singer_id integer, title text, sold integer, name text, country text)';
const MERGE = { more: { old_new_table_mapping: { singer: 'both', song: 'both' } }, tables: { both: MERGED } };

const FILES = {
  'rename_columns_bird_dev.json': [
    record({ query: 'SELECT name FROM singer', gold: 'SELECT Stage Name FROM singer', tables: RENAMED }),
    record({ query: JOIN, gold: JOIN.replace('T1.country', 'T1.home'), tables: RENAMED }),
    record({ query: 'SELECT title FROM song', gold: 'SELECT title FROM sStage Nameg', tables: RENAMED }),
  ],
  'merge_tables_bird_dev.json': [
    record({ ...MERGE, query: JOIN, gold: "SELECT title FROM both WHERE singer.country = 'France'" }),
    record({ ...MERGE, query: 'SELECT count(*) FROM singer', gold: 'SELECT count(*) FROM both' }),
  ],
  'remove_columns_bird_dev.json': [
    record({ query: JOIN, tables: { singer: DDL.singer.replace(', country text', ''), song: DDL.song } }),
  ],
};

async function audit() {
  const examples = createFolder(Object.fromEntries(Object.entries(FILES).map(([k, v]) => [k, JSON.stringify(v)])));
  const repair = join(mkdtempSync(join(tmpdir(), 'perturbql-pairs-')), 'repaired');
  const report = await auditPublished({ dataset: 'evoschema', examples, repair, jobs: 1 });
  const repaired = (name: string) => JSON.parse(readFileSync(join(repair, name), 'utf8')) as Record<string, unknown>[];
  return { report, repaired };
}

describe('auditPublished on a published set of perturbations', () => {
  it('counts what binds and equals by kind, explains the rest, and repairs it', async () => {
    const { report, repaired } = await audit();
    const kinds = new Map(report.kinds.map((one) => [one.kind, one]));
    expect(kinds.get('rename columns')).toMatchObject({
      examples: 3,
      binds: 1,
      equal: 1,
      repairedBinds: 3,
      repairedRuns: 3,
    });
    expect(kinds.get('rename columns')?.repairedEqual).toBe(3);
    expect(kinds.get('merge tables')).toMatchObject({
      examples: 2,
      binds: 1,
      repairedBinds: 2,
      repairedRuns: 2,
      repairedEqual: 2,
    });
    expect(kinds.get('remove columns')).toMatchObject({ examples: 1, binds: 0, gone: 1, faults: { removed: 1 } });
    const faults = report.faulty.map(({ id, fault }) => `${id} ${fault?.rule ?? 'other rows'}`);
    expect(faults).toEqual([
      'merge_tables_bird_dev:0 moved-column',
      'merge_tables_bird_dev:1 other rows',
      'remove_columns_bird_dev:0 removed',
      'rename_columns_bird_dev:0 not-quoted',
      'rename_columns_bird_dev:2 text-replaced',
    ]);
    const [renamed, sound] = repaired('rename_columns_bird_dev.json');
    expect(renamed).toMatchObject({
      new_gold_sql: 'SELECT "Stage Name" FROM singer',
      published_gold: 'SELECT Stage Name FROM singer',
      original_gold: 'SELECT name FROM singer',
      repair: 'derived',
    });
    expect(sound?.['repair']).toBe('kept');
    const [joined] = repaired('merge_tables_bird_dev.json');
    expect(joined?.['new_gold_sql']).toMatch(/^SELECT T2\.title FROM both AS T2 WHERE .*T2\.country = 'France'/);
  });

  it('is what repairs such a set: the audit of golds names it, and counts no kinds', async () => {
    const examples = createFolder({
      'rename_columns_bird_dev.json': JSON.stringify(FILES['rename_columns_bird_dev.json']),
    });
    const repair = join(examples, 'repaired');
    const { fix } = await rejectionOf(ConfigError, () => auditDataset({ dataset: 'evoschema', examples, repair }));
    expect(fix).toContain('npm run audit:published');
    expect((await auditDataset({ dataset: 'evoschema', examples, jobs: 1 })).examples).toBe(3);
  });

  const DATA = '../shared/data/evoschema';
  it.skipIf(!existsSync(DATA))(
    'reads EvoSchema’s split and merged columns, and repairs all that can be read',
    async () => {
      const examples = join(DATA, 'bird_split_or_merge_columns.even.json');
      const { kinds } = await auditPublished({ dataset: 'evoschema', examples, jobs: 1 });
      const [kind] = kinds;
      expect(kind).toMatchObject({ examples: 42, binds: 36, repairedBinds: 41, repairedRuns: 41 });
    },
  );
});
