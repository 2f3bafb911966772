import fc from 'fast-check';
import { quoteIdentifier } from '../../../../src/sql/dialect.js';

/** Names that need quotes, differ by case, look like keywords or are of other scripts. */
export const NAMES = [
  'a', 'B', 'c d', 'order', 'x"y', 'é.f', '🙂', 'Key', "it's", '[br]', '100%', 'select', 'new', 'old', 'excluded', 't0', 'begin', 'from', 'n`t', 'ｆ', '-- x', 'rowid', 'z'.repeat(80),
] as const; // prettier-ignore

const KINDS = ['rowid', 'ipk', 'without', 'strict'] as const;
const TYPES = ['', 'INT', 'TEXT', 'REAL', 'VARCHAR(20)', 'NUMERIC', 'BLOB', 'decimal(10, 2)'];
const STRICT_TYPES = ['INT', 'TEXT', 'REAL', 'BLOB', 'ANY'];
const VALUES = [
  'NULL', '1', '-7', '9007199254740993', '2.0', '1e300', "''", "'text'", "'12'", "'é🙂'", "x'00ff'", "CAST(x'ff41' AS TEXT)", "CAST(x'310032' AS TEXT)", '0.1',
]; // prettier-ignore

export interface RandomTable {
  readonly name: string;
  readonly kind: (typeof KINDS)[number];
  /** Columns that can be given in an INSERT. */
  readonly columns: readonly string[];
  readonly generated: string | null;
}

export interface RandomSchema {
  readonly sql: string;
  readonly tables: readonly RandomTable[];
  readonly rows: readonly string[];
}

interface TableSpec {
  readonly kind: (typeof KINDS)[number];
  readonly names: readonly string[];
  readonly types: readonly number[];
  readonly generated: 'VIRTUAL' | 'STORED' | null;
  readonly check: number | null;
  readonly unique: boolean;
  readonly foreign: 'none' | 'self' | 'composite' | 'implicit';
  readonly bare: boolean;
  readonly rows: readonly (readonly number[])[];
}

const tableSpec: fc.Arbitrary<TableSpec> = fc.record({
  kind: fc.constantFrom(...KINDS),
  names: fc.uniqueArray(fc.constantFrom(...NAMES), {
    minLength: 3,
    maxLength: 6,
    selector: (name) => name.toLowerCase(),
  }),
  types: fc.array(fc.nat(7), { minLength: 6, maxLength: 6 }),
  generated: fc.constantFrom('VIRTUAL' as const, 'STORED' as const, null),
  check: fc.option(fc.nat(1)),
  unique: fc.boolean(),
  foreign: fc.constantFrom('none' as const, 'self' as const, 'composite' as const, 'implicit' as const),
  bare: fc.boolean(),
  rows: fc.array(fc.array(fc.nat(VALUES.length - 1), { minLength: 6, maxLength: 6 }), { maxLength: 8 }),
});

function typeOf({ kind, types }: TableSpec, column: number): string {
  if (kind === 'ipk' && column === 0) return 'INTEGER PRIMARY KEY AUTOINCREMENT';
  return kind === 'strict' ? STRICT_TYPES[(types[column] ?? 0) % 5]! : TYPES[types[column] ?? 0]!;
}

function columnLines(spec: TableSpec, name: string, index: number, columns: readonly string[]): string[] {
  const [first, second] = [quoteIdentifier(columns[0]!), quoteIdentifier(columns[1]!)];
  const lines = columns.map((column, c) => {
    const check =
      spec.check === c ? ` CHECK (${quoteIdentifier(column)} IS NOT 'zz' AND ${name}.${first} IS NOT 77)` : '';
    const parent = c === 2 && spec.foreign === 'self' ? ` REFERENCES ${name}(${first})` : '';
    const implicit = c === 2 && spec.foreign === 'implicit' && index > 0 ? ' REFERENCES t0' : '';
    return `${quoteIdentifier(column)} ${typeOf(spec, c)}${c === 1 ? ' COLLATE NOCASE' : ''}${check}${parent}${implicit}`;
  });
  if (spec.kind === 'without') lines.push(`PRIMARY KEY (${first}, ${second} COLLATE NOCASE DESC)`);
  else if (spec.unique) lines.push(`UNIQUE (${first}, ${second})`);
  if (spec.foreign === 'composite')
    lines.push(`FOREIGN KEY (${second}, ${first}) REFERENCES ${name}(${first}, ${second})`);
  return lines;
}

function tableSql(spec: TableSpec, name: string, index: number): { readonly sql: string; readonly table: RandomTable } {
  const own = spec.generated === null ? spec.names : spec.names.slice(0, -1);
  const generated = spec.generated === null ? null : spec.names.at(-1)!;
  const lines = columnLines(spec, name, index, own);
  const type = spec.kind === 'strict' ? 'ANY' : 'TEXT';
  const line = `${quoteIdentifier(generated ?? '')} ${type} GENERATED ALWAYS AS (typeof(${quoteIdentifier(own[0]!)}) || ${quoteIdentifier(own[1]!)}) ${spec.generated}`;
  if (generated !== null) lines.splice(1, 0, line);
  const end = spec.kind === 'without' ? ' WITHOUT ROWID' : spec.kind === 'strict' ? ' STRICT' : '';
  return {
    sql: `CREATE TABLE ${name}(${lines.join(',\n ')})${end};`,
    table: { name, kind: spec.kind, columns: own, generated },
  };
}

