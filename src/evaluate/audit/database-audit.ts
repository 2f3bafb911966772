import { getOrMake } from '../../present.js';
import { type DatasetExample, evidenceOf, groupExamples } from '../../formats/dataset.js';
import { memoizeObject } from '../../schema/memoize.js';
import type { Database } from '../../schema/schema.js';
import type { SqlDialect } from '../../sql/dialect.js';
import { type AuditedExample, AuditedGold, type ExampleFinding } from './audited-gold.js';
import { findDuplicateQuestions } from './examples/duplicate-questions.js';
import { checkQuestion } from './examples/question-checks.js';
import type { GoldFinding } from './finding.js';
import type { GoldRows } from './gold-rows.js';
import { isNoQuery } from '../../formats/no-answer.js';
import type { AuditClassName } from './audit-classes.js';
import { checkAndOr } from './checks/and-or-check.js';
import { checkConstant } from './checks/constant-check.js';
import { checkDoubleQuotes } from './checks/double-quote-check.js';
import { checkEmpty } from './checks/empty-check.js';
import { checkFailure } from './checks/failure-check.js';
import { checkNondeterminism } from './checks/nondeterminism-check.js';
import { checkNullOrder } from './checks/null-order-check.js';
import { checkNumberTexts, checkTextSums } from './checks/number-text-check.js';
import { checkRowOrder } from './checks/row-order-check.js';
import { checkTimeTexts } from './checks/time-text-check.js';
import { checkUnjoinedTables } from './checks/unjoined-table-check.js';

/** Looks for some classes in one gold query. It never throws for what the query is or does. */
type GoldCheck = (gold: AuditedGold) => Promise<readonly GoldFinding[]> | readonly GoldFinding[];

/** Every check of a gold query by itself but whether it runs; a new one is its file and a line here. */
const GOLD_CHECKS: readonly GoldCheck[] = [
  checkConstant,
  checkTimeTexts,
  checkEmpty,
  checkRowOrder,
  checkNullOrder,
  checkNumberTexts,
  checkTextSums,
  checkUnjoinedTables,
  checkAndOr,
  checkNondeterminism,
  checkDoubleQuotes,
];

/** Returns the faults of a gold query: one per class, one that rows show rather than one that is only possible. */
async function checkAll(gold: AuditedGold): Promise<readonly GoldFinding[]> {
  const byClass = new Map<AuditClassName, GoldFinding>();
  const keep = (finding: GoldFinding): void => {
    const known = byClass.get(finding.class);
    if (known === undefined || (finding.isShown && !known.isShown)) byClass.set(finding.class, finding);
  };
  (await checkFailure(gold)).forEach(keep);
  const outcome = await gold.rows?.run(gold.executable);
  // Variants of a gold that does not end would not end either, each after its time.
  const checked = outcome === undefined || outcome.kind === 'rows' ? gold : gold.withoutRows();
  for (const check of GOLD_CHECKS) (await check(checked)).forEach(keep);
  return [...byClass.values()];
}

/** Fields by which data sets mark questions that no query answers, with the value that says so. */
const MARKS: readonly (readonly [field: string, value: boolean])[] = [
  ['is_impossible', true],
  ['unanswerable', true],
  ['is_unanswerable', true],
  ['answerable', false],
  ['is_answerable', false],
];

/** Checks whether a data set says that an example's question has no query: by a mark, or by a gold query such as `null`. */
function isUnanswerable({ query, record }: DatasetExample): boolean {
  if (isNoQuery(query)) return true;
  if (typeof record !== 'object' || record === null) return false;
  const fields: Readonly<Record<string, unknown>> = { ...record };
  return MARKS.some(([field, value]) => fields[field] === value || fields[field] === Number(value));
}

/** A note on the examples that are not audited as no query answers them; none where there are none. */
export function unanswerableNotes(examples: readonly DatasetExample[]): readonly string[] {
  const count = examples.filter(isUnanswerable).length;
  if (count === 0) return [];
  const which = count === 1 ? '1 example has no query to audit' : `${count} examples have no query to audit`;
  return [`${which}: marked as unanswerable, or with a gold such as null`];
}

/** The audit of the examples of one database: gold queries that several of them have are looked at once. */
export class DatabaseAudit {
  readonly #database: Database;
  readonly #dialect: SqlDialect;
  readonly #rows: GoldRows | null;
  readonly #done: () => void;
  readonly #goldQueries = new Map<string, AuditedGold>();
  readonly #findingsOf = memoizeObject(checkAll);

  /** @param done called after each example */
  constructor(database: Database, dialect: SqlDialect, rows: GoldRows | null, done: () => void) {
    this.#database = database;
    this.#dialect = dialect;
    this.#rows = rows;
    this.#done = done;
  }

  /** Different gold queries. */
  get golds(): number {
    return this.#goldQueries.size;
  }

  async findings(examples: readonly DatasetExample[]): Promise<readonly ExampleFinding[]> {
    const audited = [...groupExamples(examples)].flatMap((group) => this.#readGroup(group));
    for (let left = examples.length - audited.length; left > 0; left--) this.#done();
    const found: ExampleFinding[] = [];
    for (const one of audited) {
      const { example, gold } = one;
      const ofGold = await this.#findingsOf(gold);
      const known = new Set(ofGold.map((finding) => finding.class));
      const ofQuestion = (await checkQuestion(one)).filter((finding) => !known.has(finding.class));
      found.push(...[...ofGold, ...ofQuestion].map((finding) => ({ ...finding, example })));
      this.#rows?.forget();
      this.#done();
    }
    return [...found, ...(await findDuplicateQuestions(audited))];
  }

  #readGroup(group: readonly DatasetExample[]): readonly AuditedExample[] {
    return group.flatMap((example, turn) => {
      if (isUnanswerable(example)) return [];
      const asked = group.slice(0, turn + 1).map(({ question }) => question);
      const gold = this.#goldOf(example.query);
      return [{ example, gold, dialog: asked.join(' \n '), evidence: evidenceOf(example) }];
    });
  }

  #goldOf(sql: string): AuditedGold {
    return getOrMake(this.#goldQueries, sql, () => new AuditedGold(sql, this.#database, this.#dialect, this.#rows));
  }
}
