import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { InputFormatError } from '../../src/errors.js';
import { errorOf } from '../error-of.js';

/** A new folder with the given files, that goes when the test ends. */
export function createFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-formats-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** One file of its own. */
export function createFile(content: string | Uint8Array | object, name = 'file.json'): string {
  const text = typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content);
  return join(createFolder({ [name]: text }), name);
}

/** The InputFormatError that an action ends in; it always names a file and a fix. */
export function faultOf(action: () => unknown): InputFormatError {
  const fault = errorOf(InputFormatError, action);
  expect(fault.where.file).toBeDefined();
  expect(fault.fix).not.toBe('');
  return fault;
}

/** A record of tables.json: two tables, a composite and a foreign key. */
export const TOWN = {
  db_id: 'town',
  table_names: ['singer', 'concert'],
  table_names_original: ['Singer', 'Concert'],
  column_names: [
    [-1, '*'],
    [0, 'singer id'],
    [0, 'home town'],
    [1, 'concert id'],
    [1, 'singer id'],
  ],
  column_names_original: [
    [-1, '*'],
    [0, 'Singer_ID'],
    [0, 'Home_Town'],
    [1, 'Concert_ID'],
    [1, 'Singer_ID'],
  ],
  column_types: ['text', 'number', 'text', 'number', 'number'],
  primary_keys: [1, 3],
  foreign_keys: [[4, 1]],
};
