import { pipeline } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { skipTable, type CorpusEntry, PathCorpusReader } from './corpus-reader.js';
import { parseCorpusText } from './corpus-record.js';
import { decodeText, MAX_RECORD_BYTES, openBytes, readBounded } from './text-stream.js';

function unzip(bytes: Buffer): Buffer | null {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_RECORD_BYTES });
  } catch {
    return null;
  }
}

/** Reads the JSON files in a .tar, .tar.gz or .tgz archive, the form in which the WDC Web Table Corpus 2015 is published. */
export class TarCorpusReader extends PathCorpusReader {
  async *read(signal: AbortSignal): AsyncGenerator<CorpusEntry> {
    const archive = extract();
    pipeline(openBytes(this.path), archive, () => undefined);
    for await (const entry of archive) {
      signal.throwIfAborted();
      const { name, type } = entry.header;
      const where = `${this.name}/${name.replace(/^\.\//u, '')}`;
      const bytes = await readBounded(entry as AsyncIterable<Uint8Array>);
      if (type !== 'file') continue;
      if (/\.(?:jsonl?|ndjson)(?:\.gz)?$/iu.test(name)) yield* this.#readEntry(bytes, where);
      else yield skipTable('unknown kind of file in an archive', where);
    }
  }

  *#readEntry(bytes: Buffer | null, where: string): Generator<CorpusEntry> {
    if (bytes === null) {
      yield skipTable('record over 64 MB', where);
      return;
    }
    const plain = /\.gz$/iu.test(where) ? unzip(bytes) : bytes;
    if (plain === null) {
      yield skipTable('unreadable file', where);
      return;
    }
    yield* parseCorpusText(decodeText(plain), where);
  }
}
