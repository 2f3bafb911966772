import { causeText } from './cause-text.js';

/** Machine-readable kinds of failure; stable across releases. */
export type ErrorCode =
  | 'CONFIG'
  | 'INPUT_FORMAT'
  | 'MODEL_FILE'
  | 'INDEX_MISMATCH'
  | 'SQL_REWRITE'
  | 'RUN_FOLDER'
  | 'NATIVE_MODULE'
  | 'DICTIONARY'
  | 'DOWNLOAD'
  | 'VICTIM'
  | 'ENDPOINT'
  | 'ANNOTATION';

/** Where a failure was found: a file, a line or record in it, an id. */
export interface ErrorPlace {
  readonly file?: string;
  readonly line?: number;
  readonly id?: string;
}

export interface ErrorDetails {
  /** The user's remedy, as an imperative sentence. */
  readonly fix: string;
  readonly where?: ErrorPlace;
  readonly cause?: unknown;
}

function renderPlace(where: ErrorPlace): string {
  const file = where.file === undefined ? '' : where.line === undefined ? where.file : `${where.file}:${where.line}`;
  return [file, where.id ?? ''].filter((part) => part !== '').join(', ');
}

/** Base of every error a user can cause and repair. The command line prints it without a stack trace and exits with 2. */
export abstract class PerturbqlError extends Error {
  abstract readonly code: ErrorCode;
  readonly where: ErrorPlace;
  readonly fix: string;
  /** Where options that it names come from, if not from whoever ran the command: a line of its own. */
  origin?: string;

  constructor(message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.where = details.where ?? {};
    this.fix = details.fix;
  }

  /** The message without its place in a query: equal faults are counted together. */
  get summary(): string {
    return this.message;
  }

  /** The whole message for a terminal: place, cause, origin and fix on up to four lines. */
  render(): string {
    const place = renderPlace(this.where);
    const cause = this.cause instanceof Error ? `\n  cause: ${causeText(this.cause)}` : '';
    const origin = this.origin === undefined ? '' : `\n  ${this.origin}`;
    return `${place === '' ? '' : `${place}: `}${this.message}${cause}${origin}\n  fix: ${this.fix}`;
  }
}

/** A wrong option, setting or configuration file. */
export class ConfigError extends PerturbqlError {
  readonly code = 'CONFIG';
}

/** A data set, table corpus or vector file that does not hold what its format promises. */
export class InputFormatError extends PerturbqlError {
  readonly code = 'INPUT_FORMAT';
}

/** A model file that is missing, truncated or not the one its manifest describes. */
export class ModelFileError extends PerturbqlError {
  readonly code = 'MODEL_FILE';
}

/** An index that was built by another encoder, or whose files disagree with its manifest. */
export class IndexMismatchError extends PerturbqlError {
  readonly code = 'INDEX_MISMATCH';
}

/** A place in a query. */
export interface SqlPlace {
  readonly offset: number;
  /** As messages have it: `12 (1:13), near: SELECT »x`. */
  readonly text: string;
}

/** A gold query that can't be parsed or resolved against its schema. */
export class SqlRewriteError extends PerturbqlError {
  readonly code = 'SQL_REWRITE';
  /** Null where the whole query is meant. */
  readonly place: SqlPlace | null;
  readonly #summary: string;

  constructor(summary: string, { place = null, ...details }: ErrorDetails & { readonly place?: SqlPlace | null }) {
    super(place === null ? summary : `${summary} at offset ${place.text}`, details);
    this.place = place;
    this.#summary = summary;
  }

  override get summary(): string {
    return this.#summary;
  }
}

/** A run folder that belongs to another configuration, or is in use. */
export class RunFolderError extends PerturbqlError {
  readonly code = 'RUN_FOLDER';
}

/** A native module that is missing or can't be loaded. */
export class NativeModuleError extends PerturbqlError {
  readonly code = 'NATIVE_MODULE';
}

/** A dictionary service that refused, failed or answered in another format. */
export class DictionaryError extends PerturbqlError {
  readonly code = 'DICTIONARY';
}

/** A model under attack that can't go on: its process or service fails for question after question. */
export class VictimError extends PerturbqlError {
  readonly code = 'VICTIM';
}

/** A model that is asked for names and can't go on: its service fails, or the budget is used up. */
export class EndpointError extends PerturbqlError {
  readonly code = 'ENDPOINT';
}

/** A model or vector file that can't be fetched: no network, a service that refuses, an answer that is not the file. */
export class DownloadError extends PerturbqlError {
  readonly code = 'DOWNLOAD';
}

/** An annotation project that can't be opened or made, or that refuses what it is asked to keep. */
export class AnnotationError extends PerturbqlError {
  readonly code = 'ANNOTATION';
}

/** A fault of the program itself: what one part of it relies on, another did not give. Not the user's to repair. */
export class InternalError extends Error {
  override readonly name = 'InternalError';
}
