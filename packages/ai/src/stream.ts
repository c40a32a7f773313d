import type { SponsoredPart } from './part.ts';

/** Chunk types that mean the answer is incomplete, so no ad is shown. */
const FAILURES = ['error', 'abort'];
/** Finish reasons of a complete or truncated answer. Excluded: `tool-calls` (the answer continues), `content-filter`, and `error`. */
const ANSWERED = ['stop', 'length', 'other', 'unknown'];

/**
 * Adds the ad's part to a UI message stream, right before the `finish` chunk. Never waits: if there is no part by then, or if the
 * answer failed or was aborted, the stream stays unchanged.
 */
export function addPart<Chunk extends { type: string }>(
  stream: ReadableStream<Chunk>,
  part: () => SponsoredPart | undefined,
): ReadableStream<Chunk | SponsoredPart> {
  let canAdd = true;
  return stream.pipeThrough(
    new TransformStream<Chunk, Chunk | SponsoredPart>({
      transform(chunk, controller) {
        if (FAILURES.includes(chunk.type)) canAdd = false;
        if (chunk.type === 'finish' && canAdd && isAnswered(chunk)) {
          const sponsored = part();
          if (sponsored) controller.enqueue(sponsored);
          canAdd = false;
        }
        controller.enqueue(chunk);
      },
    }),
  );
}

const isAnswered = (finish: object): boolean =>
  !('finishReason' in finish) || finish.finishReason === undefined || ANSWERED.includes(String(finish.finishReason));
