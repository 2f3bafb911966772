import { z } from 'zod';
import { PackagedPart, partManifest } from '../../inference/packaged-part.js';
import { sha256Of } from '../../run/sha256.js';
import { packagePath } from '../../package-path.js';

const FILES = ['language.json', 'moves.onnx', 'network.onnx'] as const;

const manifestSchema = partManifest('dependency-parser', FILES);

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
/** The manifest of a parser's model. */
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

const partOf = (folder: string): PackagedPart => new PackagedPart('the parser model', folder);

/** Reads a parser model's manifest. @throws ModelFileError when the folder has no manifest, or another model's */
export function readParserManifest(folder = embeddedParserFolder()): ParserManifest {
  return partOf(folder).manifest(manifestSchema);
}

/** @throws ModelFileError when the folder holds no parser model, or not the one its manifest describes */
export function readParserFiles(folder = embeddedParserFolder()): ParserFiles {
  const { name, revision, files } = readParserManifest(folder);
  const part = partOf(folder);
  const bytesOf = (file: (typeof FILES)[number]): Buffer => part.file(file, files[file], (bytes) => bytes);
  return {
    name: `${name} ${revision}`,
    fingerprint: sha256Of(FILES.map((file) => files[file].sha256).join('\n')),
    language: part.file('language.json', files['language.json'], (bytes) =>
      languageSchema.parse(JSON.parse(bytes.toString('utf8'))),
    ),
    network: bytesOf('network.onnx'),
    moves: bytesOf('moves.onnx'),
  };
}
