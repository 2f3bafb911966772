import { columnKey } from '../schema/schema.js';
import type { Star } from './ast.js';
import type { SqlDialect } from './dialect.js';
import { foldName } from './dialect.js';
import type { SchemaChange } from './schema-change.js';
import {
  nameIn,
  uniqueNames,
  type Merge,
  type Relation,
  type RelationColumn,
  type ScopeSource,
  type World,
} from './scope.js';

const NOTHING: ReadonlySet<string> = new Set();

/** The names of a query's columns after a change of the schema. */
export class ChangedWorld implements World {
  readonly rowids: readonly string[];
  /** Names that columns of subqueries keep by an alias that the rewrite adds. */
  readonly #kept = new Map<RelationColumn, string>();
  readonly #expanded = new Set<Star>();
  readonly #labels = new Map<ScopeSource, string>();
  readonly #merges = new Map<ScopeSource, readonly Merge[]>();
  readonly #names = new Map<Relation, readonly string[]>();
  readonly #added: ReadonlyMap<number, ReadonlySet<string>>;
  readonly #change: SchemaChange;

  constructor(change: SchemaChange, dialect: SqlDialect) {
    this.#change = change;
    this.rowids = dialect.rowids.map(foldName);
    this.#added = new Map([...change.added].map(([table, names]) => [table, new Set(names.map(foldName))]));
  }

  namesOf(relation: Relation): readonly string[] {
    let names = this.#names.get(relation);
    if (names === undefined) {
      names = uniqueNames(relation.columns.map((column) => this.rawNameOf(column)));
      this.#names.set(relation, names);
    }
    return names;
  }

  /** The name that a column gets, before duplicates are told apart. */
  rawNameOf(column: RelationColumn): string {
    const { origin, rawName } = column;
    if (origin.kind === 'base') return this.#change.renames.get(columnKey(origin.ref)) ?? rawName;
    return this.#kept.get(column) ?? (origin.kind === 'through' ? nameIn(this, origin.inner) : rawName);
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
