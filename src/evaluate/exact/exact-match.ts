import type { SpiderCondition, SpiderSql } from '../../sql/spider-sql.js';
import { allConditions, conditionsOf, isSubquery } from './spider-parts.js';
import { LRUCache } from 'lru-cache';
import { memoize, memoizeObject } from '../../schema/memoize.js';
import type { Database } from '../../schema/schema.js';
import { type SqlDialect, SQLITE } from '../../sql/dialect.js';
import type { StageContext } from '../../stage.js';
import type { EvaluationPair, Metric, Outcome, Verdict } from '../metric.js';
import type { ComponentCounts } from './components.js';
import {
  compareForms,
  type FormedQuery,
  formGeneral,
  formQuery,
  NO_QUERIES,
  type WordedForm,
} from './form-comparison.js';
import { decisiveRules, type FormRule, type ValueRule } from './form-rules.js';
import type { ExactCompat } from '../compat.js';
import { type Hardness, hardnessOf } from './hardness.js';
import { faultOutcome, readQuery, type ReadingFault } from './query-reading.js';
import { compareLikeSpider, NO_QUERY, type StructureComparison } from './spider-comparison.js';
import { createSpiderNames, type PresentTables, type SpiderNames } from './spider-names.js';
import { parseLikeSpider, type SpiderParse } from './spider-parser.js';

/** A condition of a join; `a = b` is `b = a`. */
function keyOf([negated, operator, [arithmetic, left], first, second]: SpiderCondition): string {
  const right = Array.isArray(first) ? (first[1] as unknown) : null;
  const isPlain = arithmetic === 0 && left[0] === 0 && second === null && typeof right === 'number';
  const columns = isPlain ? [left[1], right].sort((a, b) => a - b) : [left, first, second];
  return JSON.stringify([negated, operator, columns]);
}

/** A query and all queries inside it. */
function queriesOf(sql: SpiderSql): readonly SpiderSql[] {
  const values = allConditions(sql).flatMap(([, , , first, second]) => [first, second]);
  const sources = sql.from.table_units.map(([, unit]) => (typeof unit === 'number' ? null : unit));
  const inner = [...values, ...sources, sql.intersect, sql.union, sql.except].filter(isSubquery);
  return [sql, ...inner.flatMap(queriesOf)];
}

/**
 * Checks whether two queries join by the same conditions, query by query whatever their sequence: what the adapted
 * exact match of Zhong et al. 2020, §5.3, asks for in addition to Spider's script.
 */
function haveSameJoins(gold: SpiderSql, predicted: SpiderSql): boolean {
  const [ours, theirs] = [predicted, gold].map((sql) =>
    queriesOf(sql)
      .map(({ from }) => JSON.stringify(conditionsOf(from.conds).map(keyOf).sort()))
      .sort(),
  );
  return JSON.stringify(ours) === JSON.stringify(theirs);
}

export interface ExactMatchOptions {
  /** `spider` reproduces the numbers of Spider's published evaluator, faults and all; `adapted` compares joins, too. */
  readonly compat?: ExactCompat | null;
  /** Default `ignored`, as in Spider's exact match without values; `compared` is for the default comparison only. */
  readonly values?: ValueRule;
  /** The tables of a database's file, in lower case: the published evaluator reads them there, not in tables.json. */
  readonly tablesOf?: (dbId: string) => PresentTables;
  /** The dialect of the queries; default SQLite. The published script knows that alone. */
  readonly dialect?: SqlDialect;
}

/**
 * Why the default comparison says other than the published evaluator: a rule of its own; the published parser can't
 * read the prediction (`old-parser-cannot`) or the gold (`old-parser-cannot-gold`), or reads something else
 * (`old-parser-misreads`); or it takes what is not SQL (`syntax`) or has unknown names (`names`).
 */
export type DifferenceReason =
  FormRule | ReadingFault['kind'] | 'old-parser-cannot' | 'old-parser-cannot-gold' | 'old-parser-misreads' | 'several';

/** The verdict of Spider's published evaluator on a pair. */
interface PublishedVerdict {
  readonly exact: boolean;
  /** True if its parser can read the prediction; what it can't, it counts as wrong. */
  readonly parsed: boolean;
}

export interface ExactVerdict extends Verdict {
  readonly outcome: Extract<Outcome, 'correct' | 'wrong' | 'unparsable' | 'failing' | 'empty' | 'bad-gold'>;
  /** Of the gold; null where that can't be told. */
  readonly hardness: Hardness | null;
  /** Null where the gold can't be read. */
  readonly components: ComponentCounts | null;
  /** Null where the published parser can't read the gold: there its run would end. */
  readonly published: PublishedVerdict | null;
  /** Why it can't read the gold; absent where it can. */
  readonly publishedFault?: string;
  /** Why the verdict differs from the published one; empty where it does not. */
  readonly differences: readonly DifferenceReason[];
}

