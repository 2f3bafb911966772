import { rmSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { mustGet } from '../../present.js';
import { writeDurably } from '../../run/durable-file.js';
import { sha256Of } from '../../run/sha256.js';
import { readUntouched } from '../../sql/execution/open-untouched.js';
import { countRows } from '../../sql/execution/table-pragmas.js';
import type { DistilledDatabase, DistilledSchema, DistillTask } from '../distill/distillation.js';
import { createFuzzer, type Fuzzer } from '../../rows/fuzz/fuzzer.js';
import {
  countedNeighbors,
  countNeighbors,
  schemaSha256,
  type SuiteDatabase,
  type SuiteSchemaFile,
} from './suite-manifest.js';
import { databaseFolder, databaseName, packDatabase, packedPath, schemaPath } from './suite-files.js';
import { setImmediate } from 'node:timers/promises';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { PerturbqlError } from '../../errors.js';
import { distillSchema } from '../distill/distill-schema.js';
import type { SchemaJob, SchemaOutcome, SchemaProgress } from './build-progress.js';

function contentOf(sqlite: Sqlite.Database) {
  return { bytes: sqlite.serialize(), rows: countRows(sqlite) };
}

function makeContent({ rows }: DistilledDatabase, { file }: DistillTask, fuzzer: Fuzzer) {
  if (rows === null) return readUntouched(mustGet(file, 'file'), contentOf);
  const sqlite = fuzzer.materialize(rows);
  try {
    return contentOf(sqlite);
  } finally {
    sqlite.close();
  }
}

/** Writes the databases, packed, and says what they are. */
function writeDatabases(
  suite: string,
  task: DistillTask,
  databases: readonly DistilledDatabase[],
): readonly SuiteDatabase[] {
  const { database, file } = task;
  const fuzzer = createFuzzer({ database, file }, []);
  let made = 0;
  try {
    return databases.map((one) => {
      const name = databaseName(database.id, one.origin.kind === 'original' ? 0 : ++made);
      const { bytes, rows } = makeContent(one, task, fuzzer);
      writeDurably(packedPath(suite, database.id, name), [packDatabase(bytes)]);
      return { name, sha256: sha256Of(bytes), bytes: bytes.length, rows, origin: one.origin };
    });
  } finally {
    fuzzer.close();
  }
}

/**
 * Writes what was distilled of a schema into a suite's folder: first its databases, then the file that vouches for them.
 * The same distillation gives the same bytes.
 */
export function writeSchema(suite: string, task: DistillTask, distilled: DistilledSchema): SuiteSchemaFile {
  const { id } = task.database;
  // A killed process or a repaired suite may have left others.
  rmSync(databaseFolder(suite, id), { recursive: true, force: true });
  const content: SuiteSchemaFile = {
    dbId: id,
    schemaSha256: schemaSha256(task.database),
    databases: writeDatabases(suite, task, distilled.databases),
    golds: distilled.golds,
    unread: distilled.unread,
    curve: distilled.curve,
    constraints: distilled.constraints,
    carriedFrom: null,
  };
  writeDurably(schemaPath(suite, id), `${JSON.stringify(content)}\n`);
  return content;
}

/** How much work a kill may cost at most, in addition to the step that is under way. */
const REPORT_MS = 1000;

const isStopped = (port: MessagePort): boolean => receiveMessageOnPort(port) !== undefined;

/** Distills until all is done, which it returns, or until it is told to stop. */
async function distill(
  { task, resume, port }: SchemaJob,
  now: () => number,
): Promise<DistilledSchema | SchemaProgress | null> {
  if (isStopped(port)) return resume;
  const steps = distillSchema(task, resume?.state ?? null);
  let told = -Infinity;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    // Serialized databases are freed only when the event loop turns.
    await setImmediate();
    const progress: SchemaProgress = { state: step.value, seconds: now() };
    if (isStopped(port)) return progress;
    if (progress.seconds - told < REPORT_MS / 1000) continue;
    told = progress.seconds;
    port.postMessage(progress);
  }
}

/** Returns the error as an object that survives the way between threads: SQLite's own errors do not. */
function plainError(error: unknown, dbId: string): Error {
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
  return Object.assign(new Error(message), { stack: `${dbId}: ${stack}` });
}

/** The work of a thread of `buildSuite`. */
export default async function runSchemaJob(job: SchemaJob): Promise<SchemaOutcome> {
  const before = (job.resume?.seconds ?? 0) - performance.now() / 1000;
  const now = (): number => before + performance.now() / 1000;
  try {
    const made = await distill(job, now);
    if (made === null || 'state' in made) return { kind: 'stopped', progress: made };
    const counts = countNeighbors(writeSchema(job.suite, job.task, made));
    return { kind: 'done', neighbors: countedNeighbors(counts), left: counts.left, seconds: now() };
  } catch (error) {
    if (!(error instanceof PerturbqlError)) throw plainError(error, job.task.database.id);
    const { message, where, fix } = error;
    return { kind: 'refused', message, where, fix };
  }
}
