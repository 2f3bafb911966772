import { mergeConfig } from 'vitest/config';
import config from './vitest.config.js';

/** `npm run check:full`: what executes gold SQL, over all of Spider's databases and five seeds. */
export default mergeConfig(config, { test: { env: { PERTURBQL_FULL: '1' } } });
