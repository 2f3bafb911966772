// What site/bundle-playground.mjs resolves to other modules.
declare module 'transformers-tokenizers' {
  const tokenizers: Readonly<Record<string, (new (tokenizer: object, config: object) => unknown) | undefined>>;
  export = tokenizers;
}
