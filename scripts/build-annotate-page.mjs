// Bundles the page that annotators work in into dist/annotate/web: index.html, app.js, app.css and nothing else, so that
// the server needs no other source and the page no network.
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const SOURCE = fileURLToPath(new URL('../src/annotate/web', import.meta.url));
const TARGET = fileURLToPath(new URL('../dist/annotate/web', import.meta.url));

// The server sends whatever lies here.
rmSync(TARGET, { recursive: true, force: true });
mkdirSync(TARGET, { recursive: true });
await build({
  entryPoints: [
    { in: `${SOURCE}/main.tsx`, out: 'app' },
    { in: `${SOURCE}/style/page.css`, out: 'app' },
  ],
  outdir: TARGET,
  bundle: true,
  minify: true,
  format: 'esm',
  target: ['chrome111', 'firefox113', 'safari16.4'],
  tsconfig: `${SOURCE}/tsconfig.json`,
  banner: { js: '/* Holds Preact 11, MIT License, Copyright (c) 2015-present Jason Miller. */' },
  logLevel: 'warning',
});
copyFileSync(`${SOURCE}/index.html`, `${TARGET}/index.html`);
