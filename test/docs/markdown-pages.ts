import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the project. */
export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** Pages in a folder and those below it, by path within the project. */
export function pagesBelow(folder: string): readonly string[] {
  return readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .map((name) => join(folder, name));
}

/** The pages written for people, by path within the project. */
export const PAGES: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...['examples', 'models', 'scripts', 'training'].map((folder) => `${folder}/README.md`),
  ...['docs', 'docs/guides', 'site/pages'].flatMap((folder) =>
    readdirSync(join(PROJECT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];

export function readPage(page: string): string {
  return readFileSync(join(PROJECT, page), 'utf8');
}

/** Contents of a page's fenced blocks of one language. */
export function codeBlocks(page: string, language: string): readonly string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm');
  return [...readPage(page).matchAll(fence)].map(([, block]) => block!);
}

/** Cells of a page's table rows, trimmed; heads and rulers included. */
export function tableRows(page: string): readonly (readonly string[])[] {
  return readPage(page)
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, line.lastIndexOf('|'))
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    );
}

/** What is in backticks at the beginning of a cell; null where nothing does. */
export function codeOf(cell: string): string | null {
  return /^`([^`]+)`/.exec(cell)?.[1] ?? null;
}

/** How many words a reader of a rendered page sees, code included: no comments, addresses, pictures and markup. */
export function shownWords(page: string): number {
  const text = readPage(page)
    .replaceAll(/<!--[^]*?-->|!\[[^\]]*\]\([^)]*\)|^```.*$/gm, '')
    .replaceAll(/\]\([^)]*\)/g, ']');
  return text.split(/[\s|]+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
