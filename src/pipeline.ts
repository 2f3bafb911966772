import pLimit from 'p-limit';
import type { CandidateDecision } from './formats/candidates-file.js';
import type { BucketJudge, JudgedColumn, JudgeVerdict } from './nli/bucket-judge.js';
import { isNearThreshold, type Thresholds } from './nli/bucket-rule.js';
import type { CandidateScreen, ScreenResult } from './naturalness/candidate-screen.js';
import type { PathRule, Recipe } from './recipes/recipe.js';
import { columnNameKey } from './schema/column-name-key.js';
import type { Column } from './schema/schema.js';
import type { Candidate, CandidateSource, CandidateSourceKind, StageContext, TargetColumn, TargetTable, TpePredictor } from './stage.js';

/** Tables worked on at a time: enough to keep the inference sessions busy, few enough to stay flat in memory. */
const TABLES_AT_ONCE = 4;

/** The stages that a recipe is made of, ready to run. */
export interface CtaStages {
  readonly recipe: Recipe;
  readonly sources: Readonly<Partial<Record<CandidateSourceKind, CandidateSource>>>;
  readonly tpe: TpePredictor;
  readonly screen: CandidateScreen;
  readonly judge: BucketJudge;
  readonly thresholds: Thresholds;
  /** Decisions whose score is this close to a threshold are marked `near`. */
  readonly nearMargin: number;
  /** Cosine of two names' word vectors; orders the comparisons with other columns. */
  similarity(a: string, b: string): number | null;
}

/** A table and the positions of the columns to be perturbed: the unit of work and of resume. */
export interface TableTask {
  readonly id: string;
  readonly target: TargetTable;
  readonly columns: readonly number[];
}

export interface TableResult {
  readonly id: string;
  readonly primaryEntity: string;
  readonly decisions: readonly CandidateDecision[];
}

/**
 * ADVETA's Figure 2: retrieve, rerank, add dictionary words, judge, sort into buckets. Yields one result per task, in
 * task order; each depends on its task, the stages and the seed alone.
 */
export async function* runPipeline(
  tasks: readonly TableTask[],
  stages: CtaStages,
  context: StageContext,
): AsyncGenerator<TableResult> {
  const limit = pLimit(TABLES_AT_ONCE);
  const running = tasks.map((task) => limit(() => decideTable(task, stages, context)));
  // A failure is thrown where its turn comes; until then it must not count as unhandled.
  for (const result of running) result.catch(() => limit.clearQueue());
  for (const result of running) yield await result;
}

async function decideTable(task: TableTask, stages: CtaStages, context: StageContext): Promise<TableResult> {
  context.signal.throwIfAborted();
  const [primaryEntity] = await stages.tpe.predict([task.target], context);
  const columns = task.columns.map((column): TargetColumn => ({ target: task.target, column }));
  const proposals = await propose(columns, stages, context);
  const decisions = await Promise.all(
    columns.map((column, i) => decideColumn(new ColumnWork(column, primaryEntity!, stages, context), proposals[i]!)),
  );
  return { id: task.id, primaryEntity: primaryEntity!, decisions: decisions.flat() };
}

type Proposals = ReadonlyMap<CandidateSourceKind, readonly Candidate[]>;

/** Every source that the recipe names proposes once for all columns of the table. */
async function propose(columns: readonly TargetColumn[], stages: CtaStages, context: StageContext): Promise<readonly Proposals[]> {
  const kinds = [...new Set([...stages.recipe.rpl.sources, ...stages.recipe.add.sources])];
  const proposed = await Promise.all(kinds.map((kind) => stages.sources[kind]!.propose(columns, context)));
  return columns.map((_, c) => new Map(kinds.map((kind, k) => [kind, proposed[k]![c]!])));
}

async function decideColumn(work: ColumnWork, proposals: Proposals): Promise<readonly CandidateDecision[]> {
  const { rpl, add } = work.stages.recipe;
  const screened = await Promise.all(distinctCandidates(proposals).map((candidate) => work.screen(candidate)));
  const byEntailment = screened.map(({ candidate, screen }) => {
    const open = {
      rpl: rpl.rule.kind === 'entailment' && rpl.sources.includes(candidate.source) && screen.rpl === null,
      add: add.rule.kind === 'entailment' && add.sources.includes(candidate.source) && screen.add === null,
    };
    return work.decideByEntailment(candidate, screen, open);
  });
  const decided = (await Promise.all(byEntailment)).filter((decision) => decision !== null);
  const ranked = (['RPL', 'ADD'] as const).flatMap((bucket) => work.decideByRank(bucket, screened));
  const settled = new Set(ranked.map(({ candidate }) => candidate));
  return [...decided.filter(({ bucket, candidate }) => bucket !== 'rejected' || !settled.has(candidate)), ...ranked];
}

/** Retrieval before dictionary: a name that both propose is open to both buckets, so the retrieved one stands. */
function distinctCandidates(proposals: Proposals): readonly Candidate[] {
  const distinct = new Map<string, Candidate>();
  for (const candidate of [...proposals.values()].flat()) {
    const key = columnNameKey(candidate.name);
    if (!distinct.has(key)) distinct.set(key, candidate);
  }
  return [...distinct.values()];
}

interface Screened {
  readonly candidate: Candidate;
  readonly screen: ScreenResult;
}

/** One target column with what its decisions need. */
class ColumnWork {
  readonly stages: CtaStages;
  readonly #target: TargetColumn;
  readonly #column: Column;
  readonly #others: readonly Column[];
  readonly #primaryEntity: string;
  readonly #context: StageContext;
  #confusion: Promise<ReadonlySet<JudgedColumn>> | null = null;

