import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCount, formatNoun } from '../../src/counts.js';
import { formatPercent } from '../../src/report/figures.js';
import { escapeHtml, html } from '../../src/report/html.js';

const anyText = fc
  .array(fc.oneof(fc.constantFrom('<', '>', '"', "'", '&', '\u0000', '\ud800', '\udfff', '🦄'), fc.string()))
  .map((parts) => parts.join(''));

describe('html', () => {
  it('escapes values, keeps markup, joins lists, leaves out null and false', () => {
    expect(String(html`<p>${'<b>'}${html`<i>${1}</i>`}${['a', html`<b>x</b>`]}${null}${false}</p>`)).toBe(
      '<p>&lt;b&gt;<i>1</i>a<b>x</b></p>',
    );
  });

  it('leaves nothing in text that could open a tag or close an attribute, and no lone surrogate', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const escaped = escapeHtml(text);
        expect(escaped).not.toMatch(/[<>"']/);
        expect(escaped).not.toContain('\u0000');
        expect(Buffer.from(escaped).toString()).toBe(escaped);
      }),
    );
    expect(escapeHtml('\ud800x')).toBe('\ufffdx');
  });

  it('formats counts and shares', () => {
    expect([0, 999, 1000, 1234567].map(formatCount)).toEqual(['0', '999', '1,000', '1,234,567']);
    const shares = [0, 0.0001, 0.5, 0.999, 0.99999, 1].map(formatPercent);
    expect(shares).toEqual(['0.0%', '0.1%', '50.0%', '99.9%', '99.9%', '100.0%']);
    expect(formatNoun(1, 'table').replace('\u00a0', ' ')).toBe('1 table');
  });
});
