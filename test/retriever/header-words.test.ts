import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadHeaderWords } from '../../src/retriever/table-store.js';

it('gives the words that headers of two tables have, and their singulars', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-headers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const tables = [['Home goals', 'player_name'], ['goals', 'goals scored', 'odd'], ['Player']];
  writeFileSync(join(folder, 'tables.jsonl'), tables.map((columns) => `${JSON.stringify({ columns })}\n`).join(''));
  expect(await loadHeaderWords(folder)).toEqual(new Set(['goals', 'goal', 'player']));
});
