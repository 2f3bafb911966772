import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactMatch } from '../../../src/evaluate/exact/exact-match.js';
import type { Database } from '../../../src/schema/schema.js';
import { bindQuery } from '../../../src/sql/binder.js';
import type { BoundQuery } from '../../../src/sql/bound-query.js';
import { foldName } from '../../../src/sql/dialect.js';
import type { ScopeSource } from '../../../src/sql/scope.js';
import { hasSpider, NEEDS_SPIDER, readDatabases, readGold } from '../../sql/spider-files.js';

interface Gold {
  readonly sql: string;
  readonly database: Database;
}

/** The aliases of a query, each by the source that it names, where it is given and where it stands before a dot. */
function aliasTokens({ cores, names }: BoundQuery): {
  readonly given: ReadonlyMap<ScopeSource, Span>;
  readonly used: readonly (readonly [ScopeSource, Span])[];
} {
  const sources = cores.flatMap((core) => core.sources).filter(({ node }) => node.alias !== null);
  const given = new Map(sources.map((source) => [source, source.node.alias!.span]));
  const used = names.flatMap(({ qualifier, found }) => {
    const source = found?.target.kind === 'column' ? found.target.source : undefined;
    return qualifier === null || source === undefined || !given.has(source) ? [] : [[source, qualifier.span] as const];
  });
  return { given, used };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function replaced(sql: string, edits: readonly (readonly [Span, string])[]): string {
  const inOrder = [...edits].sort(([a], [b]) => b.start - a.start);
  return inOrder.reduce((text, [{ start, end }, word]) => text.slice(0, start) + word + text.slice(end), sql);
}

/** The query with another name for each alias. */
function renamed({ sql, database }: Gold, nameOf: (alias: number) => string): string {
  const { given, used } = aliasTokens(bindQuery(sql, database));
  const names = new Map([...given.keys()].map((source, i) => [source, nameOf(i)]));
  const edits = [...given, ...used].map(([source, span]) => [span, names.get(source) ?? ''] as const);
  return replaced(sql, edits);
}

/** The query with the first two occurrences of a table in one FROM in each other's place; null where there are none. */
function swapped({ sql, database }: Gold): string | null {
  const { cores } = bindQuery(sql, database);
  for (const { sources } of cores) {
    const aliased = sources.filter(({ node, relation }) => node.alias !== null && relation.table !== null);
    for (const one of aliased) {
      const other = aliased.find((source) => source !== one && source.relation.table === one.relation.table);
      if (other === undefined) continue;
      const [left, right] = [one.node.alias!, other.node.alias!];
      return replaced(sql, [
        [left.span, right.name],
        [right.span, left.name],
      ]);
    }
  }
  return null;
}

describe.skipIf(!hasSpider)(`gold of Spider with other aliases${NEEDS_SPIDER}`, () => {
  const metric = new ExactMatch();
  const outcomeOf = ({ sql, database }: Gold, predicted: string): string =>
    metric.judgePair({ id: 'q', group: 'q', database, gold: sql, predicted }).outcome;
  const databases = hasSpider ? readDatabases() : new Map<string, Database>();
  const golds = (hasSpider ? ['dev_gold.sql', 'train_gold.sql'] : []).flatMap(readGold).flatMap(({ sql, dbId }) => {
    const database = databases.get(dbId);
    return database === undefined ? [] : [{ sql, database }];
  });
  /** Gold that has a form at all, such as no join by NATURAL. */
  const isReadable = (gold: Gold): boolean => outcomeOf(gold, gold.sql) !== 'bad-gold';

  it('is itself under any names', () => {
    const aliased = golds.filter(({ sql }) => /\sas\s/i.test(sql));
    const numRuns = process.env['PERTURBQL_FULL'] === '1' ? 20_000 : 500;
    fc.assert(
      fc.property(fc.constantFrom(...aliased), fc.array(fc.nat(99)), (gold, draws) => {
        fc.pre(isReadable(gold));
        const predicted = renamed(gold, (i) => `x${draws[i] ?? ''}_${i}`);
        expect([predicted, outcomeOf(gold, predicted)]).toEqual([predicted, 'correct']);
      }),
      { numRuns },
    );
  });

  it('is itself with the occurrences of a table in each other’s place', () => {
    const isTwice = ({ sql }: Gold): boolean => {
      const tables = [...foldName(sql).matchAll(/(?:from|join)\s+(\w+)/g)].map(([, table]) => table);
      return new Set(tables).size < tables.length;
    };
    const pairs = golds.filter(isTwice).flatMap((gold) => {
      const predicted = isReadable(gold) ? swapped(gold) : null;
      return predicted === null ? [] : [{ gold, predicted }];
    });
    expect(pairs.length).toBeGreaterThan(20);
    expect(pairs.filter(({ gold, predicted }) => outcomeOf(gold, predicted) !== 'correct')).toEqual([]);
  });
});
