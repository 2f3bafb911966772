import { mustGet } from './present.js';
import type { CandidateDecision } from './formats/artifacts/candidates.js';
import type { ColumnEstimates } from './bank/name-acceptability.js';
import { hasEnoughAdditions, judgingRound } from './naturalness/addition-rule.js';
import type { CandidateScreen, ScreenResult } from './naturalness/naturalness-rule.js';
import { keepPlain } from './naturalness/wordy-turn.js';
import type { NameEstimate } from './nli/acceptability/acceptability-model.js';
import type { BucketJudge, JudgedColumn, JudgeVerdict } from './nli/bucket-judge.js';
import { compareColumns, keysAsEntities } from './nli/compared-columns.js';
import { isBorderline, isTopical } from './nli/bucket-rule.js';
import { isJudged, type Recipe } from './recipes/recipes.js';
import type { Column } from './schema/schema.js';
import { type Candidate, targetColumn, sourceTraits, type StageContext, type TargetColumn } from './stage.js';

/** The stages that decisions are made with. */
export interface DecisionStages {
  readonly recipe: Recipe;
  readonly screen: CandidateScreen;
  readonly judge: BucketJudge;
  /** Whether additions need not go with their column: all that the judge takes are kept. */
  readonly keepsUnassociated: boolean;
  /** Whether replacements that say the column in more words stand next to plain ones. */
  readonly keepsWordy: boolean;
  /** Decisions whose score is this close to a threshold are marked borderline: `near`. */
  readonly nearMargin: number;
  /** Cosine of two names' word vectors; orders the comparisons with other columns. */
  readonly similarity: (a: string, b: string) => number | null;
}

interface Screened {
  readonly candidate: Candidate;
  readonly screen: ScreenResult;
  /** How readers would take it, before the judge is asked; null where a language model proposes it, or nothing is estimated. */
  readonly estimate: NameEstimate | null;
}

/**
 * A screened candidate, and when the judge is asked about it; as an addition, later ones only where the column has too
 * few.
 */
interface Queued extends Screened {
  readonly round: number;
}

/** The reason of names that readers would hardly take. */
const ODD = 'reads-odd';

/** Why a name that no rule closed to ADD is not asked about as an addition: the column has enough. */
const ENOUGH_ADDITIONS = 'enough-additions';

/** Sorts the candidates of one target column into buckets, as the recipe says (ADVETA §4.4). */
export class ColumnDecider {
  readonly #stages: DecisionStages;
  readonly #target: TargetColumn;
  readonly #column: Column;
  readonly #others: readonly JudgedColumn[];
  readonly #primaryEntity: string;
  readonly #context: StageContext;
  readonly #estimates: ColumnEstimates | null;

  constructor(
    target: TargetColumn,
    primaryEntity: string,
    stages: DecisionStages,
    context: StageContext,
    estimates: ColumnEstimates | null,
  ) {
    const { columns, name } = target.target.table;
    this.#stages = stages;
    this.#target = target;
    this.#column = targetColumn(target);
    this.#others = [...columns.filter((_, c) => c !== target.column), ...keysAsEntities(columns, name)];
    this.#primaryEntity = primaryEntity;
    this.#context = context;
    this.#estimates = estimates;
  }

