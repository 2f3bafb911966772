import { describe, expect, it } from 'vitest';
import { renderGuidelines } from '../../../src/annotate/guidelines/guidelines.js';
import { renderSplitGuidelines } from '../../../src/annotate/guidelines/split-guidelines.js';
import { ADD_EXAMPLES, REPLACE_EXAMPLES } from '../../../src/annotate/guidelines/guidelines.js';
import { columnNameKey } from '../../../src/schema/name-identity.js';
import { escapeHtml } from '../../../src/report/html.js';

const page = renderGuidelines();
const PAGES = [
  ['names', page],
  ['questions', renderSplitGuidelines()],
] as const;

describe('the guidelines', () => {
  it.each(PAGES)('for %s hold nothing that the page’s policy would stop', (_, text) => {
    expect(text).not.toMatch(/<script|<style|<img|<iframe|\sstyle=|\son\w+=|javascript:|href=|src=/i);
  });

  it.each(PAGES)('for %s are well nested', (_, text) => {
    const open: string[] = [];
    for (const [, close, tag] of text.matchAll(/<(\/?)([a-z]+\d?)[^>]*>/g)) {
      if (close === '') open.push(tag!);
      else expect(open.pop()).toBe(tag);
    }
    expect(open).toEqual([]);
  });

  it('say how many names ADD takes', () => {
    expect(page).toContain('<strong>3 to 5</strong>');
  });

  it('show each worked name with its verdict in words', () => {
    for (const { names } of [...REPLACE_EXAMPLES, ...ADD_EXAMPLES])
      for (const { name, take, why } of names) {
        const row = page.slice(page.indexOf(`<th scope="row">${name}</th>`));
        expect(row.slice(0, row.indexOf('</tr>'))).toContain(take ? '>take<' : '>leave<');
        expect(row.slice(0, row.indexOf('</tr>'))).toContain(escapeHtml(why));
      }
  });
});

describe('the worked examples', () => {
  it.each([...REPLACE_EXAMPLES, ...ADD_EXAMPLES])(
    'of $column show both verdicts about names of no column',
    (example) => {
      const { column, columns, names } = example;
      expect(columns).toContain(column);
      expect(new Set(names.map(({ take }) => take)).size).toBe(2);
      const keys = columns.map(columnNameKey);
      for (const { name } of names) expect(keys).not.toContain(columnNameKey(name));
    },
  );

  it('of ADD take as many as annotators are asked for', () => {
    for (const { names } of ADD_EXAMPLES) {
      const taken = names.filter(({ take }) => take).length;
      expect(taken).toBeGreaterThanOrEqual(3);
      expect(taken).toBeLessThanOrEqual(5);
    }
  });
});
