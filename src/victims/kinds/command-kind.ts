import { basename } from 'node:path';
import { ConfigError } from '../../errors.js';
import { needed } from '../../options/given-options.js';
import { inGroup, text } from '../../options/option-field.js';
import type { CommandSettings } from '../command-victim.js';
import { victimKind } from '../victim-kind.js';
import { extrasOf, givenTemplate, OUTSIDE_OPTIONS, type QuestionExtras, withExtras } from './outside-model.js';

export interface CommandChoice extends QuestionExtras {
  readonly kind: 'command';
  readonly settings: CommandSettings;
}

/** Words of a command line: quotes of either kind group, nothing else is special. */
function splitCommand(line: string): readonly string[] {
  if (!/^(?:[^'"]|'[^']*'|"[^"]*")*$/.test(line)) {
    throw new ConfigError('a quote in --command is not closed', { fix: 'Close it, or put it into the other kind.' });
  }
  const words = [...line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)];
  return words.map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_, one?: string, two?: string) => one ?? two ?? ''),
  );
}

/** A program run by an interpreter, by the end of its file's name. */
const SCRIPT = /\.(?:py|[cm]?js|[cm]?ts|sh|rb|jl|r|pl|php)$/i;

/** The names of program and script: "python3 my_model.py"; other arguments may hold a key. */
function nameOf([program = '', ...rest]: readonly string[]): string {
  const script = rest.find((argument) => SCRIPT.test(argument));
  return [program, ...(script === undefined ? [] : [script])].map((file) => basename(file)).join(' ');
}

/** A program that reads questions and writes answers. */
export const COMMAND = victimKind({
  kind: 'command',
  options: {
    ...inGroup('Model', {
      command: text(
        'line',
        'victim command: program and arguments; it reads and writes JSON lines; run without a shell',
      ).exactOptional(),
    }),
    ...OUTSIDE_OPTIONS,
  },
  traits: { answers: 'sql', withContext: true, isAskedOn: true, isOutside: true, perSecond: null },
  choose(given, flags): CommandChoice {
    const { concurrency, answerTimeout, segments, promptTemplate } = given;
    const extras = extrasOf(given, flags);
    const command = splitCommand(needed(given.command, 'command', 'victim command', '"python3 model.py"'));
    const width = concurrency === undefined ? {} : { concurrency };
    const prompt = givenTemplate(promptTemplate, segments);
    const settings = { command, timeoutMs: answerTimeout * 1000, ...width, ...prompt };
    return { kind: 'command', settings, ...extras };
  },
  async create({ settings, ...extras }) {
    const { CommandVictim } = await import('../command-victim.js');
    const description = `command ${nameOf(settings.command)}`;
    return withExtras(new CommandVictim(settings), extras, { description, overHttp: true });
  },
});
