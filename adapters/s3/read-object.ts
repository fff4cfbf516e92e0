import { type BucketAccess, type ObjectRange, type OpenedObject, openObject } from './open-object.ts';
import { isConnectionError } from './read-error.ts';

/** How often reading goes on where a connection failed: the SDK repeats requests, but no answers. */
const maxResumes = 5;

/**
 * A part of an object as it arrives, in constant memory. A connection that fails is taken up where it was. However
 * reading ends, the connection is closed; when the signal aborts, at once.
 *
 * @param opened the answer to that question, if it has been asked already
 */
export async function* readObject(
  place: BucketAccess,
  part: ObjectRange,
  { signal, opened }: { signal: AbortSignal; opened?: OpenedObject },
): AsyncGenerator<Buffer> {
  let position = part.start;
  let answer = opened;
  let resumes = 0;
  do {
    let isReaderSlow = false;
    try {
      answer ??= await openObject(place, { ...part, start: position }, signal);
      for await (const piece of answer.body) {
        position += piece.length;
        yield piece;
        isReaderSlow = answer.body.errored?.name === 'TimeoutError';
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!isConnectionError(error)) throw error;
      // The SDK closes what stands still, even if it is the reader that takes its time.
      if (!isReaderSlow) resumes += 1;
      if (resumes > maxResumes) throw error;
    }
    answer = undefined;
  } while (position < part.end);
}
