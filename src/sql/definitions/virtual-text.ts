/** Where a full-text index has its content: a table of the user's, which it reads by the names of its columns. */
export interface IndexedContent {
  readonly table: string;
  /** The column that is its row id; null where it is SQLite's own. */
  readonly rowid: string | null;
}

/** The value of an option of a virtual table, quotes taken off; null where it has none or an empty one. */
function optionOf(sql: string, name: string): string | null {
  const option = new RegExp(`\\b${name}\\s*=\\s*(?:'([^']*)'|"([^"]*)"|([^\\s,)]+))`, 'iu').exec(sql);
  const value = option?.[1] ?? option?.[2] ?? option?.[3] ?? '';
  return value === '' ? null : value;
}

/** Where the virtual table of a CREATE statement has its content; null where it keeps its own, or none. */
export function indexedContent(sql: string): IndexedContent | null {
  if (!/^CREATE\s+VIRTUAL\s/iu.test(sql)) return null;
  const table = optionOf(sql, 'content');
  return table === null ? null : { table, rowid: optionOf(sql, 'content_rowid') };
}

/** The module of a virtual table and what it is given. */
interface VirtualDefinition {
  readonly module: string;
  readonly args: readonly string[];
}

/** The parts of a module's arguments: texts and names in quotes, parentheses, anything but a comma. */
const ARGUMENT = /(?:'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|\([^()]*\)|[^,'"`[(])+/gu;

/**
 * The definition of a virtual table that keeps its content itself, wherever that of this CREATE statement is; null
 * where it has none that could be read.
 */
export function withOwnContent(sql: string): VirtualDefinition | null {
  const parts = /\bUSING\s+([\w"]+)\s*(?:\(([\s\S]*)\))?\s*$/iu.exec(sql);
  if (parts === null || /\bcontent\s*=\s*(?:''|"")/iu.test(sql)) return null;
  const args = (parts[2] ?? '').match(ARGUMENT) ?? [];
  const own = args.map((argument) => argument.trim()).filter((argument) => !/^content(?:_rowid)?\s*=/iu.test(argument));
  return { module: parts[1] ?? '', args: own };
}
