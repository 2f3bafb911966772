import { type Child, make } from '../../../report/page/dom.js';
import type { PackedCase, PackedChange, PackedPerturbed } from '../packed-cases.js';
import { type CaseStore, KINDS, STATUS_NAMES } from './case-store.js';
import { bareName, type Mark, type Marks, queryView, tokensOf } from './query-view.js';

/** Before and after the tables were perturbed. */
type Sides<T> = readonly [before: T, after: T];

/** A name from the data. */
export function nameView(value: string): HTMLElement {
  return value.trim() === '' ? make('i', {}, '(empty)') : make('bdi', {}, value);
}

/** The address of a case in its page. */
export function linkTo(store: CaseStore, one: PackedCase, variant: PackedPerturbed): string {
  return `#case=${encodeURIComponent(store.text(one[0]))}/${KINDS[variant[0]] ?? ''}/${variant[1]}`;
}

function tag(label: string, className: string): HTMLElement {
  return make('span', { class: `verdict ${className}` }, label);
}

function verdictView(metric: string, outcome: string | null): HTMLElement | null {
  if (outcome === null) return null;
  return outcome === 'correct' ? tag(`✓ ${metric}`, 'good') : tag(`✗ ${metric}: ${outcome}`, 'bad');
}

/** An answer with its verdicts; one that is wrong has what differs from the gold underlined. */
export function answerView(store: CaseStore, answer: PackedCase[5], marks: Marks, gold: string): readonly Child[] {
  const { failures, metrics } = store.data;
  const [predicted, failure, , , ...cleaned] = answer;
  const isWrong = store.outcomeOf(answer) !== 'correct';
  return [
    predicted < 0
      ? make('p', { class: 'none' }, `No answer: ${failures[failure] ?? 'none was given'}.`)
      : queryView(store.text(predicted), marks, isWrong ? gold : null),
    make('p', { class: 'verdicts' }, ...metrics.map((metric) => verdictView(metric, store.outcomeOf(answer, metric)))),
    cleaned.length > 0 &&
      make('p', { class: 'sub' }, `Cleaned away: ${cleaned.map((at) => store.text(at)).join(', ')}`),
  ];
}

function columnViews(name: string, own: readonly string[], kind: number): Sides<readonly HTMLElement[]> {
  const [renamed] = own;
  if (kind !== 0) {
    const added = own.map((after) => make('mark', { class: 'add' }, '+ ', nameView(after)));
    return [[nameView(name)], [nameView(name), ...added]];
  }
  if (renamed === undefined) return [[nameView(name)], [nameView(name)]];
  const marked = (text: string): HTMLElement => make('mark', { class: 'rpl' }, nameView(text));
  return [[marked(name)], [marked(renamed)]];
}

function tableViews(
  store: CaseStore,
  one: PackedCase,
  table: number,
  changes: readonly PackedChange[],
  kind: number,
): Sides<HTMLElement> {
  const own = changes.filter((change) => change[0] === table);
  const known = store.data.tables.find(([db, name]) => db === one[1] && name === table);
  const columns = known?.[2] ?? [...new Set(own.map(([, , , before]) => before))];
  const isOf = (column: number, [, , , before]: PackedChange): boolean =>
    store.text(before).toLowerCase() === store.text(column).toLowerCase();
  const views = columns.map((column) => {
    const names = own.filter((change) => isOf(column, change)).map(([, , , , after]) => store.text(after));
    return columnViews(store.text(column), names, kind);
  });
  const line = (names: readonly HTMLElement[]): HTMLElement =>
    make(
      'p',
      { class: 'table' },
      make('span', { class: 'dot' }, nameView(store.text(table)), ': '),
      ...names.flatMap((name, i) => (i === 0 ? [name] : [' · ', name])),
    );
  return [line(views.flatMap(([before]) => before)), line(views.flatMap(([, after]) => after))];
}

/** What is marked in queries on the original tables and on the perturbed ones. */
function marksOf(store: CaseStore, variant: PackedPerturbed, changes: readonly PackedChange[]): Sides<Marks> {
  const [left, right] = [new Map<string, Mark>(), new Map<string, Mark>()];
  for (const [, , , before, after] of changes) {
    const [old, name] = [store.text(before), store.text(after)];
    if (variant[0] === 0) {
      left.set(bareName(old), { class: 'rpl', title: `renamed to ${name}` });
      if (!right.has(bareName(old))) right.set(bareName(old), { class: 'stale', title: `the old name of ${name}` });
      right.set(bareName(name), { class: 'rpl', title: `was ${old}` });
    } else right.set(bareName(name), { class: 'add', title: 'an added column' });
  }
  // A table other than the changed one may still have a column of the old name; only its gold can tell.
  for (const name of tokensOf(store.text(variant[2])).map(bareName)) {
    if (right.get(name)?.class === 'stale') right.delete(name);
  }
  return [left, right];
}

function row(label: string, [left, right]: Sides<readonly Child[]>): HTMLElement {
  const side = (className: string, content: readonly Child[]): HTMLElement =>
    make('div', { class: className }, make('p', { class: 'label' }, label), ...content);
  return make('div', { class: 'pair' }, side('before', left), side('after', right));
}

function headRow(store: CaseStore, one: PackedCase, variant: PackedPerturbed): HTMLElement {
  const status = store.statusOf(one, variant);
  const kind = make('span', { class: 'keyed' }, KINDS[variant[0]] ?? '');
  return make(
    'div',
    { class: 'pair heads' },
    make('h4', { class: 'before' }, 'Original tables'),
    make(
      'h4',
      { class: 'after' },
      make('span', {}, kind, `, seed ${variant[1]}`),
      tag(STATUS_NAMES[status], status || 'none'),
    ),
  );
}

function changesLine(store: CaseStore, variant: PackedPerturbed, changes: readonly PackedChange[]): string {
  const [kind, , , questions] = variant;
  const said = changes.map(([table, column, candidate]) => {
    const [of, name, to] = [table, column, candidate].map((at) => store.text(at));
    return `${of} . ${name}${kind === 0 ? ' → ' : ' + '}${to}`;
  });
  return `${said.join('; ')}${questions > 1 ? `; ${questions} questions were asked to find it` : ''} `;
}

/** A case on its original and on perturbed tables, next to each other. */
export function caseView(store: CaseStore, one: PackedCase, variant: PackedPerturbed): HTMLElement {
  const [kind, , goldAt, , , answer] = variant;
  const [goldBefore, gold] = [store.text(one[4]), store.text(goldAt)];
  const changes = store.changesOf(variant);
  const [left, right] = marksOf(store, variant, changes);
  const tables = [...new Set(changes.map(([table]) => table))].map((table) =>
    tableViews(store, one, table, changes, kind),
  );
  return make(
    'div',
    { class: `comparison ${(KINDS[kind] ?? '').toLowerCase()}` },
    headRow(store, one, variant),
    row('Tables', [tables.map(([before]) => before), tables.map(([, after]) => after)]),
    row('Gold SQL', [[queryView(goldBefore, left)], [queryView(gold, right)]]),
    row('Answer', [answerView(store, one[5], left, goldBefore), answerView(store, answer, right, gold)]),
    make(
      'p',
      { class: 'meta' },
      changesLine(store, variant, changes),
      make('a', { href: linkTo(store, one, variant) }, 'Link to this case'),
    ),
  );
}
