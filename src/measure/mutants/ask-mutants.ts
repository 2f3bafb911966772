import { mustGet } from '../../present.js';
import { type RunHost, NOOP_HOST } from '../../run/run-host.js';
import { forEachConcurrent } from '../../run/for-each-concurrent.js';
import type { AnswerCache, LazyQuestion } from '../../victims/answer-cache.js';
import type { AnswerScorer } from '../../victims/answer-scorer.js';
import { differencesOf, judgeSubjects, type PairedCase, type SubjectJudging } from './judge-subjects.js';
import { areOpen, isAllRight, type JudgedAnswer } from '../judged-answer.js';
import type { Differences } from './report-failure.js';
import type { MutantSubject, SubjectStore } from './subject-store.js';
import type { AttackOptions } from '../attack/attack-options.js';
import type { QuestionMaker } from '../attack/question-maker.js';
import { firstMutants, type MutantDraw } from './draw-mutants.js';

/** A mutant with its answer next to that to its example, on the original tables. */
export interface AttackedMutant extends PairedCase {
  readonly draw: MutantDraw;
  /** Mutants that a search asked of; 1 without one. */
  readonly queries: number;
}

export interface MutantAskingOptions extends Pick<AttackOptions, 'strategy' | 'budget'> {
  readonly book: AnswerCache;
  readonly scorer: AnswerScorer;
  readonly maker: QuestionMaker;
  readonly store: SubjectStore;
  /** Questions at a time. */
  readonly width: number;
}

/** Returns the question a victim is asked about a mutant. */
export function mutantQuestion(
  { maker, store }: Pick<MutantAskingOptions, 'maker' | 'store'>,
  { group: { example } }: Pick<MutantDraw, 'group'>,
  mutant: MutantSubject,
): LazyQuestion {
  return { id: mutant.id, make: () => maker.ofMutant(store.questionOf(mutant), example) };
}

/** The mutants that are asked before any search; a search chooses all of its own. */
export function askedMutants(
  draws: readonly MutantDraw[],
  asking: Pick<MutantAskingOptions, 'strategy' | 'maker' | 'store'>,
): readonly LazyQuestion[] {
  if (asking.strategy !== 'random') return [];
  return firstMutants(draws).map((draw) => mutantQuestion(asking, draw, draw.order[0]));
}

interface SettledMutant {
  readonly draw: MutantDraw;
  readonly mutant: MutantSubject;
  readonly queries: number;
}

/** Has searches of mutants answered, and all answers to mutants judged; those to `askedMutants` are there. */
export class MutantAsking {
  readonly #options: MutantAskingOptions;
  readonly #host: RunHost;

  constructor(options: MutantAskingOptions, host: RunHost) {
    this.#options = options;
    this.#host = host;
  }

  /**
   * One case per draw, in their order. `originals`: what was answered to the examples on their own tables, by their
   * ids.
   */
  async run(
    draws: readonly MutantDraw[],
    originals: ReadonlyMap<string, JudgedAnswer>,
  ): Promise<readonly AttackedMutant[]> {
    const settled = this.#options.strategy === 'random' ? draws.map(firstOf) : await this.#search(draws);
    const mutants = new Map(settled.map(({ mutant }) => [mutant.id, mutant]));
    const judged = await this.#judge([...mutants.values()], this.#host);
    return settled.map(({ draw, mutant, queries }) => {
      const before = mustGet(originals.get(draw.group.seed.id), 'originals.get(seed)');
      const after = mustGet(judged.get(mutant.id), 'judged.get(mutant)');
      return { draw, group: draw.group, mutant, queries, before, after, isOpen: areOpen([before, after]) };
    });
  }

  async #search(draws: readonly MutantDraw[]): Promise<readonly SettledMutant[]> {
    const found = draws.map(firstOf);
    const tasks = draws.map((draw, at) => ({ draw, at }));
    let done = 0;
    await forEachConcurrent(tasks, this.#options.width, this.#host.signal, async ({ draw, at }, signal) => {
      found[at] = await this.#searchOne(draw, signal);
      this.#host.progress('searches of mutants', ++done, tasks.length);
    });
    return found;
  }

  /** The first mutant that breaks the model; where none of the budget does, the first. */
  async #searchOne(draw: MutantDraw, signal: AbortSignal): Promise<SettledMutant> {
    const tried = draw.order.slice(0, this.#options.budget);
    for (const [at, mutant] of tried.entries()) {
      await this.#options.book.ask(mutantQuestion(this.#options, draw, mutant), signal);
      const judged = await this.#judge([mutant], { ...NOOP_HOST, signal });
      if (!isAllRight(mustGet(judged.get(mutant.id), 'judged.get(mutant)'))) return { draw, mutant, queries: at + 1 };
    }
    return { draw, mutant: draw.order[0], queries: tried.length };
  }

  /** Where the results of wrong answers to mutants differ from those of their gold queries, by id. */
  differences(cases: readonly AttackedMutant[]): Promise<Differences> {
    const mutants = cases.map(({ mutant }) => mutant);
    return differencesOf(mutants, this.#judging, this.#host.signal);
  }

  #judge(mutants: readonly MutantSubject[], host: RunHost): Promise<ReadonlyMap<string, JudgedAnswer>> {
    return judgeSubjects(mutants, this.#judging, host);
  }

  get #judging(): SubjectJudging {
    const { book, scorer, store } = this.#options;
    return { scorer, store, answerOf: book.answerTo };
  }
}

function firstOf(draw: MutantDraw): SettledMutant {
  return { draw, mutant: draw.order[0], queries: 1 };
}
