// Writes docs/figures.md from docs/figures/*.json, and puts figures into marked places of the pages, so that text and
// measurement can't drift apart: npm run docs:figures. A place is
//   <!-- figure:metrics.exact.ratio -->2.7<!-- /figure -->     file, row and column of a figure
// With --check it writes nothing and fails where a page is out of date.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = `${ROOT}docs/figures`;
const PAGE = 'docs/figures.md';
const PLACE = /(<!-- figure:([\w-]+)\.([\w-]+)\.([\w-]+) -->)(.*?)(<!-- \/figure -->)/g;

/** The tables by id, those of measured figures first. */
function loadTables() {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
  return new Map(
    files.sort().map((name) => [name.slice(0, -5), JSON.parse(readFileSync(`${FOLDER}/${name}`, 'utf8'))]),
  );
}

/** A cell as the docs show it: numbers with separators and all the decimals of their column. */
function shown(cell, { decimals }) {
  if (typeof cell !== 'number') return cell ?? '';
  const digits = decimals ?? Math.max(0, (String(cell).split('.')[1] ?? '').length);
  return cell.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function renderMade({ date, machine, command, revision, carried, reason }) {
  const { cores, cpu, node, load } = machine;
  const other = load === undefined ? '' : `, load ${load} at the end`;
  const where = `${cores} cores (${cpu}), Node ${node}${other}`;
  const made = `${date}, ${where}, \`${command}\`, revision ${revision}.`;
  return carried === true ? `**Carried over** from ${made} ${reason}` : `${made}`;
}

function renderTable(table) {
  const { title, about, columns, rows } = table;
  const keys = Object.keys(columns);
  const isNumeric = (key) => Object.values(rows).every((row) => typeof (row[key] ?? 0) === 'number');
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const body = Object.values(rows).map((row) => line(keys.map((key) => shown(row[key], columns[key]))));
  const head = [line(keys.map((key) => columns[key].head)), line(keys.map((key) => (isNumeric(key) ? '---:' : '---')))];
  return [`## ${title}`, about, [...head, ...body].join('\n'), renderMade(table)].join('\n\n');
}

function renderPage(tables) {
  const carried = [...tables.values()].filter((table) => table.carried === true).length;
  return `${[
    '<!-- Written by `npm run docs:figures` from docs/figures/*.json, which the benches write: change neither by hand. -->',
    '# Figures',
    'Each table is what one run of a bench or command found, with the day, the machine, and the git revision of the code. A bench writes its file ' +
      'in `docs/figures/` when it ends; `npm run docs:figures` then writes this page and the figures that other pages quote, and a test fails where they differ. ' +
      `Carried over (${carried} of ${tables.size}) are figures of an earlier measurement that this page has not repeated yet, with the reason. ` +
      'How time and memory are measured: [performance.md](performance.md).',
    ...[...tables.values()].map(renderTable),
  ].join('\n\n')}\n`;
}

/** A page with each marked place filled. */
function filled(page, text, tables) {
  return text.replace(PLACE, (_, open, id, row, column, __, close) => {
    const table = tables.get(id);
    const cell = table?.rows[row]?.[column];
    if (cell === undefined || cell === null) throw new Error(`${page}: there is no figure ${id}.${row}.${column}`);
    return `${open}${shown(cell, table.columns[column])}${close}`;
  });
}

const tables = loadTables();
const pages = [
  'README.md',
  ...readdirSync(`${ROOT}docs`).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];
const written = new Map(
  pages.map((page) => [page, page === PAGE ? '' : filled(page, readFileSync(ROOT + page, 'utf8'), tables)]),
);
written.set(PAGE, renderPage(tables));
for (const [page, text] of written) {
  const isNew = page === PAGE && !pages.includes(PAGE);
  if (!isNew && readFileSync(ROOT + page, 'utf8') === text) continue;
  if (process.argv.includes('--check')) {
    process.stderr.write(`${page} is out of date: run npm run docs:figures\n`);
    process.exitCode = 1;
  } else writeFileSync(ROOT + page, text);
}
