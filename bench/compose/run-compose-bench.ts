import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ClauseRefusal } from '../../src/compositional/clauses/clause-refusal.js';
import { clausesOf } from '../../src/compositional/clauses/read-clauses.js';
import { clausesOfNatSql } from '../../src/compositional/clauses/read-natsql.js';
import { natSqlOf } from '../../src/compositional/clauses/write-natsql.js';
import { QuestionAligner } from '../../src/compositional/align/align-question.js';
import { readSpiderSs, spiderSsClauses, spiderSsRecord } from '../../src/compositional/align/spider-ss.js';
import type { AlignedQuestion } from '../../src/compositional/align/aligned-question.js';
import type { ClauseQuery } from '../../src/compositional/clauses/clause.js';
import { InputFormatError } from '../../src/errors.js';
import { loadJsonArray } from '../../src/formats/json-file.js';
import { loadSpiderExamples } from '../../src/formats/spider-dataset.js';
import { loadSpiderTables } from '../../src/formats/spider-tables.js';
import { itemAt } from '../../src/present.js';
import type { Database, Example } from '../../src/schema/schema.js';
import type { FigureTable } from '../bench-figures.js';
import type { BenchOutput } from '../run-bench.js';
import { scoreAlignments } from './alignment.js';
import { type BenchDatabase, openDatabases, RoundTripper } from './round-trip.js';

type ReadClauses = (example: Example, index: number, opened: BenchDatabase) => ClauseQuery;

interface Corpus {
  readonly examples: readonly Example[];
  readonly opened: ReadonlyMap<string, BenchDatabase>;
  readonly tripper: RoundTripper;
}

function openCorpus(data: string, set: string, schemas: ReadonlyMap<string, Database>): Corpus {
  const examples = loadSpiderExamples(join(data, `spider/${set}.json`), schemas);
  const opened = openDatabases(join(data, 'spider/database'), schemas, examples);
  return { examples, opened, tripper: new RoundTripper() };
}

/** What came back of a corpus, in percent. */
function tripAll({ examples, opened, tripper }: Corpus, read: ReadClauses | null): Record<string, number | string> {
  const started = process.cpuUsage().user;
  let [queries, refused, exact, judged, equal] = [0, 0, 0, 0, 0];
  const reasons = new Map<string, number>();
  for (const [i, example] of examples.entries()) {
    const database = opened.get(example.dbId);
    if (database === undefined) continue;
    const trip = tripper.trip(example, database, read === null ? undefined : () => read(example, i, database));
    queries++;
    if (trip.kind === 'refused') {
      refused++;
      judged += database.sqlite === null ? 0 : 1;
      reasons.set(trip.reason, (reasons.get(trip.reason) ?? 0) + 1);
      continue;
    }
    exact += trip.exact ? 1 : 0;
    judged += trip.equal === null ? 0 : 1;
    equal += trip.equal === true ? 1 : 0;
  }
  const share = (part: number, all: number): number => (100 * part) / Math.max(1, all);
  return {
    queries,
    exact: share(exact, queries),
    executed: judged,
    equal: share(equal, judged),
    refused: share(refused, queries),
    reasons: [...reasons].map(([reason, count]) => `${reason} ${count}`).join(', '),
    seconds: (process.cpuUsage().user - started) / 1e6,
  };
}

/** Our clauses written as NatSQL and read again. */
function throughNatSql(tripper: RoundTripper): ReadClauses {
  return ({ query }, _, opened) => {
    const keys = tripper.keysOf(opened);
    const { text } = natSqlOf(clausesOf(query, opened.database, keys), opened.database);
    return clausesOfNatSql(text, opened.database, keys).query;
  };
}

function clausesTable(rows: FigureTable['rows']): FigureTable {
  return {
    id: 'compose',
    title: 'Queries in clauses and back',
    about:
      'Gold queries of Spider read into clauses and written as SQL: exact set match with the gold (our own, without values), and equal results on the database, both in percent of all gold queries, with those refused as failures; equal results of gold queries whose database is at hand. Keys are those of the schema and those that gold queries of the database join by. The NatSQL rows are clauses read from text: the published conversion of dev, the NatSQL of Spider-SS (which rewords some gold queries), and our own clauses written as NatSQL and read again. Seconds of CPU include exact match and execution.',
    columns: {
      source: { head: 'clauses from' },
      queries: { head: 'queries' },
      exact: { head: 'exact, %', decimals: 1 },
      executed: { head: 'executed' },
      equal: { head: 'equal, %', decimals: 1 },
      refused: { head: 'refused, %', decimals: 1 },
      reasons: { head: 'reasons' },
      seconds: { head: 'CPU s', decimals: 1 },
    },
    rows,
  };
}

