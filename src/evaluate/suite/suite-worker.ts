import { LRUCache } from 'lru-cache';
import { PerturbqlError } from '../../errors.js';
import { openSuite } from '../../testsuite/suite/open-suite.js';
import { OpenedSchema } from './opened-schema.js';
import { SuiteJudge } from './suite-judge.js';
import type { PairVerdict, SuiteReply, SuiteTask } from './suite-task.js';

/** A schema's databases, open, with what is known of its gold queries. */
interface Opened {
  readonly schema: OpenedSchema;
  readonly judge: SuiteJudge;
}

/** Schemas that stay open from task to task, and gold queries of each whose results are kept. */
const CACHE_SIZE = 8;
const KEPT_GOLDS = 32;

const kept = new LRUCache<string, Opened>({ max: CACHE_SIZE, dispose: ({ schema }) => schema.close() });

function open({ suite: folder, database, settings, keeps }: SuiteTask): Opened {
  const suite = openSuite(folder);
  const file = suite.schema(database.id);
  if (file === null) throw new RangeError(`the suite has no ${database.id}`);
  const schema = new OpenedSchema(suite, file);
  return { schema, judge: new SuiteJudge(schema, database, settings, keeps ? KEPT_GOLDS : 1) };
}

function judgeTask(task: SuiteTask): readonly PairVerdict[] {
  const key = JSON.stringify([task.suite, task.database.id, task.settings]);
  const known = kept.get(key);
  const { schema, judge } = known ?? open(task);
  if (task.keeps) kept.set(key, { schema, judge });
  try {
    return task.pairs.map((pair) => judge.judge(pair));
  } finally {
    if (!task.keeps && known === undefined) schema.close();
  }
}

/** Runs in a thread: judges the pairs of one schema. */
export default function run(task: SuiteTask): SuiteReply {
  try {
    return { verdicts: judgeTask(task) };
  } catch (error) {
    if (!(error instanceof PerturbqlError)) throw error;
    const { message, fix, where } = error;
    return { fault: { message, fix, where } };
  }
}
