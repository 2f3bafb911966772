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
