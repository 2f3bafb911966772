import type { Database } from '../../schema/schema.js';
import { executableSql } from '../../sql/executable-sql.js';
import { openSuite } from '../../testsuite/suite/open-suite.js';
import { type GoldQuery, readGoldQueries } from './gold-queries.js';
import { existsSync } from 'node:fs';
import { ConfigError, InputFormatError } from '../../errors.js';
import { type Dataset, leftOutOf, PATH_DEFAULTS, syntheticNotes } from '../../formats/dataset.js';
import { isGoal } from '../../formats/interaction-dataset.js';
import { loadDataset, loadSchemas } from '../../formats/load-dataset.js';
import { sqlitePath } from '../../formats/sample-values.js';
import { rowlessSchemas, syntheticFile } from '../../formats/synthetic-databases.js';
import { describeLeftOut } from '../../report/left-out.js';
import { groupBy } from '../../run/group-by.js';
import { type SqlDialect, SQLITE } from '../../sql/dialect.js';
import type { Evaluation } from '../evaluate-options.js';
import type { EvaluationPair } from '../metric.js';
import type { MetricName } from '../metrics.js';
import { readAlternativeGolds } from './alternative-golds.js';
import { readPredictions } from './predictions.js';
import { requiredPath } from '../metric-kind.js';
import { withViews } from '../../formats/database-views.js';
import { loadJsonArray } from '../../formats/json-file.js';
import { parseSpiderTables } from '../../formats/spider-tables.js';

/** Most gold queries named in a note. */
const NAMED = 5;

/** Gold queries that can't be judged on a suite, by their ids, with the virtual table that each reads. */
function goldNotHeld(
  folder: string,
  gold: readonly GoldQuery[],
  schemas: ReadonlyMap<string, Database>,
): ReadonlyMap<string, string> {
  const suite = openSuite(folder);
  const tablesOf = new Map<string, ReadonlyMap<string, string>>();
  return new Map(
    gold.flatMap(({ id, dbId, sql }) => {
      let tables = tablesOf.get(dbId);
      if (tables === undefined) {
        const unread = suite.schema(dbId)?.unread ?? [];
        const entries = unread.flatMap(({ sql: text, virtualTable }) =>
          virtualTable === undefined ? [] : [[text.trim(), virtualTable] as const],
        );
        tablesOf.set(dbId, (tables = new Map(entries)));
      }
      const database = schemas.get(dbId);
      if (tables.size === 0 || database === undefined) return [];
      const table = tables.get(executableSql(sql, database).trim());
      return table === undefined ? [] : [[id, table] as const];
    }),
  );
}

/** Describes gold queries that a suite can't judge; nothing where it can judge all. */
function describeNotHeld(notHeld: ReadonlyMap<string, string>): readonly string[] {
  if (notHeld.size === 0) return [];
  const named = [...notHeld].slice(0, NAMED).map(([id, table]) => `${id} reads ${table}`);
  const more = notHeld.size > NAMED ? `, and ${notHeld.size - NAMED} more` : '';
  const what = notHeld.size === 1 ? '1 gold query is' : `${notHeld.size} gold queries are`;
  return [`${what} left out by every metric: suites hold no virtual tables (${named.join(', ')}${more})`];
}

/** Gold queries with their schemas and databases. */
interface GoldSource {
  /** The file that holds them. */
  readonly file: string;
  readonly gold: readonly GoldQuery[];
  readonly schemas: ReadonlyMap<string, Database>;
  readonly notes: readonly string[];
  readonly dialect: SqlDialect;
  /** Where the database of an id is, or would be. */
  databaseFile(dbId: string): string;
}

/** What has schemas where there is no `tables.json`. */
const SCHEMAS_INSTEAD = 'for SQLite files without a tables.json, give --dataset sqlite and --databases instead';

/** Gold in a file of its own, schemas in the SQLite databases that it is about. */
async function openSqliteGold({ databases }: Evaluation, file: string): Promise<GoldSource> {
  const gold = readGoldQueries(file);
  const dataset = await loadSchemas({ ...PATH_DEFAULTS, dataset: 'sqlite', databases });
  requireSchemas(gold, dataset.databases, databases ?? file);
  return {
    file,
    gold,
    schemas: dataset.databases,
    dialect: dataset.dialect,
    notes: describeLeftOut(leftOutOf(dataset)),
    databaseFile: (dbId) => dataset.sqliteFile(dbId, '') ?? sqlitePath(databases ?? '', dbId),
  };
}

