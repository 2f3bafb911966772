import { withoutInvisible, withoutSpecialTokens, withoutThinking } from './chat-wrapping.js';
import { fencedSql, inlineCode, jsonFieldSql, jsonSql, withoutLabel } from './sql-wrapping.js';
import { findStatement, scanStatement, skipTrivia, startsStatement } from './statement-scan.js';

/** The steps that clean away text around SQL; spaces at both ends go without a name. */
const CLEANING_STEPS = [
  'invisible-characters',
  'thinking',
  'special-tokens',
  'json',
  'code-fence',
  'inline-code',
  'label',
  'prose-before',
  'prose-after',
  'further-statements',
  'trailing-comment',
  'semicolon',
] as const;
export type CleaningStep = (typeof CLEANING_STEPS)[number];

/** The SQL found in a model's reply. */
export interface CleanedSql {
  /** The first statement, without a semicolon; null where there is none. */
  readonly sql: string | null;
  /** The cleaning steps that were needed, each once, in the order of `CLEANING_STEPS`. */
  readonly steps: readonly CleaningStep[];
  /** The statements behind the first. */
  readonly rest: readonly string[];
}

/** The text on its way to SQL. */
class Cleaner {
  readonly #steps = new Set<CleaningStep>();
  readonly #rest: string[] = [];
  #text: string;
  /** True if a fence, a field or a label says that this is SQL, even where it does not look like it. */
  #marked = false;

  constructor(raw: string) {
    this.#text = raw;
  }

  clean(): CleanedSql {
    this.#strip('invisible-characters', withoutInvisible);
    this.#strip('thinking', withoutThinking);
    this.#strip('special-tokens', withoutSpecialTokens);
    // JSON may be in a fence, and a fence in JSON.
    this.#unwrapJson(jsonSql(this.#text));
    this.#unwrapFence();
    this.#unwrapJson(jsonSql(this.#text) ?? jsonFieldSql(this.#text));
    const unlabelled = this.#text;
    this.#strip('label', withoutLabel);
    this.#marked ||= this.#text !== unlabelled;
    const sql = this.#cutProse() ? this.#takeStatements() : null;
    return { sql, steps: CLEANING_STEPS.filter((step) => this.#steps.has(step)), rest: this.#rest };
  }

  #strip(step: CleaningStep, change: (text: string) => string): void {
    const changed = change(this.#text);
    if (changed.length !== this.#text.length) this.#steps.add(step);
    this.#text = changed;
  }

  #unwrapJson(sql: string | null): void {
    if (sql === null) return;
    this.#steps.add('json');
    this.#text = sql;
    this.#marked = true;
  }

  #unwrapFence(): void {
    const fenced = fencedSql(this.#text);
    if (fenced === null) return;
    this.#steps.add('code-fence');
    if (fenced.before) this.#steps.add('prose-before');
    if (fenced.after) this.#steps.add('prose-after');
    this.#rest.push(...fenced.others.map((other) => other.trim()));
    this.#text = fenced.content;
    this.#marked = true;
  }

  /** Cuts what is before the statement; false where there is none. */
  #cutProse(): boolean {
    if (startsStatement(this.#text)) return true;
    const start = findStatement(this.#text);
    if (start < 0) return this.#marked && this.#text.trim() !== '';
    const code = inlineCode(this.#text, start);
    if (code !== null) this.#steps.add('inline-code');
    if (this.#text.slice(0, start).replaceAll('`', '').trim() !== '') this.#steps.add('prose-before');
    this.#text = code ?? this.#text.slice(start);
    return true;
  }

  /** The first statement; those behind it go to the rest. */
  #takeStatements(): string | null {
    let first: string | null = null;
    const others: string[] = [];
    for (let from = 0; from < this.#text.length;) {
      if (first !== null && !startsStatement(this.#text, from)) {
        if (skipTrivia(this.#text, from) < this.#text.length) this.#noteTail(from);
        break;
      }
      const { sql, next } = this.#takeStatement(from, first === null);
      if (first === null) first = sql;
      else if (sql !== '') others.push(sql);
      from = next;
    }
    this.#rest.unshift(...others);
    if (this.#rest.length > 0) this.#steps.add('further-statements');
    return first === '' ? null : first;
  }

  #takeStatement(from: number, isFirst: boolean): { readonly sql: string; readonly next: number } {
    const { end, next, stop } = scanStatement(this.#text, from);
    if (isFirst) {
      const behind = this.#text.slice(end, stop === 'semicolon' ? next - 1 : next);
      if (behind.trim() !== '') this.#steps.add('trailing-comment');
      if (stop === 'semicolon') this.#steps.add('semicolon');
    }
    return { sql: this.#text.slice(from, end).trim(), next };
  }

  /** Words behind the statements; lone semicolons are no words. */
  #noteTail(from: number): void {
    const tail = this.#text.slice(from).trim();
    if (tail.replaceAll(';', '').trim() !== '') this.#steps.add('prose-after');
  }
}

/**
 * Finds the SQL in what a chat model says: without thinking, code fences, JSON, labels, prose, comments and semicolons
 * around it. Of several statements the first is kept. The SQL itself is not changed, apart from characters that can't
 * be seen. Never throws; linear in the length.
 */
export function cleanSql(raw: string): CleanedSql {
  return new Cleaner(raw).clean();
}
