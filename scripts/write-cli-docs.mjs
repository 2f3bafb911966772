// Writes docs/cli.md from the command line's own table of options, so that page and parser can't drift apart:
//   npm run build && npm run docs:cli
// With --check it writes nothing and fails where the page is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { COMMANDS } from '../dist/cli/commands.js';
import { OPTIONS } from '../dist/cli/options.js';

const PAGE = fileURLToPath(new URL('../docs/cli.md', import.meta.url));

const cell = (text) => text.replaceAll('|', '\\|');
/** Text outside of code: `<db_id>` would be taken for a tag. */
const prose = (text) => cell(text).replaceAll('<', '&lt;');

function valuesOf({ choices, default: fallback, repeat, required }) {
  return [
    ...(choices === undefined ? [] : [choices.map((choice) => `\`${choice}\``).join(', ')]),
    ...(fallback === undefined ? [] : [`default \`${fallback}\``]),
    ...(repeat === true ? ['can be given several times'] : []),
    ...(required === true ? ['**required**'] : []),
  ].join('; ');
}

function renderCommand({ name, summary, argument, options, example }) {
  const rows = options.map((option) => {
    const spec = OPTIONS[option];
    return `| \`${cell(spec.flags)}\` | ${prose(spec.description)} | ${valuesOf(spec)} |`;
  });
  const argumentRow = argument === undefined ? [] : [`| \`${argument.name}\` | ${prose(argument.description)} | |`];
  return [
    `## perturbql ${name}`,
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    ['```sh', example, '```'].join('\n'),
    ['| option | what it does | values |', '| --- | --- | --- |', ...argumentRow, ...rows].join('\n'),
  ].join('\n\n');
}

function renderPage() {
  return `${[
    '<!-- Written by `npm run docs:cli` from src/cli/options.ts and commands.ts: change those files, not this one. -->',
    '# Command line',
    'In a checkout, run a command as `npx perturbql …`. Every command also takes `--help`; `perturbql --version` prints the version.',
    ['| command | what it does |', '| --- | --- |', ...COMMANDS.map(renderLine)].join('\n'),
    'Results go to standard output; progress and notes go to standard error.',
    ['| exit code | meaning |', '| --- | --- |', ...EXIT_CODES].join('\n'),
    ...COMMANDS.map(renderCommand),
  ].join('\n\n')}\n`;
}

const EXIT_CODES = [
  '| 0 | done |',
  '| 1 | a fault in perturbql; the message asks you to report it |',
  '| 2 | wrong usage or bad input; the message says what, where, and how to mend it |',
  '| 3 | done, but a check failed: a gold query does not return on its perturbed database what it did on the original, an accuracy is below its limit (`--fail-below`) or a rate above it (`--fail-above`), questions of an attack or of a consistency run are open, a suite does not hold, or a model’s file is not what its manifest says |',
  '| 130 | interrupted by Ctrl+C; the same command resumes |',
];

function renderLine({ name, summary }) {
  return `| [\`${name}\`](#perturbql-${name.replaceAll(' ', '-')}) | ${prose(summary)} |`;
}

const page = renderPage();
if (!process.argv.includes('--check')) writeFileSync(PAGE, page);
else if (readFileSync(PAGE, 'utf8') !== page) {
  process.stderr.write('docs/cli.md is out of date: run npm run docs:cli\n');
  process.exitCode = 1;
}
