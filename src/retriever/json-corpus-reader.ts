import { skipTable, type CorpusEntry, PathCorpusReader } from './corpus-reader.js';
import { parseCorpusRecord, parseCorpusText, tryParseJson } from './corpus-record.js';
import { decodeText, openBytes, readBounded, readLines } from './text-stream.js';

/**
 * Reads JSON files: one table a line (.jsonl, .ndjson), or one table, an array or a table a line (.json); each plain or .gz.
 * A record is our compact form `{id, title, columns, types?, rows?}`, with `types` guessed where missing, or a WDC table.
 */
export class JsonCorpusReader extends PathCorpusReader {
  read(signal: AbortSignal): AsyncIterable<CorpusEntry> {
    return /\.json(?:\.gz)?$/iu.test(this.path) ? this.#readWhole(signal) : this.#readLines(signal);
  }

  async *#readLines(signal: AbortSignal): AsyncGenerator<CorpusEntry> {
    let number = 0;
    for await (const line of readLines(openBytes(this.path))) {
      signal.throwIfAborted();
      number++;
      const where = `${this.name}:${number}`;
      if (line === null) yield skipTable('record over 64 MB', where);
      else if (line.trim() !== '') yield parseCorpusRecord(tryParseJson(line), where);
    }
  }

  async *#readWhole(signal: AbortSignal): AsyncGenerator<CorpusEntry> {
    const bytes = await readBounded(openBytes(this.path));
    signal.throwIfAborted();
    // A .json file this large can only be a table a line, the form of the corpus's own larger parts.
    if (bytes === null) yield* this.#readLines(signal);
    else yield* parseCorpusText(decodeText(bytes), this.name);
  }
}
