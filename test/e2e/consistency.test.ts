import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { goldOf, MUTANTS, SEED_GOLD, temporaryFolder, writeMutants } from '../measure/consistency/mutants-fixture.js';
import { type CliResult, runCli } from './run-cli.js';

const IDS = [...Object.keys(SEED_GOLD), ...MUTANTS.map(({ id }) => id)];

/** A run over predictions that are the gold but for some. */
function judge(folder: string, name: string, wrong: readonly string[], ...more: readonly string[]): Promise<CliResult> {
  const predictions = join(folder, `${name}.jsonl`);
  const lines = IDS.map((id) =>
    JSON.stringify({ id, sql: wrong.includes(id) ? 'SELECT plot_id FROM plot' : goldOf(id) }),
  );
  writeFileSync(predictions, `${lines.join('\n')}\n`);
  const mutants = join(folder, 'mutants');
  if (!existsSync(mutants)) writeMutants(mutants, { databases: false });
  const call = ['--mutants', mutants, '--victim', 'file', '--predictions', predictions, '--out', join(folder, name)];
  return runCli(['consistency', ...call, ...more], { cwd: folder });
}

describe('perturbql consistency', () => {
  it('prints the rates, fails above a limit, and is done once', async () => {
    const folder = temporaryFolder();
    const first = await judge(folder, 'one', ['dev:0~PI.0'], '--fail-above', 'PI=40');
    expect(first.code).toBe(3);
    expect(first.stdout).toMatch(/^PI \(Prefix Insertion\) +1 \(of 2\) +50\.0% /m);
    expect(first.stdout).toContain('failed: the rate of PI is 50.00%, above 40%');
    expect(readFileSync(join(folder, 'one', 'report.html'), 'utf8')).toContain('<!doctype html>');
    const again = await judge(folder, 'one', ['dev:0~PI.0'], '--fail-above', 'PI=60');
    expect(again.code).toBe(0);
    expect(again.stdout).toContain('already complete, so nothing was asked');
  });

  it('refuses a limit for a relation that there is not, before anything is asked', async () => {
    const folder = temporaryFolder();
    const refused = await judge(folder, 'one', [], '--fail-above', 'XX=3');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('there is no relation "XX"');
    expect(existsSync(join(folder, 'one'))).toBe(false);
  });

  it('compares three runs, and names what is missing', async () => {
    const folder = temporaryFolder();
    for (const [name, wrong] of [
      ['a', []],
      ['b', ['dev:0~PI.0']],
      ['c', ['dev:0~PI.0', 'dev:0~PI.1']],
    ] as const) {
      expect((await judge(folder, name, wrong)).code).toBe(0);
    }
    const page = join(folder, 'compared.html');
    const runs = ['a', 'b', 'c'].map((name) => join(folder, name));
    const compared = await runCli(['consistency', 'compare', ...runs, '--out', page], { cwd: folder });
    expect(compared.code).toBe(0);
    expect(compared.stdout).toMatch(
      /^PI \(Prefix Insertion\) +0\.0% \(good\) +50\.0% \(neutral\) +100\.0% \(bad\) +50\.0% \(± 50\.0\)$/m,
    );
    expect(readFileSync(page, 'utf8')).toContain('<!doctype html>');
    const none = await runCli(['consistency', '--out', join(folder, 'none')], { cwd: folder });
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('option --mutants is missing');
  });
});