function indexes({ name, columns, generated }: RandomTable): string {
  const [a, b] = [quoteIdentifier(columns[0]!), quoteIdentifier(columns.at(-1)!)];
  const more = generated === null ? '' : `CREATE INDEX ${name}_g ON ${name}(${quoteIdentifier(generated)} DESC);`;
  return `CREATE INDEX ${name}_i ON ${name}(${a}, ${b} COLLATE NOCASE) WHERE ${b} IS NOT NULL;
    CREATE INDEX ${name}_e ON ${name}(length(${b}), typeof(${a}));${more}`;
}

function views({ name, columns, generated }: RandomTable, other: RandomTable): string {
  const [a, b] = [quoteIdentifier(columns[0]!), quoteIdentifier(columns[1]!)];
  const view = quoteIdentifier(`${name} star`);
  return `CREATE VIEW ${view} AS SELECT * FROM ${name};
    CREATE VIEW ${name}_some AS SELECT ${b}, ${a} || 'x' AS e, x.${a} AS q FROM ${name} AS x WHERE x.${a} IS NOT 5 ORDER BY ${b} /* end */;
    CREATE VIEW ${name}_outer AS SELECT s.*, (SELECT count(*) FROM ${other.name} WHERE ${quoteIdentifier(other.columns[0]!)} IS s.${a}) AS n FROM ${view} AS s;
    CREATE VIEW ${name}_join(p, q) AS SELECT l.${a}, count(*) FROM ${name} AS l JOIN ${name} AS r USING (${a}) GROUP BY l.${a};
    CREATE VIEW ${name}_in AS SELECT ${quoteIdentifier(generated ?? columns[1]!)} FROM ${name} WHERE ${a} IN (SELECT ${a} FROM ${view}) UNION SELECT ${b} FROM ${name};
    CREATE VIEW ${name}_natural AS WITH w AS (SELECT * FROM ${name}) SELECT * FROM w NATURAL JOIN ${other.name} AS o;`;
}

function triggers({ name, columns, kind, generated }: RandomTable): string {
  const [a, b] = [quoteIdentifier(columns[0]!), quoteIdentifier(columns[1]!)];
  const values = columns.map((column) => `NEW.${quoteIdentifier(column)}`).join(', ');
  const key = kind === 'ipk' ? `NULL, ${values.slice(values.indexOf(',') + 2)}` : values;
  const all = [...columns, ...(generated === null ? [] : [generated])];
  return `CREATE TRIGGER ${name}_insert AFTER INSERT ON ${name} WHEN NEW.${a} IS NOT NULL AND new.${b} IS NOT 'deep' BEGIN
      INSERT INTO log SELECT '${name}', NEW.${b}, (SELECT count(*) FROM ${name} AS c WHERE c.${a} IS NEW.${a});
      UPDATE log SET "n" = "n" + 1, (what) = (SELECT what || '!') WHERE who = '${name}' AND n IS NOT DISTINCT FROM 1;
    END;
    CREATE TRIGGER ${name}_update AFTER UPDATE OF ${b}, ${a} ON ${name} BEGIN
      INSERT INTO log(who, what) VALUES ('${name}', OLD.${b}), ('${name}', NEW.${a});
      DELETE FROM log WHERE what = NEW.${b} AND EXISTS (SELECT * FROM ${name} WHERE ${a} = OLD.${a});
    END;
    CREATE TRIGGER ${name}_delete BEFORE DELETE ON ${name} BEGIN
      INSERT OR REPLACE INTO ${name}_kept VALUES (OLD.${a}, OLD.${b}) ON CONFLICT (k) DO UPDATE SET v = excluded.v || v WHERE excluded.k IS NOT NULL;
    END;
    CREATE TABLE ${name}_kept(k PRIMARY KEY, v);
    CREATE TABLE ${name}_past(${all.map((_, i) => `p${i}`).join(', ')});
    CREATE TRIGGER ${name}_passes AFTER UPDATE ON ${name} BEGIN
      INSERT INTO ${name}_past SELECT * FROM ${name} AS begin WHERE begin.${a} IS NEW.${a};
      UPDATE ${name}_past SET p0 = o.m FROM (SELECT count(*) AS m, s.${b} FROM (SELECT * FROM ${name}) AS s GROUP BY s.${b}) AS o WHERE o.${b} = p1 AND p0 IS old.${a};
    END;
    CREATE TRIGGER ${name}_view INSTEAD OF INSERT ON ${quoteIdentifier(`${name} star`)} BEGIN INSERT OR IGNORE INTO ${name} VALUES (${key}); END;`;
}

function rowsOf({ rows }: TableSpec, { name, columns }: RandomTable): string[] {
  const list = columns.map((name) => quoteIdentifier(name)).join(', ');
  return rows.map(
    (row) => `INSERT OR IGNORE INTO ${name}(${list}) VALUES (${columns.map((_, c) => VALUES[row[c]!]!).join(', ')})`,
  );
}

/** Schemas of one to three tables with indexes, views and triggers, and rows for them (some of which do not fit). */
export const randomSchema: fc.Arbitrary<RandomSchema> = fc
  .array(tableSpec, { minLength: 1, maxLength: 3 })
  .map((specs) => {
    const made = specs.map((spec, index) => tableSql(spec, `t${index}`, index));
    const tables = made.map(({ table }) => table);
    const sql = [
      'CREATE TABLE log(who, what, n);',
      ...made.map((one) => one.sql),
      ...tables.map(indexes),
      ...tables.map((table) => views(table, tables[0]!)),
      ...tables.map(triggers),
    ];
    return { sql: sql.join('\n'), tables, rows: specs.flatMap((spec, index) => rowsOf(spec, tables[index]!)) };
  });
