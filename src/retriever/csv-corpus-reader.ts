import { basename } from 'node:path';
import { CsvError, parse } from 'csv-parse';
import { createReadTable, SAMPLE_ROWS, skipTable, type CorpusEntry, PathCorpusReader } from './corpus-reader.js';
import { sniffCsvDialect } from '../formats/csv-text.js';
import { cleanText } from '../schema/natural-name.js';
import { decodeText, openBytes } from './text-stream.js';

const HEAD_BYTES = 1024 * 1024;

/** The first megabyte, cut at its last line end when there is more; samples need no more. */
async function readHead(path: string): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of openBytes(path) as AsyncIterable<Buffer>) {
    parts.push(part);
    length += part.length;
    if (length > HEAD_BYTES) break;
  }
  const text = decodeText(Buffer.concat(parts));
  return length > HEAD_BYTES ? text.slice(0, text.lastIndexOf('\n') + 1) : text;
}

function parseRows(text: string, name: string): Promise<string[][]> {
  const options = {
    bom: true,
    delimiter: sniffCsvDialect(text, name.replace(/\.gz$/iu, '')).delimiter,
    relaxColumnCount: true,
    relaxQuotes: true,
    to: SAMPLE_ROWS + 1,
  };
  return new Promise((resolve, reject) => {
    parse(text, { ...options, skipEmptyLines: true }, (error, rows: string[][]) => {
      if (error === undefined || error === null) resolve(rows);
      else reject(error);
    });
  });
}

/** Reads a .csv or .tsv file (plain or .gz) as one table: first line header, title from the file's name, delimiter guessed. */
export class CsvCorpusReader extends PathCorpusReader {
  async *read(signal: AbortSignal): AsyncGenerator<CorpusEntry> {
    signal.throwIfAborted();
    const rows = await this.#rows();
    const [headers, ...samples] = rows ?? [];
    if (rows === null) {
      yield skipTable('malformed CSV', this.name);
      return;
    }
    if (headers === undefined) {
      yield skipTable('empty file', this.name);
      return;
    }
    const title = cleanText(
      basename(this.name)
        .replace(/\.(?:csv|tsv)(?:\.gz)?$/iu, '')
        .replace(/[_-]+/gu, ' '),
    );
    yield createReadTable({ id: this.name, title, headers, rows: samples }, this.name);
  }

  async #rows(): Promise<string[][] | null> {
    try {
      return await parseRows(await readHead(this.path), this.name);
    } catch (error) {
      if (error instanceof CsvError) return null;
      throw error;
    }
  }
}
