import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { SemanticGuard } from '../../src/variants/mutate/guard/semantic-guard.js';
import { RECIPES } from '../../src/recipes/recipes.js';
import { parseSettings } from '../../src/recipes/settings.js';
import { StageResources } from '../../src/recipes/stage-resources.js';
import { groupBy } from '../../src/run/group-by.js';
import { createRng } from '../../src/seeded-rng.js';
import type { StageContext } from '../../src/stage.js';
import type { FigureTable } from '../bench-figures.js';
import type { BenchOutput } from '../run-bench.js';
import { labeledWordings, type LabeledWording } from './guard-pairs.js';

/** At most of the right ones are dropped, at least of each kind of wrong ones. */
const GOALS = { right: 0.03, wrong: 0.8 };

/** A kind's name, for people. */
const NAMES: Readonly<Record<string, string>> = {
  identity: 'the question itself',
  PI: 'PI Prefix Insertion',
  PR: 'PR Prefix Removal',
  PS: 'PS Prefix Substitution',
  SS: 'SS Synonym Substitution',
  negation: 'an added negation',
  comparison: 'comparison turned',
  number: 'another number',
  extreme: 'maximum for minimum',
  aggregate: 'another aggregate',
  condition: 'a condition left out',
  column: 'another column',
  order: 'order turned',
  value: 'another value',
  all: '*some* for *all*, no *different*',
  another: 'another question of the database',
  QCm: 'QCm Comparison Change',
  QSo: 'QSo Sort Order Change',
  QNn: 'QNn Number Change',
  QDn: 'QDn Database Number Change',
  QDt: 'QDt Database Text Change',
  synonyms: 'people’s synonyms (Spider-Syn)',
  reworded: 'people’s other questions of the same gold',
};

type Judged = LabeledWording & { readonly reason: string | null };

const dropped = (pairs: readonly Judged[], part: Judged['part']): number | null => {
  const own = pairs.filter((one) => one.part === part);
  return own.length === 0 ? null : own.filter(({ reason }) => reason !== null).length / own.length;
};

function figures(byKind: ReadonlyMap<string, readonly Judged[]>): FigureTable {
  const rows = Object.keys(NAMES).flatMap((kind) => {
    const pairs = byKind.get(kind);
    if (pairs === undefined) return [];
    const [tuning, heldOut] = [dropped(pairs, 'tuning'), dropped(pairs, 'held-out')];
    const count = pairs.filter(({ part }) => part === 'held-out').length;
    return [
      [kind, { kind: NAMES[kind]!, verdict: pairs[0]!.verdict, pairs: count, dropped: heldOut, tuning }] as const,
    ];
  });
  return {
    id: 'guard',
    title: 'The semantic guard',
    about:
      'Questions of Spider train, five of each database; half of the databases chose the rules (tuning), the other half is held out. “Dropped” is the share that the guard drops: of right wordings none should be, of wrong ones all. ' +
      'Wrong ones are made by rules (bench/guard/wrong-wordings.ts) and by the relations that change the gold with the question. Nothing is demanded of people’s wordings: no relation of ours writes as freely.',
    columns: {
      kind: { head: 'wording' },
      verdict: { head: 'it is' },
      pairs: { head: 'pairs' },
      dropped: { head: 'dropped', decimals: 3 },
      tuning: { head: 'tuning part', decimals: 3 },
    },
    rows: Object.fromEntries(rows),
  };
}

/** Whether a line of the table is as good as it must be. */
function holds({ verdict, dropped: share }: FigureTable['rows'][string]): boolean {
  if (typeof share !== 'number' || verdict === 'people') return true;
  return verdict === 'right' ? share <= GOALS.right : share >= GOALS.wrong;
}

/**
 * Prints what the guard drops of right and wrong wordings on Spider's train questions; false where a goal is missed.
 * `--show N` prints N misjudged pairs of each kind, of the tuning part alone. `root` is the project's folder.
 */
export async function runGuardBench(args: readonly string[], root: string, output: BenchOutput): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: 'string', default: join('..', 'shared', 'data') },
      show: { type: 'string', default: '0' },
    },
  });
  const data = resolve(root, values.data);
  if (!existsSync(join(data, 'spider', 'train.json'))) {
    output.print(`bench:guard skipped: no spider/train.json in ${relative(root, data)}`);
    return true;
  }
  const context: StageContext = {
    signal: new AbortController().signal,
    rngFor: (itemId) => createRng(0, itemId),
    emit: () => undefined,
  };
  const stages = new StageResources(parseSettings({}), RECIPES.cta, { jobs: 1 });
  try {
    const pairs = await labeledWordings(data, stages, context);
    const reasons = await new SemanticGuard(stages.scorer()).judge(pairs, context);
    const judged = pairs.map((pair, i): Judged => ({ ...pair, reason: reasons[i]! }));
    const byKind = groupBy(judged, ({ kind }) => kind);
    for (const [kind, own] of byKind) {
      const wrong = own.filter((one) => one.part === 'tuning' && (one.reason === null) === (one.verdict === 'wrong'));
      for (const { before, after, reason } of wrong.slice(0, Number(values.show))) {
        output.tell(`${kind}, ${reason ?? 'kept'}: ${before} | ${after}`);
      }
    }
    const table = figures(byKind);
    for (const row of Object.values(table.rows))
      output.print(
        Object.values(row)
          .map((cell) => (typeof cell === 'number' ? Number(cell.toFixed(3)) : cell))
          .join(' | '),
      );
    output.record(table);
    return Object.values(table.rows).every(holds);
  } finally {
    await stages.dispose();
  }
}
