/** What is said to a language model. */
export interface Prompt {
  system: string;
  user: string;
  /** Most tokens of the answer. */
  maxTokens: number;
}

/** Why a model gave no text. The message may be logged: it says nothing of what was asked or answered, nor of an address or key. */
export class ModelFault extends Error {
  /** Whether every caller would fail now. False for an answer that one conversation may have caused. */
  readonly isOutage: boolean;
  /** Whether it fails until the operator acts: permissions are missing, or the model is not available. */
  readonly isDenied: boolean;

  constructor(message: string, { isOutage, isDenied = false }: { isOutage: boolean; isDenied?: boolean }) {
    super(message);
    this.isOutage = isOutage;
    this.isDenied = isDenied;
  }
}

/** Statuses that a conversation may cause: a content filter answers 400, a length limit 413 or 422. */
const BY_CONTENT = [400, 413, 422];
const DENIED = [401, 403];

/** The fault of an HTTP status other than success. */
export const statusFault = (status: number): ModelFault =>
  new ModelFault(`status ${status}`, { isOutage: !BY_CONTENT.includes(status), isDenied: DENIED.includes(status) });

/** A language model behind one of the protocols. Whatever goes wrong is thrown, and not tried again. */
export type LanguageModel = (prompt: Prompt, signal: AbortSignal) => Promise<string>;

/** Which language model judges, and how to reach it. */
export interface JudgeSettings {
  protocol: 'openai' | 'bedrock';
  model: string;
  timeoutMs: number;
  /** Of an OpenAI-compatible endpoint: `/chat/completions` comes after its path, before its query. */
  url: string;
  /** The key itself, on one machine; in the cloud the name of the secret that holds it. */
  key: string | undefined;
  keySecret: string | undefined;
}
