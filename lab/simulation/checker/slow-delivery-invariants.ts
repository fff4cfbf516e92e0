import { slowReceiverPeriodMs } from '../../../core/webhooks/delivery.ts';
import { originOf } from '../../../core/webhooks/slow-deliveries.ts';
import { maxSlowDeliveries } from '../world/ports.ts';
import type { JobHistory } from './history.ts';
import { deliveriesOf, type Invariant } from './invariant.ts';

/** An attempt that was under way when the owner was marked did not read the mark. */
const underWayMs = 5_000;

type Post = JobHistory['posts'][number]['post'];

/** The POSTs of deliveries that began while the owner was marked. Those with a fault can outlast their entry in the limit. */
function limitedPosts(jobs: readonly JobHistory[], marks: readonly { at: number; origin: string }[]): Post[] {
  const isLimited = (beginsAt: number, url: string) =>
    marks.some(
      ({ at, origin }) =>
        originOf(url) === origin && beginsAt > at + underWayMs && beginsAt < at + slowReceiverPeriodMs,
    );
  return jobs
    .filter(({ faults }) => !faults.some(({ app }) => app === 'deliver-webhook' || app === 'state-machine'))
    .flatMap(({ posts }) => {
      const begins = new Map<string, number>();
      for (const { post } of posts) {
        begins.set(post.deliveryId, Math.min(post.sentAt, begins.get(post.deliveryId) ?? post.sentAt));
      }
      return posts.map(({ post }) => post).filter((post) => isLimited(begins.get(post.deliveryId) ?? 0, post.url));
    });
}

export const slowDeliveriesAreLimited: Invariant = {
  name: 'few deliveries to slow receivers of an owner run at once, and half as many to one of them',
  breaches: (history) =>
    [...new Set(history.slowReceivers.map(({ ownerId }) => ownerId))].flatMap((ownerId) => {
      const marks = history.slowReceivers.filter((mark) => mark.ownerId === ownerId);
      const jobs = history.jobs.filter((job) => job.ownerId === ownerId).flatMap(deliveriesOf);
      const posts = limitedPosts(jobs, marks);
      return posts.flatMap(({ deliveryId, sentAt, url }) => {
        const running = posts.filter((other) => other.sentAt <= sentAt && other.endsAt > sentAt);
        const toOrigin = running.filter((other) => originOf(other.url) === originOf(url));
        return running.length > maxSlowDeliveries || toOrigin.length > maxSlowDeliveries / 2
          ? [`${ownerId} had ${running.length} running deliveries when ${deliveryId} began`]
          : [];
      });
    }),
};
