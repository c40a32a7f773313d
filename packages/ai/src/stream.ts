import type { SponsoredPart } from './part.ts';

/** After these there is no answer that an ad could stand below. */
const NO_ANSWER = ['error', 'abort'];
/** Of an answer that is whole, or was cut at its length; not of one that goes on with a tool, or that was refused. */
const ANSWERED = ['stop', 'length', 'other', 'unknown'];

/**
 * A UI message stream with one part more, right before it finishes. Nothing is waited for: where there is no part by then, or the
 * answer failed or was broken off, the stream is what it was.
 */
export function withPart<Chunk extends { type: string }>(
  stream: ReadableStream<Chunk>,
  part: () => SponsoredPart | undefined,
): ReadableStream<Chunk | SponsoredPart> {
  let isWhole = true;
  return stream.pipeThrough(
    new TransformStream<Chunk, Chunk | SponsoredPart>({
      transform(chunk, controller) {
        if (NO_ANSWER.includes(chunk.type)) isWhole = false;
        if (chunk.type === 'finish' && isWhole && isAnswered(chunk)) {
          const sponsored = part();
          if (sponsored) controller.enqueue(sponsored);
          isWhole = false;
        }
        controller.enqueue(chunk);
      },
    }),
  );
}

const isAnswered = (finish: object): boolean =>
  !('finishReason' in finish) || finish.finishReason === undefined || ANSWERED.includes(String(finish.finishReason));
