/** Asks with the first call and keeps the answer. A failure is not kept: the next call asks again. */
export function memoizeSuccess<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let answer: Promise<Answer> | undefined;
  return () => {
    answer ??= ask().catch((cause: unknown) => {
      answer = undefined;
      throw cause;
    });
    return answer;
  };
}
