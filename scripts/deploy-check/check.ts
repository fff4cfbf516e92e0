/** A deployed stage, and what to call it with. */
export type Target = {
  /** Without a slash at the end. */
  baseUrl: string;
  apiKey: string;
  /** An origin whose pages may call the API. */
  origin: string;
  /** The clip to transcode. */
  clipPath: string;
  hasDashboard: boolean;
};

/** Something that must hold of a deployed stage. It throws a sentence for the person who deployed it. */
export type Check = { name: string; run: (target: Target) => Promise<void> };

/** @throws Error with the sentence, where the condition does not hold */
export function expect(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new Error(sentence);
}
