import { addFile } from './node/file-map.js';
import type { FetchedFile } from './messages.js';

type Progress = (bytes: number, of: number) => void;

async function fetchOne({ url, packed }: FetchedFile, seen: (bytes: number) => void): Promise<Uint8Array> {
  const response = await fetch(new URL(url, self.location.href));
  if (!response.ok || response.body === null) throw new Error(`${url} can’t be fetched: ${response.status}`);
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        seen(chunk.length);
        controller.enqueue(chunk);
      },
    }),
  );
  const whole = packed ? counted.pipeThrough(new DecompressionStream('gzip')) : counted;
  return new Uint8Array(await new Response(whole).arrayBuffer());
}

/** Fetches all files that the stages read, which `files.json` lists. */
export async function fetchFiles(progress: Progress): Promise<void> {
  const list = (await (await fetch(new URL('./files.json', self.location.href))).json()) as readonly FetchedFile[];
  const of = list.reduce((sum, { bytes }) => sum + bytes, 0);
  let bytes = 0;
  const seen = (length: number): void => {
    bytes += length;
    progress(bytes, of);
  };
  await Promise.all(list.map(async (file) => addFile(file.path, await fetchOne(file, seen))));
}
