import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type * as SqlDoor from '../../src/entrypoints/sql.js';
import { CHROMIUM, HAS_CHROMIUM } from '../chromium-path.js';
import { bundleDoor } from './browser-bundle.js';

/** What a browser's page does with the entrypoint; it must not lean on anything of this file. */
function rewriteInPage(entrypoint: typeof SqlDoor): readonly string[] {
  const column = (name: string): SqlDoor.Column => ({ name, originalName: name, type: 'text' });
  const singers: SqlDoor.Database = {
    id: 'concerts',
    tables: [{ name: 'singer', originalName: 'singer', columns: [column('song'), column('age')] }],
    primaryKeys: [],
    foreignKeys: [],
  };
  const names = new Map([['0.0', 'track title']]);
  const rename = (sql: string): string => entrypoint.renameColumns(sql, singers, names).sql;
  const failure = (): string => {
    try {
      return rename('SELECT song FROM nowhere');
    } catch (error) {
      return error instanceof entrypoint.SqlRewriteError ? error.code : 'another error';
    }
  };
  return [
    rename("SELECT T1.song FROM singer AS T1  WHERE T1.age > 30 -- it's old"),
    rename('SELECT song FROM (SELECT song FROM singer) AS s'),
    entrypoint.expandStars('SELECT * FROM singer', singers).sql,
    failure(),
  ];
}

const EXPECTED = [
  `SELECT T1."track title" FROM singer AS T1  WHERE T1.age > 30 -- it's old`,
  'SELECT "track title" FROM (SELECT "track title" FROM singer) AS s',
  'SELECT song, age FROM singer',
  'SQL_REWRITE',
];

describe('perturbql/sql for browsers', async () => {
  const { code, ofNode } = await bundleDoor('sql');
  const call = `JSON.stringify((${rewriteInPage.toString()})(entrypoint))`;

  it('imports nothing of Node', () => {
    expect(ofNode).toEqual([]);
  });

  it('is told from a entrypoint that does', async () => {
    expect((await bundleDoor('evaluate')).ofNode).not.toEqual([]);
  });

  it('rewrites where there is no Node', () => {
    const context = createContext({ TextEncoder, TextDecoder });
    runInContext(code, context);
    expect(JSON.parse(runInContext(call, context) as string)).toEqual(EXPECTED);
  });

  it.skipIf(!HAS_CHROMIUM)('rewrites in Chromium (skipped where there is none)', async () => {
    const { chromium } = await import('playwright-core');
    const browser = await chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      await page.addScriptTag({ content: code });
      expect(JSON.parse(await page.evaluate<string>(call))).toEqual(EXPECTED);
    } finally {
      await browser.close();
    }
  });
});
