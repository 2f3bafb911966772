import { ConfigError } from '../../errors.js';

/** The path that an option gives; `instead` is what may be given in its place. @throws ConfigError where it is not given */
export function requiredPath(path: string | null, flag: string, metrics: readonly string[], instead?: string): string {
  if (path !== null) return path;
  throw new ConfigError(`option --${flag} is missing`, {
    fix: `Give --${flag}: ${metrics.join(', ')} ${metrics.length === 1 ? 'needs' : 'need'} it${instead === undefined ? '' : `; ${instead}`}.`,
  });
}
