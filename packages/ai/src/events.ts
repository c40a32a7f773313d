/** What your server knows about a turn. */
export interface TurnAbout {
  /** Country of the user, ISO 3166-1 alpha-2. */
  countryCode: string;
  /**
   * Required for your key's limits on ads per conversation. `id` is your own, 1 to 128 characters; `turn` counts the
   * user's messages so far, and is needed only if the prompt leaves out older ones.
   */
  conversation?: { id: string; turn?: number };
  /** Your label of an A/B test, at most 64 bytes. The key's report can be broken down by it. */
  variant?: string;
  /** The request's signal: cancels the bid if the user leaves. */
  signal?: AbortSignal;
}

/** What a turn got. `code` is one of the service's outcomes, or one of the package's own (`NO_FILL`). */
export type Outcome =
  | { type: 'filled'; bidId: string; bid: number }
  | { type: 'no_fill'; code: string; meaning: string }
  | { type: 'error'; error: unknown };

/** What a turn got, and your own labels of the turn. `bid` is a CPM in USD. */
export type TurnEvent = Outcome & Pick<TurnAbout, 'conversation' | 'variant'>;

/**
 * What happened to an ad in the page, each at most once per card. `viewed`: half of the ad itself was visible for one second (MRC).
 * `clicked`: the reader followed its link. `bidId` is that of the turn's `filled` event.
 */
export type CardEvent = { type: 'viewed' | 'clicked'; bidId: string };

export type SponsorEvent = TurnEvent | CardEvent;

export interface Handlers<Event = TurnEvent> {
  /** Receives exactly one `TurnEvent` per turn, and what cards report. Errors of the handler never affect the chat. */
  onEvent?: (event: Event) => void;
  /** Receives every error, for your log. Errors never affect the chat. */
  onError?: (error: unknown) => void;
}

/** Reports what a turn got; ignores all calls after the first one, except their errors. */
type Report = (outcome: Outcome) => void;

export function createReport({ onEvent, onError }: Handlers, { conversation, variant }: Partial<TurnAbout>): Report {
  let isReported = false;
  return (outcome) => {
    if (outcome.type === 'error') tell(onError, outcome.error);
    if (isReported) return;
    isReported = true;
    tell(onEvent, { ...outcome, ...(conversation && { conversation }), ...(variant !== undefined && { variant }) });
  };
}

/** A handler that throws or rejects must not fail the chat. */
export function tell<T>(handler: ((value: T) => unknown) | undefined, value: T): void {
  (async () => handler?.(value))().catch(() => {});
}
