import { PerturbqlError } from '../../errors.js';
import { openSuite } from '../../testsuite/suite/open-suite.js';
import { OpenedSchema } from './opened-schema.js';
import { SuiteJudge } from './suite-judge.js';
import type { PairVerdict, SuiteReply, SuiteTask } from './suite-task.js';

function judgeTask({ suite: folder, database, pairs, settings }: SuiteTask): readonly PairVerdict[] {
  const suite = openSuite(folder);
  const file = suite.schema(database.id);
  if (file === null) throw new RangeError(`the suite has no ${database.id}`);
  const schema = new OpenedSchema(suite, file);
  try {
    const judge = new SuiteJudge(schema, database, settings);
    return pairs.map((pair) => judge.judge(pair));
  } finally {
    schema.close();
  }
}

/** What a thread does: the pairs of one schema. */
export default function run(task: SuiteTask): SuiteReply {
  try {
    return { verdicts: judgeTask(task) };
  } catch (error) {
    if (!(error instanceof PerturbqlError)) throw error;
    const { message, fix, where } = error;
    return { fault: { message, fix, where } };
  }
}
