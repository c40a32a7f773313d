import { highlight, type Range } from '../highlight.ts';

export const Highlighted = ({ text, ranges }: { text: string; ranges: readonly Range[] }) => (
  <>{highlight(text, ranges).map((segment) => (segment.isMarked ? <mark>{segment.text}</mark> : segment.text))}</>
);
