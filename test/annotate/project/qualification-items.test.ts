import { describe, expect, it } from 'vitest';
import { MAX_ADD, MIN_ADD } from '../../../src/annotate/project/project-content.js';
import { QUALIFICATION_ITEMS } from '../../../src/annotate/project/qualification-items.js';
import { spacedName } from '../../../src/schema/name-identity.js';

describe('the known items', () => {
  it('are eight at least, of both kinds, each with an id of its own', () => {
    expect(QUALIFICATION_ITEMS.length).toBeGreaterThanOrEqual(8);
    expect(new Set(QUALIFICATION_ITEMS.map(({ item }) => item.id)).size).toBe(QUALIFICATION_ITEMS.length);
    for (const kind of ['RPL', 'ADD'])
      expect(QUALIFICATION_ITEMS.filter(({ item }) => item.kind === kind).length).toBeGreaterThanOrEqual(4);
  });

  it.each(QUALIFICATION_ITEMS.map((each) => [each.item.id, each] as const))('%s can be answered', (_, each) => {
    const { item, context, known, why } = each;
    const names = item.candidates.map(({ name }) => name);
    expect(new Set(names.map(spacedName)).size).toBe(names.length);
    expect(context.columns.map(({ name }) => name)).toContain(item.column);
    expect(context.rows.every((row) => row.length === context.columns.length)).toBe(true);
    expect(context.questions[0]!.query).toContain(item.columnOriginal);
    expect(known.length).toBeGreaterThan(0);
    expect(known.length).toBeLessThan(names.length);
    expect(why.length).toBeGreaterThan(40);
    // ADVETA §3.1: three to five of an ADD list.
    if (item.kind === 'ADD') expect([known.length >= MIN_ADD, known.length <= MAX_ADD]).toEqual([true, true]);
  });

  it('does not show by the list’s order which names to take', () => {
    const firsts = QUALIFICATION_ITEMS.filter(({ item, known }) => known.includes(item.candidates[0]!.name));
    expect(firsts.length).toBeLessThan(QUALIFICATION_ITEMS.length);
  });
});
