import * as z from 'zod';

/** A permit in a group. It ends when its holder frees it, or expires after a crash. */
export type Permit = { group: string; holder: string; endsAt: Date };

/** Bounds how many holders a group has at the same time. */
export type Permits = {
  /** False if `max` others hold permits of the group. Taking the same permit again moves its end. */
  take(permit: Permit, limit: { max: number; now: Date }): Promise<boolean>;
  /** False if the holder had no permit. */
  free(permit: Omit<Permit, 'endsAt'>): Promise<boolean>;
};

/** The permits of a group. */
export const groupSchema = z.object({
  /** The end of each permit in Unix milliseconds, by holder. */
  permits: z.record(z.string(), z.int()),
  /** Counts the writes. A write requires the version that was read. */
  version: z.int().min(0),
});

export type Group = z.infer<typeof groupSchema>;

export const emptyGroup: Group = { permits: {}, version: 0 };

/** Adds a permit, or moves its end; undefined if `max` others are taken. Expired ones are removed. */
export function takePermit(
  { permits, version }: Group,
  { holder, endsAt }: Pick<Permit, 'holder' | 'endsAt'>,
  { max, now }: { max: number; now: Date },
): Group | undefined {
  const others = Object.entries(permits).filter(([name, end]) => name !== holder && end > now.getTime());
  if (others.length >= max) return undefined;
  return { permits: { ...Object.fromEntries(others), [holder]: endsAt.getTime() }, version: version + 1 };
}

/** Removes a permit; undefined if its holder has none. */
export function freePermit({ permits, version }: Group, holder: string): Group | undefined {
  if (!(holder in permits)) return undefined;
  const { [holder]: _, ...others } = permits;
  return { permits: others, version: version + 1 };
}
