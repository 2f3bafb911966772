import { groupBy } from '../../run/group-by.js';
import { compose, type Composition } from './composition.js';
import type { CompositionKind } from '../../formats/artifacts/compositions.js';
import type { CompositionDraft } from './composition-draft.js';
import type { CompositionRule } from './composition-rule.js';
import { refusedBy } from './composition-rules.js';
import type { CompositionalElement } from './element.js';

/** Counts of the pairs of a database's elements and of their refusals, by what was to be done with them. */
export interface ComposeTally {
  /** Drafts looked at. */
  readonly drafts: Record<CompositionKind, number>;
  /** By rule: drafts that it was the first to refuse. */
  readonly refused: Readonly<Record<CompositionKind, Record<string, number>>>;
}

/** A tally in which nothing has been counted. */
export function emptyTally(): ComposeTally {
  return { drafts: { SUB: 0, APP: 0 }, refused: { SUB: {}, APP: {} } };
}

/** Counts a draft that a rule refused. */
export function countRefused({ refused }: ComposeTally, kind: CompositionKind, rule: string): void {
  refused[kind][rule] = (refused[kind][rule] ?? 0) + 1;
}

/**
 * Algorithm 1's pairs: every element with every one of another question that modifies the same noun, substituted and
 * appended.
 */
export function* draftsOf(
  bases: readonly CompositionalElement[],
  elements: readonly CompositionalElement[],
  kinds: readonly CompositionDraft['kind'][] = ['SUB', 'APP'],
): Generator<CompositionDraft> {
  const byNoun = groupBy(elements, ({ noun }) => noun?.key ?? null);
  for (const base of bases) {
    // The rule that refuses by far the most, same-noun, is not asked pair by pair.
    for (const element of base.noun === null ? [] : (byNoun.get(base.noun.key) ?? [])) {
      if (base.source.id === element.source.id) continue;
      if (kinds.includes('SUB')) yield { kind: 'SUB', connective: null, base, element };
      if (!kinds.includes('APP')) continue;
      yield { kind: 'APP', connective: 'and', base, element };
      yield { kind: 'APP', connective: 'or', base, element };
    }
  }
}

/** "dev:17~SUB(dev:20)", "dev:17~AND(dev:20)". */
function compositionId({ kind, connective, base, element }: CompositionDraft): string {
  return `${base.source.id}~${kind === 'SUB' ? 'SUB' : (connective ?? 'and').toUpperCase()}(${element.source.id})`;
}

/** By what questions count as the same: letter case and blanks aside. */
export function questionKey(question: string): string {
  return question.toLowerCase().replace(/\s+/g, ' ');
}

/** Composes what the rules let pass; a question that was made before, or is asked already, is not made again. */
export function* composeDrafts(
  drafts: Iterable<CompositionDraft>,
  rules: readonly CompositionRule[],
  asked: Set<string>,
  tally: ComposeTally,
): Generator<Composition> {
  for (const draft of drafts) {
    tally.drafts[draft.kind]++;
    const rule = refusedBy(draft, rules);
    if (rule !== null) {
      countRefused(tally, draft.kind, rule.id);
      continue;
    }
    const composition = compose(draft, compositionId(draft));
    const key = questionKey(composition.aligned.question);
    if (asked.has(key)) countRefused(tally, draft.kind, 'asked-already');
    else {
      asked.add(key);
      yield composition;
    }
  }
}
