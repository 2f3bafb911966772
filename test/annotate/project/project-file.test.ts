import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AnnotationProject } from '../../../src/annotate/project/annotation-project.js';
import { createProject } from '../../../src/annotate/project/create-project.js';
import { DEFAULT_SETTINGS } from '../../../src/annotate/project/project-content.js';
import { openProjectFile, Prepared } from '../../../src/annotate/project/project-file.js';
import { AnnotationError } from '../../../src/errors.js';
import { createSampleProject, sampleItems } from '../sample-project.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perturbql-file-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);

/** Changes a project from outside. */
function change(file: string, sql: string): void {
  const sqlite = new Sqlite(file);
  sqlite.exec(sql);
  sqlite.close();
}

function message(open: () => unknown): string {
  try {
    open();
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  return 'no error';
}

describe('prepared statements', () => {
  it('give every row once, page by page', () => {
    const sqlite = new Sqlite(':memory:');
    sqlite.exec('CREATE TABLE t (a INTEGER PRIMARY KEY)');
    const walked = () => [
      ...new Prepared(sqlite).pages<{ a: number }>('SELECT a FROM t WHERE a > ? ORDER BY a', (last) => [last?.a ?? 0]),
    ];
    for (const rows of [0, 1, 1000, 2001]) {
      const all = Array.from({ length: rows }, (_, i) => i + 1);
      sqlite.exec(`DELETE FROM t; INSERT INTO t SELECT value FROM json_each('${JSON.stringify(all)}')`);
      expect(walked().map(({ a }) => a)).toEqual(all);
    }
    sqlite.close();
  });
});

describe('opening', () => {
  it('names what is wrong with the file', () => {
    const open = (name: string) => () => AnnotationProject.open(at(name));
    writeFileSync(at('text.db'), 'this is a text, and longer than the header of a database is, by some words at least');
    change(at('other.db'), 'CREATE TABLE t (a)');
    const { file } = createSampleProject(folder);
    change(file, 'PRAGMA user_version = 99');
    expect(message(open('absent.db'))).toBe('there is no such file');
    expect(existsSync(at('absent.db'))).toBe(false);
    expect(message(open('text.db'))).toBe('the project can’t be opened');
    expect(message(open('other.db'))).toBe('this is not an annotation project');
    expect(message(open('project.db'))).toMatch(/has version 99/);
  });

  it('checks the settings', () => {
    const { file } = createSampleProject(folder);
    change(file, "UPDATE meta SET value = '{}' WHERE key = 'settings'");
    expect(message(() => AnnotationProject.open(file))).toMatch(/field "name" is missing/);
    change(file, "DELETE FROM meta WHERE key = 'settings'");
    expect(message(() => AnnotationProject.open(file))).toBe('the project has no settings');
  });

  it('has each transaction on the disk before it returns', () => {
    const { file } = createSampleProject(folder);
    const sqlite = openProjectFile(file, false);
    const setting = (name: string): unknown => sqlite.pragma(name, { simple: true });
    // 2 = FULL: the log is flushed at each commit. https://sqlite.org/pragma.html#pragma_synchronous
    expect([setting('journal_mode'), setting('synchronous'), setting('foreign_keys')]).toEqual(['wal', 2, 1]);
    sqlite.close();
  });

  it('leaves a closed project as one file', () => {
    const { file } = createSampleProject(folder);
    const project = AnnotationProject.open(file);
    project.addPerson('Cleo', 'reviewer');
    project.close();
    expect(readdirSync(folder)).toEqual(['project.db']);
    const again = AnnotationProject.open(file, { readonly: true });
    expect(again.people().map(({ name }) => name)).toContain('Cleo');
    again.close();
    expect(readdirSync(folder)).toEqual(['project.db']);
  });

  it('distinguishes projects of one name, and knows each again', () => {
    const idOf = (file: string): string => {
      const project = AnnotationProject.open(file, { readonly: true });
      project.close();
      return project.id;
    };
    const { file } = createSampleProject(folder);
    const id = idOf(file);
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(idOf(file)).toBe(id);
    expect(idOf(createSampleProject(mkdtempSync(join(folder, 'other-'))).file)).not.toBe(id);
  });

  it('is closed while others have it open, who go on', () => {
    const { file } = createSampleProject(folder);
    const [first, second] = [AnnotationProject.open(file), AnnotationProject.open(file)];
    second.addPerson('Cleo', 'reviewer');
    second.close();
    first.addPerson('Dan', 'reviewer');
    expect(first.people().map(({ name }) => name)).toEqual(expect.arrayContaining(['Cleo', 'Dan']));
    first.close();
    expect(readdirSync(folder)).toEqual(['project.db']);
  });
});

describe('making', () => {
  const start = { settings: DEFAULT_SETTINGS, people: [] };

  it('overwrites nothing', () => {
    writeFileSync(at('project.db'), 'mine');
    expect(() => createSampleProject(folder)).toThrow(AnnotationError);
    expect(readdirSync(folder)).toEqual(['project.db']);
  });

  it.each(['-wal', '-journal'])('takes no %s of a project that is gone for its own', (end) => {
    writeFileSync(at(`project.db${end}`), 'answers of another project');
    expect(() => createSampleProject(folder)).toThrow(/log of another project/);
    expect(readdirSync(folder)).toEqual([`project.db${end}`]);
  });

  it('leaves nothing behind where it fails', () => {
    const people = [{ name: 'a\tb', role: 'annotator' as const }];
    expect(() => createProject(at('new.db'), sampleItems(), { ...start, people })).toThrow(/can’t be the name/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['no items', [], [], /no items/],
    ['an id twice', [...sampleItems(), ...sampleItems()], [], /two items have one id/],
    ['a name twice', sampleItems(), ['Ada', 'ada '], /named twice/],
  ])('refuses %s', (_, items, names, expected) => {
    const people = names.map((name) => ({ name, role: 'annotator' as const }));
    expect(() => createProject(at('new.db'), items, { ...start, people })).toThrow(expected);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('says which places wait for annotators', () => {
    createProject(at('new.db'), sampleItems(), start);
    const project = AnnotationProject.open(at('new.db'));
    expect(project.summary()).toMatchObject({ items: 10, chunks: 2, openPlaces: 2 });
    project.addPerson('Ada', 'annotator');
    expect(project.summary().openPlaces).toBe(0);
    expect(project.chunksOf('Ada')).toHaveLength(2);
    project.close();
  });
});
