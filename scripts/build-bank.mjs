// Makes data/columns (columns.txt, vectors, manifest.json) from our lists of columns and the embedded encoder, some minutes:
//   npm run build && node scripts/build-bank.mjs
// The same lists and encoder give the same bytes on one kind of CPU.
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseColumnLists, renderColumnLists } from '../dist/bank/bank-lists.js';
import { shortenVector } from '../dist/bank/column-bank.js';
import { locateModel } from '../dist/inference/model-store.js';
import { SentenceEncoder } from '../dist/inference/sentence-encoder.js';
import { tableText } from '../dist/retriever/table-context.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = process.argv[2] ?? join(ROOT, 'data/columns');
/** Principal components kept of the encoder's 384. */
const DIMENSION = 64;
const ROUNDS = 40;
const LONGEST_NAME = 5;
const LISTS = [
  ...['', '_2', '_3', '_4', '_5', '_6'].map((suffix) => `training/column_groups${suffix}`),
  'data/columns/lists',
];

const UNIT = /\s*\([^)]*\)/g;
const CLAUSE =
  /^(?:who|whom|whose|what|when|where|which|how|why|it|they|we)\b|\b(?:who|it|they|was|were|did|does|them|he|she)\b|[?#/"&+*]|'s?$/;
const FILLER =
  /^(?:remarks?|notes?|comments?|date added|created (?:at|on|date)|created|last updated|updated (?:at|on)|(?:short )?description|status|last modified)$/;

const plain = (name) => name.replace(UNIT, '').replace(/\s+/g, ' ').trim();
const isName = (name) =>
  name.length > 1 && /^[a-z]/.test(name) && !CLAUSE.test(name) && name.split(' ').length <= LONGEST_NAME;
const distinct = (names) => [...new Set(names)];

/** Names as they may be proposed: without units, clauses and filler; of an odd column nothing. */
function cleanTable(table) {
  const columns = table.columns.flatMap((column) => {
    const name = plain(column.name);
    if (!isName(name)) return [];
    const replacements = distinct(column.replacements.map(plain)).filter((one) => isName(one) && one !== name);
    const additions = distinct(column.additions.map(plain)).filter(
      (one) => isName(one) && one !== name && !FILLER.test(one) && !replacements.includes(one),
    );
    return replacements.length + additions.length === 0 ? [] : [{ name, replacements, additions }];
  });
  return { ...table, columns };
}

/** Names that a second reader struck from a list, by its file and line: `### folder/file`, then `LINE|name;name`, or `LINE|*`. */
function readStruck() {
  const struck = new Map();
  let file = '';
  for (const line of readFileSync(join(ROOT, 'data/columns/struck.txt'), 'utf8').split('\n')) {
    if (line.startsWith('### ')) file = line.slice(4).trim();
    else if (line.includes('|')) {
      const [at, names] = line.split('|');
      struck.set(`${file}:${at.trim()}`, new Set(names.split(';').map((name) => name.trim())));
    }
  }
  return struck;
}

/** The lines of a list without the names that were struck. */
function withoutStruck(text, key, struck) {
  const kept = text.split('\n').map((line, i) => {
    const out = struck.get(`${key}:${i + 1}`);
    if (out === undefined || line.startsWith('@')) return line;
    if (out.has('*')) return '';
    const [names, additions = ''] = line.split('~');
    const [name, ...replacements] = names.split('|').map((one) => one.trim());
    const left = [name, ...replacements.filter((one) => !out.has(one))].join(' | ');
    return `${left} ~ ${additions
      .split(',')
      .map((one) => one.trim())
      .filter((one) => !out.has(one))
      .join(', ')}`;
  });
  return kept.join('\n');
}

function readTables() {
  const struck = readStruck();
  const files = LISTS.flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((file) => file.endsWith('.txt'))
      .sort()
      .map((file) => `${folder}/${file}`),
  );
  return files
    .flatMap((file) =>
      parseColumnLists(
        withoutStruck(readFileSync(join(ROOT, file), 'utf8'), file.split('/').slice(-2).join('/'), struck),
      ),
    )
    .map(cleanTable)
    .filter(({ columns }) => columns.length > 0);
}

function orthonormalize(rows) {
  rows.forEach((row, r) => {
    for (const other of rows.slice(0, r)) {
      const dot = row.reduce((sum, value, i) => sum + value * other[i], 0);
      other.forEach((value, i) => (row[i] -= dot * value));
    }
    const length = Math.hypot(...row);
    row.forEach((value, i) => (row[i] = value / length));
  });
  return rows;
}

/** The first principal components of vectors about zero, by orthogonal iteration from fixed beginnings. */
function principalComponents(vectors, count) {
  const size = vectors[0].length;
  const products = Array.from({ length: size }, () => new Float64Array(size));
  for (const vector of vectors)
    for (let a = 0; a < size; a++) for (let b = 0; b < size; b++) products[a][b] += vector[a] * vector[b];
  const begin = (r) => Float64Array.from({ length: size }, (_, i) => Math.sin((r + 1) * (i + 1)));
  let rows = orthonormalize(Array.from({ length: count }, (_, r) => begin(r)));
  for (let round = 0; round < ROUNDS; round++) {
    const turned = rows.map((row) =>
      Float64Array.from(products, (of) => of.reduce((sum, value, i) => sum + value * row[i], 0)),
    );
    rows = orthonormalize(turned);
  }
  return Float32Array.from(rows.flatMap((row) => [...row]));
}

async function embedAll(encoder, texts, what) {
  const vectors = [];
  for (let start = 0; start < texts.length; start += 512) {
    vectors.push(...(await encoder.embed(texts.slice(start, start + 512), new AbortController().signal)));
    process.stderr.write(`\r${what}: ${vectors.length} of ${texts.length}`);
  }
  process.stderr.write('\n');
  return vectors;
}

const tables = readTables();
const names = distinct(tables.flatMap(({ columns }) => columns.map(({ name }) => name)));
const encoder = new SentenceEncoder(locateModel('table-context-encoder'));
const ofNames = await embedAll(encoder, names, 'names');
const ofTables = await embedAll(
  encoder,
  tables.map(({ field, entities, columns }) => tableText(field === '' ? entities.at(-1) : field, entities[0], columns)),
  'tables',
);
await encoder.dispose();
const projection = principalComponents([...ofNames, ...ofTables], DIMENSION);
const packed = (vectors) => Buffer.concat(vectors.map((one) => Buffer.from(shortenVector(one, projection, DIMENSION))));
const files = {
  'columns.txt': Buffer.from(renderColumnLists(tables)),
  'names.i8': packed(ofNames),
  'tables.i8': packed(ofTables),
  'projection.f32': Buffer.from(projection.buffer),
};
mkdirSync(OUT, { recursive: true });
for (const [name, bytes] of Object.entries(files)) writeFileSync(join(OUT, name), bytes);
const manifest = {
  kind: 'perturbql-column-bank',
  version: 1,
  encoder: encoder.model,
  dimension: DIMENSION,
  tables: tables.length,
  columns: tables.reduce((sum, { columns }) => sum + columns.length, 0),
  names: names.length,
  files: Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [
      name,
      { bytes: statSync(join(OUT, name)).size, sha256: createHash('sha256').update(bytes).digest('hex') },
    ]),
  ),
};
writeFileSync(join(OUT, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
console.log(`${manifest.tables} tables, ${manifest.columns} columns, ${manifest.names} names`);
