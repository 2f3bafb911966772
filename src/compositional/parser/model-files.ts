import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ModelFileError } from '../../errors.js';
import { sha256Of } from '../../run/sha256.js';
import { packagePath } from '../../package-path.js';

const FILES = ['language.json', 'moves.onnx', 'network.onnx'] as const;
const FIX = 'Install perturbql again (`npm ci`).';

const fileSchema = z.object({ bytes: z.int(), sha256: z.string() });
const manifestSchema = z.object({
  task: z.literal('dependency-parser'),
  name: z.string(),
  revision: z.string(),
  license: z.string(),
  files: z.object(
    Object.fromEntries(FILES.map((name) => [name, fileSchema])) as Record<(typeof FILES)[number], typeof fileSchema>,
  ),
});

/** Attributes of a word that the network looks up in hash tables. */
const ATTRIBUTES = ['NORM', 'PREFIX', 'SUFFIX', 'SHAPE', 'SPACY', 'IS_SPACE'] as const;

const languageSchema = z.object({
  tables: z.array(z.object({ attribute: z.enum(ATTRIBUTES), rows: z.int(), seed: z.int() })),
  /** Rows of zeros between two texts. */
  padding: z.int(),
  sizes: z.object({ features: z.literal(8), hidden: z.int(), pieces: z.int() }),
  /** Moves of the parser in the order of their scores: "S", "D", "L-det", "R-dobj", "B-ROOT". */
  moves: z.array(z.string().regex(/^(?:[SD]|[LRB]-.+)$/)),
  tags: z.array(z.string()),
  /** Strings that spaCy knows by small numbers instead of hashes. */
  symbols: z.record(z.string(), z.int()),
  norms: z.record(z.string(), z.string()),
  tokenizer: z.object({
    prefix: z.string(),
    suffix: z.string(),
    infix: z.string(),
    url: z.string(),
    /** Tokens of words that the patterns would get wrong, each a text and, where it is not the usual one, a norm. */
    exceptions: z.record(z.string(), z.array(z.tuple([z.string()]).rest(z.string()))),
  }),
});

/** All of a parser's model that is no weight. */
export type ParserLanguage = z.infer<typeof languageSchema>;
/** Patterns and exceptions of the tokenizer. */
export type TokenizerRules = ParserLanguage['tokenizer'];
/** What a parser's model says of itself. */
export type ParserManifest = z.infer<typeof manifestSchema>;

/** The files of a parser's model, read and checked. */
export interface ParserFiles {
  /** "perturbql-parser v1". */
  readonly name: string;
  /** sha256 over the files' hashes. */
  readonly fingerprint: string;
  readonly language: ParserLanguage;
  /** ONNX network that reads tokens. */
  readonly network: Uint8Array;
  /** ONNX network that scores moves. */
  readonly moves: Uint8Array;
}

/** Folder of the model that ships with the package. */
export function embeddedParserFolder(): string {
  return packagePath('models/parser');
}

function unreadable(file: string, cause?: unknown): ModelFileError {
  const what = existsSync(file) ? 'can’t be read' : 'is missing';
  return new ModelFileError(`the parser model ${what}`, {
    where: { file },
    fix: FIX,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** What a parser's model says of itself. @throws ModelFileError when the folder has no manifest, or another model's */
export function readParserManifest(folder = embeddedParserFolder()): ParserManifest {
  const file = join(folder, 'manifest.json');
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

function readChecked(file: string, sha256: string): Buffer {
  if (!existsSync(file)) throw unreadable(file);
  const bytes = readFileSync(file);
  if (sha256Of(bytes) !== sha256) throw unreadable(file, new RangeError('its hash is not the manifest’s'));
  return bytes;
}

function parseLanguage(file: string, bytes: Buffer): ParserLanguage {
  try {
    return languageSchema.parse(JSON.parse(bytes.toString('utf8')));
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/** @throws ModelFileError when the folder holds no parser model, or not the one its manifest describes */
export function readParserFiles(folder = embeddedParserFolder()): ParserFiles {
  const { name, revision, files } = readParserManifest(folder);
  const read = (file: (typeof FILES)[number]): Buffer => readChecked(join(folder, file), files[file].sha256);
  return {
    name: `${name} ${revision}`,
    fingerprint: sha256Of(FILES.map((file) => files[file].sha256).join('\n')),
    language: parseLanguage(join(folder, 'language.json'), read('language.json')),
    network: read('network.onnx'),
    moves: read('moves.onnx'),
  };
}
