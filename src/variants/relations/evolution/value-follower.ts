import type { ColumnRef } from '../../../schema/schema.js';
import type { Expression } from '../../../sql/ast.js';
import { unparenthesized } from '../../../sql/ast-walk.js';
import type { BoundCore, BoundOutput, NameBinding } from '../../../sql/bound-query.js';
import { renderString, type SqlDialect } from '../../../sql/dialect.js';
import { applyEdits, sortEdits, spacedEdit, type SqlEdit } from '../../../sql/edits.js';
import type { NotApplicable } from '../relation.js';
import { type GoldUse, Inexpressible, orReason } from '../schema/gold-use.js';
import { comparedText } from './recoding.js';
import { type ValueContext, valueContexts, withoutParentheses } from './value-context.js';

/** Values of categories that have one usual short form: long, then short. Our own list. */
const FORMS: readonly (readonly (readonly [long: string, short: string])[])[] = [
  pairs('Female F|Male M'),
  pairs('female f|male m'),
  pairs('Yes Y|No N'),
  pairs('yes y|no n'),
  pairs('True T|False F'),
  pairs('Monday Mon|Tuesday Tue|Wednesday Wed|Thursday Thu|Friday Fri|Saturday Sat|Sunday Sun'),
  pairs(
    'January Jan|February Feb|March Mar|April Apr|June Jun|July Jul|August Aug|September Sep|October Oct|November Nov|December Dec',
  ),
  pairs('Left L|Right R'),
  pairs('North N|East E|South S|West W'),
  pairs(
    `United States USA|United Kingdom UK|Netherlands NLD|Germany DEU|France FRA|Spain ESP|Italy ITA|Belgium BEL|Russia RUS
     |Japan JPN|China CHN|India IND|Canada CAN|Australia AUS|Brazil BRA|Argentina ARG|Mexico MEX|Sweden SWE|Norway NOR
     |Denmark DNK|Finland FIN|Poland POL|Austria AUT|Switzerland CHE|Portugal PRT|Greece GRC|Turkey TUR|Ireland IRL
     |South Africa ZAF|New Zealand NZL|South Korea KOR|Egypt EGY|Hungary HUN|Romania ROU|Ukraine UKR|Croatia HRV`,
  ),
];

/** "Female F|Male M" as pairs; the short form is the last word. */
function pairs(text: string): readonly (readonly [string, string])[] {
  return text.split('|').map((entry) => {
    const words = entry.trim();
    const at = words.lastIndexOf(' ');
    return [words.slice(0, at), words.slice(at + 1)] as const;
  });
}

/** New values by old ones. */
export type Spelling = ReadonlyMap<string, string>;

/** A way to write all values of a category otherwise, or null. */
type SpellingRule = (values: readonly string[]) => Spelling | null;

const mapped = (values: readonly string[], change: (value: string) => string): Spelling =>
  new Map(values.map((value) => [value, change(value)]));

const isTitled = (value: string): boolean => /\p{Lu}/u.test(value) && /\p{Ll}/u.test(value);

/** The values by their long or short forms, where one list has them all. */
function byForm(values: readonly string[], from: 0 | 1): Spelling | null {
  for (const forms of FORMS) {
    const known = new Map(forms.map((form) => [form[from], form[1 - from] ?? '']));
    if (values.every((value) => known.has(value))) return mapped(values, (value) => known.get(value) ?? value);
  }
  return null;
}

/** Ways to spell the values of a category, by name. */
const RULES: Readonly<Record<string, SpellingRule>> = {
  'short forms': (values) => byForm(values, 0),
  'long forms': (values) => byForm(values, 1),
  capitals: (values) => (values.every(isTitled) ? mapped(values, (value) => value.toUpperCase()) : null),
  'small letters': (values) => (values.every(isTitled) ? mapped(values, (value) => value.toLowerCase()) : null),
};

/** Other spellings of a category's values, each value another one. */
export function spellingsOf(values: readonly string[]): readonly (readonly [name: string, spelling: Spelling])[] {
  return Object.entries(RULES).flatMap(([name, rule]) => {
    const spelling = rule(values);
    const isOneToOne = spelling !== null && new Set(spelling.values()).size === values.length;
    return isOneToOne ? [[name, spelling] as const] : [];
  });
}

/** Operators for which only being equal counts. */
const EQUALITIES: ReadonlySet<string> = new Set(['=', '==', '<>', '!=', 'IS', 'IS NOT']);

type Found = NameBinding['found'];

function isColumn(found: Found, { table, column }: ColumnRef): boolean {
  const target = found?.target;
  return target?.kind === 'column' && target.source.relation.table === table && target.column.index === column;
}

/** Finds the places where values of one column are in a gold; made for one use. */
class ValueFollower {
  readonly #gold: GoldUse;
  readonly #ref: ColumnRef;
  readonly #dialect: SqlDialect;
  /** New values by what old ones are compared as. */
  readonly #spelled: Spelling;
  readonly #found = new Map<number, Found>();
  readonly #edits: SqlEdit[] = [];

  constructor(gold: GoldUse, ref: ColumnRef, spelling: Spelling, dialect: SqlDialect) {
    this.#gold = gold;
    this.#ref = ref;
    this.#dialect = dialect;
    this.#spelled = new Map(Array.from(spelling, ([before, now]) => [comparedText(before, dialect), now]));
    for (const { token, found } of gold.bound.names) this.#found.set(token.span.start, found);
  }

