import { label } from '../format.ts';

/** The desk's words for states that it names differently from the API, the same on every page. */
const WORDS: Readonly<Record<string, string>> = {
  active: 'Live',
  cancelled: 'Canceled',
  disabled: 'Off',
};

/** The word for a state of a campaign, a key, a webhook, or a delivery. */
export const nameState = (state: string): string => WORDS[state] ?? label(state);

export const StatusBadge = ({ of: state }: { of: string }) => (
  <span class={`status ${state.replaceAll('_', '-')}`}>{nameState(state)}</span>
);
