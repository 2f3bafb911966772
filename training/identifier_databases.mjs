// Databases with identifiers and what people read in them, which the reader is fitted to (identifier_weights.mjs).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = process.env.CORPUS ?? join(ROOT, 'training', 'identifiers');
const TYPES = { date: 'time', time: 'time', datetime: 'time', text: 'text', integer: 'number', real: 'number', boolean: 'boolean' };

const STYLES = {
  snake: (words) => words.join('_'),
  upper_snake: (words) => words.join('_').toUpperCase(),
  camel: (words) => words.map((word, i) => (i === 0 ? word : capital(word))).join(''),
  pascal: (words) => words.map(capital).join(''),
  run_together: (words) => words.join(''),
  mixed: (words) => words.map(capital).join('_'),
};
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
export const wordsOf = (text) => text.toLowerCase().match(/[a-z]+|\d+/g) ?? [];

/** A database with its identifiers in one form; readings by "table.column". */
function databaseOf(file, pick) {
  const readings = new Map();
  const styled = (natural) => (STYLES[file.style] ?? STYLES.snake)(wordsOf(natural));
  const tables = file.tables.map((table, t) => {
    readings.set(`${t}.`, table.natural);
    const columns = table.columns.map((column, c) => {
      readings.set(`${t}.${c}`, column.natural);
      const form = pick(t, c);
      const originalName = form === 'natural' ? styled(column.natural) : column[form];
      return { name: originalName, originalName, type: TYPES[column.type] ?? 'text' };
    });
    const form = pick(t, -1);
    const originalName = form === 'natural' ? styled(table.natural) : table[form];
    return { name: originalName, originalName, columns };
  });
  // As questions would: the words of every third column, among those of other databases.
  const words = file.tables.flatMap(({ columns }, t) =>
    columns.flatMap(({ natural }, c) => ((t + c) % 3 === 1 ? wordsOf(natural) : [])),
  );
  return { words, database: { id: file.db, tables, primaryKeys: file.tables.map((_, table) => ({ table, column: 0 })), foreignKeys: [] }, readings };
}

const FORMS = {
  abbreviated: () => 'abbreviated',
  heavy: () => 'heavy',
  // As schemas often are: tables in full, columns abbreviated.
  tables: (t, c) => (c === -1 || (t + c) % 4 === 0 ? 'natural' : 'abbreviated'),
  mixed: (t, c) => ['abbreviated', 'natural', 'abbreviated', 'heavy', 'abbreviated', 'abbreviated', 'natural'][(t * 5 + c * 3 + 7) % 7],
};

const linesOf = (file) => readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));

/** 58 databases, each in four forms; every fourth is kept apart. */
function abbreviatedSchemas() {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json')).sort();
  return files.flatMap((name, at) => {
    const file = JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));
    return Object.entries(FORMS).map(([form, pick]) => ({ ...databaseOf(file, pick), form, apart: at % 4 === 3 }));
  });
}

/** Single tables as people write them in many systems; every third is kept apart. */
function habitSchemas() {
  return linesOf(join(FOLDER, 'habits.jsonl')).map(({ db, table, reading, columns }, at) => {
    const file = {
      db,
      tables: [
        {
          natural: reading,
          abbreviated: table,
          columns: columns.map(([abbreviated, natural]) => ({ natural, abbreviated, type: 'unknown' })),
        },
      ],
    };
    const { database, readings, words } = databaseOf(file, FORMS.abbreviated);
    for (const { columns } of database.tables) for (const column of columns) column.type = 'others';
    return { database: { ...database, primaryKeys: [] }, readings, words, form: 'habits', apart: at % 3 === 2 };
  });
}

/** Keys and names as tables in full words have them, by the word of the table. */
const KEYS = [
  (word) => [`${word}_id`, `${word} id`],
  (word) => [`${word[0]}_id`, `${word} id`],
  () => ['id', 'id'],
  (word) => [`${word}ID`, `${word} id`],
  (word) => [`${word[0]}ID`, `${word} id`],
  (word) => [`${word.slice(0, 3)}ID`, `${word} id`],
  (word) => [`${word}_code`, `${word} code`],
  (word) => [`${word[0]}id`, `${word} id`],
];
/** Initials that no word of the database explains. */
const UNEXPLAINED = ['qid', 'xid', 'kcd', 'zno', 'jid', 'uid', 'vid', 'yid', 'oid', 'hid', 'nid', 'wid', 'lid', 'bb', 'gp', 'er', 'wp', 'hr', 'cs', 'fp', 'sh', 'sv', 'ip', 'so'];
const NAMES = [
  (word) => [`${word}_name`, `${word} name`],
  () => ['name', 'name'],
  (word) => [`${word[0]}Name`, `${word} name`],
  () => ['LName', 'last name'],
  () => ['Fname', 'first name'],
  (word) => [`${word}name`, `${word} name`],
];
/** Letters that nobody spells out. */
const LETTERS = [
  'group a', 'temperature f', 'p value', 'plan b', 'z score', 'vitamin d', 'x', 'y', 'e mail', 'hepatitis b', 'lane a', 'g', 't shirt size', 'size s', 'x coordinate', 'y coordinate', 'part b', 'zone c', 'option d', 'b side', 'class a', 'k factor', 'h index', 'q score',
];

/** Tables of the starter lists in full words, a few to a database; every fourth database is kept apart. */
function fullSchemas() {
  const corpus = join(ROOT, 'data', 'wdc-index', 'corpus');
  const tables = readdirSync(corpus).sort().map((file) => linesOf(join(corpus, file)).slice(0, 2)).flat();
  const styles = ['snake', 'mixed', 'pascal', 'snake', 'upper_snake', 'camel'];
  return Array.from({ length: Math.floor(tables.length / 4) }, (_, d) => {
    const style = STYLES[styles[d % styles.length]];
    const readings = new Map();
    const own = tables.slice(4 * d, 4 * d + 4).map(({ title, columns, types }, t) => {
      const words = wordsOf(title);
      const word = words.at(-1).replace(/([^s])s$/, '$1');
      const at = 4 * d + t;
      const extra = [KEYS[at % KEYS.length](word), NAMES[at % NAMES.length](word)];
      const letter = LETTERS[at % LETTERS.length];
      const all = [
        ...extra.map((pair, i) => [...pair, i === 0 ? 'number' : 'text']),
        ...columns.map((name, c) => [style(wordsOf(name)), wordsOf(name).join(' '), types[c]]),
        ...(at % 2 === 0 ? [[style(wordsOf(letter)), letter, 'text']] : []),
        ...(at % 2 === 1 ? [[...Array(2).fill(UNEXPLAINED[at % UNEXPLAINED.length]), 'number']] : []),
      ];
      readings.set(`${t}.`, words.join(' '));
      all.forEach(([, reading], c) => readings.set(`${t}.${c}`, reading));
      const originalName = style(words);
      return {
        name: originalName,
        originalName,
        columns: all.map(([column, , type]) => ({ name: column, originalName: column, type })),
      };
    });
    const keys = own.map((_, table) => ({ table, column: 0 }));
    const database = { id: `full${d}`, tables: own, primaryKeys: d % 2 === 0 ? keys : [], foreignKeys: [] };
    return { database, readings, words: [], form: 'full', apart: d % 4 === 3 };
  });
}

export const trainingSchemas = () => [...abbreviatedSchemas(), ...habitSchemas(), ...fullSchemas()];
