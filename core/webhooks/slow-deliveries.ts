import * as z from 'zod';
import type { DeliveryRef } from './delivery.ts';

const receiverSchema = z.object({ jobId: z.string(), deliveryId: z.string(), origin: z.string() });

/** The slow receivers of an owner, each by its origin, and the deliveries to them. Times are Unix milliseconds. */
export const slowDeliveriesSchema = z.object({
  /** Until when each origin is slow. */
  slow: z.record(z.string(), z.int()),
  /** By id, the deliveries that run: their origin, and when they expire if their function crashes. */
  running: z.record(z.string(), z.object({ origin: z.string(), endsAt: z.int() })),
  /** Deferred deliveries, the next first. */
  waiting: z.array(receiverSchema),
  /** Counts the writes. A write requires the version that was read. */
  version: z.int().min(0),
});

export type OwnerSlowDeliveries = z.infer<typeof slowDeliveriesSchema>;

export const noSlowDeliveries: OwnerSlowDeliveries = { slow: {}, running: {}, waiting: [], version: 0 };

export type ReceiverDelivery = DeliveryRef & { origin: string };

/**
 * The deliveries of one owner at the same time to its slow receivers, and the current time. With more slow origins than
 * `maxOrigins` all are slow.
 */
export type SlowLimit = { max: number; maxOrigins?: number | undefined; now: Date };

/** Limits the deliveries to slow receivers, by owner and by origin. */
export type SlowDeliveries = {
  mark(receiver: { ownerId: string; origin: string }, times: { until: Date; now: Date }): Promise<void>;
  /**
   * False if a delivery to a slow origin must wait: then it is remembered. To other origins nothing is limited. Entering
   * again moves `endsAt`.
   */
  enter(delivery: ReceiverDelivery & { endsAt: Date }, limit: SlowLimit): Promise<boolean>;
  /** Ends a delivery, or its wait. Returns the one that runs in its place from now on. */
  leave(delivery: DeliveryRef, limit: SlowLimit & { nextEndsAt: Date }): Promise<DeliveryRef | undefined>;
};

/** Bound the size of the item. Deliveries that are not remembered are started by reconcile. */
const [maxOrigins, maxWaiting, maxWaitingPerOrigin] = [200, 80, 20];

/** The origin of a webhook's URL: scheme, host and port. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** An origin is marked again after this time at the earliest: hundreds of deliveries to it may end at once. */
const minRemarkMs = 30_000;

/**
 * Marks an origin as slow; undefined if it was marked just before. Of too many origins those are kept that are slow for the
 * longest.
 */
export function markOrigin(
  before: OwnerSlowDeliveries,
  origin: string,
  { until, now }: { until: Date; now: Date },
): OwnerSlowDeliveries | undefined {
  if (until.getTime() - (before.slow[origin] ?? 0) < minRemarkMs) return undefined;
  const marks = Object.entries({ ...before.slow, [origin]: until.getTime() })
    .filter(([, end]) => end > now.getTime())
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, maxOrigins);
  return { ...before, slow: Object.fromEntries(marks), version: before.version + 1 };
}

/**
 * Adds a delivery to those that run if its origin is slow and neither the owner nor the origin is at its limit, otherwise to
 * those that wait. `after` is undefined if nothing changes.
 */
export function enterDelivery(
  before: OwnerSlowDeliveries,
  { jobId, deliveryId, origin, endsAt }: Omit<ReceiverDelivery, 'ownerId'> & { endsAt: Date },
  { max, maxOrigins = Number.POSITIVE_INFINITY, now }: SlowLimit,
): { mayBegin: boolean; after: OwnerSlowDeliveries | undefined } {
  const isSlow = (until = 0) => until > now.getTime();
  const areAllSlow = Object.values(before.slow).filter(isSlow).length > maxOrigins;
  if (!areAllSlow && !isSlow(before.slow[origin])) return { mayBegin: true, after: undefined };
  const waiting = before.waiting.filter((each) => each.deliveryId !== deliveryId);
  const { [deliveryId]: own, ...others } = unexpired(before, now);
  const version = before.version + 1;
  if (own !== undefined || hasRoom(others, origin, max)) {
    const running = { ...others, [deliveryId]: { origin, endsAt: endsAt.getTime() } };
    return { mayBegin: true, after: { ...before, waiting, running, version } };
  }
  const isRemembered = waiting.length < before.waiting.length;
  const ofOrigin = waiting.filter((each) => each.origin === origin).length;
  if (isRemembered || waiting.length >= maxWaiting || ofOrigin >= maxWaitingPerOrigin) {
    return { mayBegin: false, after: undefined };
  }
  const last = { jobId, deliveryId, origin };
  return { mayBegin: false, after: { ...before, waiting: [...waiting, last], running: others, version } };
}

/**
 * Removes a delivery. The first one that waits and whose origin has room runs in its place. `after` is undefined if
 * nothing changes.
 */
export function leaveDeliveries(
  before: OwnerSlowDeliveries,
  deliveryId: string,
  { max, now, nextEndsAt }: SlowLimit & { nextEndsAt: Date },
): { next: Omit<ReceiverDelivery, 'ownerId'> | undefined; after: OwnerSlowDeliveries | undefined } {
  const isWaiting = before.waiting.some((each) => each.deliveryId === deliveryId);
  if (!(deliveryId in before.running) && !isWaiting) return { next: undefined, after: undefined };
  const { [deliveryId]: _, ...running } = unexpired(before, now);
  const others = before.waiting.filter((each) => each.deliveryId !== deliveryId);
  const next = others.find(({ origin }) => hasRoom(running, origin, max));
  return {
    next,
    after: {
      ...before,
      waiting: others.filter((each) => each !== next),
      running:
        next === undefined
          ? running
          : { ...running, [next.deliveryId]: { origin: next.origin, endsAt: nextEndsAt.getTime() } },
      version: before.version + 1,
    },
  };
}

type Running = OwnerSlowDeliveries['running'];

function unexpired({ running }: OwnerSlowDeliveries, now: Date): Running {
  return Object.fromEntries(Object.entries(running).filter(([, { endsAt }]) => endsAt > now.getTime()));
}

/** Whether a delivery to this origin may begin: no origin has more than half of its owner's limit. */
function hasRoom(running: Running, origin: string, max: number): boolean {
  const all = Object.values(running);
  const maxPerOrigin = Math.max(1, Math.floor(max / 2));
  return all.length < max && all.filter((each) => each.origin === origin).length < maxPerOrigin;
}