/** A query as it was read: in Spider's structure, or at least in the general form. */
interface Reading {
  /** Null where that structure has no form for it, too. */
  readonly query: FormedQuery | null;
  /** Null where the query can be read. */
  readonly fault: ReadingFault | null;
  /** Null where the query can't be read. */
  readonly general: () => WordedForm | null;
}

/** Cached data about a database: gold queries come again with each model and seed. */
interface KnownDatabase {
  readonly names: SpiderNames;
  readonly read: (sql: string) => Reading;
  readonly parse: (sql: string) => SpiderParse;
  readonly verdicts: LRUCache<string, ExactVerdict>;
}

interface Published {
  readonly comparison: StructureComparison | null;
  /** True if the joins are the same, which the script does not look at. */
  readonly sameJoins: boolean;
  readonly hardness: Hardness | null;
  readonly goldFault: string | null;
  readonly predictedFault: string | null;
}

/** Queries of a database whose reading is kept. */
const CACHE_SIZE = 1024;

/**
 * As the published script reads a prediction: up to the first tab, each `value` in it, whatever it is part of, as 1.
 */
function publishedText(predicted: string): string {
  return (predicted.trim().split('\t')[0] ?? '').replaceAll('value', '1');
}

/**
 * Exact set match (Yu et al. 2018, §5): the clauses of two queries compared as sets, without values.
 *
 * With `compat: 'spider'` it says what Spider's published `evaluation.py` says, whose parser is rebuilt
 * (`parseLikeSpider`) with its quirks. Else queries are read by our own parser and compared in a normal form
 * (`formOf`), and each verdict that differs from the published one names its reasons.
 */
export class ExactMatch implements Metric<ExactVerdict> {
  readonly id = 'exact';
  readonly fingerprint: string;
  readonly #compat: ExactCompat | null;
  readonly #values: ValueRule;
  readonly #tablesOf: (dbId: string) => PresentTables;
  readonly #dialect: SqlDialect;
  readonly #knownOf = memoizeObject((database: Database): KnownDatabase => {
    const names = createSpiderNames(database, this.#tablesOf(database.id));
    return {
      names,
      read: memoize((sql) => this.#read(sql, database, names), CACHE_SIZE),
      parse: memoize((sql) => parseLikeSpider(sql, names), CACHE_SIZE),
      // Without `max`, which would set all the room aside at once.
      verdicts: new LRUCache({ maxSize: CACHE_SIZE, sizeCalculation: () => 1 }),
    };
  });

  constructor(options: ExactMatchOptions = {}) {
    this.#compat = options.compat ?? null;
    this.#values = options.values ?? 'ignored';
    this.#tablesOf = options.tablesOf ?? ((): null => null);
    this.#dialect = options.dialect ?? SQLITE;
    this.fingerprint = this.#compat !== null ? `exact-${this.#compat}@1` : `exact-values-${this.#values}@3`;
  }

  async judge(pairs: readonly EvaluationPair[], context: StageContext): Promise<readonly ExactVerdict[]> {
    return pairs.map((pair) => {
      context.signal.throwIfAborted();
      return this.judgePair(pair);
    });
  }

