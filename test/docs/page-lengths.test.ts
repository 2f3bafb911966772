import { describe, expect, it } from 'vitest';
import { PAGES, shownWords } from './markdown-pages.js';

/** Pages that are looked things up in, or are generated. */
const LONG = ['docs/cli.md', 'docs/settings.md', 'docs/figures.md'];
const GENERATED = ['docs/cli.md', 'docs/figures.md'];
const DOCS = PAGES.filter((page) => page.startsWith('docs/'));

describe('what a reader has to read', () => {
  it('is at most 900 words in README.md', () => {
    expect(shownWords('README.md')).toBeLessThanOrEqual(900);
  });

  it.each(DOCS.filter((page) => !LONG.includes(page)))('is at most 1,500 words in %s', (page) => {
    expect(shownWords(page)).toBeLessThanOrEqual(1500);
  });

  it('is under 45,000 words in docs/, without generated pages and notes', () => {
    const words = DOCS.filter((page) => !GENERATED.includes(page)).map(shownWords);
    expect(words.reduce((sum, count) => sum + count, 0)).toBeLessThan(45_000);
  });
});