/** Gold in a file of its own, schemas in Spider's form; synthetic databases are written into `scratch`. */
async function openGoldFile(options: Evaluation, metrics: readonly MetricName[], scratch: string): Promise<GoldSource> {
  const file = requiredPath(options.gold, 'gold', metrics);
  if (options.connection !== null) {
    throw new ConfigError(
      'option --connection is for a data set with --examples, and gold queries are in a file here',
      {
        fix: 'Give --examples, or leave out --connection.',
      },
    );
  }
  requiredPath(options.predictions, 'predictions', metrics);
  if (options.tables === null && options.dataset === 'sqlite') return openSqliteGold(options, file);
  const tables = requiredPath(options.tables, 'tables', metrics, SCHEMAS_INSTEAD);
  const gold = readGoldQueries(file);
  const schemas = loadNeededSchemas(tables, gold, options.databases);
  const given = (dbId: string): string => sqlitePath(options.databases ?? '', dbId);
  const common = { file, gold, schemas, dialect: SQLITE };
  if (!options.syntheticDatabases) return { ...common, notes: [], databaseFile: given };
  const rowless = gold.filter(({ dbId }) => options.databases === null || !existsSync(given(dbId)));
  const made = rowlessSchemas(schemas, rowless, options.seed);
  const databaseFile = (dbId: string): string => syntheticFile(made, dbId, scratch) ?? given(dbId);
  return { ...common, notes: syntheticNotes(made.queries.size, options.seed), databaseFile };
}

function goldOf(dataset: Dataset): readonly GoldQuery[] {
  const asked = [...dataset.examples()].filter((example) => !isGoal(dataset, example));
  return asked.map(({ id, group, dbId, query, question }) => ({ id, group, dbId, sql: query, question }));
}

/**
 * Gold queries of a file with the data set's questions: by id, or by position where both have the same databases there.
 */
function withQuestions(gold: readonly GoldQuery[], asked: readonly GoldQuery[]): readonly GoldQuery[] {
  const byId = new Map(asked.map((one) => [one.id, one]));
  const isAligned = gold.length === asked.length && gold.every(({ dbId }, i) => dbId === asked[i]?.dbId);
  return gold.map((query, i) => {
    const question = query.question ?? (isAligned ? asked[i] : byId.get(query.id))?.question;
    return question === undefined ? query : { ...query, question };
  });
}

/** Gold and schemas of a data set; databases that it holds otherwise are written into `scratch`. */
async function openDataset(options: Evaluation, examples: string, scratch: string): Promise<GoldSource> {
  const { dataset: format, tables, databases, connection, strict, gold: goldFile, syntheticDatabases, seed } = options;
  const paths = { dataset: format, tables, examples, databases, connection, strict, syntheticDatabases, seed };
  const dataset = await loadDataset(paths);
  const gold = goldFile === null ? goldOf(dataset) : withQuestions(readGoldQueries(goldFile), goldOf(dataset));
  requireSchemas(gold, dataset.databases, tables ?? databases ?? examples);
  return {
    file: goldFile ?? examples,
    gold,
    schemas: dataset.databases,
    dialect: dataset.dialect,
    notes: [...(dataset.notes ?? []), ...describeLeftOut(leftOutOf(dataset))],
    databaseFile: (dbId) => dataset.sqliteFile(dbId, scratch) ?? sqlitePath(databases ?? '', dbId),
  };
}

/** Gold, predictions and what belongs to them. */
export class PairedFiles {
  /** Of each model: the first, that it is compared with, and further ones. */
  readonly models: readonly [readonly EvaluationPair[], ...(readonly EvaluationPair[])[]];
  /** Further gold queries by the id of the first. */
  readonly alternatives: ReadonlyMap<string, readonly string[]>;
  /** How predictions were joined, where that is not plain. */
  readonly joins: readonly string[];
  /** The pair that is to be told in full. */
  readonly explained: EvaluationPair | null;
  readonly #source: GoldSource;
  /** By id, the virtual tables of gold queries that the suite can't judge. */
  readonly #notHeld: ReadonlyMap<string, string>;
  readonly #databases: string | null;

