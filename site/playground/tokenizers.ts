// What stands for src/inference/transformers.ts: the same tokenizers, read from the fetched files.
import * as tokenizers from 'transformers-tokenizers';
import { readFileSync } from './node/fs.js';

export const env = { allowRemoteModels: false };

function readJson(path: string): { readonly tokenizer_class?: string } {
  return JSON.parse(readFileSync(path, 'utf8') as string) as { tokenizer_class?: string };
}

export const AutoTokenizer = {
  async from_pretrained(folder: string): Promise<unknown> {
    const config = readJson(`${folder}/tokenizer_config.json`);
    const name = (config.tokenizer_class ?? '').replace(/Fast$/, '');
    const Tokenizer = tokenizers[name];
    if (Tokenizer === undefined) throw new Error(`no tokenizer of class ${name}`);
    return new Tokenizer(readJson(`${folder}/tokenizer.json`), config);
  },
};
