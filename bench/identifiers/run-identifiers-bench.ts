import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { identifierReader } from '../../src/formats/identifier-reading.js';
import { readingText } from '../../src/schema/identifiers/reading.js';
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

export function runIdentifiersBench(args: readonly string[], root: string, { print, record }: BenchOutput): void {
  const { values } = parseArgs({
    args: [...args],
    options: { data: { type: 'string' }, only: { type: 'string' }, errors: { type: 'string' } },
  });
  const data = values.data ?? join(root, '..', 'shared', 'data');
  const rows: Record<string, Record<string, string | number>> = {};
  const wrong: string[] = [];
  for (const [id, read] of Object.entries(SETS)) {
    if (values.only !== undefined && !values.only.split(',').includes(id)) continue;
    const isJoined = id === 'chicago';
    const bySet = new Map<string, ReadPair[]>();
    const byDatabase = new Map<string, ReadPair[]>();
    for (const one of read(data)) {
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
      rows[`${id}-${what.split(' · ')[1] ?? what}`] = { what, ...scores };
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
}
