import type { AlignedQuestion } from '../../src/compositional/align/aligned-question.js';
import { joinKeysOf, type JoinKey } from '../../src/compositional/clauses/join-keys.js';
import { sqlOf } from '../../src/compositional/clauses/write-clauses.js';
import type { AlignedSource } from '../../src/compositional/compose/aligned-source.js';
import { composeDrafts, draftsOf, emptyTally } from '../../src/compositional/compose/compose-questions.js';
import type { ComposeInputs, ComposeParts } from '../../src/compositional/compose/compose-job.js';
import { COMPOSITION_KINDS, type CompositionKind } from '../../src/formats/artifacts/compositions.js';
import type { CompositionRule } from '../../src/compositional/compose/composition-rule.js';
import { APPENDIX_A_RULES, COMPOSITION_RULES } from '../../src/compositional/compose/composition-rules.js';
import { elementOf } from '../../src/compositional/compose/element.js';
import { FluencyCheck } from '../../src/compositional/compose/composition-checks.js';
import { SqlRewriteError } from '../../src/errors.js';
import type { Database } from '../../src/schema/schema.js';

/** The questions of one database that elements are taken of. */
export interface AlignedDatabase {
  readonly database: Database;
  readonly keys: readonly JoinKey[];
  readonly questions: readonly AlignedQuestion[];
}

/** Every question of a data set whose alignment is certain enough. */
export async function alignAll(
  { dataset, examples }: ComposeInputs,
  source: AlignedSource,
): Promise<readonly AlignedDatabase[]> {
  const aligned: AlignedDatabase[] = [];
  for (const [id, own] of examples) {
    const database = dataset.databases.get(id);
    if (database === undefined) continue;
    const keys = joinKeysOf(
      database,
      own.map(({ query }) => query),
    );
    const { questions } = await source.align(own, database, keys, dataset);
    aligned.push({ database, keys, questions: questions.filter((one) => one.confidence >= source.minConfidence) });
  }
  return aligned;
}

/** Compositions that rules let pass and that have SQL, by kind. */
export interface UnexecutedCounts extends Readonly<Record<CompositionKind, number>> {
  /** Of a CPU second, reading, alignment, hardness and execution left out. */
  readonly perSecond: number;
}

/** Composes without executing anything; where a fluency model is given, by it, too. */
function composeUnexecuted(
  aligned: readonly AlignedDatabase[],
  rules: readonly CompositionRule[],
  fluency: ComposeParts['fluency'] | null,
): UnexecutedCounts {
  const before = process.cpuUsage();
  const made = { SUB: 0, APP: 0 };
  for (const { database, keys, questions } of aligned) {
    const check = fluency === null ? null : new FluencyCheck(fluency);
    const elements = questions.flatMap((question) => elementOf(question, database, keys) ?? []);
    const drafts = draftsOf(elements, elements, COMPOSITION_KINDS);
    for (const composition of composeDrafts(drafts, rules, new Set(), emptyTally())) {
      if (check?.holds(composition) === false) continue;
      try {
        if (sqlOf(composition.aligned.query, database, keys) !== '') made[composition.kind]++;
      } catch (error) {
        if (!(error instanceof SqlRewriteError)) throw error;
      }
    }
  }
  const { user, system } = process.cpuUsage(before);
  return { ...made, perSecond: (made.SUB + made.APP) / ((user + system) / 1e6) };
}

/** What the paper's rules alone come to, and how fast all rules compose. */
export function measureRules(
  aligned: readonly AlignedDatabase[],
  fluency: ComposeParts['fluency'],
): { readonly paper: UnexecutedCounts; readonly all: UnexecutedCounts } {
  const paper = composeUnexecuted(aligned, APPENDIX_A_RULES, null);
  for (let round = 0; round < 2; round++) composeUnexecuted(aligned, COMPOSITION_RULES, fluency); // what is compiled first is not measured
  return { paper, all: composeUnexecuted(aligned, COMPOSITION_RULES, fluency) };
}
