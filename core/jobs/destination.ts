import * as z from 'zod';
import { objectOptions } from '../storage/object-options.ts';

const placeSchema = z.object({
  storageProviderId: z.string(),
  keyTemplate: z.string(),
  ...objectOptions,
  /** Each byte that is sent there is billed to the stage as transfer to the internet. */
  isOutsideAws: z.literal(true).optional(),
});

/** The storage provider that receives files, and the template of their keys. */
export type Place = z.infer<typeof placeSchema>;

/**
 * Where the files of a job go, fixed when it is created. Without it they go to the stage's bucket. In a job of several outputs
 * each has a place of its own; those without one go to the stage's bucket. The job itself has that of the first.
 */
export const destinationSchema = placeSchema.extend({ ofOutputs: z.record(z.string(), placeSchema).optional() });

export type Destination = z.infer<typeof destinationSchema>;

/** The place of the files of an output; undefined for the stage's bucket. */
export function placeOf(destination: Destination | undefined, output: string): Place | undefined {
  const { ofOutputs } = destination ?? {};
  if (ofOutputs === undefined) return destination;
  return Object.hasOwn(ofOutputs, output) ? ofOutputs[output] : undefined;
}

export function providersOf(destination: Destination | undefined): string[] {
  const places = destination === undefined ? [] : Object.values(destination.ofOutputs ?? { all: destination });
  return [...new Set(places.map(({ storageProviderId }) => storageProviderId))];
}
