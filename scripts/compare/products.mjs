// Compares the products of two runs: each function takes the paths of both and says how many it compared and the first difference.
import { Buffer } from 'node:buffer';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';

/** @typedef {{ count: number, difference: string | null }} Compared */

const SHOWN = 160;

/** Files as text, line by line. */
export function sameText(first, second) {
  return sameLines(linesOf(first), linesOf(second));
}

/** Candidates without the original names, which newer files carry next to the natural ones. */
export function sameCandidates(first, second) {
  const bare = (line) => {
    if (line === '') return line;
    return JSON.stringify({ ...JSON.parse(line), table_original: undefined, column_original: undefined });
  };
  return sameLines(linesOf(first).map(bare), linesOf(second).map(bare));
}

/** Lines in any order: what is asked at the same time is answered in any order. */
export function sameSet(first, second) {
  return sameLines(linesOf(first).sort(), linesOf(second).sort());
}

/** Parts of a JSON file (all without `keys`); snake_case and camelCase keys count as equal. */
export function sameJson(...keys) {
  return (first, second) => {
    const [a, b] = [first, second].map((path) => partsOf(JSON.parse(readFileSync(path, 'utf8')), keys));
    return sameLines(...[a, b].map((value) => JSON.stringify(value, null, 1).split('\n')));
  };
}

function partsOf(value, keys) {
  const all = camelKeys(value);
  return keys.length === 0 ? all : keys.map((key) => [key, all[key]]);
}

function camelKeys(value) {
  if (Array.isArray(value)) return value.map(camelKeys);
  if (value === null || typeof value !== 'object') return value;
  const camel = (key) => key.replaceAll(/(?<=[a-z0-9])_([a-z])/gu, (_, letter) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [camel(key), camelKeys(inner)]));
}

/** All text files of a folder, with the same names. */
export function sameFolder(first, second) {
  return sameFiles(first, second, /./u, sameText);
}

/** All SQLite files below a folder, also packed ones: schema and rows, not the bytes of the files. */
export function sameDatabases(first, second) {
  return sameFiles(first, second, /\.sqlite(\.gz)?$/u, (a, b) => sameLines(dump(a), dump(b)));
}

function sameFiles(first, second, pattern, compare) {
  const [a, b] = [first, second].map((folder) => filesOf(folder, pattern));
  const names = sameLines(a, b);
  if (names.difference !== null) return { count: 0, difference: `files differ: ${names.difference}` };
  for (const [count, name] of a.entries()) {
    const { difference } = compare(join(first, name), join(second, name));
    if (difference !== null) return { count, difference: `${name}: ${difference}` };
  }
  return { count: a.length, difference: null };
}

function filesOf(folder, pattern) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && pattern.test(entry.name));
  return files.map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1)).sort();
}

function dump(path) {
  const bytes = readFileSync(path);
  const database = new Database(path.endsWith('.gz') ? gunzipSync(bytes) : bytes);
  try {
    return dumpOf(database);
  } finally {
    database.close();
  }
}

function dumpOf(database) {
  database.defaultSafeIntegers();
  const entries = database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid').all();
  const lines = entries.map((entry) => JSON.stringify(entry));
  for (const { name } of entries.filter(({ type }) => type === 'table')) {
    const rows = database.prepare(`SELECT * FROM "${name.replaceAll('"', '""')}"`).raw();
    for (const row of rows.iterate()) lines.push(`${name} ${JSON.stringify(row, writeCell)}`);
  }
  return lines;
}

/** Integers and reals must not look alike, and blobs must be readable. */
function writeCell(_key, value) {
  if (typeof value === 'bigint') return `integer ${value}`;
  return value?.type === 'Buffer' ? `blob ${Buffer.from(value.data).toString('hex')}` : value;
}

const linesOf = (path) => readFileSync(path, 'utf8').split('\n');

/** @returns {Compared} */
function sameLines(first, second) {
  for (let at = 0; at < Math.max(first.length, second.length); at++) {
    if (first[at] !== second[at]) return { count: 0, difference: showDifference(at + 1, first[at], second[at]) };
  }
  return { count: 1, difference: null };
}

function showDifference(line, first = '(end)', second = '(end)') {
  let at = 0;
  while (at < first.length && first[at] === second[at]) at++;
  const from = Math.max(0, at - SHOWN / 2);
  const part = (text) => `${from > 0 ? '…' : ''}${text.slice(from, from + SHOWN)}`;
  return `line ${line}, character ${at + 1}\nBASE ${part(first)}\nNEW  ${part(second)}`;
}
