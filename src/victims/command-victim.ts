import type { ToldPrompt } from '../chat/chat-asker.js';
import { basename } from 'node:path';
import { z } from 'zod';
import { ConfigError, VictimError } from '../errors.js';
import { DEFAULT_TEMPLATE, type PromptTemplate, templateSha256 } from '../formats/exports/prompt-template.js';
import { jsonIn } from '../json-in.js';
import { sha256Of } from '../run/sha256.js';
import { isTimeLimit, MOST_SECONDS } from '../options/option-field.js';
import { CommandProcess } from './command-process.js';
import {
  exampleOf,
  failedAnswer,
  readAnswer,
  type Victim,
  type VictimAnswer,
  type VictimContext,
  type VictimFailureKind,
  type VictimQuestion,
} from './victim.js';
import { tellPrompt, victimInput } from './victim-input.js';

export interface CommandSettings {
  /** Program and arguments; no shell looks at them. */
  readonly command: readonly string[];
  /** Questions it is given before it has answered the first. */
  readonly concurrency?: number;
  /** Milliseconds for one answer; the first one's hold the start of the process, too. */
  readonly timeoutMs?: number;
  /** Milliseconds between SIGTERM and SIGKILL, and for ending by itself. */
  readonly graceMs?: number;
  /** How often in a row the process may fail that has never answered. */
  readonly maxRestarts?: number;
  /** On how many examples in a row one may fail that has answered before. */
  readonly maxFailedExamples?: number;
  /** Prompt that it gets with each question. */
  readonly template?: PromptTemplate;
}

const DEFAULTS = {
  concurrency: 1,
  timeoutMs: 120_000,
  graceMs: 5_000,
  maxRestarts: 5,
  maxFailedExamples: 15,
  template: DEFAULT_TEMPLATE,
};

const FIX =
  'The command reads lines {"id", "question", "db_id", "schema", "prompt", …} from stdin and writes a line {"id", "sql"} for each to stdout, flushed, and nothing else there; logs belong on stderr.';

const replyFormat = z.looseObject({
  id: z.string(),
  sql: z.string().nullish(),
  error: z.string().nullish(),
});

/** A question on its way. */
interface Ticket {
  readonly id: string;
  readonly line: string;
  readonly resolve: (answer: VictimAnswer) => void;
  readonly reject: (error: unknown) => void;
  /**
   * Set once it was in flight while the process failed: then it is asked once more, alone, so that the culprit is
   * known.
   */
  again: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** Characters of a faulty line shown in a message. */
const SHOWN = 200;

function excerpt(line: string): string {
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}

/** The answer in a reply. One without the key "sql" was not meant as "no answer", which is null or an empty text. */
function answerOf({ id, error, sql, ...rest }: z.infer<typeof replyFormat>): VictimAnswer {
  if (typeof error === 'string') return failedAnswer(id, 'error-reply', excerpt(error));
  if (sql !== undefined) return readAnswer(id, sql ?? '');
  const keys = ['id', ...Object.keys(rest)].map((key) => `"${key}"`).join(', ');
  return failedAnswer(id, 'bad-reply', excerpt(`the line has no "sql", but ${keys}`));
}

/**
 * A model behind a program that reads questions as JSON lines on stdin (`VictimInput`) and answers with JSON lines
 * `{"id": …, "sql": …}` or `{"id": …, "error": …}` on stdout, in any order. It is started with the first question and
 * kept; after a failure it is started again.
 */
export class CommandVictim implements Victim {
  readonly id = 'command';
  readonly fingerprint: string;
  readonly concurrency: number;
  readonly #settings: CommandSettings & typeof DEFAULTS;
  readonly #queue: Ticket[] = [];
  readonly #inFlight = new Map<string, Ticket>();
  #process: CommandProcess | null = null;
  /** True if the process is being ended: nothing it says counts, and there is no other besides it. */
  #isStopping = false;
  /** The message about the failure that the process is being ended for. */
  #lastFault = '';
  #failuresInARow = 0;
  /** Examples with a question that failed since the last answer. */
  readonly #failedExamples = new Set<string>();
  #hasAnswered = false;
  #end: VictimError | null = null;

