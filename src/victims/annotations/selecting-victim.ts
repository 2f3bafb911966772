import type { ToldPrompt } from '../../chat/told-prompt.js';
import { SqlRewriteError } from '../../errors.js';
import { renameColumns } from '../../sql/rename-columns.js';
import { renderColumns, type Victim, type VictimAnswer, type VictimContext, type VictimQuestion } from '../victim.js';
import { type AnnotatedSchema, type SchemaAnnotations, selectAnnotations } from './select-annotations.js';

/**
 * A victim that is defended by multi-annotation selection (MAS, Gan et al. 2021): each question is asked of a schema with
 * the names nearest to its words, and the answer gets the schema's own names back.
 */
export class SelectingVictim implements Victim {
  readonly id: string;
  readonly fingerprint: string;
  readonly concurrency: number;
  readonly #victim: Victim;
  readonly #annotations: SchemaAnnotations;

  constructor(victim: Victim, annotations: SchemaAnnotations & { readonly fingerprint: string }) {
    this.#victim = victim;
    this.#annotations = annotations;
    this.id = victim.id;
    this.fingerprint = `${victim.fingerprint}+mas-1-${annotations.fingerprint}`;
    this.concurrency = victim.concurrency;
  }

  /** @inheritdoc */
  async answer(asked: VictimQuestion, context: VictimContext): Promise<VictimAnswer> {
    const shown = this.#select(asked);
    // A database file has the former names: whoever looks into it would see other columns than the schema's.
    const databaseFile = shown.former.size === 0 ? asked.databaseFile : null;
    const answer = await this.#victim.answer({ ...asked, schema: shown.schema, databaseFile }, context);
    if (answer.columns !== undefined) return { ...answer, raw: renderColumns(answer.columns, asked.schema) };
    return answer.sql === null ? answer : { ...answer, sql: withFormerNames(answer.sql, shown, asked) };
  }

  /** @inheritdoc */
  async tell(asked: VictimQuestion): Promise<ToldPrompt | null> {
    return (await this.#victim.tell?.({ ...asked, schema: this.#select(asked).schema })) ?? null;
  }

  async dispose(): Promise<void> {
    await this.#victim.dispose?.();
  }

  #select({ question, schema }: VictimQuestion): AnnotatedSchema {
    return selectAnnotations(question, schema, this.#annotations);
  }
}

/** A query that does not hold on the schema that was shown stays as it is, and is scored so. */
function withFormerNames(sql: string, { schema, former }: AnnotatedSchema, { dialect }: VictimQuestion): string {
  if (former.size === 0) return sql;
  try {
    return renameColumns(sql, schema, former, dialect).sql;
  } catch (error) {
    if (error instanceof SqlRewriteError) return sql;
    throw error;
  }
}
