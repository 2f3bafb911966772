import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/**
 * The version of the layout of `schemas/`, `database/` and `run.json` of a suite: another number is another layout.
 * Since 2 gold queries have databases on which a part of their result counts (`partial`).
 */
export const SUITE_FORMAT = 2;

/** Formats that are read. */
export const READ_FORMATS: readonly unknown[] = [1, SUITE_FORMAT];

/** Of gzip: the smallest; a suite is written once and sent around. */
export const COMPRESSION_LEVEL = 9;

/** The folder of the files that say what was distilled, one for each schema. */
export function schemasFolder(suite: string): string {
  return join(suite, 'schemas');
}

export function schemaPath(suite: string, dbId: string): string {
  return join(schemasFolder(suite), `${dbId}.json`);
}

/** A folder for each schema's databases; unpacked in place, Spider's tools read it. */
export function databasesFolder(suite: string): string {
  return join(suite, 'database');
}

/** The folder of a schema's databases, packed. */
export function databaseFolder(suite: string, dbId: string): string {
  return join(databasesFolder(suite), dbId);
}

export function packedPath(suite: string, dbId: string, name: string): string {
  return join(databaseFolder(suite, dbId), `${name}.sqlite.gz`);
}

/** Where a database lies: packed or, after `gunzip -r`, as it is. */
export function storedPath(suite: string, dbId: string, name: string): string {
  const packed = packedPath(suite, dbId, name);
  const plain = packed.slice(0, -'.gz'.length);
  return !existsSync(packed) && existsSync(plain) ? plain : packed;
}

/** Name of the original, and from 1 on of a database that was made. */
export function databaseName(dbId: string, number: number): string {
  return number === 0 ? dbId : `${dbId}_${String(number).padStart(3, '0')}`;
}

/** A database's bytes as they are kept: the same bytes give the same, without name and time of day. */
export function packDatabase(bytes: Uint8Array): Buffer {
  return gzipSync(bytes, { level: COMPRESSION_LEVEL });
}