  /** As `judge`, of one pair. */
  judgePair(pair: EvaluationPair): ExactVerdict {
    const { verdicts } = this.#knownOf(pair.database);
    const key = JSON.stringify([pair.gold, pair.predicted]);
    const verdict = verdicts.get(key) ?? (this.#compat !== null ? this.#judgeLikeSpider(pair) : this.#judgeForms(pair));
    verdicts.set(key, verdict);
    return { ...verdict, id: pair.id };
  }

  /** How hard a pair's gold is; null where it can't be read. */
  hardnessOf(pair: EvaluationPair): Hardness | null {
    const { parse, read } = this.#knownOf(pair.database);
    const gold = parse(pair.gold.trim()); // far quicker than the full parser, and as good
    if ('sql' in gold) return hardnessOf(gold.sql);
    const { query } = read(pair.gold);
    return query === null ? null : hardnessOf(query.structure);
  }

  #read(sql: string, database: Database, names: SpiderNames): Reading {
    const read = readQuery(sql, database, this.#dialect);
    if ('fault' in read) return { query: null, fault: read.fault, general: () => null };
    const query = formQuery(read, names, this.#values);
    const general = (): WordedForm | null => formGeneral(read, names, this.#values);
    if (query !== null) return { query, fault: null, general };
    const known = general();
    const fault = known === null ? { kind: 'syntax' as const, message: 'the query is nested too deeply' } : null;
    return { query, fault, general: () => known };
  }

  /** In Spider's structure where it has a form for both, else in the general form. */
  #compare(gold: Reading, predicted: Reading): StructureComparison {
    const isStructured = gold.query !== null && (predicted.query !== null || predicted.fault !== null);
    if (isStructured) return compareForms(gold.query, predicted.query ?? NO_QUERIES.structured);
    return compareForms(gold.general() ?? NO_QUERIES.any, predicted.general() ?? NO_QUERIES.any);
  }

  #published(pair: EvaluationPair): Published {
    const { names, parse } = this.#knownOf(pair.database);
    const [gold, predicted] = [parse(pair.gold.trim()), parse(publishedText(pair.predicted))];
    const predictedFault = 'fault' in predicted ? predicted.fault : null;
    if ('fault' in gold)
      return { comparison: null, sameJoins: false, hardness: null, goldFault: gold.fault, predictedFault };
    const comparison = compareLikeSpider(gold.sql, 'sql' in predicted ? predicted.sql : NO_QUERY, names);
    const sameJoins = 'sql' in predicted && haveSameJoins(gold.sql, predicted.sql);
    return { comparison, sameJoins, hardness: hardnessOf(gold.sql), goldFault: null, predictedFault };
  }

  #judgeLikeSpider(pair: EvaluationPair): ExactVerdict {
    const { comparison, sameJoins, hardness, goldFault, predictedFault } = this.#published(pair);
    const common = { id: pair.id, hardness, differences: [] };
    if (comparison === null) {
      return {
        ...common,
        outcome: 'bad-gold',
        reason: goldFault ?? '',
        components: null,
        published: null,
        publishedFault: goldFault ?? '',
      };
    }
    const { exact, components } = comparison;
    const published = { exact, parsed: predictedFault === null };
    const judged = { ...common, components, published };
    if (pair.predicted.trim() === '') return { ...judged, outcome: 'empty' };
    if (predictedFault !== null) return { ...judged, outcome: 'unparsable', reason: predictedFault };
    const isCorrect = exact && (sameJoins || this.#compat === 'spider');
    return { ...judged, outcome: isCorrect ? 'correct' : 'wrong' };
  }

  #judgeForms(pair: EvaluationPair): ExactVerdict {
    const { names, read } = this.#knownOf(pair.database);
    const [gold, predicted] = [read(pair.gold), read(pair.predicted)];
    const published = this.#published(pair);
    const says = published.comparison === null ? null : publishedVerdict(published, published.comparison);
    const fault = published.goldFault === null ? {} : { publishedFault: published.goldFault };
    const common = { id: pair.id, published: says, ...fault };
    if (gold.fault !== null) {
      const hardness = published.hardness;
      return {
        ...common,
        hardness,
        outcome: 'bad-gold',
        reason: gold.fault.message,
        components: null,
        differences: [],
      };
    }
    const { exact, components } = this.#compare(gold, predicted);
    const differences = this.#differences(gold, predicted, exact, published, names);
    // Not of our structure, which keeps an OR in ON that the published script does not count.
    const judged = { ...common, hardness: this.hardnessOf(pair), components, differences };
    if (pair.predicted.trim() === '') return { ...judged, outcome: 'empty' };
    if (predicted.fault !== null)
      return { ...judged, outcome: faultOutcome(predicted.fault), reason: predicted.fault.message };
    return { ...judged, outcome: exact ? 'correct' : 'wrong' };
  }

  #differences(
    { query: gold }: Reading,
    { query, fault }: Reading,
    exact: boolean,
    published: Published,
    names: SpiderNames,
  ): readonly DifferenceReason[] {
    if (published.comparison === null) return exact ? ['old-parser-cannot-gold'] : [];
    if (published.comparison.exact === exact) return [];
    if (fault !== null) return [fault.kind];
    if (published.predictedFault !== null) return ['old-parser-cannot'];
    if (gold === null || query === null) return ['old-parser-misreads'];
    const same = compareLikeSpider(gold.structure, query.structure, names).exact === published.comparison.exact;
    if (!same) return ['old-parser-misreads'];
    const rules = decisiveRules((own) => gold.wholeUnder(own) === query.wholeUnder(own), this.#values);
    return rules.length > 0 ? rules : ['several'];
  }
}

function publishedVerdict({ predictedFault }: Published, { exact }: StructureComparison): PublishedVerdict {
  return { exact, parsed: predictedFault === null };
}
