import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { AttackInput } from '../../../src/measure/attack/attack-options.js';
import { exampleOfQuestion } from '../../../src/measure/attack/attack-plan.js';
import { readAnswer, type Victim, type VictimAnswer, type VictimQuestion } from '../../../src/victims/victim.js';
import type { CandidateDecision } from '../../../src/formats/artifacts/candidates.js';
import { loadSpiderExamples } from '../../../src/formats/spider-dataset.js';
import { loadSpiderTables } from '../../../src/formats/spider-tables.js';
import { columnKey, type Database } from '../../../src/schema/schema.js';
import { rewriteVariant } from '../../../src/sql/rename-columns.js';
import { acceptedDecision, type ExampleData, writeSmallData } from '../../e2e/example-data.js';

/** Several files of tests share it: it goes with the folder of all tests. */
const folder = mkdtempSync(join(tmpdir(), 'perturbql-attack-data-'));

/** Questions of examples/, four per database; the first asks for gardeners from a country. */
export const DATA: ExampleData = writeSmallData(folder, [0, 1, 3, 6, 10, 11, 14, 17, 20, 21, 24, 27]);

export const DATABASES = loadSpiderTables(DATA.tables);
export const EXAMPLES = loadSpiderExamples(DATA.examples, DATABASES);
const QUERIES = new Map(EXAMPLES.map(({ id, query }) => [id, query]));

/** A folder that goes with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-attack-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const WORDS = { RPL: ['label', 'entry', 'figure', 'mark'], ADD: ['former', 'second', 'planned', 'foreign'] } as const;

/** The name of a column's candidate, "home country label", "former home country"; `which` from 0 to 3. */
export function candidateName(kind: 'RPL' | 'ADD', column: string, which: number): string {
  const word = WORDS[kind][which]!;
  return kind === 'RPL' ? `${column} ${word}` : `${word} ${column}`;
}

/** Candidates for every column that is meant: so many of each kind. */
export function candidatesFor(
  count = 2,
  isMeant: (dbId: string, table: string, column: string) => boolean = () => true,
): readonly CandidateDecision[] {
  return [...DATABASES.values()].flatMap((database) =>
    database.tables.flatMap((table) =>
      table.columns
        .filter((column) => isMeant(database.id, table.name, column.name))
        .flatMap((column) =>
          (['RPL', 'ADD'] as const).flatMap((bucket) =>
            Array.from({ length: count }, (_, i) => {
              const candidate = candidateName(bucket, column.name, i);
              return acceptedDecision({
                db_id: database.id,
                table: table.name,
                column: column.name,
                candidate,
                bucket,
              });
            }),
          ),
        ),
    ),
  );
}

export function writeCandidates(folder: string, decisions: readonly CandidateDecision[] = candidatesFor()): string {
  const file = join(folder, 'candidates.jsonl');
  writeFileSync(file, decisions.map((decision) => `${JSON.stringify(decision)}\n`).join(''));
  return file;
}

/** The gold of an example on perturbed tables, found by comparing the schemas: what a perfect model answers. */
export function goldOn(exampleId: string, schema: Database): string {
  const original = DATABASES.get(schema.id)!;
  const renames = new Map<string, string>();
  const added = new Map<number, readonly string[]>();
  original.tables.forEach(({ columns }, t) => {
    const now = schema.tables[t]!.columns.map(({ originalName }) => originalName);
    const before = columns.map(({ originalName }) => originalName);
    if (now.length > before.length) {
      added.set(
        t,
        now.filter((name) => !before.includes(name)),
      );
    } else {
      now.forEach((name, c) => {
        if (name !== before[c]) renames.set(columnKey({ table: t, column: c }), name);
      });
    }
  });
  return rewriteVariant(QUERIES.get(exampleId)!, original, { renames, added }).sql;
}

type Answering = (question: VictimQuestion, exampleId: string) => string | null | VictimAnswer;

/** A model that answers as it is told, and remembers what it was asked. */
export class ScriptedVictim implements Victim {
  readonly id = 'scripted';
  readonly fingerprint = 'scripted-1';
  readonly concurrency: number;
  /** Ids in the order they were asked. */
  readonly asked: string[] = [];
  readonly questions = new Map<string, VictimQuestion>();
  readonly #answering: Answering;

  constructor(answering: Answering, concurrency = 1) {
    this.#answering = answering;
    this.concurrency = concurrency;
  }

  async answer(question: VictimQuestion): Promise<VictimAnswer> {
    this.asked.push(question.id);
    this.questions.set(question.id, question);
    // So that answers don't come in the order of the questions.
    if (this.concurrency > 1) await sleep(Number.parseInt(question.id.replaceAll(/\D/g, ''), 10) % 7);
    const said = this.#answering(question, exampleOfQuestion(question.id));
    return said !== null && typeof said === 'object' ? said : readAnswer(question.id, said ?? '');
  }
}

/** Right on all tables. */
export function perfectVictim(concurrency = 1): ScriptedVictim {
  return new ScriptedVictim(({ schema }, exampleId) => goldOn(exampleId, schema), concurrency);
}

/** Knows the original names alone. */
export function stubbornVictim(concurrency = 1): ScriptedVictim {
  return new ScriptedVictim((_, exampleId) => QUERIES.get(exampleId)!, concurrency);
}

/** Right unless the tables have a column of a name that holds these words. */
export function allergicVictim(words: string, concurrency = 1): ScriptedVictim {
  return new ScriptedVictim(({ schema }, exampleId) => {
    const names = schema.tables.flatMap(({ columns }) => columns.map(({ name }) => name));
    return names.some((name) => name.includes(words)) ? 'SELECT 1' : goldOn(exampleId, schema);
  }, concurrency);
}

/** An attack on some of examples/ with candidates for every column; nothing is executed unless `databases` is given. */
export function inputOf(victim: Victim, more: Partial<AttackInput> = {}): AttackInput {
  const folder = temporaryFolder();
  return {
    tables: DATA.tables,
    examples: DATA.examples,
    candidates: more.candidates ?? writeCandidates(folder),
    out: join(folder, 'out'),
    seeds: [0, 1],
    victim: { kind: 'own', victim },
    ...more,
  };
}
