/** A column of a listed table: the names that may replace it, and those of further columns next to it. */
export interface ListedColumn {
  readonly name: string;
  readonly replacements: readonly string[];
  readonly additions: readonly string[];
}

/** A listed table: the entity in its rows, in one or more words, and its columns. */
export interface ListedTable {
  /** The field that it belongs to: "hydrology gauges"; empty where its list names none. */
  readonly field: string;
  readonly entities: readonly string[];
  readonly columns: readonly ListedColumn[];
}

function parseNames(text: string, separator: string): readonly string[] {
  const names: string[] = [];
  for (const part of text.split(separator)) {
    const name = part.trim();
    if (name !== '' && !names.includes(name)) names.push(name);
  }
  return names;
}

function parseColumn(line: string): ListedColumn {
  const tilde = line.indexOf('~');
  const [names, additions] = tilde === -1 ? [line, ''] : [line.slice(0, tilde), line.slice(tilde + 1)];
  const [name = '', ...replacements] = parseNames(names, '|');
  return { name, replacements, additions: parseNames(additions, ',') };
}

const FIELD = /^# field: (.+)$/;

/**
 * Reads lists of columns: `# field: …` begins a field, `@ entity | other word` a table, and each further line is a
 * column: `name | replacement | replacement ~ addition, addition`. Other lines that begin with `#` are comments.
 */
export function parseColumnLists(text: string): readonly ListedTable[] {
  const tables: { field: string; entities: readonly string[]; columns: ListedColumn[] }[] = [];
  let field = '';
  for (const line of text.split('\n')) {
    const trimmed = line.trim();
    if (trimmed === '') continue;
    if (trimmed.startsWith('#')) field = FIELD.exec(trimmed)?.[1] ?? field;
    else if (trimmed.startsWith('@')) tables.push({ field, entities: parseNames(trimmed.slice(1), '|'), columns: [] });
    else tables.at(-1)?.columns.push(parseColumn(trimmed));
  }
  return tables.filter(({ columns }) => columns.length > 0);
}

/** Writes tables as `parseColumnLists` reads them. */
export function renderColumnLists(tables: readonly ListedTable[]): string {
  let field = '';
  const lines: string[] = [];
  for (const table of tables) {
    if (table.field !== field) lines.push(`# field: ${table.field}`);
    field = table.field;
    lines.push(`@ ${table.entities.join(' | ')}`);
    for (const { name, replacements, additions } of table.columns)
      lines.push(`${[name, ...replacements].join(' | ')}${additions.length === 0 ? '' : ` ~ ${additions.join(', ')}`}`);
  }
  return `${lines.join('\n')}\n`;
}

/** What a name is to a column of the bank: its name, a replacement of it, or an addition next to it. */
type NameRole = 'name' | 'replacement' | 'addition';

const ROLES: readonly NameRole[] = ['name', 'replacement', 'addition'];

/** A place of a name packed into one number: two bits for its role, eight for its column, the rest its table. */
const ROLE_BITS = 2;
const COLUMN_BITS = 8;

export const roleOf = (place: number): NameRole => ROLES[place & ((1 << ROLE_BITS) - 1)]!;
export const columnOf = (place: number): number => (place >> ROLE_BITS) & ((1 << COLUMN_BITS) - 1);
export const tableOf = (place: number): number => place >> (COLUMN_BITS + ROLE_BITS);

/** Where the bank has each name, as packed places in the order of its tables. */
export class NamePlaces {
  /** Most names have one place, which needs no list. */
  readonly #places = new Map<string, number | number[]>();

  constructor(tables: readonly ListedTable[]) {
    for (const [t, { columns }] of tables.entries())
      for (const [c, { name, replacements, additions }] of columns.entries()) {
        const column = (t << (COLUMN_BITS + ROLE_BITS)) | (c << ROLE_BITS);
        this.#add(name, column);
        for (const other of replacements) this.#add(other, column | ROLES.indexOf('replacement'));
        for (const other of additions) this.#add(other, column | ROLES.indexOf('addition'));
      }
  }

  of(name: string): readonly number[] {
    const places = this.#places.get(name);
    if (places === undefined) return [];
    return typeof places === 'number' ? [places] : places;
  }

  #add(name: string, place: number): void {
    const known = this.#places.get(name);
    if (known === undefined) this.#places.set(name, place);
    else if (typeof known === 'number') this.#places.set(name, [known, place]);
    else known.push(place);
  }
}
