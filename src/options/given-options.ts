import { ConfigError } from '../errors.js';
import type { RunHost } from '../run/run-host.js';
import { kebabCase } from './option-field.js';

/** Refuses options that are wrong. @throws ConfigError always */
export function refuse(message: string, fix: string): never {
  throw new ConfigError(message, { fix });
}

/**
 * Refuses flags that change nothing for `what`; the configuration file may say what several uses need.
 * @throws ConfigError naming the first, and with what it would be of use
 */
export function refuseUseless(
  names: readonly string[],
  flags: ReadonlySet<string>,
  what: string,
  instead: string,
  writtenAs: (name: string) => string = kebabCase,
): void {
  const useless = names.find((name) => flags.has(name));
  if (useless === undefined) return;
  throw new ConfigError(`option --${writtenAs(useless)} is of no use to ${what}`, {
    fix: `Leave it out, or give ${instead}.`,
  });
}

/** Options that change nothing in some runs of a command. */
export interface IdleOptions {
  readonly names: readonly string[];
  /** True of the run at hand. */
  readonly when: boolean;
  /** The run that they change nothing in: "a run with candidates that are given". */
  readonly of: string;
  /** With what they would be of use: "--variants with add". */
  readonly instead: string;
  /** True of those that are given as --no-name. */
  readonly isNegated?: true;
  /** True of those that say how the work is done, not what it gives: they are warned of. */
  readonly isTuning?: true;
}

/**
 * Refuses flags that change nothing in a run, and warns of those that would only change how it is done. A value of the
 * configuration file is for other runs, too, and passes.
 * @throws ConfigError naming the first
 */
export function checkIdle(idle: readonly IdleOptions[], flags: ReadonlySet<string>, host: Pick<RunHost, 'note'>): void {
  const here = idle.filter(({ when }) => when);
  const writtenAs = ({ isNegated }: IdleOptions, name: string): string =>
    `${isNegated === true ? 'no-' : ''}${kebabCase(name)}`;
  for (const one of here) {
    const { names, of, instead, isTuning } = one;
    if (isTuning !== true) refuseUseless(names, flags, of, instead, (name) => writtenAs(one, name));
  }
  const warned = new Set<string>();
  for (const one of here) {
    const { names, of, instead } = one;
    for (const name of names.filter((given) => flags.has(given) && !warned.has(given))) {
      warned.add(name);
      host.note(`warning: option --${writtenAs(one, name)} is of no use to ${of}: leave it out, or give ${instead}`);
    }
  }
}

/** Refuses assignments of --set that change nothing for `what`. @throws ConfigError naming the first */
export function refuseUselessSettings(
  assignments: readonly string[],
  isOfUse: (setting: string) => boolean,
  what: string,
): void {
  const names = assignments.map((assignment) => assignment.replace(/=.*/su, ''));
  const useless = names.find((name) => !isOfUse(name));
  if (useless === undefined) return;
  throw new ConfigError(`setting ${useless} is of no use to ${what}`, {
    fix: `Leave out --set ${useless}; docs/settings.md says what each setting is of.`,
  });
}

/** An option that cannot be done without; `example` is a value as a shell takes it. @throws ConfigError where it was not given */
export function needed<T>(value: T | undefined, name: string, of: string, example: string): T {
  if (value !== undefined) return value;
  const flag = `--${kebabCase(name)}`;
  throw new ConfigError(`${of} needs ${flag}`, { fix: `Give it, for instance ${flag} ${example}.` });
}
