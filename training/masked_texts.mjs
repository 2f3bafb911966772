// Texts of tables with one word of a header hidden, for masked_head.py: a JSON line each, { text, target, part, kind }.
// From the project's root, after `npm run build`: node training/masked_texts.mjs [--data ../shared/data] > build/masked-texts.jsonl
// Tables of the starter corpus, TabFact and WikiTableQuestions; none of WikiSQL's dev and test splits or of ADVETA. One
// domain of the corpus in ten, and one list of web headers in ten, is held out.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { naturalHeaders } from '../dist/schema/natural-name.js';
import { createRng } from '../dist/seeded-rng.js';
import { columnInTable } from '../dist/substitution/column-sentence.js';

const MASK = '[MASK]';
/** Words of a web table that are hidden, at most: there are many of these tables. */
const WORDS_PER_WEB_TABLE = 4;

const { values: options } = parseArgs({ options: { data: { type: 'string', default: '../shared/data' } } });
const inData = (name) => join(options.data, name);
const readLines = (text) => text.trim().split('\n').map((line) => JSON.parse(line));

function starterTables() {
  const folder = 'data/wdc-index/corpus';
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl')).sort();
  const tables = files.flatMap((name) => readLines(readFileSync(join(folder, name), 'utf8')));
  return tables.map((table) => ({ ...table, kind: 'starter', group: table.domain }));
}

/** Ids of the tables that models are measured on. */
function evaluationTables() {
  const wikisql = ['dev_clean', 'test'].flatMap((name) => readLines(readFileSync(inData(`wikisql/${name}.jsonl`), 'utf8')));
  const adveta = ['rpl', 'add'].map((kind) => JSON.parse(readFileSync(inData(`adveta/wikisql-even-${kind}-candidates.json`), 'utf8')));
  return new Set([...wikisql.map(({ table_id: id }) => id), ...adveta.flatMap(Object.keys)]);
}

function webTables() {
  const left = evaluationTables();
  const seen = new Set();
  const all = ['tabfact', 'wikitablequestions'].flatMap((name) =>
    readLines(gunzipSync(readFileSync(inData(`tables/${name}.jsonl.gz`))).toString('utf8')),
  );
  return all.flatMap((table) => {
    const group = table.columns.map((name) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ').trim()).join('|');
    if (left.has(table.id.replace(/\.html.*$/, '')) || seen.has(group)) return [];
    seen.add(group);
    return [{ ...table, kind: 'web', group }];
  });
}

const partOf = (group) => (createHash('sha256').update(`mask ${group}`).digest().readUInt32BE(0) % 10 === 0 ? 'held' : 'train');

function* hiddenWords({ title, columns, rows = [], kind, group }, rng) {
  const names = naturalHeaders(columns).map((name) => name.toLowerCase());
  const places = names.flatMap((name, column) =>
    name.split(' ').flatMap((word, at) => (/^[a-z]{2,}$/.test(word) ? [[column, at]] : [])),
  );
  while (kind === 'web' && places.length > WORDS_PER_WEB_TABLE) places.splice(rng.int(places.length), 1);
  const table = { name: title, originalName: title, columns: names.map((name) => ({ name })) };
  const values = names.map((_, column) => rows.map((row) => String(row[column] ?? '')));
  for (const [column, at] of places) {
    const words = names[column].split(' ');
    const text = columnInTable({ target: { table, values }, column }, words.with(at, MASK).join(' '));
    yield { text, target: words[at], part: partOf(group), kind };
  }
}

const rng = createRng(1, 'masked words');
for (const table of [...starterTables(), ...webTables()]) {
  for (const hidden of hiddenWords(table, rng)) process.stdout.write(`${JSON.stringify(hidden)}\n`);
}
