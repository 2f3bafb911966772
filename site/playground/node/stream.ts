// node:stream and node:stream/promises, for the one stream there is: a file into its hash.
interface Sink {
  update(bytes: Uint8Array): unknown;
}

export async function pipeline(bytes: Uint8Array, sink: Sink): Promise<void> {
  sink.update(bytes);
}
