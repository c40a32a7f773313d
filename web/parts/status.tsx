import { label } from '../format.ts';

export const StatusBadge = ({ of, says }: { of: string; says?: string | undefined }) => (
  <span class={`status ${of.replaceAll('_', '-')}`}>{says ?? label(of)}</span>
);