  /** One decision per candidate; where a path samples by rank, only its draws and what the other path decided. */
  async decide(candidates: readonly Candidate[]): Promise<readonly CandidateDecision[]> {
    const screened = await Promise.all(candidates.map((candidate) => this.#screen(candidate)));
    const judged = this.#isJudged ? await this.#judge(this.#queue(screened)) : [];
    const accepted = this.#keepPlain(judged);
    const replacing = this.#decideByRank('RPL', screened, new Set());
    // One name can't both replace a column and be another.
    const taken = new Set(replacing.map(({ candidate }) => candidate));
    const ranked = [...replacing, ...this.#decideByRank('ADD', screened, taken)];
    const drawn = new Set(ranked.map(({ candidate }) => candidate));
    return [...accepted.filter(({ bucket, candidate }) => bucket !== 'rejected' || !drawn.has(candidate)), ...ranked];
  }

  get #isJudged(): boolean {
    return isJudged(this.#stages.recipe);
  }

  async #screen(candidate: Candidate): Promise<Screened> {
    const screen = await this.#stages.screen.check(candidate, this.#target);
    // A language model's names are in no list of ours: what these tell of them says nothing.
    const isListed = this.#isJudged && sourceTraits(candidate.source).knownBy !== 'model';
    const estimate = isListed ? (this.#estimates?.(candidate) ?? null) : null;
    return { candidate, estimate, screen: estimate === null ? screen : this.#withoutUnlikely(screen, estimate) };
  }

  /** Closes the buckets in which readers would hardly take a name, whatever the judge says of it. */
  #withoutUnlikely({ rpl, add }: ScreenResult, { isUnlikely }: NameEstimate): ScreenResult {
    const isClosed = (path: 'rpl' | 'add', isOdd: boolean): boolean =>
      isOdd && this.#stages.judge.asksReading && this.#stages.recipe[path].rule.kind === 'entailment';
    return {
      rpl: rpl ?? (isClosed('rpl', isUnlikely.replacement) ? ODD : null),
      add: add ?? (isClosed('add', isUnlikely.addition) ? ODD : null),
    };
  }

  /** Queues candidates for additions, those first that readers likeliest take for close to the column. */
  #queue(screened: readonly Screened[]): readonly Queued[] {
    const open = screened.filter(({ candidate, screen }) => this.#isOpen('add', candidate, screen));
    const ranked = open.sort((a, b) => promiseOf(b) - promiseOf(a));
    const ranks = new Map(ranked.map((one, rank) => [one, rank]));
    return screened.map((one) => {
      const round = this.#stages.keepsUnassociated ? 0 : judgingRound(ranks.get(one) ?? 0);
      return round === null ? { ...withoutAdd(one), round: 0 } : { ...one, round };
    });
  }

  /** Round by round, until the column has enough additions: what follows is asked for as a replacement alone. */
  async #judge(queued: readonly Queued[]): Promise<readonly CandidateDecision[]> {
    const decided = new Map<Queued, CandidateDecision>();
    const decide = async (one: Queued, isClosed: boolean): Promise<void> => {
      decided.set(one, await this.#decideByEntailment(isClosed ? withoutAdd(one) : one));
    };
    const last = Math.max(0, ...queued.map(({ round }) => round));
    for (let round = 0; round <= last; round++) {
      const accepted = [...decided.values()].filter(({ goes_with: kind }) => kind === 'column').length;
      const isClosed = round > 0 && hasEnoughAdditions(accepted);
      await Promise.all(queued.filter((one) => one.round === round).map((one) => decide(one, isClosed)));
    }
    return queued.map((one) => mustGet(decided.get(one), 'a decision on each candidate'));
  }

  async #decideByEntailment({ candidate, screen, estimate }: Screened): Promise<CandidateDecision> {
    const open = { rpl: this.#isOpen('rpl', candidate, screen), add: this.#isOpen('add', candidate, screen) };
    if (!open.rpl && !open.add) {
      const closedBy = screen.add === ENOUGH_ADDITIONS ? screen.add : this.#screenedBy(candidate, screen);
      return this.#render(candidate, 'rejected', closedBy ?? 'closed-path', null);
    }
    const { name, listedFor } = candidate;
    const { others, rivals } = compareColumns(name, this.#column.name, this.#others, this.#stages.similarity);
    const request = {
      primaryEntity: this.#primaryEntity,
      target: this.#column,
      candidate: name,
      listedFor,
      estimate,
      others,
      rivals,
      open,
    };
    const verdict = await this.#stages.judge.judge(request, this.#context);
    // A name that the judge would have taken, had a naturalness rule not closed that bucket, is that rule's rejection.
    const closedBy = verdict.bucket === 'rejected' ? this.#closedBy(verdict, candidate, screen) : null;
    const decision = this.#render(candidate, verdict.bucket, closedBy ?? verdict.reason, verdict);
    return withReading(decision, candidate, verdict, open.add);
  }

  #isOpen(path: 'rpl' | 'add', candidate: Candidate, screen: ScreenResult): boolean {
    const { rule } = this.#stages.recipe[path];
    return rule.kind === 'entailment' && this.#isEligible(path, candidate) && screen[path] === null;
  }

  /** Whether the recipe takes candidates of this source for the bucket, and the source this one. */
  #isEligible(path: 'rpl' | 'add', { source, proposedFor }: Candidate): boolean {
    const bucket = path === 'rpl' ? 'RPL' : 'ADD';
    return this.#stages.recipe[path].sources.includes(source) && (proposedFor ?? bucket) === bucket;
  }

  /** The rule that closes a bucket which a candidate was proposed for; of two, that of RPL. */
  #screenedBy({ proposedFor }: Candidate, { rpl, add }: ScreenResult): string | null {
    return (proposedFor === 'ADD' ? null : rpl) ?? (proposedFor === 'RPL' ? null : add);
  }

  /** Accepted replacements that read wordy become rejections where the column has another. */
  #keepPlain(decisions: readonly CandidateDecision[]): readonly CandidateDecision[] {
    if (this.#stages.keepsWordy) return decisions;
    const replacing = decisions.filter(({ bucket }) => bucket === 'RPL');
    const kept = keepPlain(
      replacing.map(({ candidate }) => candidate),
      this.#column.name,
    );
    const dropped = new Set(replacing.filter((_, i) => !kept[i]));
    return decisions.map((decision) =>
      dropped.has(decision) ? { ...decision, bucket: 'rejected', reason: 'wordy' } : decision,
    );
  }

  /** The recipe's rank rule for one bucket: a seeded sample of a range of the candidates by similarity. */
  #decideByRank(
    bucket: 'RPL' | 'ADD',
    screened: readonly Screened[],
    taken: ReadonlySet<string>,
  ): readonly CandidateDecision[] {
    const { sources, rule } = bucket === 'RPL' ? this.#stages.recipe.rpl : this.#stages.recipe.add;
    if (rule.kind !== 'rank') return [];
    const open = screened.filter(
      ({ candidate, screen }) =>
        sources.includes(candidate.source) && (bucket === 'RPL' ? screen.rpl : screen.add) === null,
    );
    const proposed = open.map(({ candidate }) => candidate);
    const ranked =
      rule.order === 'proposed' ? proposed : proposed.sort((a, b) => (b.similarity ?? -1) - (a.similarity ?? -1));
    const inRange = ranked.slice(rule.from, rule.to).filter(({ name }) => !taken.has(name));
    return this.#sample(bucket, inRange, rule.sample).map((candidate) => this.#render(candidate, bucket, 'rank', null));
  }

