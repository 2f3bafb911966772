import { itemAt } from '../../present.js';
import type { Binary, Expression, FunctionCall } from '../../sql/ast.js';
import type { SqlDialect } from '../../sql/dialect.js';
import { applyEdits, sortEdits, type SqlEdit } from '../../sql/edits.js';
import { parseSelect } from '../../sql/parser.js';
import { type TreeNode, visitNodes } from '../../sql/ast-walk.js';

type Server = Exclude<SqlDialect['name'], 'sqlite'>;

/** The servers' names for the types that values are cast to. */
const TYPES: Readonly<Record<Server, Readonly<Record<string, string>>>> = {
  postgresql: { INTEGER: 'BIGINT' },
  mysql: { INTEGER: 'SIGNED', TEXT: 'CHAR' },
};

/** Functions that only have another name; MySQL's `length` counts bytes. */
const FUNCTIONS: Readonly<Record<Server, Readonly<Record<string, string>>>> = {
  postgresql: { instr: 'strpos' },
  mysql: { length: 'char_length' },
};

const isNumber = (node: Expression | undefined): boolean => node?.kind === 'literal' && node.type === 'number';
const isConcat = (node: TreeNode | undefined): boolean =>
  node?.kind === 'binary' && (node as unknown as Binary).operator === '||';

/** Writes SQL of SQLite's for a server; made for one use. */
class ServerWriter {
  readonly #sql: string;
  readonly #server: Server;
  readonly #edits: SqlEdit[] = [];

  constructor(sql: string, server: Server) {
    this.#sql = sql;
    this.#server = server;
  }

  run(): string {
    visitNodes(parseSelect(this.#sql), [], (node, [parent]) => this.#write(node as unknown as Expression, parent));
    return applyEdits(this.#sql, sortEdits(this.#edits));
  }

  #write(node: Expression, parent: TreeNode | undefined): void {
    if (node.kind === 'function') this.#call(node);
    else if (node.kind === 'cast') this.#cast(node.type, node.span.end);
    else if (this.#server === 'mysql' && node.kind === 'binary' && isConcat(node)) this.#concat(node, parent);
    else if (this.#server === 'mysql' && node.kind === 'literal' && node.type === 'string') this.#escape(node.span);
  }

  #replace(start: number, end: number, after: string): void {
    this.#edits.push({ start, end, before: this.#sql.slice(start, end), after });
  }

  #cast(type: string, end: number): void {
    const name = TYPES[this.#server][type.toUpperCase()];
    const start = this.#sql.lastIndexOf(type, end - 1);
    if (name !== undefined) this.#replace(start, start + type.length, name);
  }

  #call(node: FunctionCall): void {
    const name = node.name.name.toLowerCase();
    const own = FUNCTIONS[this.#server][name];
    if (own !== undefined) this.#replace(node.name.span.start, node.name.span.end, own);
    if (this.#server === 'postgresql' && name === 'substr') this.#substr(node);
    if (this.#server === 'mysql' && name === 'rtrim') this.#rtrim(node);
  }

  /**
   * PostgreSQL does not count from a text's end, and takes no parts of numbers; parts at fixed places may be of one.
   */
  #substr({ name, args }: FunctionCall): void {
    const [value, from, length] = [itemAt(args, 0), itemAt(args, 1), args[2]];
    if (from.kind === 'unary' && from.operator === '-' && length === undefined) {
      this.#replace(name.span.start, name.span.end, 'right');
      this.#replace(from.span.start, from.operand.span.start, '');
    } else if (isNumber(from) && isNumber(length) && value.kind !== 'cast') {
      this.#replace(value.span.start, value.span.start, 'CAST(');
      this.#replace(value.span.end, value.span.end, ' AS TEXT)');
    }
  }

  /** MySQL takes off spaces alone: what `rtrim(v, replace(v, ' ', ''))` takes off is the last word. */
  #rtrim({ name, args, span }: FunctionCall): void {
    const [value, without] = [itemAt(args, 0), itemAt(args, 1)];
    if (without.kind !== 'function') {
      this.#replace(value.span.end, span.end - 1, '');
      return;
    }
    const again = itemAt(without.args, 0);
    this.#replace(name.span.start, value.span.start, 'trim(TRAILING substring_index(');
    this.#replace(value.span.end, again.span.start, ", ' ', -1) FROM ");
    this.#replace(again.span.end, without.span.end, '');
  }

  #concat(node: Binary, parent: TreeNode | undefined): void {
    this.#replace(node.left.span.end, node.right.span.start, ', ');
    if (isConcat(parent)) return;
    this.#replace(node.span.start, node.span.start, 'concat(');
    this.#replace(node.span.end, node.span.end, ')');
  }

  #escape({ start, end }: TreeNode['span']): void {
    const text = this.#sql.slice(start, end);
    if (text.includes('\\')) this.#replace(start, end, text.replaceAll('\\', '\\\\'));
  }
}

/**
 * A query of our own over SQLite's rows as another dialect has it. Names stay in double quotes.
 * @throws SqlRewriteError where it can't be parsed
 */
export function inDialect(select: string, { name }: SqlDialect): string {
  return name === 'sqlite' ? select : new ServerWriter(select, name).run();
}
