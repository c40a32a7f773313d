/** A prompt for a language model. */
export interface Prompt {
  system: string;
  user: string;
  /** Maximum tokens of the response. */
  maxTokens: number;
}

/** Why a model returned no text. The message is safe to log: it contains no prompt, response, URL, or key. */
export class ModelFault extends Error {
  /** Whether every request would fail now. False if the conversation itself may have caused the fault. */
  readonly isOutage: boolean;
  /** Whether an operator must act, because permissions are missing or the model is not available. */
  readonly isDenied: boolean;

  constructor(message: string, { isOutage, isDenied = false }: { isOutage: boolean; isDenied?: boolean }) {
    super(message);
    this.isOutage = isOutage;
    this.isDenied = isDenied;
  }
}

/** Statuses that the conversation itself may cause: 400 from a content filter, 413 or 422 from a length limit. */
const BY_CONTENT = [400, 413, 422];
const DENIED = [401, 403];

/** The fault for an HTTP error status. */
export const statusFault = (status: number): ModelFault =>
  new ModelFault(`status ${status}`, { isOutage: !BY_CONTENT.includes(status), isDenied: DENIED.includes(status) });

/** A language model behind one of the protocols. It does not retry. @throws ModelFault, or the error of the client */
export type LanguageModel = (prompt: Prompt, signal: AbortSignal) => Promise<string>;

/** The language model of the judge, and how to reach it. */
export interface JudgeSettings {
  protocol: 'openai' | 'bedrock';
  model: string;
  timeoutMs: number;
  /** An OpenAI-compatible endpoint; `/chat/completions` is appended to its path. */
  url: string;
  /** Local only. */
  key: string | undefined;
  /** In the cloud: the name of the secret that contains the key. */
  keySecret: string | undefined;
}
