import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { StageEvent, TargetColumn, TargetTable } from '../../src/stage.js';
import { createContext } from '../nli/nli-fixture.js';
import type { Seen } from '../chat/misbehaving-server.js';

const SINGER: TargetTable = {
  dbId: 'concert_singer',
  table: {
    name: 'singer',
    originalName: 'Singer',
    columns: [
      { name: 'name', originalName: 'Name', type: 'text' },
      { name: 'age', originalName: 'Age', type: 'number' },
      { name: 'home town', originalName: 'Hometown', type: 'text' },
    ],
  },
  questions: ['How old is Ann Lee?'],
  values: [['Ann Lee', "O'Hara"], ['31'], ['Oslo']],
};

export const column = (position: number): TargetColumn => ({ target: SINGER, column: position });
export const COLUMNS = [0, 1, 2].map(column);

/** Names for the column that a prompt asks about: "age a" to replace it, "near age" next to it. */
export function namesFor({ body }: Seen): string {
  const asked = /column in question is "(.*?)"/.exec(body.messages.at(-1)?.content ?? '')?.[1] ?? '';
  return JSON.stringify({ replacements: [`${asked} a`], additions: [`near ${asked}`] });
}

/** The same for each column that a prompt lists, but for those left out. */
export function namesForTable({ body }: Seen, without: readonly string[] = []): string {
  const listed = [...(body.messages.at(-1)?.content ?? '').matchAll(/^- (.*?) \(/gm)].map(([, name = '']) => name);
  const columns = listed.filter((name) => !without.includes(name));
  return JSON.stringify({
    columns: columns.map((name) => ({ column: name, replacements: [`${name} a`], additions: [`near ${name}`] })),
  });
}

/** The pairs that a prompt asks to judge, as "first → second". */
export function askedPairs({ body }: Seen): readonly string[] {
  const asked = body.messages.at(-1)?.content ?? '';
  return [...asked.matchAll(/^\d+\. first: (.*)\n {3}second: (.*)$/gm)].map(([, a, b]) => `${a} → ${b}`);
}

/** Judgments by words: two names mean the same where they share one, but for what is near; all else goes together. */
export function judgmentsFor(seen: Seen): string {
  const wordsOf = (statement = ''): string[] =>
    statement
      .replace(/ \(\w+\)\.$/, '')
      .split(' ')
      .slice(1);
  const judgments = askedPairs(seen).map((pair) => {
    const [first, second] = pair.split(' → ').map(wordsOf);
    const isSame = !/ near /.test(pair) && first!.some((word) => second!.includes(word));
    return isSame
      ? { entailment: 0.9, replacement: 0.8, addition: 0.1, topic: 0.9 }
      : { entailment: 0.05, replacement: 0.1, addition: 0.7, topic: 0.6 };
  });
  return JSON.stringify({ judgments });
}

/** A context of stages that notes what is told. */
export function listeningContext() {
  const events: StageEvent[] = [];
  const warnings = (): string[] => events.flatMap((event) => (event.kind === 'warning' ? [event.message] : []));
  return { ...createContext(), emit: (event: StageEvent) => void events.push(event), warnings };
}

/** A folder that goes with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-llm-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
