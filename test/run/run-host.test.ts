import { expect, test } from 'vitest';
import { createStageContext, NOOP_HOST } from '../../src/run/run-host.js';

test('a stage context passes each distinct warning on once, and counts and progress not as notes', () => {
  const notes: string[] = [];
  const context = createStageContext(1, { ...NOOP_HOST, note: (line) => notes.push(line) });
  for (const message of ['slow', 'slow', 'hot']) context.emit({ kind: 'warning', message });
  context.emit({ kind: 'count', name: 'pairs', by: 3 });
  expect(notes).toEqual(['warning: slow', 'warning: hot']);
});

test('items draw from streams of their own', () => {
  const context = createStageContext(1, NOOP_HOST);
  expect(context.rngFor('a').next()).toBe(context.rngFor('a').next());
  expect(context.rngFor('a').next()).not.toBe(context.rngFor('b').next());
});
