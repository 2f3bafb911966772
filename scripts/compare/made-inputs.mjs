// Predictions and schema links that both checkouts are asked to evaluate, made of a data set in Spider's form by a fixed rule.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes gold.tsv, pred.sql, links.jsonl and pred-links.jsonl into the set's folder of predictions; returns their sha256. */
export function writePredictions({ tables, examples, predictions }) {
  const schemas = new Map(readJson(tables).map((schema) => [schema.db_id, schema]));
  const golds = readJson(examples).map(({ db_id: dbId, query, question }) => ({
    dbId,
    query: oneLine(query),
    question,
  }));
  const sha = createHash('sha256');
  const write = (name, lines) => {
    const text = `${lines.join('\n')}\n`;
    sha.update(text);
    writeFileSync(join(predictions, name), text);
  };
  const links = golds.map((gold, at) => ({ id: `gold:${at}`, ...linksOf(gold, schemas.get(gold.dbId)) }));
  mkdirSync(predictions, { recursive: true });
  write(
    'gold.tsv',
    golds.map(({ query, dbId }) => `${query}\t${dbId}`),
  );
  write('pred.sql', publishedPredictions(examples) ?? golds.map((_, at) => predict(golds, at)));
  write(
    'links.jsonl',
    links.map((link) => JSON.stringify(link)),
  );
  write(
    'pred-links.jsonl',
    links.map(({ columns, ...link }) => JSON.stringify({ ...link, columns: columns.slice(1) })),
  );
  return sha.digest('hex');
}

/** Writes the part of a data set that is on one database in five, by their names, into `folder`; returns it. */
export function writeFifth(data, folder) {
  const records = (name) => readJson(join(data, name));
  const ids = [...new Set(records('dev.json').map(({ db_id: dbId }) => dbId))].sort().filter((_, at) => at % 5 === 0);
  mkdirSync(folder, { recursive: true });
  for (const name of ['tables.json', 'dev.json']) {
    const own = records(name).filter(({ db_id: dbId }) => ids.includes(dbId));
    writeFileSync(join(folder, name), JSON.stringify(own));
  }
  return folder;
}

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const oneLine = (sql) => sql.replaceAll(/\s+/gu, ' ').trim();

/** Real predictions of Spider dev, where ../shared/data has them next to the data set. */
function publishedPredictions(examples) {
  const file = join(dirname(examples), '../test-suite/predictions/dev_1.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : null;
}

/** Right, DISTINCT added, a literal changed, the query of a neighbor, no SQL: in turn. */
function predict(golds, at) {
  const { dbId, query } = golds[at];
  const before = golds[Math.max(0, at - 1)];
  if (at % 11 === 10) return 'no query';
  if (at % 5 === 1) return query.replace(/^SELECT (?!DISTINCT)/iu, 'SELECT DISTINCT ');
  if (at % 5 === 2) return query.replaceAll(/(?<=[=<>] ?)\d+/gu, '1').replace(/ORDER BY.*$/iu, '');
  return at % 5 === 3 && before.dbId === dbId ? before.query : query;
}

/** Links the columns and tables whose names the question says. */
function linksOf({ question }, schema) {
  const said = (name) => question.toLowerCase().includes(name.toLowerCase());
  const tables = schema.table_names_original;
  const linked = schema.column_names.flatMap(([table, name], at) =>
    table >= 0 && said(name) ? [[`${tables[table]}.${schema.column_names_original[at][1]}`, name]] : [],
  );
  return {
    columns: linked,
    tables: schema.table_names.flatMap((name, at) => (said(name) ? [[tables[at], name]] : [])),
  };
}
