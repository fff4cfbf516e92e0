import * as z from 'zod';
import type { SlowDelivery } from './ports.ts';

/** The running deliveries of one owner whose receivers are slow. */
export const runningSlowDeliveriesSchema = z.object({
  /** The end of each delivery in Unix milliseconds, by delivery id. */
  deliveries: z.record(z.string(), z.int()),
  /** Counts the writes. A write requires the version that was read. */
  version: z.int().min(0),
});

export type RunningSlowDeliveries = z.infer<typeof runningSlowDeliveriesSchema>;

export const noSlowDeliveries: RunningSlowDeliveries = { deliveries: {}, version: 0 };

/** Adds a delivery, or moves its end; undefined if `max` others are running. Expired ones are removed. */
export function beginSlowDelivery(
  { deliveries, version }: RunningSlowDeliveries,
  { deliveryId, endsAt }: SlowDelivery,
  { max, now }: { max: number; now: Date },
): RunningSlowDeliveries | undefined {
  const others = Object.entries(deliveries).filter(([id, end]) => id !== deliveryId && end > now.getTime());
  if (others.length >= max) return undefined;
  return {
    deliveries: { ...Object.fromEntries(others), [deliveryId]: endsAt.getTime() },
    version: version + 1,
  };
}

/** Removes a delivery; undefined if it is not running. */
export function endSlowDelivery(
  { deliveries, version }: RunningSlowDeliveries,
  deliveryId: string,
): RunningSlowDeliveries | undefined {
  if (!(deliveryId in deliveries)) return undefined;
  const { [deliveryId]: _, ...others } = deliveries;
  return { deliveries: others, version: version + 1 };
}
