import { SqlRewriteError } from '../../errors.js';
import { loadSpiderTables } from '../../formats/spider-tables.js';
import { fileSha256 } from '../../run/sha256.js';
import { renameColumns } from '../../sql/rename-columns.js';
import { renderColumns, type Victim, type VictimQuestion } from '../victim.js';
import { wrapVictim } from '../wrapped-victim.js';
import { identifierKey } from '../../schema/name-identity.js';
import { columnNamingStyle, styledIdentifier } from '../../schema/naming-style.js';
import { type Column, columnAt, columnKey, type Database, type Table } from '../../schema/schema.js';
import { questionWords, stemOf } from '../baseline/words.js';

/** Names that a table or column may be called by, its own first; absent: its own alone. */
export interface SchemaAnnotations {
  readonly fingerprint: string;
  /** By the table's identifier. */
  tableNames(dbId: string, table: string): readonly string[];
  /** By the identifiers of table and column. */
  columnNames(dbId: string, table: string, column: string): readonly string[];
}

/** The separator between the names of one table or column: "city | town". */
const BETWEEN = '|';

function namesIn(listed: string): readonly string[] {
  const names = listed.split(BETWEEN).map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== '');
}

/**
 * Reads a `tables.json` whose natural names list several in a row, as Spider-Syn releases them for MAS. Names are found
 * by identifiers, so a column that was renamed has none.
 * @throws InputFormatError when it is no tables.json
 */
export function loadAnnotations(file: string): SchemaAnnotations {
  const names = new Map<string, readonly string[]>();
  const keyOf = (...identifiers: readonly string[]): string => JSON.stringify(identifiers.map(identifierKey));
  for (const [dbId, { tables }] of loadSpiderTables(file)) {
    for (const table of tables) {
      names.set(keyOf(dbId, table.originalName), namesIn(table.name));
      for (const { name, originalName } of table.columns) {
        names.set(keyOf(dbId, table.originalName, originalName), namesIn(name));
      }
    }
  }
  return {
    fingerprint: fileSha256(file),
    tableNames: (dbId, table) => names.get(keyOf(dbId, table)) ?? [],
    columnNames: (dbId, table, column) => names.get(keyOf(dbId, table, column)) ?? [],
  };
}

/** A schema as one question's words have it. */
export interface AnnotatedSchema {
  readonly schema: Database;
  /** Identifiers that columns had before, by `columnKey`: what brings an answer back. */
  readonly former: ReadonlyMap<string, string>;
}

function stemsOf(name: string): readonly string[] {
  const words = name.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return words.filter((word) => word !== '').map(stemOf);
}

/** The name whose words the question has most of; of equal ones that with more words, then the first. */
function nearestName(names: readonly string[], question: ReadonlySet<string>): string | undefined {
  const scored = names.map((name) => {
    const stems = stemsOf(name);
    const found = stems.filter((stem) => question.has(stem)).length;
    return { name, share: stems.length === 0 ? 0 : found / stems.length, found };
  });
  return scored.reduce<(typeof scored)[number] | undefined>(
    (best, each) =>
      best === undefined || each.share > best.share || (each.share === best.share && each.found > best.found)
        ? each
        : best,
    undefined,
  )?.name;
}

/** The column as it is shown; itself where its own name is nearest, or another column is called so. */
function shownColumn(
  schema: Database,
  [t, c]: readonly [number, number],
  name: string | undefined,
  taken: ReadonlySet<string>,
): Column {
  const ref = { table: t, column: c };
  const column = columnAt(schema, ref);
  if (name === undefined || name === column.name) return column;
  const style = columnNamingStyle(schema, ref);
  const originalName = styledIdentifier(name, style, column.originalName);
  return taken.has(identifierKey(originalName)) ? column : { ...column, name, originalName };
}

/**
 * Multi-annotation selection (Gan et al. 2021, Spider-Syn §4): of several names of each table and column, those whose
 * words a question has. Columns get an identifier of that name, in their own style; tables keep theirs.
 */
export function selectAnnotations(question: string, schema: Database, annotations: SchemaAnnotations): AnnotatedSchema {
  const words = new Set(questionWords(question).map(({ stem }) => stem));
  const former = new Map<string, string>();
  const tables = schema.tables.map((table, t): Table => {
    const taken = new Set(table.columns.map(({ originalName }) => identifierKey(originalName)));
    const columns = table.columns.map((column, c) => {
      const names = annotations.columnNames(schema.id, table.originalName, column.originalName);
      const shown = column.fixed === true ? column : shownColumn(schema, [t, c], nearestName(names, words), taken);
      if (shown === column) return column;
      taken.add(identifierKey(shown.originalName));
      former.set(columnKey({ table: t, column: c }), column.originalName);
      return shown;
    });
    const name = nearestName(annotations.tableNames(schema.id, table.originalName), words) ?? table.name;
    return { ...table, name, columns };
  });
  return { schema: { ...schema, tables }, former };
}

/**
 * A victim that is defended by multi-annotation selection (MAS, Gan et al. 2021): each question is asked of a schema with
 * the names nearest to its words, and the answer gets the schema's own names back.
 */
export function selectingVictim(victim: Victim, annotations: SchemaAnnotations): Victim {
  const select = ({ question, schema }: VictimQuestion): AnnotatedSchema =>
    selectAnnotations(question, schema, annotations);
  return wrapVictim(victim, {
    suffix: `mas-1-${annotations.fingerprint}`,
    asked: (asked) => ({ ...asked, schema: select(asked).schema }),
    async answer(asked, context) {
      const shown = select(asked);
      // A database file has the former names: whoever looks into it would see other columns than the schema's.
      const databaseFile = shown.former.size === 0 ? asked.databaseFile : null;
      const answer = await victim.answer({ ...asked, schema: shown.schema, databaseFile }, context);
      if (answer.columns !== undefined) return { ...answer, raw: renderColumns(answer.columns, asked.schema) };
      return answer.sql === null ? answer : { ...answer, sql: withFormerNames(answer.sql, shown, asked) };
    },
  });
}

/** A query that does not hold on the schema that was shown stays as it is, and is scored so. */
function withFormerNames(sql: string, { schema, former }: AnnotatedSchema, { dialect }: VictimQuestion): string {
  if (former.size === 0) return sql;
  try {
    return renameColumns(sql, schema, former, dialect).sql;
  } catch (error) {
    if (error instanceof SqlRewriteError) return sql;
    throw error;
  }
}
