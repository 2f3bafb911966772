import { Command as Parser, Help, Option } from 'commander';
import { ConfigError } from '../errors.js';
import type { Command, CommandEntry, Given } from './command.js';
import { GONE_COMMANDS } from './gone.js';
import type { groupOptions, OptionInfo } from '../options/option-field.js';

/** The descriptions of command groups, by name. */
const GROUPS: Readonly<Record<string, string>> = {
  annotate: 'make annotation projects, serve their page, read what came of them',
  index: 'build, inspect and query an index of tables',
  models: 'list, pull, check and choose models',
  suite: 'build, show, check and unpack distilled test suites',
};

/** A command that was loaded, as its action calls it. */
type Action = (command: Command, given: Given) => Promise<void>;

const append = (value: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), value];

const OF_EVERY_COMMAND = 'Options of every command:';

function addOption(parser: Parser, option: OptionInfo, group?: string): void {
  const { flags, description, choices, isRepeated, meta } = option;
  const shown = new Option(flags, description);
  if (choices !== undefined && meta.separator === undefined) shown.choices([...choices]);
  if (option.default !== undefined) shown.default(option.default);
  if (isRepeated) shown.argParser(append);
  if (group !== undefined) shown.helpGroup(group);
  parser.addOption(shown);
  if (meta.alias !== undefined) parser.addOption(new Option(flags.replace(option.long, meta.alias)).hideHelp());
}

/** Returns the values given as flags, by the option's name; an earlier version's flag counts as the option's own. */
function givenFlags(parser: Parser, options: readonly OptionInfo[]): Record<string, unknown> {
  const given = options.flatMap(({ name, flags, long, meta }) => {
    const aliases = meta.alias === undefined ? [] : [flags.replace(long, meta.alias)];
    const keys = [flags, ...aliases].map((one) => new Option(one).attributeName());
    const key = keys.find((one) => parser.getOptionValueSource(one) === 'cli');
    return key === undefined ? [] : [[name, parser.getOptionValue(key) as unknown] as const];
  });
  return Object.fromEntries(given);
}

/** A command with what its parser needs. */
interface Loaded {
  readonly name: string;
  readonly command: Command;
  readonly options: readonly OptionInfo[];
  readonly groups: ReturnType<typeof groupOptions>;
  readonly globals: readonly OptionInfo[];
}

/** zod is loaded with the first command that is. */
async function load(entry: CommandEntry): Promise<Loaded> {
  const [{ command }, { groupOptions, optionsOf }, { GLOBAL_OPTIONS }] = await Promise.all([
    entry.load(),
    import('../options/option-field.js'),
    import('./global-options.js'),
  ]);
  const options = optionsOf(command.options);
  return { name: entry.name, command, options, groups: groupOptions(options), globals: optionsOf(GLOBAL_OPTIONS) };
}

/** `--help`, without advanced options but with their number, and `--help-all`. */
function addHelp(parser: Parser, options: readonly OptionInfo[]): void {
  const advanced = new Set(options.filter(({ meta }) => meta.group === 'Advanced').map(({ long }) => long));
  let isAll = false;
  parser.addHelpOption(new Option('-h, --help', 'show what it does').helpGroup(OF_EVERY_COMMAND));
  parser.addOption(new Option('--help-all', 'show advanced options, too').helpGroup(OF_EVERY_COMMAND));
  parser.on('option:help-all', () => {
    isAll = true;
    parser.help();
  });
  parser.configureHelp({
    // Not `hideHelp`: a misspelled advanced option is still suggested.
    formatHelp(shown, helper) {
      const visible = helper.visibleOptions(shown).filter(({ long }) => isAll || !advanced.has(long ?? ''));
      return Help.prototype.formatHelp.call(helper, shown, Object.assign(helper, { visibleOptions: () => visible }));
    },
  });
  if (advanced.size === 0) return;
  const number = advanced.size === 1 ? '1 advanced option is' : `${advanced.size} advanced options are`;
  parser.addHelpText('after', () => (isAll ? '' : `\n${number} not listed: --help-all shows all.`));
}

