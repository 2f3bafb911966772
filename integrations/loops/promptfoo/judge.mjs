// The assertion: what perturbql says of the query in an answer. Options of `openRewardJudge`, such as reward or suite, may be added.
import { fileURLToPath } from 'node:url';
import { openRewardJudge } from 'perturbql/evaluate';

const inRun = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const judge = openRewardJudge({ tables: inRun('tables.json'), databases: inRun('database'), answers: true });

export async function judgeAnswer(output, { vars }) {
  const request = { db_id: vars.db_id, gold: vars.gold, predictions: [output] };
  const [reply] = await (await judge).answer([request]);
  if ('error' in reply) throw new Error(`${reply.error.message} ${reply.error.fix}`);
  const [{ score, outcome, reason }] = reply.rewards;
  return { pass: outcome === 'correct', score, reason: reason === null ? outcome : `${outcome}: ${reason}` };
}

/** Ends the processes that execute queries. */
export async function afterAll() {
  await (await judge).close();
}
