import { type EventFeed, type FeedEntry, positionOf } from '../../../core/feed/feed-entry.ts';

type Feed = { positions: string[]; entries: Map<string, FeedEntry> };

/** The feeds of owners in memory, whose positions are kept in order. */
export function memoryEventFeed(): EventFeed {
  const owners = new Map<string, Feed>();
  const of = (ownerId: string) => {
    const feed = owners.get(ownerId) ?? { positions: [], entries: new Map() };
    owners.set(ownerId, feed);
    return feed;
  };
  const set = (entry: FeedEntry, isReplacing: boolean) => {
    const [{ positions, entries }, position] = [of(entry.ownerId), positionOf(entry)];
    const isNew = !entries.has(position);
    if (isNew || isReplacing) entries.set(position, entry);
    if (isNew) positions.splice(placeIn(positions, position), 0, position);
  };
  return {
    add: async (entry) => set(entry, false),
    move: async (entry, toMs) => set({ ...entry, movedToMs: toMs }, true),
    get: async (entry) => of(entry.ownerId).entries.get(positionOf(entry)),
    async list({ ownerId, after, before, limit }) {
      const { positions, entries } = of(ownerId);
      const first = placeIn(positions, `${after} `);
      const last = Math.min(first + limit, placeIn(positions, before));
      return positions.slice(first, last).flatMap((position) => entries.get(position) ?? []);
    },
  };
}

/** The index of the first position that is not before a text. */
function placeIn(positions: readonly string[], text: string): number {
  let [low, high] = [0, positions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((positions[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
