import type { DatasetExample } from '../../formats/dataset.js';
import { evidenceOf } from '../../formats/example-evidence.js';
import { groupExamples } from '../../formats/example-groups.js';
import type { Database } from '../../schema/schema.js';
import type { SqlDialect } from '../../sql/dialect.js';
import { AuditedGold } from './audited-gold.js';
import { checkAll } from './checks/gold-checks.js';
import type { AuditedExample, ExampleFinding } from './examples/audited-example.js';
import { findDuplicateQuestions } from './examples/duplicate-questions.js';
import { isUnanswerable } from './examples/unanswerable.js';
import { checkQuestion } from './examples/question-checks.js';
import type { GoldFinding } from './finding.js';
import type { GoldRows } from './gold-rows.js';

/** The audit of the examples of one database: gold queries that several of them have are looked at once. */
export class DatabaseAudit {
  readonly #database: Database;
  readonly #dialect: SqlDialect;
  readonly #rows: GoldRows | null;
  readonly #done: () => void;
  readonly #goldQueries = new Map<string, AuditedGold>();
  readonly #findings = new Map<AuditedGold, Promise<readonly GoldFinding[]>>();

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
    const known = this.#goldQueries.get(sql) ?? new AuditedGold(sql, this.#database, this.#dialect, this.#rows);
    this.#goldQueries.set(sql, known);
    return known;
  }

  #findingsOf(gold: AuditedGold): Promise<readonly GoldFinding[]> {
    const known = this.#findings.get(gold) ?? checkAll(gold);
    this.#findings.set(gold, known);
    return known;
  }
}
