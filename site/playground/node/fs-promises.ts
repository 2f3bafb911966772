// node:fs/promises, as fs.ts.
import type { Buffer } from 'buffer';
import { bytesOf } from './file-map.js';
import { readFileSync, statSync } from './fs.js';

export async function access(path: string): Promise<void> {
  bytesOf(path);
}

export async function readFile(path: string, encoding?: BufferEncoding): Promise<Buffer | string> {
  return readFileSync(path, encoding);
}

export async function stat(path: string): Promise<ReturnType<typeof statSync>> {
  return statSync(path);
}

interface OpenFile {
  stat(): Promise<ReturnType<typeof statSync>>;
  read(into: Buffer, at: number, length: number, from: number): Promise<{ buffer: Buffer; bytesRead: number }>;
  close(): Promise<void>;
}

export async function open(path: string): Promise<OpenFile> {
  const bytes = bytesOf(path);
  return {
    stat: () => stat(path),
    read: async (buffer, at, length, from) => ({ buffer, bytesRead: bytes.copy(buffer, at, from, from + length) }),
    close: async () => {},
  };
}

export async function rm(): Promise<never> {
  throw new Error('a page can’t remove files');
}