  private constructor(
    source: GoldSource,
    options: Evaluation,
    metrics: readonly MetricName[],
    more: readonly string[],
  ) {
    this.#source = source;
    const predictions = requiredPath(options.predictions, 'predictions', metrics);
    const { suite } = options;
    this.#notHeld =
      suite === null || !metrics.includes('suite') ? new Map() : goldNotHeld(suite, source.gold, source.schemas);
    const joins: string[] = [];
    const read = (file: string): readonly EvaluationPair[] => {
      const { texts, note } = readPredictions(file, source.gold);
      if (note !== null) joins.push(note);
      return pairUp(source.gold, texts, source.schemas).filter(({ id }) => !this.#notHeld.has(id));
    };
    this.models = [read(predictions), ...[...(options.compare === null ? [] : [options.compare]), ...more].map(read)];
    this.joins = joins;
    const { alternativeGolds } = options;
    this.alternatives = alternativeGolds === null ? new Map() : readAlternativeGolds(alternativeGolds, source.gold);
    this.explained = options.explain === null ? null : this.#find(options.explain);
    this.#databases = options.databases;
    if (metrics.includes('execution')) this.#checkDatabases(options);
  }

  /**
   * Reads gold from `gold` or, where `examples` are given, from the data set; `more` are files of further models.
   * @throws ConfigError or InputFormatError where a file is missing or wrong
   */
  static async open(
    options: Evaluation,
    metrics: readonly MetricName[],
    scratch: string,
    more: readonly string[] = [],
  ): Promise<PairedFiles> {
    const { examples } = options;
    const source =
      examples === null ? await openGoldFile(options, metrics, scratch) : await openDataset(options, examples, scratch);
    return new PairedFiles(source, options, metrics, more);
  }

  /** Of the first model. */
  get pairs(): readonly EvaluationPair[] {
    return this.models[0];
  }

  get goldFile(): string {
    return this.#source.file;
  }

  /** Those that are judged. */
  get gold(): readonly GoldQuery[] {
    return this.#source.gold.filter(({ id }) => !this.#notHeld.has(id));
  }

  /** The questions by the ids of gold queries, as far as they are known. */
  get questions(): ReadonlyMap<string, string> {
    return new Map(this.gold.flatMap(({ id, question }) => (question === undefined ? [] : [[id, question] as const])));
  }

  /** Notes by the reader of the data set: records left out, say. */
  get notes(): readonly string[] {
    return [...this.#source.notes, ...describeNotHeld(this.#notHeld)];
  }

  /** The dialect of gold queries and predictions. */
  get dialect(): SqlDialect {
    return this.#source.dialect;
  }

  get interactions(): number | null {
    const groups = groupBy(this.gold, ({ group }) => group).size;
    return groups === this.gold.length ? null : groups;
  }

  databaseFile(dbId: string): string {
    return this.#source.databaseFile(dbId);
  }

  /** By id, or by position from 0 as in predictions. */
  #find(name: string): EvaluationPair {
    const { gold } = this.#source;
    const named = gold.find(({ id }) => id === name) ?? (/^\d+$/.test(name) ? gold[Number(name)] : undefined);
    const found = this.pairs.find(({ id }) => id === named?.id);
    if (found !== undefined) return found;
    const table = this.#notHeld.get(named?.id ?? '');
    const what = table === undefined ? 'is no id of the gold' : `is left out, as it reads the virtual table ${table}`;
    throw new ConfigError(`option --explain: ${name} ${what}`, {
      fix: `Name one of ${this.goldFile}, such as "${this.gold[0]?.id ?? ''}", or a position from 0 to ${gold.length - 1}.`,
    });
  }

  #checkDatabases({ dataset: format, syntheticDatabases }: Evaluation): void {
    const folder =
      format === 'spider' && !syntheticDatabases
        ? requiredPath(this.#databases, 'databases', ['execution'])
        : this.#databases;
    const ids = [...new Set(this.gold.map(({ dbId }) => dbId))];
    const missing = ids.filter((id) => !existsSync(this.databaseFile(id)));
    const [first] = missing;
    if (first === undefined) return;
    const others = missing.length === 1 ? '' : `, and ${missing.length - 1} more are not there`;
    throw new InputFormatError(`the database of ${first} is not there${others}`, {
      where: { file: this.databaseFile(first) },
      fix: `Name the folder that holds <db_id>/<db_id>.sqlite with --databases${folder === null ? '' : `; it was ${folder}`}.`,
    });
  }
}

/**
 * The databases of gold queries, from Spider's `tables.json` or BIRD's, with the views that these name in their files
 * below `folder`. Records of other databases are not looked at: in some published files they are faulty.
 * @throws InputFormatError naming a gold query whose db_id is not there, or the fault of a record
 */
export function loadNeededSchemas(
  file: string,
  gold: readonly GoldQuery[],
  folder: string | null = null,
): ReadonlyMap<string, Database> {
  const needed = new Set(gold.map(({ dbId }) => dbId));
  const records = loadJsonArray(file, 'databases').filter((record) =>
    needed.has((record as { readonly db_id?: string } | null)?.db_id ?? ''),
  );
  const databases = parseSpiderTables(records, file);
  requireSchemas(gold, databases, file);
  const queries = gold.map(({ dbId, sql }) => ({ dbId, query: sql }));
  return withViews({ databases, records: new Map() }, queries, folder).databases;
}

/** @throws InputFormatError naming a gold query whose db_id has no schema; `file` holds the schemas */
function requireSchemas(gold: readonly GoldQuery[], databases: ReadonlyMap<string, Database>, file: string): void {
  const lost = gold.find(({ dbId }) => !databases.has(dbId));
  if (lost === undefined) return;
  const line = lost.line === undefined ? '' : ` (line ${lost.line})`;
  throw new InputFormatError(`db_id "${lost.dbId}" of gold query ${lost.id}${line} has no schema there`, {
    where: { file },
    fix: 'Name the tables.json, or the SQLite databases, that these gold queries are about.',
  });
}

/** Gold queries with the predictions for them, as metrics take them; both lists in the same order. */
export function pairUp(
  gold: readonly GoldQuery[],
  predictions: readonly string[],
  databases: ReadonlyMap<string, Database>,
): readonly EvaluationPair[] {
  if (gold.length !== predictions.length) {
    throw new RangeError(`${gold.length} gold queries and ${predictions.length} predictions`);
  }
  return gold.map(({ id, group, dbId, sql }, i) => {
    const database = databases.get(dbId);
    if (database === undefined) throw new RangeError(`no schema of ${dbId}`);
    return { id, group, database, gold: sql, predicted: predictions[i] ?? '' };
  });
}
