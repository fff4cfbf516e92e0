import { afterEveryId, firstIdAfter, lastIdBefore, minJobIdAt } from './job-id.ts';
import type { JobListing } from './ports.ts';

/**
 * The ids between which the jobs of a listing are, both inclusive. No job has the id at the end of a period. A caller can
 * compute the cursor of any position, and DynamoDB rejects a start key outside the range of a query: the position narrows it.
 */
export function idRange({ createdAfter, createdBefore, afterJobId, order }: Omit<JobListing, 'ownerId' | 'limit'>): {
  first: string;
  last: string;
} {
  const first = createdAfter === undefined ? '' : minJobIdAt(createdAfter);
  const last = createdBefore === undefined ? afterEveryId : minJobIdAt(createdBefore);
  if (afterJobId === undefined) return { first, last };
  return order === 'asc'
    ? { first: later(first, firstIdAfter(afterJobId)), last }
    : { first, last: earlier(last, lastIdBefore(afterJobId)) };
}

const later = (one: string, other: string) => (one > other ? one : other);
const earlier = (one: string, other: string) => (one < other ? one : other);
