import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Database } from '../../src/schema/schema.js';
import { SQLITE } from '../../src/sql/dialect.js';
import type { StageEvent } from '../../src/stage.js';
import { answerAll } from '../../src/victims/answer-cache.js';
import type { Victim, VictimAnswer, VictimContext, VictimQuestion } from '../../src/victims/victim.js';

const SINGERS: Database = {
  id: 'singers',
  tables: [
    {
      name: 'singer',
      originalName: 'singer',
      columns: [
        { name: 'name', originalName: 'Name', type: 'text' },
        { name: 'age', originalName: 'Age', type: 'number' },
      ],
    },
  ],
  primaryKeys: [],
  foreignKeys: [],
};

/** A question whose id is its text unless told otherwise. */
export function ask(question: string, id = question): VictimQuestion {
  return { id, question, dbId: 'singers', schema: SINGERS, dialect: SQLITE, databaseFile: null };
}

export interface Listening extends VictimContext {
  readonly events: StageEvent[];
}

export function listening(signal: AbortSignal = new AbortController().signal): Listening {
  const events: StageEvent[] = [];
  return { signal, events, emit: (event) => void events.push(event) };
}

/** All answers by id, in the order of arrival. */
export async function answersOf(
  victim: Victim,
  questions: readonly VictimQuestion[],
  context: VictimContext = listening(),
): Promise<Map<string, VictimAnswer>> {
  const answers = new Map<string, VictimAnswer>();
  for await (const answer of answerAll(victim, questions, context)) answers.set(answer.id, answer);
  return answers;
}

/** What became of each: its SQL, or the kind of its failure in angle brackets. */
export function outcomes(answers: ReadonlyMap<string, VictimAnswer>): Record<string, string> {
  return Object.fromEntries([...answers].map(([id, { sql, failure }]) => [id, sql ?? `<${failure?.kind ?? ''}>`]));
}

/** A folder that goes with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-victims-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
