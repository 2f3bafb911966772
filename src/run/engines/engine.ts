/** The shards of a run that are to be worked on. */
export interface ShardJob {
  /** Program and arguments of one shard, without `--shard`. */
  readonly command: readonly string[];
  /** Shards to run, of `count`. */
  readonly indexes: readonly number[];
  readonly count: number;
  /** Folder that relative paths begin at. */
  readonly cwd: string;
  /** Where files of the engine may be written. */
  readonly folder: string;
}

/** Exit code of a program that lacks what it needs: "service unavailable" of sysexits.h. */
export const ABSENT = 69;

/** A program that is started and waited for. */
export interface Started {
  readonly program: string;
  readonly args: readonly string[];
  /** Text for its standard input. */
  readonly stdin?: string;
}

/** How a job is handed to a scheduler. */
export interface EnginePlan {
  /** Files that are written before, by their place. */
  readonly files: Readonly<Record<string, string>>;
  /** What starts the job and ends with it; null where people do that themselves. */
  readonly start: Started | null;
  /** What is to be done, in lines for people. */
  readonly lines: readonly string[];
}

/** A scheduler that runs shards: its name, what brings it, and how a job becomes one of its own. */
export interface Engine {
  /** Package or program to install where it is absent. */
  readonly install: string;
  readonly plan: (job: ShardJob) => EnginePlan;
}

const SAFE = /^[\w./:=@%+,-]+$/;

/** A word as a POSIX shell reads it back. */
export function shellWord(word: string): string {
  return SAFE.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A program and its arguments as a shell reads them back. */
export const shellLine = (words: readonly string[]): string => words.map(shellWord).join(' ');
