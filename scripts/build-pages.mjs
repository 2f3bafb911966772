// Bundles what runs in browsers. The page that annotators work in goes to dist/annotate/web: index.html, app.js, app.css
// and nothing else, so that the server needs no other source and the page no network. The scripts of reports go to
// dist/report/page, a file each, which a report has in itself.
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const pathOf = (place) => fileURLToPath(new URL(`../${place}`, import.meta.url));

async function bundle(folder, target, options) {
  // The server sends whatever lies here.
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  await build({
    outdir: target,
    bundle: true,
    minify: true,
    target: ['chrome111', 'firefox113', 'safari16.4'],
    tsconfig: `${folder}/tsconfig.json`,
    logLevel: 'warning',
    ...options,
  });
}

const [annotate, annotateTarget] = [pathOf('src/annotate/web'), pathOf('dist/annotate/web')];
await bundle(annotate, annotateTarget, {
  entryPoints: [
    { in: `${annotate}/main.tsx`, out: 'app' },
    { in: `${annotate}/style/page.css`, out: 'app' },
  ],
  format: 'esm',
  banner: { js: '/* Holds Preact 11, MIT License, Copyright (c) 2015-present Jason Miller. */' },
});
copyFileSync(`${annotate}/index.html`, `${annotateTarget}/index.html`);

await bundle(pathOf('src/report/page'), pathOf('dist/report/page'), {
  entryPoints: [
    { in: pathOf('src/report/page/report.ts'), out: 'report' },
    { in: pathOf('src/report/page/cases.ts'), out: 'cases' },
  ],
  format: 'iife',
});
