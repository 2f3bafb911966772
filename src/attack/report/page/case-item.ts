import { make } from '../../../report/page/dom.js';
import type { PackedCase, PackedPerturbed } from '../packed-cases.js';
import { type CaseStore, type FoundCase, KINDS, STATUS_NAMES } from './case-store.js';
import { answerView, caseView, linkTo, nameView } from './case-view.js';
import { queryView } from './query-view.js';

/** The variants of one kind among some positions. */
function ofKind(
  one: PackedCase,
  kind: number,
  variants: Iterable<number>,
): readonly (readonly [number, PackedPerturbed])[] {
  return [...variants].flatMap((at) => {
    const variant = one[6][at];
    return variant?.[0] === kind ? [[at, variant] as const] : [];
  });
}

function showVariant(store: CaseStore, body: HTMLElement, one: PackedCase, at: number): void {
  const variant = one[6][at];
  if (variant === undefined) return;
  for (const button of body.querySelectorAll('button')) {
    button.setAttribute('aria-pressed', String(button.dataset.at === String(at)));
  }
  body.lastChild?.replaceWith(caseView(store, one, variant));
}

function chip(
  store: CaseStore,
  one: PackedCase,
  [at, variant]: readonly [number, PackedPerturbed],
  isListed: boolean,
): HTMLButtonElement {
  const status = store.statusOf(one, variant);
  return make(
    'button',
    {
      type: 'button',
      'data-at': at,
      class: `chip ${status || 'none'}${isListed ? '' : ' other'}`,
      title: STATUS_NAMES[status] + (isListed ? '' : ', not among what the filters ask for'),
      'aria-label': `${KINDS[variant[0]] ?? ''}, seed ${variant[1]}, ${STATUS_NAMES[status]}`,
    },
    String(variant[1]),
  );
}

/** A button for each variant, by kind; those outside of what was asked for are dimmed. */
function chipGroups(
  store: CaseStore,
  one: PackedCase,
  listed: readonly number[],
  choose: (at: number, variant: PackedPerturbed) => void,
): readonly HTMLElement[] {
  return KINDS.flatMap((label, kind) => {
    const own = ofKind(one, kind, one[6].keys());
    if (own.length === 0) return [];
    const chips = own.map(([at, variant]) => {
      const button = chip(store, one, [at, variant], listed.includes(at));
      button.addEventListener('click', () => choose(at, variant));
      return button;
    });
    const attributes = { class: `chips ${label.toLowerCase()}`, role: 'group', 'aria-label': `${label} by seed` };
    return [make('div', attributes, make('span', { class: 'keyed' }, label), ...chips)];
  });
}

/** Fills the body of an opened example: a variant that broke first, unless another is wanted. */
export function fillItem(store: CaseStore, body: HTMLElement, { index, variants }: FoundCase, wanted?: number): void {
  const one = store.data.cases[index];
  if (one === undefined) return;
  const gold = store.text(one[4]);
  if (one[6].length === 0) {
    const note = make('p', { class: 'note' }, 'It was not perturbed.');
    const answer = answerView(store, one[5], new Map(), gold).filter((part) => part !== null && part !== false);
    body.replaceChildren(note, queryView(gold, new Map()), ...answer);
    return;
  }
  const groups = chipGroups(store, one, variants, (at, variant) => {
    showVariant(store, body, one, at);
    history.replaceState(null, '', linkTo(store, one, variant));
  });
  body.replaceChildren(make('div', { class: 'choices' }, ...groups), make('div'));
  const isBroken = (at: number): boolean => {
    const variant = one[6][at];
    return variant !== undefined && store.statusOf(one, variant) === 'broken';
  };
  showVariant(store, body, one, wanted ?? variants.find(isBroken) ?? variants[0] ?? 0);
}

/** A square for each variant that fits, colored by what became of it. */
function squares(store: CaseStore, one: PackedCase, variants: readonly number[]): readonly HTMLElement[] {
  return KINDS.flatMap((label, kind) => {
    const statuses = ofKind(one, kind, variants).map(([, variant]) => store.statusOf(one, variant));
    if (statuses.length === 0) return [];
    const words = [...new Set(statuses)].map(
      (status) => `${statuses.filter((other) => other === status).length} ${STATUS_NAMES[status]}`,
    );
    const said = `${label}: ${words.join(', ')}`;
    const marks = statuses.map((status) => make('i', { class: status || 'none' }));
    return [make('span', { class: 'squares', role: 'img', 'aria-label': said, title: said }, label, ...marks)];
  });
}

/** An example of the list, folded; its cases are built once it is opened. */
export function caseItem(store: CaseStore, found: FoundCase): HTMLElement {
  const one = store.data.cases[found.index];
  if (one === undefined) return make('li');
  const [id, db, question, hardness] = one;
  const meta = make('span', { class: 'meta' }, nameView(store.text(db)), ' · ', nameView(store.text(id)));
  if (store.text(hardness) !== '') meta.append(` · ${store.text(hardness)}`);
  const body = make('div', { class: 'inside' });
  const summary = make(
    'summary',
    {},
    make('span', { class: 'question' }, store.text(question)),
    make('span', { class: 'line' }, meta, ...squares(store, one, found.variants)),
  );
  const details = make('details', { 'data-index': found.index }, summary, body);
  details.addEventListener('toggle', () => {
    if (details.open && body.childNodes.length === 0) fillItem(store, body, found);
  });
  return make('li', {}, details);
}
