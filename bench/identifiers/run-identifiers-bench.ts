import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { embeddedIdentifierReader, identifierReader } from '../../src/formats/identifier-reading.js';
import { readingText } from '../../src/schema/identifiers/reading.js';
import type { FigureColumn, FigureTable } from '../bench-figures.js';
import type { BenchOutput } from '../run-bench.js';
import { givenReadings, nameGuessReadings, type PeopleRead, snailsReadings } from './people-readings.js';
import { isExact, metricWords, type ReadPair, type ReadingScores, scoreReadings } from './reading-scores.js';

const isSame = (a: string, b: string): boolean => metricWords(a).join(' ') === metricWords(b).join(' ');

function pairsOf({ database, gold }: PeopleRead): readonly ReadPair[] {
  return identifierReader()
    .read(database)
    .flatMap((reading) => {
      const { table, column } = reading;
      const people = column === null ? undefined : gold.get(`${table}.${column}`);
      if (people === undefined) return [];
      const identifier = database.tables[table]!.columns[column!]!.originalName;
      const expanded = reading.parts.filter(({ isExpanded }) => isExpanded).flatMap(({ words }) => words);
      return [{ database: database.id, identifier, gold: people, reading: readingText(reading), expanded }];
    });
}

const SETS: Readonly<Record<string, (data: string) => readonly PeopleRead[]>> = {
  'snails-n2': (data) => snailsReadings(join(data, 'snails'), 'N2', isSame),
  'snails-n3': (data) => snailsReadings(join(data, 'snails'), 'N3', isSame),
  chicago: (data) => nameGuessReadings(join(data, 'nameguess', 'eval_chicago.json')),
  spider: (data) => givenReadings('Spider, given names', join(data, 'spider', 'tables.json')),
  bird: (data) => givenReadings('BIRD, given names', join(data, 'bird', 'dev_tables.json')),
};

const shown = ({ n, exact, f1, precision, expanded }: ReadingScores): string =>
  `n ${n}, exact ${(100 * exact).toFixed(1)} %, word F1 ${f1.toFixed(3)}, expanded words ${expanded}, precision ${precision.toFixed(3)}`;

/** Name of a row: "snails-n2", "snails-n2-business", "snails-n2-ATBI". */
function rowOf(id: string, what: string): string {
  const [, database] = what.split(' · ');
  if (database !== undefined) return `${id}-${database}`;
  return what.endsWith('business system') ? `${id}-business` : id;
}

/** Least confidences of the curve of precision against coverage. */
const CURVE = [0, 0.5, 0.6, 0.7, 0.8, 0.9] as const;

/** Of all words that could be expanded, how many are at each least confidence, and how many of these people have. */
function curveOf(sets: readonly PeopleRead[]): Record<string, number> {
  const reader = embeddedIdentifierReader({ expanded: 0, joined: 0 });
  const words = sets.flatMap(({ database, gold }) =>
    reader.read(database).flatMap(({ table, column, parts }) => {
      const people = column === null ? undefined : gold.get(`${table}.${column}`);
      if (people === undefined) return [];
      const left = new Set(metricWords(people));
      return parts
        .filter(({ isExpanded }) => isExpanded)
        .flatMap((part) => part.words.map((word) => ({ confidence: part.confidence, isRight: left.has(word) })));
    }),
  );
  return Object.fromEntries(
    CURVE.flatMap((least) => {
      const kept = words.filter(({ confidence }) => confidence >= least);
      const right = kept.filter(({ isRight }) => isRight).length;
      return [
        [`coverage-${least}`, kept.length / words.length],
        [`precision-${least}`, right / kept.length],
      ];
    }),
  );
}

function curveTable(rows: FigureTable['rows']): FigureTable {
  const columns: Record<string, FigureColumn> = { what: { head: 'columns' } };
  for (const least of CURVE) {
    columns[`coverage-${least}`] = { head: `from ${least}: coverage`, decimals: 2 };
    columns[`precision-${least}`] = { head: 'precision', decimals: 2 };
  }
  return {
    id: 'identifiers-curve',
    title: 'Precision of expanded words by the confidence asked for',
    about:
      'Coverage: of the words that are expanded at any confidence. The default is in `data/identifiers/weights.json`.',
    columns,
    rows,
  };
}

export function runIdentifiersBench(args: readonly string[], root: string, { print, record }: BenchOutput): void {
  const { values } = parseArgs({
    args: [...args],
    options: { data: { type: 'string' }, only: { type: 'string' }, errors: { type: 'string' } },
  });
  const data = values.data ?? join(root, '..', 'shared', 'data');
  const rows: Record<string, Record<string, string | number>> = {};
  const curves: Record<string, Record<string, string | number>> = {};
  const wrong: string[] = [];
  for (const [id, read] of Object.entries(SETS)) {
    if (values.only !== undefined && !values.only.split(',').includes(id)) continue;
    const isJoined = id === 'chicago';
    const bySet = new Map<string, ReadPair[]>();
    const byDatabase = new Map<string, ReadPair[]>();
    const sets = read(data);
    curves[id] = { what: sets[0]!.set, ...curveOf(sets) };
    for (const one of sets) {
      const pairs = pairsOf(one);
      bySet.set(one.set, [...(bySet.get(one.set) ?? []), ...pairs]);
      if (id.startsWith('snails')) byDatabase.set(`${one.set} · ${one.database.id}`, [...pairs]);
      for (const pair of pairs)
        if (!isExact(pair, isJoined))
          wrong.push([id, pair.database, pair.identifier, pair.gold, pair.reading].join('\t'));
    }
    for (const [what, pairs] of [...bySet, ...byDatabase]) {
      if (pairs.length === 0) continue;
      const scores = scoreReadings(pairs, isJoined);
      print(`${what}: ${shown(scores)}`);
      rows[rowOf(id, what)] = { what, ...scores };
    }
  }
  if (values.errors !== undefined) writeFileSync(values.errors, `${wrong.join('\n')}\n`);
  record({
    id: 'identifiers',
    title: 'Identifiers read, against people’s readings',
    about: 'Exact: equal after lower-casing and splitting at separators, camel case and digits.',
    columns: {
      what: { head: 'columns' },
      n: { head: 'n' },
      exact: { head: 'exact', decimals: 3 },
      f1: { head: 'word F1', decimals: 3 },
      expanded: { head: 'words expanded' },
      precision: { head: 'precision of these', decimals: 3 },
    },
    rows,
  });
  record(curveTable(curves));
}
