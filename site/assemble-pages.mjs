// Puts the site's pages together: those below docs/ and site/pages/, and all that they link to. Links follow.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LISTED = 'docs/index.md';
const LINK = /(?<=\]\()([^)\s]+)(?=\))/g;
const isOutside = (link) => /^[a-z]+:/i.test(link);

const pagesOf = (folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

/** Where a page of the repository is on the site. */
function placeOf(page) {
  const [, own] = /^(?:docs|site\/pages)\/(.*)$/.exec(page) ?? [];
  return own ?? `repository/${page.toLowerCase().replace('/readme.md', '.md')}`;
}

/** Runs of a page that are no fenced code, changed. */
function outsideCode(text, change) {
  return text
    .split(/(^```[\s\S]*?^```)/m)
    .map((part, i) => (i % 2 === 0 ? change(part) : part))
    .join('');
}

/** The file of the repository that a link leads to; null for other hosts and places on the page itself. */
function targetOf(page, link) {
  const [path, anchor] = link.split('#');
  if (isOutside(link) || path === '' || path.startsWith('/')) return null;
  const file = normalize(join(dirname(page), path)).replace(/\/$/, '');
  const isFolder = statSync(join(ROOT, file), { throwIfNoEntry: false })?.isDirectory() === true;
  const ofFolder = existsSync(join(ROOT, file, 'README.md')) ? `${file}/README.md` : LISTED;
  return { file: isFolder ? ofFolder : file, anchor: anchor === undefined ? '' : `#${anchor}` };
}

class Pages {
  /** Texts by the page's path in the repository. */
  texts = new Map();
  /** Other files that pages link to: pictures, licenses, scripts. */
  files = new Set();

  add(page) {
    if (this.texts.has(page)) return;
    this.texts.set(page, '');
    const text = readFileSync(join(ROOT, page), 'utf8').replace(/<!--[\s\S]*?-->/g, '');
    this.texts.set(
      page,
      outsideCode(text, (part) => part.replace(LINK, (link) => this.#follow(page, link))).trimStart(),
    );
  }

  #follow(page, link) {
    const target = targetOf(page, link);
    if (target === null) return link;
    const { file, anchor } = target;
    if (!existsSync(join(ROOT, file))) throw new Error(`${page} links to ${link}, which is not there`);
    if (extname(file) !== '.md') {
      this.files.add(file);
      return `/${publicPlace(file)}`;
    }
    this.add(file);
    const path = relative(dirname(placeOf(page)), placeOf(file));
    return `${path.startsWith('.') ? path : `./${path}`}${anchor}`;
  }
}

/** Pictures keep their ending; texts get one that every server sends as text. */
function publicPlace(file) {
  return /\.(?:png|svg|json)$/.test(file) ? `files/${file}` : `files/${file}.txt`;
}

const titleOf = (text) => /^# (.*)$/m.exec(text)?.[1].replaceAll('`', '') ?? '';

/** The sidebar, from the tables of docs/index.md: a group each for guides, what can be tried, and every row. */
function sidebarOf(pages) {
  const [, guides, reference] = pages.texts.get(LISTED).split(/^## .*$/m);
  const itemsOf = (text) =>
    [...text.matchAll(/\[([^\]]+)\]\(\.\/([^)#]+)\.md\)/g)].map(([, label, path]) => ({
      text: label,
      link: `/${path}`,
    }));
  const rows = [...reference.matchAll(/^\| (?!to do|---)(.*?) \|(.*)\|$/gm)];
  return [
    { text: 'Guides', items: itemsOf(guides) },
    {
      text: 'Try',
      items: ['playground', 'reports'].map((page) => ({
        text: titleOf(pages.texts.get(`site/pages/${page}.md`)),
        link: `/${page}`,
      })),
    },
    ...rows.map(([, task, links]) => ({
      text: task.charAt(0).toUpperCase() + task.slice(1),
      items: itemsOf(links),
    })),
  ];
}

/** The first sentence that says something. */
function summaryOf(text) {
  const paragraph = text
    .replace(/^---[\s\S]*?^---$|^<script[\s\S]*?<\/script>$/gm, '')
    .split(/\n{2,}/)
    .find((part) => /^[\p{L}`[*]/u.test(part.trim()));
  const plain = (paragraph ?? '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
  return /^.*?[.:](?= |$)/.exec(plain)?.[0] ?? plain;
}

/** Writes pages and the files they link to below a folder; returns the pages: place, title, summary, text. */
export function assemblePages(folder) {
  const pages = new Pages();
  for (const page of ['docs', 'docs/api', 'docs/guides', 'site/pages'].flatMap(pagesOf)) pages.add(page);
  const all = [...pages.texts].map(([page, text]) => ({
    place: placeOf(page),
    title: titleOf(text),
    summary: summaryOf(text),
    text,
  }));
  for (const { place, text } of all) {
    const file = join(folder, 'pages', place);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  for (const file of pages.files) cpSync(join(ROOT, file), join(folder, 'pages/public', publicPlace(file)));
  writeFileSync(join(folder, 'pages.json'), JSON.stringify({ sidebar: sidebarOf(pages) }));
  return all;
}