  /** @throws ConfigError when there is no command, or a number is out of range */
  constructor(settings: CommandSettings) {
    this.#settings = { ...DEFAULTS, ...settings };
    const { command, concurrency, timeoutMs, template } = this.#settings;
    const [program = ''] = command;
    if (program === '') throw new ConfigError('the command is empty', { fix: 'Name a program.' });
    if (!(concurrency >= 1) || !isTimeLimit(timeoutMs)) {
      throw new ConfigError('the concurrency or the time limit of an answer is out of range', {
        fix: `Give a concurrency of at least 1, and more than 0 and at most ${MOST_SECONDS} seconds.`,
      });
    }
    this.concurrency = Math.floor(concurrency);
    // The arguments may hold a key.
    this.fingerprint = `command-2:${basename(program)},arguments=${sha256Of(JSON.stringify(command))},prompt=${templateSha256(template)}`;
  }

  /**
   * @throws VictimError when the program can't be started or fails again and again; the signal's reason when aborted
   */
  answer(question: VictimQuestion, { signal, hasAnswered }: VictimContext): Promise<VictimAnswer> {
    signal.throwIfAborted();
    if (this.#end !== null) return Promise.reject(this.#end);
    this.#hasAnswered ||= hasAnswered === true;
    const line = JSON.stringify(victimInput(question, this.#settings.template));
    return new Promise((resolve, reject) => {
      const leave = (): void => this.#abandon(ticket, signal.reason);
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T): void => {
          clearTimeout(ticket.timer);
          signal.removeEventListener('abort', leave);
          settle(value);
        };
      const ticket: Ticket = {
        id: question.id,
        line,
        resolve: settled(resolve),
        reject: settled(reject),
        again: false,
        timer: undefined,
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#queue.push(ticket);
      this.#pump();
    });
  }

  /** @inheritdoc */
  tell(question: VictimQuestion): Promise<ToldPrompt> {
    return Promise.resolve(tellPrompt(question, this.#settings.template));
  }

  /** Ends the process: its input ends, then SIGTERM, then SIGKILL. Questions in flight are rejected. */
  async dispose(): Promise<void> {
    const end = new VictimError('the command was ended', { fix: 'Ask before it is.' });
    this.#end ??= end;
    this.#rejectAll(this.#end);
    await (this.#isStopping ? this.#process?.stop() : this.#process?.close());
  }

  #pump(): void {
    for (let next = this.#queue[0]; next !== undefined && this.#mayAsk(next); next = this.#queue[0]) {
      this.#queue.shift();
      this.#ask(next);
    }
  }

  /** A question that is asked again is alone with the process. */
  #mayAsk({ again }: Ticket): boolean {
    const { size } = this.#inFlight;
    if (this.#isStopping || this.#end !== null || size >= this.concurrency) return false;
    return size === 0 || (!again && ![...this.#inFlight.values()].some((other) => other.again));
  }

  #ask(ticket: Ticket): void {
    this.#process ??= this.#start();
    this.#inFlight.set(ticket.id, ticket);
    ticket.timer = setTimeout(() => this.#timeOut(ticket), this.#settings.timeoutMs);
    this.#process.send(ticket.line);
  }

  #start(): CommandProcess {
    const { command, graceMs } = this.#settings;
    const started: CommandProcess = new CommandProcess(
      { command, graceMs },
      {
        line: (text) => {
          if (!this.#isStopping) this.#hear(text);
        },
        flood: () => {
          if (!this.#isStopping) this.#protocolFault('bad-reply', 'it wrote a line without end');
        },
        end: (reason, isStarted) => this.#leave(started, reason, isStarted),
      },
    );
    return started;
  }

  #hear(line: string): void {
    if (line.trim() === '') return;
    const reply = replyFormat.safeParse(jsonIn(line)).data;
    if (reply === undefined) return this.#protocolFault('bad-reply', `this is no answer: ${excerpt(line)}`);
    const ticket = this.#inFlight.get(reply.id);
    if (ticket === undefined) {
      return this.#protocolFault('wrong-id', `it answered to what it wasn't asked: ${excerpt(reply.id)}`);
    }
    this.#inFlight.delete(ticket.id);
    this.#failuresInARow = 0;
    this.#failedExamples.clear();
    this.#hasAnswered = true;
    ticket.resolve(answerOf(reply));
    this.#pump();
  }

  /** Ends the process, as its output can't be trusted. Of several open questions nobody knows whose fault it is. */
  #protocolFault(kind: VictimFailureKind, message: string): void {
    const [only, ...others] = this.#inFlight.values();
    if (only !== undefined && others.length === 0) this.#fail(only, kind, message);
    this.#restart(message);
  }

  #timeOut(ticket: Ticket): void {
    const message = `no answer within ${this.#settings.timeoutMs / 1000} s`;
    this.#fail(ticket, 'timeout', message);
    this.#restart(message);
  }

  #fail(ticket: Ticket, kind: VictimFailureKind, message: string): void {
    this.#inFlight.delete(ticket.id);
    this.#failedExamples.add(exampleOf(ticket));
    ticket.resolve(failedAnswer(ticket.id, kind, `${message}${this.#said()}`));
  }

  #said(): string {
    const words = this.#process?.lastWords ?? '';
    return words === '' ? '' : `; stderr ends with: ${words}`;
  }

  /** Ends the process; the next question starts another. */
  #restart(fault: string): void {
    this.#lastFault = fault;
    this.#isStopping = true;
    void this.#process?.stop();
    this.#requeue();
  }

  /** Puts the questions in flight back, each once; the second time they fail. */
  #requeue(): void {
    const tickets = [...this.#inFlight.values()];
    for (const ticket of tickets.filter(({ again }) => again)) {
      this.#fail(ticket, 'exited', `the process ended twice without an answer: ${this.#lastFault}`);
    }
    const first = tickets.filter(({ again }) => !again);
    for (const ticket of first) {
      clearTimeout(ticket.timer);
      ticket.again = true;
      this.#inFlight.delete(ticket.id);
    }
    this.#queue.unshift(...first);
  }

  #leave(process: CommandProcess, reason: string, isStarted: boolean): void {
    if (!this.#isStopping) this.#lastFault = `it ended with ${reason}`;
    this.#requeue();
    const { lastWords } = process;
    this.#process = null;
    this.#isStopping = false;
    this.#failuresInARow++;
    if (!isStarted) this.#giveUp(`the command can't be started: ${reason}`, '', 'Check the name of the program.');
    else {
      const often = this.#tooOften();
      if (often !== null) this.#giveUp(`the command failed ${often} in a row: ${this.#lastFault}`, lastWords, FIX);
    }
    this.#pump();
  }

  /**
   * Checks whether it failed too often in a row to go on, in words. One bad question, in all its variants, is no
   * reason.
   */
  #tooOften(): string | null {
    const { maxRestarts, maxFailedExamples } = this.#settings;
    const examples = this.#failedExamples.size;
    if (this.#hasAnswered) return examples > maxFailedExamples ? `on ${examples} examples` : null;
    return this.#failuresInARow > maxRestarts ? `${this.#failuresInARow} times` : null;
  }

  #giveUp(message: string, lastWords: string, fix: string): void {
    const cause = lastWords === '' ? {} : { cause: new Error(`stderr ends with: ${lastWords}`) };
    this.#end ??= new VictimError(message, { fix, ...cause });
    this.#rejectAll(this.#end);
  }

  #rejectAll(error: unknown): void {
    const tickets = [...this.#inFlight.values(), ...this.#queue];
    this.#inFlight.clear();
    this.#queue.length = 0;
    for (const ticket of tickets) ticket.reject(error);
  }

  /** An aborted question; where it is in flight the process is busy with it, and ends. */
  #abandon(ticket: Ticket, reason: unknown): void {
    const position = this.#queue.indexOf(ticket);
    if (position >= 0) this.#queue.splice(position, 1);
    else if (this.#inFlight.delete(ticket.id)) {
      this.#failuresInARow--;
      this.#restart('it was interrupted');
    }
    ticket.reject(reason);
  }
}
