import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { requireEndingViews } from '../../../src/variants/databases/unusable-databases.js';
import type { Database } from '../../../src/schema/schema.js';

const shop = (...names: string[]): Database => ({
  id: 'shop',
  tables: names.map((name) => ({ name, originalName: name, columns: [] })),
  primaryKeys: [],
  foreignKeys: [],
});

it('names a view of the schema that never ends, and no other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-views-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'shop.sqlite');
  const sqlite = new Sqlite(file);
  sqlite.exec(`CREATE TABLE item (a); CREATE VIEW cheap AS SELECT a FROM item;
    CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n`);
  sqlite.close();
  const files = { sqliteBytes: () => 1, sqliteFile: () => file };
  expect(() => requireEndingViews(files, [shop('item', 'cheap')])).not.toThrow();
  expect(() => requireEndingViews(files, [shop('item', 'Endless')])).toThrow(
    'the rows of the view endless take longer',
  );
}, 120_000);
