// Builds the site into build/site/dist: pages, search, playground, reports, Markdown twins and llms.txt. Needs a build.
//   npm run site
// SITE_FOLDER puts it elsewhere; SITE_BASE is the path that it will be served from, / unless set.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { build } from 'vitepress';
import { assemblePages } from './assemble-pages.mjs';
import { bundlePlayground } from './bundle-playground.mjs';
import { findLinkFaults } from './check-links.mjs';
import { makeReports } from './make-reports.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const base = (process.env.SITE_BASE ??= '/');
const folder = (process.env.SITE_FOLDER ??= join(ROOT, 'build/site'));

/** Each page as Markdown next to it, and a list of them for language models (llmstxt.org). */
function writeTwins(pages, target) {
  for (const { place, text } of pages) {
    const file = join(target, place);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text.replace(/^---\n[\s\S]*?\n---\n+|^<script[\s\S]*?<\/script>\n+/gm, ''));
  }
  const lineOf = ({ place, title, summary }) => `- [${title}](${base}${place}): ${summary}`;
  const isOptional = ({ place }) => place.startsWith('repository/');
  const [main, optional] = [pages.filter((page) => !isOptional(page)), pages.filter(isOptional)];
  const { summary } = pages.find(({ place }) => place === 'index.md');
  const parts = [
    '# perturbql',
    `> ${summary}`,
    '## Pages',
    main.map(lineOf).join('\n'),
    '## Optional',
    optional.map(lineOf).join('\n'),
  ];
  writeFileSync(join(target, 'llms.txt'), `${parts.join('\n\n')}\n`);
}

rmSync(folder, { recursive: true, force: true });
const pages = assemblePages(folder);
makeReports(join(folder, 'pages/public/reports'));
await bundlePlayground(join(folder, 'pages/public/playground'));
await build(join(ROOT, 'site'));
writeTwins(pages, join(folder, 'dist'));
const faults = findLinkFaults(join(folder, 'dist'), base);
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