  run(): string {
    this.results();
    const { names, joins, select } = this.#gold.bound;
    const isMatched = joins.some(({ merges }) =>
      merges.some(({ merge: { left, right } }) => [left, right].some((target) => this.#isOwn(target))),
    );
    if (isMatched) throw new Inexpressible('natural-or-using-join');
    const contexts = valueContexts(select);
    for (const { token, found } of names) {
      this.#checkTerm(found);
      const context = contexts.get(token.span.start);
      if (isColumn(found, this.#ref) && context !== undefined) this.#follow(withoutParentheses(context));
    }
    return applyEdits(this.#gold.sql, sortEdits(this.#edits));
  }

  /** Positions of the result columns that hold values of the column. */
  results(): readonly number[] {
    const { cores, select } = this.#gold.bound;
    const bodies = new Set<unknown>(select.terms.map(({ body }) => body));
    const outer = cores.filter(({ node }) => bodies.has(node));
    if (cores.some((core) => !outer.includes(core) && !core.exists && this.#positions(core).length > 0)) {
      throw new Inexpressible('a-subquery-passes-the-value-on');
    }
    const all = outer.map((core) => this.#positions(core));
    const [first = []] = all;
    const isSame = all.every((positions) => positions.join() === first.join()) && outer.length === bodies.size;
    if (all.some((positions) => positions.length > 0) && !isSame) throw new Inexpressible('united-with-other-values');
    const isOrdered = select.orderBy.some(({ expression }) => unparenthesized(expression).kind === 'literal');
    if (isOrdered && first.length > 0) throw new Inexpressible('order-of-values');
    return first;
  }

  #isOwn(target: NonNullable<Found>['target']): boolean {
    return isColumn({ target, merged: [], coalesced: false, ambiguous: false }, this.#ref);
  }

  #positions({ outputs }: BoundCore): readonly number[] {
    return outputs.flatMap(({ found }: BoundOutput, i) => (isColumn(found, this.#ref) ? [i] : []));
  }

  /** A term that names a result column orders by its values. */
  #checkTerm(found: Found): void {
    const target = found?.target;
    if (target?.kind === 'output') throw new Inexpressible('order-of-values');
    if (target?.kind !== 'alias') return;
    const expression = unparenthesized(target.node.expression);
    const named = expression.kind === 'column' ? this.#found.get(expression.column.span.start) : null;
    if (isColumn(named ?? null, this.#ref)) throw new Inexpressible('order-of-values');
  }

  #follow({ node, around }: ValueContext): void {
    const [parent] = around;
    const part = parent as unknown as Expression | { kind: 'core' | 'result' | 'ordering' } | undefined;
    switch (part?.kind) {
      case 'result':
      case 'null-test':
      case 'core':
        return;
      case 'function':
        if (part.name.name.toLowerCase() !== 'count') throw new Inexpressible('function-of-the-value');
        return;
      case 'binary':
        if (!EQUALITIES.has(part.operator)) throw new Inexpressible('order-of-values');
        this.#compare((part.left as unknown) === node ? part.right : part.left);
        return;
      case 'in':
        if ((part.operand as unknown) !== node || part.source.kind !== 'list') break;
        for (const item of part.source.items) this.#compare(item);
        return;
      default:
    }
    throw new Inexpressible(part?.kind === 'ordering' ? 'order-of-values' : 'another-use-of-the-value');
  }

  /** Follows a value that the column is compared with: another spelling of a value, NULL, or itself. */
  #compare(other: Expression): void {
    const bare = unparenthesized(other);
    const found = bare.kind === 'column' ? this.#found.get(bare.column.span.start) : undefined;
    if (bare.kind === 'column' && isColumn(found ?? null, this.#ref)) return;
    if (bare.kind === 'literal' && bare.type === 'null') return;
    const isText = bare.kind === 'literal' ? bare.type === 'string' : found === null;
    if (!isText) throw new Inexpressible('compared-with-another-value');
    const text = bare.kind === 'literal' ? bare.value : bare.kind === 'column' ? bare.column.name : '';
    const key = comparedText(text, this.#dialect);
    const spelled = this.#spelled.get(key);
    const isTaken = [...this.#spelled.values()].some((now) => comparedText(now, this.#dialect) === key);
    if (spelled === undefined && isTaken) throw new Inexpressible('constant-is-no-value');
    if (spelled === undefined) return;
    this.#edits.push(spacedEdit(this.#gold.sql, bare.span.start, bare.span.end, renderString(spelled)));
  }
}

/** A gold where the values of a column are spelled otherwise, its constants with them; or why it has no form. */
export function followValues(
  gold: GoldUse,
  ref: ColumnRef,
  spelling: Spelling,
  dialect: SqlDialect,
): string | NotApplicable {
  return orReason(() => new ValueFollower(gold, ref, spelling, dialect).run());
}

/**
 * Positions of the result columns of a gold that hold values of a column; it must be one that `followValues` follows.
 */
export function resultsWith(gold: GoldUse, ref: ColumnRef, dialect: SqlDialect): readonly number[] {
  return new ValueFollower(gold, ref, new Map(), dialect).results();
}
