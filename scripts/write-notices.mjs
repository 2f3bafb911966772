// Writes THIRD-PARTY-NOTICES.txt: every package that perturbql holds or that npm installs with it, on any platform, with
// its license. From package-lock.json and node_modules, after `npm ci`: npm run notices. With --check it writes nothing
// and fails where the file is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { licenseTexts, manifestOf } from './license-texts.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FILE = 'THIRD-PARTY-NOTICES.txt';
const HEAD = `Third-party notices of perturbql

Packages that npm installs with perturbql, on one platform or another, and those whose code dist/ holds. Written by
\`npm run notices\` from package-lock.json. The tokenizers' packages are in dist/inference/transformers.licenses.txt.
Licenses of models and data are not repeated here: models/LICENSE, data/word-vectors/LICENSE, docs/data.md.
`;
/** Bundled into the pages: development packages, so the lock file does not name them as ours. */
const BUNDLED = ['node_modules/preact'];
/** Whom packages belong to that say it in no file. */
const HOLDERS = { 'onnxruntime-node': 'Microsoft Corporation', 'onnxruntime-common': 'Microsoft Corporation' };
const RULE = '-'.repeat(80);

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
const nameOf = (path, { name }) => name ?? path.split('node_modules/').at(-1);

/** The MIT license, whose text is that of ours, with another holder. */
function mitText(holder) {
  const ours = readFileSync(join(ROOT, 'LICENSE'), 'utf8').trim();
  return ours.replace(/^Copyright .*$/m, `Copyright (c) ${holder}`);
}

/** Where the license of a package may lie: with it; with the package that it serves on one platform; with its project. */
function foldersOf(path, entry) {
  const name = nameOf(path, entry);
  const served = Object.keys(packages).filter(
    (owner) => owner !== '' && name in (packages[owner].optionalDependencies ?? {}),
  );
  return [path, ...served, `node_modules/${name}`].map((place) => join(ROOT, place));
}

function textOf(path, entry) {
  for (const folder of foldersOf(path, entry)) {
    const texts = licenseTexts(folder);
    if (texts.length > 0) return texts.join('\n\n');
  }
  if (entry.license !== 'MIT') throw new Error(`${path} has no license file: see what it asks for, and name it here`);
  const { author } = manifestOf(join(ROOT, path));
  const holder = HOLDERS[nameOf(path, entry)] ?? (typeof author === 'string' ? author : author?.name);
  if (holder === undefined) throw new Error(`${path} has neither a license file nor an author: name its holder here`);
  return mitText(holder.replace(/ *<.*>/, ''));
}

function render() {
  const shipped = Object.entries(packages).filter(
    ([path, { dev }]) => path !== '' && (dev !== true || BUNDLED.includes(path)),
  );
  const byText = new Map();
  for (const [path, entry] of shipped) {
    const text = textOf(path, entry);
    byText.set(text, [...(byText.get(text) ?? []), `${nameOf(path, entry)} ${entry.version}, ${entry.license}`]);
  }
  const notices = [...byText].map(
    ([text, names]) => `${RULE}\n\n${[...new Set(names)].sort().join('\n')}\n\n${text}\n`,
  );
  return [HEAD, ...notices].join('\n');
}

const text = render();
if (!process.argv.includes('--check')) writeFileSync(join(ROOT, FILE), text);
else if (readFileSync(join(ROOT, FILE), 'utf8') !== text) {
  console.error(`${FILE} is out of date: npm run notices`);
  process.exitCode = 1;
}
