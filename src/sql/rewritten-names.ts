import { itemAt } from '../present.js';
import { columnKey, type Database } from '../schema/schema.js';
import type { Star } from './ast.js';
import { baseNames, baseTables } from './base-tables.js';
import type { SqlDialect } from './dialect.js';
import type { SchemaChange } from './schema-change.js';
import {
  nameIn,
  namesFrom,
  type Merge,
  type Relation,
  type RelationColumn,
  type ScopeSource,
  type World,
} from './scope.js';

const NOTHING: ReadonlySet<string> = new Set();

/** The names of a query's columns after a change of the schema. */
export class RewrittenNames implements World {
  readonly dialect: SqlDialect;
  readonly rowids: readonly string[];
  /** Names that columns of subqueries keep by an alias that the rewrite adds. */
  readonly #kept = new Map<RelationColumn, string>();
  readonly #expanded = new Set<Star>();
  readonly #labels = new Map<ScopeSource, string>();
  readonly #merges = new Map<ScopeSource, readonly Merge[]>();
  readonly #names = new Map<Relation, readonly string[]>();
  readonly #added: ReadonlyMap<number, ReadonlySet<string>>;
  readonly #change: SchemaChange;
  readonly #changed: Database;

  /** @param changed the schema after the change */
  constructor(change: SchemaChange, changed: Database, dialect: SqlDialect) {
    this.#change = change;
    this.#changed = changed;
    this.dialect = dialect;
    this.rowids = dialect.rowids;
    const fold = (name: string): string => dialect.fold(name);
    this.#added = new Map([...change.added].map(([table, names]) => [table, new Set(names.map(fold))]));
  }

  namesOf(relation: Relation): readonly string[] {
    let names = this.#names.get(relation);
    if (names === undefined) {
      names = this.#readNames(relation);
      this.#names.set(relation, names);
    }
    return names;
  }

  #readNames(relation: Relation): readonly string[] {
    const { table, columns } = relation;
    if (table === null) {
      return namesFrom(
        relation,
        columns.map((column) => this.rawNameOf(column)),
        this.dialect,
      );
    }
    const names = baseNames(itemAt(baseTables(this.#changed, this.dialect).relations, table), this.dialect);
    return names.length === columns.length ? names : names.slice(0, columns.length);
  }

  /** The name that a column gets, before duplicates are distinguished. */
  rawNameOf(column: RelationColumn): string {
    const { origin, rawName } = column;
    if (origin.kind === 'base') return this.#change.renames.get(columnKey(origin.ref)) ?? rawName;
    const follows = origin.kind === 'through' || origin.kind === 'after';
    return this.#kept.get(column) ?? (follows ? nameIn(this, origin.inner) : rawName);
  }

  labelOf(source: ScopeSource): string | null {
    return source.label ?? this.#labels.get(source) ?? null;
  }

  /** Records the alias that a subquery without one gets. */
  giveLabel(source: ScopeSource, label: string): void {
    this.#labels.set(source, label);
  }

  isExpanded(star: Star): boolean {
    return this.#expanded.has(star);
  }

  expand(star: Star): void {
    this.#expanded.add(star);
  }

  addedTo(relation: Relation): ReadonlySet<string> {
    return (relation.table === null ? undefined : this.#added.get(relation.table)) ?? NOTHING;
  }

  mergesOf(source: ScopeSource): readonly Merge[] {
    return this.#merges.get(source) ?? source.merges;
  }

  /** Records that a USING or NATURAL becomes an ON, so that its columns are no longer one. */
  dropMerges(source: ScopeSource): void {
    this.#merges.set(source, []);
  }

  /** Gives a column of a subquery back its present name. */
  keepName(column: RelationColumn, name: string): void {
    this.#kept.set(column, name);
    this.#names.delete(column.relation);
  }

  keptName(column: RelationColumn): string | undefined {
    return this.#kept.get(column);
  }
}
