// Writes docs/cli.md and docs/perturbql.config.schema.json from the commands' own objects, so that page, schema and parser
// can't drift apart:
//   npm run build && npm run docs:cli
// With --check it writes nothing and fails where one of them is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { COMMANDS } from '../dist/cli/commands.js';
import { configSchema } from '../dist/cli/config-schema.js';
import { GLOBAL_OPTIONS } from '../dist/cli/global-options.js';
import { groupOptions, optionsOf } from '../dist/options/option-field.js';

const docs = (name) => fileURLToPath(new URL(`../docs/${name}`, import.meta.url));

const cell = (text) => text.replaceAll('|', '\\|');
/** Text outside of code: `<db_id>` would be taken for a tag. */
const prose = (text) => cell(text).replaceAll('<', '&lt;');

function valuesOf({ choices, default: fallback, isRepeated, isRequired }) {
  return [
    ...(choices === undefined ? [] : [choices.map((choice) => `\`${choice}\``).join(', ')]),
    ...(fallback === undefined ? [] : [`default \`${fallback}\``]),
    ...(isRepeated ? ['can be given several times'] : []),
    ...(isRequired ? ['**required**'] : []),
  ].join('; ');
}

function renderTable(options, argument) {
  const rows = options.map(
    (option) => `| \`${cell(option.flags)}\` | ${prose(option.description)} | ${valuesOf(option)} |`,
  );
  const argumentRow = argument === undefined ? [] : [`| \`${argument.name}\` | ${prose(argument.description)} | |`];
  return ['| option | what it does | values |', '| --- | --- | --- |', ...argumentRow, ...rows].join('\n');
}

/** A table for each heading of the help. */
function renderOptions(options, argument) {
  const [first, ...others] = groupOptions(options);
  const own = first?.heading === null ? first.options : [];
  const headed = own.length === 0 && first !== undefined ? [first, ...others] : others;
  return [
    ...(own.length === 0 && argument === undefined ? [] : [renderTable(own, argument)]),
    ...headed.map((group) => `**${group.heading}**\n\n${renderTable(group.options)}`),
  ].join('\n\n');
}

function renderCommand({ name, summary, argument, options, example }) {
  return [
    `## perturbql ${name}`,
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    ['```sh', example, '```'].join('\n'),
    ...(options.length === 0 && argument === undefined ? [] : [renderOptions(options, argument)]),
  ].join('\n\n');
}

function renderPage(commands) {
  return `${[
    '<!-- Written by `npm run docs:cli` from the commands in src/cli: change those files, not this one. -->',
    '# Command line',
    'In a checkout, run a command as `npx perturbql …`. Every command also takes `--help`, which leaves advanced options out, and `--help-all`, which lists all that are here; `perturbql --version` prints the version.',
    ['| command | what it does |', '| --- | --- |', ...commands.map(renderLine)].join('\n'),
    'Results go to standard output; progress and notes go to standard error.',
    ['| exit code | meaning |', '| --- | --- |', ...EXIT_CODES].join('\n'),
    '## Options of every command',
    renderOptions(optionsOf(GLOBAL_OPTIONS)),
    'With `--progress json`, each line of standard error is one object: `{"event": "progress", "step", "done", "total", "rate", "secondsLeft", "message"}`, or `{"event": "note", "message"}`; `total`, `rate` and `secondsLeft` are null where they are not known.',
    '## Configuration file',
    CONFIGURATION,
    '## Completion',
    COMPLETION,
    ...commands.map(renderCommand),
  ].join('\n\n')}\n`;
}

const CONFIGURATION = `What is the same for every call goes into \`perturbql.config.json\`, which is read from the folder that a command is run in: options by their names without dashes (\`--api-key-env\` is \`apiKeyEnv\`, \`--no-verify\` is \`"verify": false\`), and [groups of settings](settings.md). Options of the command line win over the file; there, an option that changes nothing in the run at hand is refused, or warned of where it only says how the work is done. If they name a whole data set, schemas and questions, of another format or in another place, the file’s data (\`dataset\`, \`tables\`, \`examples\`, \`databases\`, \`connection\`, \`readings\`, \`gold\`, \`alternativeGolds\`, \`predictions\`, \`train\`) are left out, and a note says that. Commands that continue from a run or a project take its data, not the file’s. Paths are taken from the folder that the command is run in. Every command takes from the file what it knows; [perturbql.config.schema.json](perturbql.config.schema.json) lists all keys.

\`\`\`json
{
  "$schema": "./node_modules/perturbql/docs/perturbql.config.schema.json",
  "dataset": "spider",
  "tables": "examples/tables.json",
  "examples": "examples/dev.json",
  "databases": "examples/database",
  "gold": "examples/gold.sql",
  "timeout": 60,
  "nli": { "rplMin": 0.7 }
}
\`\`\``;

const COMPLETION =
  '`perturbql completion` prints a script that completes commands, options, their choices and file names. Write it to `~/.local/share/bash-completion/completions/perturbql`, to `_perturbql` in a folder of zsh’s `fpath`, or to `~/.config/fish/completions/perturbql.fish`.';

const EXIT_CODES = [
  '| 0 | done |',
  '| 1 | a bug in perturbql; the message asks you to report it |',
  '| 2 | wrong usage or bad input; the message says what, where, and how to fix it |',
  '| 3 | done, but a check failed: a gold query returns something else on its perturbed database than on the original, an accuracy is below its limit (`--fail-below`) or a rate above it (`--fail-above`), questions of an attack or of a consistency run are open, a suite does not hold, or a model’s file is not what its manifest says |',
  '| 130 | interrupted by Ctrl+C or SIGTERM; the same command resumes |',
];

function renderLine({ name, summary }) {
  return `| [\`${name}\`](#perturbql-${name.replaceAll(' ', '-')}) | ${prose(summary)} |`;
}

const commands = await Promise.all(
  COMMANDS.map(async ({ name, summary, load }) => {
    const { argument, options, example } = (await load()).command;
    return { name, summary, argument, example, options: optionsOf(options) };
  }),
);
const written = {
  'cli.md': renderPage(commands),
  'perturbql.config.schema.json': `${JSON.stringify(await configSchema(COMMANDS), null, 2)}\n`,
};
for (const [name, text] of Object.entries(written)) {
  if (!process.argv.includes('--check')) writeFileSync(docs(name), text);
  else if (readFileSync(docs(name), 'utf8') !== text) {
    process.stderr.write(`docs/${name} is out of date: run npm run docs:cli\n`);
    process.exitCode = 1;
  }
}
