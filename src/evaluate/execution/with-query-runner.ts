import { withTemporaryFolder } from '../../run/working-folders.js';
import { QueryRunner } from '../../sql/execution/query-runner.js';

/**
 * Works with processes that run queries, and a folder for databases that a data set holds otherwise; both are gone
 * afterwards.
 */
export function withQueryRunner<T>(
  options: ConstructorParameters<typeof QueryRunner>[0],
  work: (runner: QueryRunner, scratch: string) => Promise<T>,
): Promise<T> {
  return withTemporaryFolder(async (scratch) => {
    const runner = new QueryRunner(options);
    try {
      return await work(runner, scratch);
    } finally {
      await runner.close();
    }
  });
}
