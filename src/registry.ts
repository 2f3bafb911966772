import type { AskNearness } from './attributes/class-fit.js';
import type { NameAcceptability } from './bank/name-acceptability.js';
import type { ReplacementPlanner } from './dictionary/replacement-plan.js';
import type { SynonymDictionary } from './dictionary/synonym-dictionary.js';
import { wordFrequencies } from './formats/word-frequencies.js';
import type { StageResources } from './recipes/stage-resources.js';
import type { CandidateSource, CandidateSourceKind, TableRetriever, TpePredictor } from './stage.js';

/** Makes one part from the shared resources; its module is loaded only then. */
export type Factory<T> = (resources: StageResources) => Promise<T>;

/** ADVETA §4.1. A new retriever is its file, one line here and its conformance call. */
export const RETRIEVERS = {
  hnsw: async (r) => {
    const { HnswRetriever } = await import('./retriever/hnsw-retriever.js');
    return HnswRetriever.create(await r.index(), r.encoder());
  },
  exact: async (r) => {
    const { ExactRetriever } = await import('./retriever/exact-retriever.js');
    return new ExactRetriever(await r.index(), r.encoder());
  },
  bm25: async (r) => {
    const { Bm25Retriever } = await import('./retriever/bm25-retriever.js');
    return new Bm25Retriever(await r.index());
  },
} as const satisfies Record<string, Factory<TableRetriever>>;

/** ADVETA §4.3: where a word's synonyms come from. */
export const DICTIONARIES = {
  wordnet: async (r) => {
    const [{ WordNetDictionary }, { CompositeDictionary }] = await Promise.all([
      import('./dictionary/wordnet-dictionary.js'),
      import('./dictionary/synonym-dictionary.js'),
    ]);
    const wordnet = new WordNetDictionary(await r.wordnet(), {
      similarity: await r.similarity(),
      similarityFingerprint: (await r.ranker()).fingerprint,
      headerWords: await r.headerWords(),
    });
    return new CompositeDictionary([await r.thesaurus(), wordnet]);
  },
  oxford: async (r) => {
    const [{ OxfordDictionary }, { CompositeDictionary }] = await Promise.all([
      import('./dictionary/oxford-dictionary.js'),
      import('./dictionary/synonym-dictionary.js'),
    ]);
    const oxford = OxfordDictionary.fromEnvironment(process.env);
    return new CompositeDictionary([await r.thesaurus(), oxford]);
  },
} as const satisfies Record<string, Factory<SynonymDictionary>>;

/** Plans word replacements over one of the dictionaries. */
export function plannerOf(resources: StageResources, id: keyof typeof DICTIONARIES): Promise<ReplacementPlanner> {
  return resources.planner(id, () => DICTIONARIES[id](resources));
}

/** Estimates how readers would take names. */
export async function createAcceptability(r: StageResources): Promise<NameAcceptability> {
  const [{ NameAcceptability }, { BankEvidence }] = await Promise.all([
    import('./bank/name-acceptability.js'),
    import('./bank/bank-evidence.js'),
  ]);
  const bank = r.bank();
  const frequencies = wordFrequencies();
  return new NameAcceptability({
    bank,
    evidence: new BankEvidence(bank),
    model: r.acceptabilityModel(),
    isFitted: r.isFittedJudge,
    embedder: r.embeddedNames(),
    similarity: await r.similarity(),
    rank: (word) => frequencies.rank(word),
  });
}

