import { ConfigError } from '../errors.js';
import { Inflector } from '../dictionary/inflection.js';
import { NounKinds } from '../dictionary/noun-kinds.js';
import type { ReplacementPlanner } from '../dictionary/replacement-plan.js';
import type { SchemaThesaurus } from '../dictionary/schema-thesaurus.js';
import type { SynonymDictionary } from '../dictionary/synonym-dictionary.js';
import { type WordNet, wordnetFolder } from '../dictionary/wordnet-reader.js';
import { type Device, markDevice } from '../inference/device.js';
import type { EncoderManifest, NliManifest } from '../inference/model-manifest.js';
import { type LocatedModel, locateModel } from '../inference/model-store.js';
import { FillMask } from '../inference/fill-mask.js';
import { SentenceEncoder } from '../inference/sentence-encoder.js';
import { ColumnBank } from '../bank/column-bank.js';
import { AcceptabilityModel, readAcceptabilityManifest } from '../nli/acceptability/acceptability-model.js';
import { EconomicalScorer, OnnxEntailmentScorer, type ScoreStore } from '../nli/entailment-scorer.js';
import { ADD_MAX_ENTAILMENT, RPL_MIN_ENTAILMENT, type Thresholds } from '../nli/bucket-rule.js';
import { embeddedVectorsPath } from '../reranker/embedded-vectors.js';
import { openVectors } from '../reranker/open-vectors.js';
import { VectorFile } from '../reranker/vector-file.js';
import { WordVectorRanker } from '../reranker/word-vector-ranker.js';
import { CachedEmbedder, StoredEmbedder, type VectorStore } from '../retriever/text-embedder.js';
import { loadHeaderWords } from '../retriever/table-store.js';
import { openIndex } from '../retriever/open-index.js';
import type { TableIndex } from '../retriever/table-index.js';
import { defaultCacheFolder } from '../run/cache-folder.js';
import { createJudge } from '../llm/create-judge.js';
import { createProposer, type EndpointChoice, type ProposerChoice, requireEndpoint } from '../llm/create-proposer.js';
import { LLM_READING } from '../llm/llm-scorer.js';
import { ModelAsker } from '../llm/model-asker.js';
import type { NameProposer } from '../llm/proposed-names.js';
import { sha256Of } from '../run/sha256.js';
import type { EntailmentScorer } from '../stage.js';
import type { Recipe } from './recipes.js';
import { rulesInForce } from './rules-in-force.js';
import type { Settings } from './settings.js';
import { packagePath } from '../package-path.js';
import { englishWords } from '../naturalness/english-words.js';
import type { NaturalnessContext } from '../naturalness/naturalness-rule.js';

/** Folder of the starter index that ships with the package. */
export function embeddedIndexFolder(): string {
  return packagePath('data/wdc-index');
}

/** Remembers the value of its first call; the factories below share what is costly to load. */
function once<T>(create: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: create() }).value;
}

/** Remembers the value of its first call with each key. */
function oncePer<K, A, T>(create: (key: K, given: A) => T): (key: K, given: A) => T {
  const made = new Map<K, { readonly value: T }>();
  return (key, given) => {
    const known = made.get(key) ?? { value: create(key, given) };
    made.set(key, known);
    return known.value;
  };
}

/** Thresholds in force, and where they come from. */
export interface ThresholdChoice extends Thresholds {
  readonly source: 'settings' | 'manifest' | 'paper';
}

/** The options for the machine that a run is on. */
export interface MachineOptions {
  /** Inference sessions side by side; undefined = the number of cores. */
  readonly jobs?: number | undefined;
  /** Where networks run; undefined = the CPU. */
  readonly device?: Device | undefined;
  /** Folder of the score cache and of vectors converted from text; undefined = the platform's cache folder. */
  readonly cacheFolder?: string | undefined;
}

export interface ResourceOptions extends MachineOptions {
  /** Undefined or null = no language model can be asked. */
  readonly proposer?: ProposerChoice | null | undefined;
  /** Opens the store that keeps a model's entailment scores beyond the run. */
  readonly openStore?: ((modelFingerprint: string) => ScoreStore | null) | undefined;
  /** Opens the store that keeps an encoder's vectors beyond the run. */
  readonly openVectors?: ((encoderFingerprint: string) => VectorStore | null) | undefined;
}

/** @throws ConfigError when no model is chosen: the package has none */
function openFillMask(model: string | null, { jobs, device }: MachineOptions): FillMask {
  if (model !== null) return new FillMask(locateModel('fill-mask', model), jobs, device);
  throw new ConfigError('recipe bert-attack needs a masked language model, and none is chosen', {
    fix: 'Pull one (`perturbql models pull NAME --task fill-mask`), then name it: --set masked.model=NAME.',
  });
}

/**
 * The resources of stages: models, index, vectors, dictionary files. Each is loaded at its first use and shared.
 */
