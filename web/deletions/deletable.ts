/** Puts an item back into use. Resolves to what the visitor should know about its state. */
export type Restore = () => Promise<string | null>;

/** A campaign, a key, or a webhook. */
export interface Deletable {
  id: string;
  name: string;
  /** Takes it out of use until it is deleted. Resolves to null if it was not in use. */
  stop(): Promise<Restore | null>;
  remove(): Promise<unknown>;
  /** What the UI calls the stopped state. */
  stopped: 'paused' | 'turned off';
  /** What happens at once, before the deletion. */
  effect?: string;
}
