import type { SponsoredPart } from './part.ts';

/** How an answer ended. Only an answered one may get an ad. */
type Ending = 'answered' | 'failed' | 'aborted';

/** Finish reasons of a complete or truncated answer. Excluded: `tool-calls` (the answer continues), `content-filter`, and `error`. */
const ANSWERED = ['stop', 'length', 'other', 'unknown'];
export const isAnswered = (reason: unknown): boolean => ANSWERED.includes(String(reason));

/**
 * Adds the ad's part to a UI message stream, right before the `finish` chunk. Never waits.
 * @param end is called exactly once, with how the answer ended; returns the part, or undefined to leave the stream unchanged
 */
export function addPart<Chunk extends { type: string }>(
  stream: ReadableStream<Chunk>,
  end: (ending: Ending) => SponsoredPart | undefined,
): ReadableStream<Chunk | SponsoredPart> {
  const reader = stream.getReader();
  let ending: Ending = 'answered';
  let isOver = false;
  const endOnce = (how: Ending): SponsoredPart | undefined => {
    if (isOver) return undefined;
    isOver = true;
    return end(how);
  };
  // Not a TransformStream: on Node 20, it does not notice that its reader cancels.
  return new ReadableStream<Chunk | SponsoredPart>({
    async pull(controller) {
      const { done, value: chunk } = await reader.read().catch((error) => {
        endOnce('failed');
        throw error;
      });
      if (done) {
        endOnce(ending === 'answered' ? 'failed' : ending);
        return controller.close();
      }
      if (chunk.type === 'error') ending = 'failed';
      if (chunk.type === 'abort') ending = 'aborted';
      if (chunk.type === 'finish') {
        const part = endOnce(ending === 'answered' && !isFinished(chunk) ? 'failed' : ending);
        if (part) controller.enqueue(part);
      }
      controller.enqueue(chunk);
    },
    cancel(reason) {
      endOnce('aborted');
      return reader.cancel(reason);
    },
  });
}

const isFinished = (finish: object): boolean =>
  !('finishReason' in finish) || finish.finishReason === undefined || isAnswered(finish.finishReason);
