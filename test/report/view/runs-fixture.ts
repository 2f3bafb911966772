import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { html } from '../../../src/report/html.js';
import { renderPage } from '../../../src/report/page-parts.js';

/** A report page of perturbql in a folder. */
export function writeReport(file: string, kind: string, subject: string, headline: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const page = renderPage({
    title: headline,
    eyebrow: html`perturbql ${kind} · data set <bdi>${subject}</bdi>`,
    headline,
    lede: html`What came out.`,
    warnings: [],
    sections: [],
    version: '0.1.0',
  });
  writeFileSync(file, page);
}

/** A run's manifest. */
export function writeManifest(folder: string, command: string, complete = true): void {
  mkdirSync(folder, { recursive: true });
  const inputs = { examples: 'e'.repeat(64) };
  const manifest = { command, version: '0.1.0', seed: 0, settings: { dataset: 'spider' }, inputs, complete };
  writeFileSync(join(folder, 'run.json'), JSON.stringify(manifest));
}
