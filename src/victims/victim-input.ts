import { asOneText, type ChatPrompt, type ToldPrompt } from '../chat/chat-asker.js';
import type { Segment } from '../compositional/split/segment.js';
import { fillPrompt, holdsPlaceholder, type PromptTemplate } from '../formats/exports/prompt-template.js';
import { shownSample } from '../formats/sample-values.js';
import { renderCreateTables } from '../sql/create-tables.js';
import type { VictimQuestion } from './victim.js';

/** A question as models outside this process get it, a JSON line each. */
export interface VictimInput {
  readonly id: string;
  readonly question: string;
  readonly db_id: string;
  /** "sqlite", "mysql" or "postgresql". */
  readonly dialect: string;
  /** Path of the database, or null. */
  readonly database: string | null;
  /** The tables as CREATE TABLE statements, sample values as comments. */
  readonly schema: string;
  /** The whole prompt as one text, for models that take one. */
  readonly prompt: string;
  /** The question's sub-sentences, in UTF-16 units; only where they were asked for. */
  readonly segments?: readonly Segment[];
  /** Where the program may query the database, `POST {"sql": …}`; only where it may. */
  readonly sql_url?: string;
}

function sampleLines({ schema, samples = [] }: VictimQuestion): string[] {
  return schema.tables.flatMap(({ originalName, columns }, t) =>
    columns.flatMap((column, c) => {
      const values = samples[t]?.[c] ?? [];
      if (values.length === 0) return [];
      return [`-- ${originalName}.${column.originalName}: ${values.map(shownSample).join(', ')}`];
    }),
  );
}

/** The tables as CREATE TABLE statements, and sample values, where given, as comments behind them. */
export function renderVictimSchema(question: VictimQuestion): string {
  return [renderCreateTables(question.schema, question.types, question.dialect), ...sampleLines(question)].join('\n');
}

/** The sub-sentences, a numbered line each; the question is the only one where they were not asked for. */
function renderSegments({ question, segments = [{ text: question }] }: RenderedQuestion): string {
  return segments.map(({ text }, i) => `${i + 1}. ${text.trim()}`).join('\n');
}

interface RenderedQuestion extends Pick<VictimQuestion, 'question'> {
  readonly segments?: readonly Pick<Segment, 'text'>[];
}

/** Renders the prompt for a chat model. */
export function renderPrompt(question: VictimQuestion, template: PromptTemplate): ChatPrompt {
  const values = {
    schema: renderVictimSchema(question),
    question: question.question,
    dialect: question.dialect.title,
    segments: renderSegments(question),
  };
  return fillPrompt(template, values);
}

/** Returns the text of `renderPrompt`, in one piece. */
export function tellPrompt(question: VictimQuestion, template: PromptTemplate): ToldPrompt {
  const cells = holdsPlaceholder(template, 'schema') ? (question.samples ?? []).flat(2).length : 0;
  return { text: asOneText(renderPrompt(question, template)), cells };
}

/** A question as a record for models outside. */
export function victimInput(question: VictimQuestion, template: PromptTemplate): VictimInput {
  return {
    id: question.id,
    question: question.question,
    db_id: question.dbId,
    dialect: question.dialect.name,
    database: question.databaseFile,
    schema: renderVictimSchema(question),
    prompt: asOneText(renderPrompt(question, template)),
    ...(question.segments === undefined ? {} : { segments: question.segments }),
    ...(question.sqlUrl === undefined ? {} : { sql_url: question.sqlUrl }),
  };
}
