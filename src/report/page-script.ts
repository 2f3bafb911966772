import { readFileSync } from 'node:fs';
import { ConfigError } from '../errors.js';
import { packagePath } from '../package-path.js';

/** Scripts of pages: `report` runs on every page, `cases` on those that list cases. */
export type PageScript = 'report' | 'cases';

/**
 * A script as `npm run build` bundled it, from src/ and from dist/ alike.
 * @throws ConfigError when it has not been built.
 */
export function loadPageScript(name: PageScript): string {
  const file = packagePath(`dist/report/page/${name}.js`);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError('the scripts of report pages have not been built', {
      where: { file },
      fix: 'Run `npm run build`.',
      cause: error,
    });
  }
}
