import { ConfigError } from '../errors.js';
import { kebabCase } from './option-field.js';

/**
 * Refuses flags that change nothing for `what`; the configuration file may say what several uses need.
 * @throws ConfigError naming the first, and with what it would be of use
 */
export function refuseUseless(
  names: readonly string[],
  flags: ReadonlySet<string>,
  what: string,
  instead: string,
): void {
  const useless = names.find((name) => flags.has(name));
  if (useless === undefined) return;
  throw new ConfigError(`option --${kebabCase(useless)} is of no use to ${what}`, {
    fix: `Leave it out, or give ${instead}.`,
  });
}

/** An option that cannot be done without; `example` is a value as a shell takes it. @throws ConfigError where it was not given */
export function needed<T>(value: T | undefined, name: string, of: string, example: string): T {
  if (value !== undefined) return value;
  const flag = `--${kebabCase(name)}`;
  throw new ConfigError(`${of} needs ${flag}`, { fix: `Give it, for instance ${flag} ${example}.` });
}