  #sample(bucket: string, candidates: readonly Candidate[], count: number): readonly Candidate[] {
    const { dbId, table } = this.#target.target;
    const rng = this.#context.rngFor(`${dbId}/${table.originalName}/${this.#column.originalName}:${bucket}-rank`);
    const left = [...candidates];
    const drawn: Candidate[] = [];
    while (drawn.length < count && left.length > 0) drawn.push(...left.splice(rng.int(left.length), 1));
    return drawn;
  }

  #closedBy({ target, thresholds }: JudgeVerdict, candidate: Candidate, screen: ScreenResult): string | null {
    const { e1, e2 } = target;
    if (Math.min(e1, e2 ?? e1) >= thresholds.rplMin) return this.#isEligible('rpl', candidate) ? screen.rpl : null;
    const mayBeAdd = Math.max(e1, e2 ?? e1) <= thresholds.addMax && this.#isEligible('add', candidate);
    return mayBeAdd ? screen.add : null;
  }

  #render(
    candidate: Candidate,
    bucket: CandidateDecision['bucket'],
    reason: string,
    verdict: JudgeVerdict | null,
  ): CandidateDecision {
    const { dbId, table } = this.#target.target;
    return {
      db_id: dbId,
      table: table.name,
      table_original: table.originalName,
      column: this.#column.name,
      column_original: this.#column.originalName,
      bucket,
      reason,
      candidate: candidate.name,
      source: candidate.source,
      origin: candidate.origin === null ? null : { ...candidate.origin, score: roundScore(candidate.origin.score) },
      similarity: roundScore(candidate.similarity),
      association: null,
      e1: roundScore(verdict?.target.e1 ?? null),
      e2: roundScore(verdict?.target.e2 ?? null),
      against: verdict?.by.column ?? null,
      near: verdict !== null && isNear(verdict, this.#stages.nearMargin),
    };
  }
}

/** How likely an addition is taken, and for close to its column; names that nothing is estimated of come first. */
function promiseOf({ estimate }: Screened): number {
  return estimate === null ? 1 : estimate.promise;
}

function withoutAdd<T extends Screened>(one: T): T {
  return { ...one, screen: { ...one.screen, add: one.screen.add ?? ENOUGH_ADDITIONS } };
}

/** Adds the judge's estimate of readers' opinion; if it has none, the source tells what the candidate goes with. */
function withReading(
  decision: CandidateDecision,
  { isNextTo = false }: Candidate,
  verdict: JudgeVerdict,
  isOpenToAdd: boolean,
): CandidateDecision {
  const { target, thresholds } = verdict;
  const reading = target.reading ?? null;
  const { bucket } = decision;
  const isAdded = bucket === 'ADD';
  const acceptability = roundScore(
    bucket === 'rejected' || reading === null ? null : reading[isAdded ? 'addition' : 'replacement'],
  );
  const isClose = isTopical(target, thresholds) ?? isNextTo;
  return {
    ...decision,
    ...(acceptability === null ? {} : { acceptability }),
    association: isOpenToAdd && bucket !== 'RPL' ? roundScore(reading?.topic ?? null) : null,
    ...(isAdded ? { goes_with: isClose ? 'column' : 'row' } : {}),
  };
}

/** True where a score that the verdict rests on lies within `margin` of a threshold. */
function isNear({ target, by, others, thresholds }: JudgeVerdict, margin: number): boolean {
  return isBorderline([target, by, ...others], thresholds, margin);
}

/** Six decimals: what an int8 model's scores carry at most. */
function roundScore(score: number | null): number | null {
  return score === null ? null : Math.round(score * 1e6) / 1e6;
}
