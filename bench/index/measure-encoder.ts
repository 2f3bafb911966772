import type { SentenceEncoder } from '../../src/inference/sentence-encoder.js';
import { renderCorpusTable } from '../../src/retriever/table-context.js';
import type { CorpusTable } from '../../src/stage.js';
import { embedAll } from './base-vectors.js';

const WARM_UP = 32;

/** Speed of the real encoder over one kind of text. */
export interface EncoderRate {
  readonly texts: string;
  readonly tables: number;
  /** Mean length of a text in characters. */
  readonly characters: number;
  readonly perSecond: number;
  /** Tables per second of one core that is used by nothing else. */
  readonly perCpuSecond: number;
}

async function measure(texts: readonly string[], name: string, encoder: SentenceEncoder): Promise<EncoderRate> {
  await embedAll(texts.slice(0, WARM_UP), encoder);
  const [wall, cpu] = [performance.now(), process.cpuUsage()];
  await embedAll(texts, encoder);
  const seconds = (performance.now() - wall) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return {
    texts: name,
    tables: texts.length,
    characters: texts.reduce((sum, text) => sum + text.length, 0) / texts.length,
    perSecond: texts.length / seconds,
    perCpuSecond: texts.length / ((user + system) / 1e6),
  };
}

/** Tables per second of the real encoder: as an index reads them (title, columns, values), and without the values. */
export async function measureEncoder(
  tables: readonly CorpusTable[],
  encoder: SentenceEncoder,
): Promise<readonly EncoderRate[]> {
  const bare = tables.map((table) => renderCorpusTable({ ...table, rows: [] }));
  return [
    await measure(tables.map(renderCorpusTable), 'title, columns, values', encoder),
    await measure(bare, 'title, columns', encoder),
  ];
}
