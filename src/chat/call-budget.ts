/** The limits on a run's spending; absent = no limit. */
export interface CallBudgetLimits {
  readonly calls?: number;
  /** Prompt and completion together, as the service counts them. */
  readonly tokens?: number;
}

/** The total spent. */
export interface Spending {
  readonly calls: number;
  readonly tokens: number;
}

/**
 * Counts calls and tokens against limits. Calls never exceed theirs; tokens are known only afterwards, so calls that
 * are in flight when they are used up are still paid for.
 */
export class CallBudget {
  readonly #limits: CallBudgetLimits;
  #calls = 0;
  #tokens = 0;

  constructor(limits: CallBudgetLimits) {
    this.#limits = limits;
  }

  get spent(): Spending {
    return { calls: this.#calls, tokens: this.#tokens };
  }

  /** Takes one call; false when calls or tokens are used up. */
  takeCall(): boolean {
    const { calls = Infinity, tokens = Infinity } = this.#limits;
    if (this.#calls >= calls || this.#tokens >= tokens) return false;
    this.#calls++;
    return true;
  }

  spendTokens(tokens: number): void {
    this.#tokens += tokens;
  }
}
