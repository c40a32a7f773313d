import { label } from '../format.ts';

/** A state as a word in a colour. */
export const StatusBadge = ({ of, says }: { of: string; says?: string | undefined }) => (
  <span class={`status ${of.replaceAll('_', '-')}`}>{says ?? label(of)}</span>
);
