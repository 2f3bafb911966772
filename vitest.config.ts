import { defineConfig } from 'vitest/config';
import { SlowestFiles } from './test/slowest-files.js';

/** Tests that open pages in a browser, wherever their room is. */
const BROWSER = ['test/**/*.browser.test.ts'];
/** Tests that replace modules, change the working folder, ask for the home folder or measure memory: a process for each file. */
const ISOLATED = ['test/**/*.isolated.test.ts'];
/** The built command, and the command line in process. */
const CLI = ['test/cli/**/*.test.ts', 'test/e2e/**/*.test.ts'];
/** What the docs say, and the products made of the whole: site, package, container, integrations. */
const DOCS = ['test/{docs,site,integrations,package,full}/**/*.test.ts'];

export default defineConfig({
  test: {
    globalSetup: 'test/scratch-folder.ts',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    reporters: ['default', new SlowestFiles()],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...BROWSER, ...CLI, ...DOCS, ...ISOLATED],
          pool: 'threads',
          isolate: false,
        },
      },
      { extends: true, test: { name: 'isolated', include: ISOLATED } },
      {
        extends: true,
        test: {
          name: 'cli',
          include: CLI,
          exclude: BROWSER,
          isolate: false,
          // What is tested is the build, not sources that vitest transforms.
          server: { deps: { external: [/\/dist\//] } },
        },
      },
      { extends: true, test: { name: 'browser', include: BROWSER } },
      { extends: true, test: { name: 'docs', include: DOCS, exclude: BROWSER } },
    ],
  },
});