function fill(parser: Parser, { name: commandName, command, options, groups, globals }: Loaded, act: Action): void {
  const { argument, example } = command;
  const positional = argument?.name.split(' ') ?? [];
  for (const name of positional) {
    const shown = parser.createArgument(name, argument?.description);
    if (argument?.choices !== undefined) shown.choices(argument.choices);
    parser.addArgument(shown);
  }
  for (const { heading, options: listed } of groups)
    for (const option of listed) addOption(parser, option, heading === null ? undefined : `${heading}:`);
  for (const option of globals) addOption(parser, option, OF_EVERY_COMMAND);
  addHelp(parser, options);
  parser.addHelpText('after', `\nExample:\n  $ ${example}`);
  parser.action(async (...args: unknown[]) => {
    // An argument that may be left out and is, comes as undefined.
    const given = args
      .slice(0, positional.length)
      .flat()
      .filter((arg) => arg !== undefined) as string[];
    await act(command, {
      command: commandName,
      flags: givenFlags(parser, options),
      globals: { ...givenFlags(root(parser), globals), ...givenFlags(parser, globals) },
      args: given,
    });
  });
}

function root(parser: Parser): Parser {
  return parser.parent === null ? parser : root(parser.parent);
}

/** The parser of a command by its words; those above it are made where they are not there. */
function parserOf(program: Parser, name: string, summary: string, hidden = false): Parser {
  const [first = name, second] = name.split(' ');
  if (second === undefined) return program.command(first, { hidden }).summary(summary).description(summary);
  const group = program.commands.find((one) => one.name() === first) ?? addGroup(program, first);
  return group.command(second, { hidden }).summary(summary).description(summary);
}

/** The parsers of a command: by its name, and by that of an earlier version, which help does not show. */
function parsersOf(program: Parser, { name, summary, alias }: CommandEntry): readonly Parser[] {
  const shown = parserOf(program, name, summary);
  return alias === undefined ? [shown] : [shown, parserOf(program, alias, summary, true)];
}

function addGroup(program: Parser, name: string): Parser {
  const parser = program.command(name).summary(`${name} commands`);
  return parser.description(GROUPS[name] ?? `${name} commands`);
}

/** A command of an earlier version, which only says what to do instead. */
function addGone(program: Parser, name: string, fix: string): void {
  const parser = program.command(name, { hidden: true }).helpOption(false).allowUnknownOption().allowExcessArguments();
  parser.action(() => {
    throw new ConfigError(`there is no command ${name} any more`, { fix });
  });
}

/** commander copies settings to a subcommand only when it is made, so they are set for the whole tree at the end. */
function configureTree(parser: Parser): void {
  parser.exitOverride();
  // A command may have commands of its own: what follows their name is theirs.
  parser.enablePositionalOptions();
  parser.configureOutput({ outputError: (text, write) => write(text) });
  parser.showHelpAfterError('(add --help for the options)');
  parser.commands.forEach(configureTree);
}

/**
 * The parser of the command line. Only the commands whose first word is among `words` are loaded with their options,
 * the others are there by name and summary: neither `--help` nor a wrong command loads what it does not show.
 */
export async function buildParser(
  entries: readonly CommandEntry[],
  version: string,
  words: readonly string[],
  act: Action,
): Promise<Parser> {
  const program = new Parser('perturbql')
    .description('Adversarial table perturbation for Text-to-SQL: candidates (CTA), perturbed training sets.')
    .version(version);
  const wanted = words.find((word) => entries.some(({ name }) => name.split(' ')[0] === word));
  for (const entry of entries) {
    const parsers = parsersOf(program, entry);
    if (entry.name.split(' ')[0] !== wanted) continue;
    const loaded = await load(entry);
    for (const parser of parsers) fill(parser, loaded, act);
    // Also before the command's name, once.
    if (program.options.length === 1) for (const option of loaded.globals) addOption(program, option);
  }
  for (const [name, fix] of Object.entries(GONE_COMMANDS)) addGone(program, name, fix);
  configureTree(program);
  return program;
}
