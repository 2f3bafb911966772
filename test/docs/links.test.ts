import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { slugOf } from '../../site/slug.mjs';
import { PAGES, pagesBelow, PROJECT, readPage } from './markdown-pages.js';

/** Folders with pages that are not among those written for people alone. */
const MORE_FOLDERS = ['data', 'docs', 'python', 'training'];

const LINKED = [...new Set([...PAGES, ...MORE_FOLDERS.flatMap(pagesBelow)])];

interface Link {
  readonly text: string;
  readonly address: string;
  /** Where it is in the page. */
  readonly offset: number;
}

/** Prose alone, at its places: what is in code is no heading and no link. */
function proseOf(page: string): string {
  return readPage(page).replace(/^( *)(`{3,})[^]*?^\1\2/gm, (block) => block.replace(/[^\n]/g, ' '));
}

function linksOf(page: string): readonly Link[] {
  const links = [...proseOf(page).matchAll(/\[([^\]]*)\]\(<?([^)\s>]+)>?[^)]*\)/g)];
  return links
    .map(({ 1: text, 2: address, index }) => ({ text: text!, address: address!, offset: index }))
    .filter(({ address }) => !/^[a-z]+:/.test(address));
}

/** Where each anchor of a page's headings is, as GitHub makes them: a title that comes again gets a number. */
function anchorsOf(page: string): ReadonlyMap<string, number> {
  const anchors = new Map<string, number>();
  const seen = new Map<string, number>();
  for (const { 1: title, index } of proseOf(page).matchAll(/^#+ (.*)$/gm)) {
    const slug = slugOf(title!.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    anchors.set(times === 0 ? slug : `${slug}-${times}`, index);
  }
  return anchors;
}

/** The page that a link leads to, and the anchor there. */
function targetOf(page: string, { address }: Link): { readonly file: string; readonly anchor: string | undefined } {
  const [path = '', anchor] = address.split('#');
  return { file: path === '' ? page : join(dirname(page), path), anchor };
}

/** Beginnings of words, which words of one kin share. */
function stemsOf(text: string): ReadonlySet<string> {
  return new Set([...text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => word.slice(0, 4)));
}

/** What a link to a whole page may be called after: its title and its name. */
function namesOf(page: string): ReadonlySet<string> {
  const [, title = ''] = /^# (.*)$/m.exec(proseOf(page)) ?? [];
  // The index of all pages is called after what it lists; a link that says "index" means that of tables.
  return stemsOf(page === 'docs/index.md' ? 'all pages' : `${title} ${basename(page, '.md')} ${dirname(page)}`);
}

describe.each(LINKED)('%s', (page) => {
  const links = linksOf(page);

  it('links to what is there', () => {
    const broken = links.filter((link) => {
      const { file, anchor } = targetOf(page, link);
      if (!existsSync(join(PROJECT, file))) return true;
      return anchor !== undefined && !(file.endsWith('.md') && anchorsOf(file).has(anchor));
    });
    expect(broken.map(({ address }) => address)).toEqual([]);
  });

  it('calls whole pages by their names, and says above and below of what is there', () => {
    const misnamed = links.filter((link) => {
      const { text } = link;
      const { file, anchor } = targetOf(page, link);
      const place = file === page ? anchorsOf(page).get(anchor ?? '') : undefined;
      if (/^(above|below)$/.test(text)) return place === undefined || place < link.offset !== (text === 'above');
      if (anchor !== undefined || !/(?:^|\/)docs\/[\w-]+\.md$/.test(file)) return false;
      const names = namesOf(file);
      return ![...stemsOf(text)].some((stem) => names.has(stem));
    });
    expect(misnamed.map(({ text, address }) => `[${text}](${address})`)).toEqual([]);
  });
});