  constructor(target: TargetColumn, primaryEntity: string, stages: CtaStages, context: StageContext) {
    const { columns } = target.target.table;
    this.stages = stages;
    this.#target = target;
    this.#column = columns[target.column]!;
    this.#others = columns.filter((_, c) => c !== target.column);
    this.#primaryEntity = primaryEntity;
    this.#context = context;
  }

  async screen(candidate: Candidate): Promise<Screened> {
    return { candidate, screen: await this.stages.screen.check(candidate, this.#target) };
  }

  /** Null where no path of the recipe decides this candidate by entailment. */
  async decideByEntailment(
    candidate: Candidate,
    screen: ScreenResult,
    open: { readonly rpl: boolean; readonly add: boolean },
  ): Promise<CandidateDecision | null> {
    const { rpl, add } = this.stages.recipe;
    if (rpl.rule.kind !== 'entailment' && add.rule.kind !== 'entailment') return null;
    if (!open.rpl && !open.add) return this.#render(candidate, 'rejected', screen.rpl ?? screen.add ?? 'closed-path', null);
    const others = this.#othersBySimilarity(candidate.name);
    const confusable = await this.#confusable();
    const rivals = others.filter((other) => !confusable.has(other) || this.#isNearer(candidate.name, other));
    const { name } = candidate;
    const request = { primaryEntity: this.#primaryEntity, target: this.#column, candidate: name, others, rivals, open };
    const verdict = await this.stages.judge.judge(request, this.#context);
    // A name that the judge would have taken, had a naturalness rule not closed that bucket, is that rule's rejection.
    const closedBy = verdict.bucket === 'rejected' ? this.#closedBy(verdict, screen, open) : null;
    return this.#render(candidate, verdict.bucket, closedBy ?? verdict.reason, verdict);
  }

  /** The recipe's rank rule for one bucket: a seeded sample of a range of the candidates by similarity. */
  decideByRank(bucket: 'RPL' | 'ADD', screened: readonly Screened[]): readonly CandidateDecision[] {
    const { sources, rule } = bucket === 'RPL' ? this.stages.recipe.rpl : this.stages.recipe.add;
    if (rule.kind !== 'rank') return [];
    const open = screened.filter(
      ({ candidate, screen }) => sources.includes(candidate.source) && (bucket === 'RPL' ? screen.rpl : screen.add) === null,
    );
    const ranked = open.map(({ candidate }) => candidate).sort((a, b) => (b.similarity ?? -1) - (a.similarity ?? -1));
    return this.#sampleRanks(bucket, ranked, rule).map((candidate) => this.#render(candidate, bucket, 'rank', null));
  }

  #sampleRanks(bucket: string, ranked: readonly Candidate[], rule: Extract<PathRule, { kind: 'rank' }>): readonly Candidate[] {
    const { dbId, table } = this.#target.target;
    const rng = this.#context.rngFor(`${dbId}/${table.originalName}/${this.#column.originalName}:${bucket}-rank`);
    const left = ranked.slice(rule.from, rule.to);
    const drawn: Candidate[] = [];
    while (drawn.length < rule.sample && left.length > 0) drawn.push(...left.splice(rng.int(left.length), 1));
    return drawn;
  }

  #closedBy(verdict: JudgeVerdict, screen: ScreenResult, open: { readonly rpl: boolean; readonly add: boolean }): string | null {
    const { e1, e2 } = verdict.target;
    const entailed = Math.min(e1, e2 ?? e1) >= this.stages.thresholds.rplMin;
    if (entailed && !open.rpl) return screen.rpl;
    return !entailed && !open.add && Math.max(e1, e2 ?? e1) <= this.stages.thresholds.addMax ? screen.add : null;
  }

  #confusable(): Promise<ReadonlySet<JudgedColumn>> {
    const request = { primaryEntity: this.#primaryEntity, target: this.#column, others: this.#others };
    return (this.#confusion ??= this.stages.judge.confusable(request, this.#context));
  }

  /** Whether a candidate's words are as near to another column as to its target. */
  #isNearer(candidate: string, other: JudgedColumn): boolean {
    const { similarity } = this.stages;
    return (similarity(candidate, other.name) ?? -1) >= (similarity(candidate, this.#column.name) ?? -1);
  }

  /** The column most likely to settle the decision first: nothing is scored past that point. */
  #othersBySimilarity(candidate: string): readonly Column[] {
    const likeness = new Map(this.#others.map((column) => [column, this.stages.similarity(candidate, column.name) ?? -1]));
    return [...this.#others].sort((a, b) => likeness.get(b)! - likeness.get(a)!);
  }

  #render(candidate: Candidate, bucket: CandidateDecision['bucket'], reason: string, verdict: JudgeVerdict | null): CandidateDecision {
    const { thresholds, nearMargin } = this.stages;
    const scores = verdict === null ? [] : [verdict.target.e1, verdict.target.e2, verdict.by.e1, verdict.by.e2];
    return {
      db_id: this.#target.target.dbId,
      table: this.#target.target.table.name,
      column: this.#column.name,
      bucket,
      reason,
      candidate: candidate.name,
      source: candidate.source,
      origin: candidate.origin === null ? null : { ...candidate.origin, score: roundScore(candidate.origin.score) },
      similarity: roundScore(candidate.similarity),
      e1: roundScore(verdict?.target.e1 ?? null),
      e2: roundScore(verdict?.target.e2 ?? null),
      against: verdict?.by.column ?? null,
      near: isNearThreshold(scores, thresholds, nearMargin),
    };
  }
}

/** Six decimals: what an int8 model's scores carry at most. */
function roundScore(score: number | null): number | null {
  return score === null ? null : Math.round(score * 1e6) / 1e6;
}
