import type { CommandEntry } from './command.js';
import { GLOBAL_OPTIONS } from './global-options.js';
import { type OptionInfo, optionsOf } from '../options/option-field.js';

/** Shells that `perturbql completion` writes a script for. */
export type Shell = 'bash' | 'zsh' | 'fish';

/** The parts of a command that can be completed. */
interface Completed {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionInfo[];
  /** Words that the positional argument is one of; empty where it is a path or a name. */
  readonly words: readonly string[];
}

async function completedOf({ name, summary, load }: CommandEntry): Promise<Completed> {
  const { options, argument } = (await load()).command;
  return {
    name,
    summary,
    options: [...optionsOf(options), ...optionsOf(GLOBAL_OPTIONS)],
    words: argument?.choices ?? [],
  };
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns the completions after an option: its choices, a file name, or nothing that is known. */
function bashValues(command: string, { long, choices, isPath, takesValue }: OptionInfo): readonly string[] {
  if (!takesValue) return [];
  const reply = choices === undefined ? (isPath ? 'files' : ':') : `words ${quoted(choices.join(' '))}`;
  return [`    ${quoted(`${command} ${long}`)}) ${reply} ;;`];
}

/** Words after what was typed: the commands of a group, and of a command its options. */
function bashWords(commands: readonly Completed[]): readonly string[] {
  const groups = new Set(commands.flatMap(({ name }) => (name.includes(' ') ? name.split(' ').slice(0, 1) : [])));
  const within = (group: string): readonly string[] =>
    commands.flatMap(({ name }) => (name.startsWith(`${group} `) ? name.split(' ').slice(1) : []));
  const alone = [...groups].filter((group) => commands.every(({ name }) => name !== group));
  return [
    ...commands.map(({ name, options, words }) => {
      const all = [...within(name), ...words, ...options.map(({ long }) => long), '--help', '--help-all'];
      return `    ${quoted(name)}) words ${quoted(all.join(' '))} ;;`;
    }),
    ...alone.map((group) => `    ${quoted(group)}) words ${quoted(within(group).join(' '))} ;;`),
  ];
}

function bashScript(commands: readonly Completed[]): string {
  const first = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? name))];
  const names = commands.map(({ name }) => quoted(name)).join('|');
  return `# Completion of perturbql for bash: source <(perturbql completion bash)
_perturbql() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]}
  words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }
  files() { COMPREPLY=($(compgen -f -- "$cur")); }
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then words ${quoted([...first, '--help', '--version'].join(' '))}; return; fi
  if ((COMP_CWORD > 2)); then
    case "$command \${COMP_WORDS[2]}" in ${names}) command="$command \${COMP_WORDS[2]}" ;; esac
  fi
  case "$command $prev" in
${commands.flatMap(({ name, options }) => options.flatMap((option) => bashValues(name, option))).join('\n')}
    *) case "$command" in
${bashWords(commands).join('\n')}
    esac
    [[ $cur == -* ]] || COMPREPLY+=($(compgen -f -- "$cur")) ;;
  esac
}
complete -o filenames -F _perturbql perturbql`;
}

function fishOption(condition: string, option: OptionInfo): string {
  const { long, description, choices, isPath, takesValue } = option;
  const values = choices === undefined ? (isPath ? ' -F' : '') : ` -f -a ${quoted(choices.join(' '))}`;
  return `complete -c perturbql -n ${condition} -l ${long.slice(2)}${takesValue && option.meta.bare === undefined ? ' -r' : ''}${values} -d ${quoted(description)}`;
}

function fishCommand({ name, summary, options, words }: Completed): readonly string[] {
  const [first = name, second] = name.split(' ');
  const before = second === undefined ? '__fish_use_subcommand' : quoted(`__fish_seen_subcommand_from ${first}`);
  const condition = quoted(
    name
      .split(' ')
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join('; and '),
  );
  return [
    `complete -c perturbql -n ${before} -a ${second ?? first} -d ${quoted(summary)}`,
    ...(words.length === 0 ? [] : [`complete -c perturbql -n ${condition} -a ${quoted(words.join(' '))}`]),
    ...options.map((option) => fishOption(condition, option)),
  ];
}

/** The script that makes a shell complete commands, flags, choices and, where an option is a path, file names. */
export async function completionScript(shell: Shell, entries: readonly CommandEntry[]): Promise<string> {
  const commands = await Promise.all(entries.map(completedOf));
  if (shell === 'fish') return commands.flatMap(fishCommand).join('\n');
  if (shell === 'bash') return bashScript(commands);
  return `#compdef perturbql\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(commands)}`;
}