/** Where candidates come from. */
export const SOURCES = {
  bank: async (r) => {
    const { BankSource } = await import('./bank/bank-source.js');
    const similarity = await r.similarity();
    return new BankSource({ bank: r.bank(), embedder: r.embeddedNames(), similarity, keep: r.settings.bank.keep });
  },
  retrieval: async (r) => {
    const { RetrievalSource } = await import('./retriever/retrieval-source.js');
    const { id, topK, domainFloor } = r.settings.retriever;
    const retriever = await RETRIEVERS[id](r);
    const settings = { k: topK, keep: r.keep, domainFloor, ownEntityFirst: r.asksAssociation };
    return new RetrievalSource(retriever, await r.ranker(), settings);
  },
  dictionary: async (r) => {
    const { DictionarySource } = await import('./dictionary/dictionary-source.js');
    const { id, keepProbability, maxCandidates, maxRepeats } = r.settings.dictionary;
    const similarity = await r.similarity();
    return new DictionarySource(await plannerOf(r, id), { keepProbability, maxCandidates, maxRepeats, similarity });
  },
  attributes: async (r) => {
    const [{ AttributeSource }, { AttributeCatalog }] = await Promise.all([
      import('./attributes/attribute-source.js'),
      import('./attributes/attribute-catalog.js'),
    ]);
    const [tpe, similarity, inflector, nounKinds] = await Promise.all([
      TPE_PREDICTORS[r.settings.tpe.id](r),
      r.similarity(),
      r.inflector(),
      r.nounKinds(),
    ]);
    const { nearnessOf } = await import('./retriever/table-nearness.js');
    const nearness: AskNearness = (...asked) => nearnessOf(r.nameEmbedder(), ...asked);
    return new AttributeSource({
      catalog: new AttributeCatalog(),
      tpe,
      inflector,
      nounKinds,
      similarity,
      keep: r.settings.attributes.keep,
      nearness: r.asksAssociation ? nearness : null,
    });
  },
  vocabulary: async (r) => {
    const { VocabularySource } = await import('./reranker/vocabulary-source.js');
    return new VocabularySource(await r.ranker());
  },
  random: async (r) => {
    const { RandomSource } = await import('./retriever/random-source.js');
    return new RandomSource(await r.index(), r.keep);
  },
  neighbors: async (r) => {
    const [{ NeighborWords }, { SubstitutionSource }] = await Promise.all([
      import('./substitution/neighbor-words.js'),
      import('./substitution/substitution-source.js'),
    ]);
    const ranker = await r.ranker();
    const substitutes = new NeighborWords(ranker, await r.wordnet(), await r.inflector());
    return new SubstitutionSource({ substitutes, embedder: r.encoder(), similarity: await r.similarity() });
  },
  masked: async (r) => {
    const [{ MaskedWords }, { SubstitutionSource }] = await Promise.all([
      import('./substitution/masked-words.js'),
      import('./substitution/substitution-source.js'),
    ]);
    const similarity = await r.similarity();
    return new SubstitutionSource({ substitutes: new MaskedWords(r.maskedModel()), embedder: r.encoder(), similarity });
  },
  llm: async (r) => {
    const { LlmSource } = await import('./llm/llm-source.js');
    return new LlmSource(await r.proposer(), r.keep, await r.similarity());
  },
} as const satisfies Record<Exclude<CandidateSourceKind, 'annotation'>, Factory<CandidateSource>>;

async function createTableNameTpe(): Promise<TpePredictor> {
  const { TableNameTpe } = await import('./tpe/table-name-tpe.js');
  return new TableNameTpe();
}

async function createZeroShotTpe(r: StageResources): Promise<TpePredictor> {
  const { ZeroShotTpe } = await import('./tpe/zero-shot-tpe.js');
  return new ZeroShotTpe(r.modelScorer());
}

async function createEncoderTpe(r: StageResources): Promise<TpePredictor> {
  const [{ EncoderTpe }, { EntityHead }] = await Promise.all([
    import('./tpe/encoder-tpe.js'),
    import('./tpe/entity-head.js'),
  ]);
  const encoder = r.entityEncoder();
  return new EncoderTpe(encoder, EntityHead.open(encoder.model.sha256));
}

/** ADVETA §2.1 and appendix B.2. */
export const TPE_PREDICTORS = {
  auto: async (r) => {
    const [{ AutoTpe }, { loadTpeAnnotations }] = await Promise.all([
      import('./tpe/auto-tpe.js'),
      import('./tpe/tpe-annotations.js'),
    ]);
    const { annotations } = r.settings.tpe;
    const known = annotations === null ? new Map<string, string>() : loadTpeAnnotations(annotations);
    return new AutoTpe(known, await createTableNameTpe(), await createEncoderTpe(r));
  },
  'table-name': createTableNameTpe,
  encoder: createEncoderTpe,
  'zero-shot': createZeroShotTpe,
  llm: async (r) => {
    const { LlmTpe } = await import('./llm/llm-tpe.js');
    return new LlmTpe(r.endpoint(), r.asker(), await createTableNameTpe());
  },
} as const satisfies Record<string, Factory<TpePredictor>>;