export class StageResources {
  readonly settings: Settings;
  readonly recipe: Recipe;
  readonly device: Device;
  readonly #options: ResourceOptions;
  readonly #disposables: { dispose(): Promise<void> }[] = [];
  readonly nliModel: () => LocatedModel<NliManifest> = once(() =>
    locateModel('nli', this.settings.nli.model ?? undefined),
  );
  readonly encoderModel: () => LocatedModel<EncoderManifest> = once(() =>
    locateModel('table-context-encoder', this.settings.retriever.model ?? undefined),
  );
  readonly encoder: () => StoredEmbedder = once(() => this.#startEncoder(this.encoderModel()));
  /** The embedded encoder, whatever retrieves: the entity head was trained on it. */
  readonly entityEncoder: () => StoredEmbedder = once(() =>
    this.settings.retriever.model === null ? this.encoder() : this.#startEncoder(locateModel('table-context-encoder')),
  );
  /** The masked language model that the settings name. */
  readonly maskedModel: () => FillMask = once(() =>
    this.#started(openFillMask(this.settings.masked.model, this.#options)),
  );
  /** The NLI model, whoever judges names: what else is scored may quote cells, which a language model is not told. */
  readonly modelScorer: () => EconomicalScorer = once(() => {
    const { jobs, device, openStore } = this.#options;
    const inner = new OnnxEntailmentScorer(this.nliModel(), jobs, device);
    return this.#started(new EconomicalScorer(inner, openStore?.(inner.fingerprint) ?? null));
  });
  /** The judge that the settings choose, of names. */
  readonly scorer: () => EconomicalScorer = once(() => {
    if (this.settings.nli.id === 'onnx') return this.modelScorer();
    const inner = this.#languageJudge();
    const { proposer, openStore } = this.#options;
    // Stores are named by hash. What is recorded needs none, and what it lacks must not be remembered as judged.
    const store = proposer?.kind === 'endpoint' ? openStore?.(sha256Of(inner.fingerprint)) : null;
    return this.#started(new EconomicalScorer(inner, store ?? null));
  });
  /** The encoder for short texts that come back: names, and tables in words. */
  readonly nameEmbedder: () => CachedEmbedder = once(() => new CachedEmbedder(this.encoder()));
  /** The same of the embedded encoder, whatever retrieves: the bank of columns was made with it. */
  readonly embeddedNames: () => CachedEmbedder = once(() =>
    this.settings.retriever.model === null ? this.nameEmbedder() : new CachedEmbedder(this.entityEncoder()),
  );
  /** The project's own columns with their names. */
  readonly bank: () => ColumnBank = once(() => new ColumnBank(this.embeddedNames()));
  /** How readers take names, as trees have learned it. */
  readonly acceptabilityModel: () => AcceptabilityModel = once(() => AcceptabilityModel.open());
  readonly index: () => Promise<TableIndex> = once(() => {
    const { id, index } = this.settings.retriever;
    return openIndex(index ?? embeddedIndexFolder(), id === 'bm25' ? null : this.encoder());
  });
  /** The word vectors that ship with the package. */
  readonly embeddedVectors: () => Promise<VectorFile> = once(() => VectorFile.open(embeddedVectorsPath()));
  readonly ranker: () => Promise<WordVectorRanker> = once(async () => {
    const folder = this.#options.cacheFolder ?? defaultCacheFolder();
    const { vectors } = this.settings.reranker;
    return new WordVectorRanker(await (vectors === null ? this.embeddedVectors() : openVectors(vectors, folder)));
  });
  /** Cosine of two names' word vectors, -1 to 1, null where either has none. */
  readonly similarity: () => Promise<(a: string, b: string) => number | null> = once(async () => {
    const ranker = await this.ranker();
    return (a: string, b: string) => ranker.similarity(a, b);
  });
  readonly wordnet: () => Promise<WordNet> = once(async () => {
    const { WordNet } = await import('../dictionary/wordnet-reader.js');
    return WordNet.load(wordnetFolder());
  });
  /** The project's own synonyms, which dictionaries ask first and rules take for familiar words. */
  readonly thesaurus: () => Promise<SchemaThesaurus> = once(async () => {
    const { SchemaThesaurus } = await import('../dictionary/schema-thesaurus.js');
    return new SchemaThesaurus();
  });
  /** Words of the headers of the index that ships with the package. */
  readonly headerWords: () => Promise<ReadonlySet<string>> = once(() => loadHeaderWords(embeddedIndexFolder()));
  readonly inflector: () => Promise<Inflector> = once(async () => new Inflector(await this.wordnet()));
  readonly nounKinds: () => Promise<NounKinds> = once(async () => new NounKinds(await this.wordnet()));
  /** Plans word replacements over a dictionary, which is opened once for each id; words and forms are WordNet's. */
  readonly planner: (id: string, open: () => Promise<SynonymDictionary>) => Promise<ReplacementPlanner> = oncePer(
    async (_id, open) => {
      const { ReplacementPlanner } = await import('../dictionary/replacement-plan.js');
      const nounKinds = await this.nounKinds();
      return new ReplacementPlanner({
        dictionary: await open(),
        lexicon: await this.wordnet(),
        inflector: await this.inflector(),
        isKind: (noun, kind) => nounKinds.is(noun, kind),
      });
    },
  );
  /** The word lists that ship with the package: WordNet, the thesaurus, and the frequencies of the embedded vectors. */
  readonly englishWords: () => Promise<NaturalnessContext> = once(async () => {
    // Not those of the ranker's vectors: Numberbatch's order says nothing of frequency.
    const vectors = await this.embeddedVectors();
    return englishWords({
      wordnet: await this.wordnet(),
      inflector: await this.inflector(),
      thesaurus: await this.thesaurus(),
      frequencyRank: (word) => vectors.frequencyRank(word),
    });
  });
  /** Asks the language model that may be asked, for whoever wants to know. @throws ConfigError where there is none */
  readonly asker: () => ModelAsker = once(() => this.#started(new ModelAsker(this.endpoint().endpoint, process.env)));
  /** Asks a language model for names, or looks up what one has proposed. */
  readonly proposer: () => Promise<NameProposer> = once(() =>
    createProposer(this.#options.proposer ?? null, this.asker),
  );
  /** Checks whether a naturalness rule is in force. @throws ConfigError when a flag names no rule */
  readonly rules: () => (rule: string) => boolean = once(() => rulesInForce(this.settings, this.recipe));
  /** The manifest of the trees, which thresholds need without their weights. */
  readonly #acceptability = once(() => readAcceptabilityManifest());
  /** @throws ConfigError when no score could be between the two thresholds. */
  readonly thresholds: () => ThresholdChoice = once(() => {
    const { id, rplMin, addMax } = this.settings.nli;
    const calibrated = id === 'llm' ? undefined : this.nliModel().manifest.thresholds;
    const told = this.isFittedJudge ? this.#acceptability().thresholds : calibrated?.reading;
    const reading = id === 'llm' ? LLM_READING : told;
    const proposed = id !== 'llm' && this.isFittedJudge ? { readingOfProposed: this.#acceptability().proposed } : {};
    const choice: ThresholdChoice = {
      rplMin: rplMin ?? calibrated?.rplMin ?? RPL_MIN_ENTAILMENT,
      addMax: addMax ?? calibrated?.addMax ?? ADD_MAX_ENTAILMENT,
      ...(reading === undefined || !this.rules()('reads-odd') ? {} : { reading, ...proposed }),
      source: rplMin !== null || addMax !== null ? 'settings' : calibrated === undefined ? 'paper' : 'manifest',
    };
    if (choice.addMax < choice.rplMin) return choice;
    throw new ConfigError(`nli.addMax (${choice.addMax}) must be below nli.rplMin (${choice.rplMin})`, {
      fix: 'A candidate that is both replaceable and addable can’t be sorted; move one threshold.',
    });
  });
  /** The language model as a judge, or what one has judged. */
  readonly #languageJudge: () => EntailmentScorer = once(() => createJudge(this.#options.proposer ?? null, this.asker));

  constructor(settings: Settings, recipe: Recipe, options: ResourceOptions = {}) {
    this.device = options.device ?? 'cpu';
    this.settings = settings;
    this.recipe = recipe;
    this.#options = options;
  }

  /** The endpoint of the language model that may be asked. @throws ConfigError where there is none */
  endpoint(): EndpointChoice {
    return requireEndpoint(this.#options.proposer ?? null);
  }

  /** True if additions must be associated with column and table (ADVETA §2.3), beyond what the judge decides. */
  get asksAssociation(): boolean {
    return this.rules()('unassociated');
  }

  /** True if readers' opinion of names is estimated: of how they read, or of what additions go with. */
  get asksAcceptability(): boolean {
    return this.asksAssociation || this.rules()('reads-odd');
  }

  /** True if the trees were fitted with the judge in use: both are combined, and the thresholds are the trees'. */
  get isFittedJudge(): boolean {
    return this.settings.nli.id === 'onnx' && this.nliModel().sha256 === this.#acceptability().judge;
  }

  /** Candidates that the reranker keeps per column: the recipe's number where it has one. */
  get keep(): number {
    return this.recipe.keep ?? this.settings.reranker.keep;
  }

  /**
   * Everything that the judge's scores depend on besides the pair: of a language model its address, name, prompt and
   * parameters, of an NLI model as `modelFingerprint`.
   */
  get judgeFingerprint(): string {
    return this.settings.nli.id === 'llm' ? this.#languageJudge().fingerprint : this.modelFingerprint;
  }

  /** Everything that the NLI model's scores depend on besides the pair: its manifest's contents, and the device. */
  get modelFingerprint(): string {
    return markDevice(sha256Of(JSON.stringify(this.nliModel().manifest)), this.device);
  }

  /** Stops the inference workers of whatever was started. */
  async dispose(): Promise<void> {
    await Promise.all(this.#disposables.splice(0).map((part) => part.dispose()));
  }

  #startEncoder(model: LocatedModel<EncoderManifest>): StoredEmbedder {
    const { jobs, device, openVectors: openStore } = this.#options;
    const encoder = new SentenceEncoder(model, jobs, device);
    return this.#started(new StoredEmbedder(encoder, openStore?.(encoder.fingerprint) ?? null));
  }

  #started<T extends { dispose(): Promise<void> }>(part: T): T {
    this.#disposables.push(part);
    return part;
  }
}
