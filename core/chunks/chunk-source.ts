import type { PlanInput } from '../recipes/recipe.ts';

/** What chunks are made of, and the format that they are made for. */
export type ChunkSource = Pick<PlanInput<unknown>, 'probe' | 'format' | 'inputPath'>;