function alignmentTable(rows: FigureTable['rows']): FigureTable {
  return {
    id: 'compose-alignment',
    title: 'Clauses aligned with sub-sentences, against people',
    about:
      "Spider-SS's dev: pairs of a sub-sentence and a clause as people linked them, and as the rules do on people's sub-sentences and clauses. Connectives are not pairs; a nested query, or a term of a compound, is one clause. The confident half are the pairs of highest confidence.",
    columns: {
      questions: { head: 'questions' },
      pairs: { head: 'pairs' },
      precision: { head: 'precision', decimals: 3 },
      recall: { head: 'recall', decimals: 3 },
      f1: { head: 'F1', decimals: 3 },
      confidentPrecision: { head: 'precision, confident half', decimals: 3 },
      splitF1: { head: 'F1, split questions', decimals: 3 },
      splitConfidentPrecision: { head: 'precision, confident half, split questions', decimals: 3 },
      refused: { head: 'not read' },
    },
    rows,
  };
}

function measureAlignment({ examples, opened, tripper }: Corpus, records: readonly unknown[]): FigureTable {
  const aligners = new Map<Database, QuestionAligner>();
  const pairs: (readonly [AlignedQuestion, AlignedQuestion])[] = [];
  let refused = 0;
  for (const [i, example] of examples.entries()) {
    const database = opened.get(example.dbId);
    if (database === undefined) continue;
    try {
      const record = spiderSsRecord.parse(records[i]);
      const people = readSpiderSs(record, example, database.database, tripper.keysOf(database));
      const aligner = aligners.get(database.database) ?? new QuestionAligner(database.database);
      aligners.set(database.database, aligner);
      pairs.push([aligner.align(people), people]);
    } catch (error) {
      if (!(error instanceof ClauseRefusal)) throw error;
      refused++;
    }
  }
  return alignmentTable({ dev: { ...scoreAlignments(pairs), refused } });
}

/** The NatSQL of a file whose records follow the examples, with what reads it. */
function natSqlReaders(data: string, tripper: RoundTripper): readonly (readonly [string, string, ReadClauses])[] {
  const published = loadJsonArray(join(data, 'spider-ss/dev-natsql.json'), 'records');
  const annotated = loadJsonArray(join(data, 'spider-ss/dev.json'), 'records');
  const text = (record: unknown): string => spiderSsRecord.pick({ NatSQL: true }).parse(record).NatSQL;
  return [
    [
      'natsql',
      "dev's NatSQL, as published",
      (_, i, opened): ClauseQuery =>
        clausesOfNatSql(text(itemAt(published, i)), opened.database, tripper.keysOf(opened)).query,
    ],
    [
      'spider-ss',
      "Spider-SS's NatSQL of dev",
      (_, i, opened): ClauseQuery => {
        const record = spiderSsRecord.parse(itemAt(annotated, i));
        return spiderSsClauses(record, opened.database, tripper.keysOf(opened)).query;
      },
    ],
    ['ours-as-natsql', "dev's gold queries, written as NatSQL", throughNatSql(tripper)],
  ];
}

/** Clauses on Spider's dev and train, NatSQL next to them, and alignment on Spider-SS's dev. */
export function runComposeBench(args: readonly string[], root: string, { print, tell, record }: BenchOutput): void {
  const { values } = parseArgs({ args: [...args], options: { data: { type: 'string' }, part: { type: 'string' } } });
  const data = resolve(root, values.data ?? '../shared/data');
  if (!existsSync(join(data, 'spider/tables.json'))) {
    throw new InputFormatError("Spider's files are not there", {
      fix: 'Give the folder that holds spider/ and spider-ss/ with --data.',
      where: { file: data },
    });
  }
  const schemas = loadSpiderTables(join(data, 'spider/tables.json'));
  const [dev, train] = [openCorpus(data, 'dev', schemas), openCorpus(data, 'train', schemas)];
  const rows: Record<string, Record<string, number | string>> = {};
  const measure = (id: string, source: string, corpus: Corpus, read: ReadClauses | null): void => {
    tell(source);
    rows[id] = { source, ...tripAll(corpus, read) };
  };
  measure('dev', "dev's gold queries", dev, null);
  measure('train', "train's gold queries", train, null);
  for (const [id, source, read] of natSqlReaders(data, dev.tripper)) measure(id, source, dev, read);
  const tables = [
    clausesTable(rows),
    measureAlignment(dev, loadJsonArray(join(data, 'spider-ss/dev.json'), 'records')),
  ];
  for (const table of tables) {
    print(JSON.stringify(table.rows, null, 2));
    record(table);
  }
}
