import type { JobRef, ListOrder } from './ports.ts';

/** A job with the pairs under which it is found. */
export type IndexedJob = JobRef & { metadata: Readonly<Record<string, string>> };

export type MetadataQuery = {
  ownerId: string;
  /** Of any key by default: then the ids are those of one key after another. */
  key?: string;
  value: string;
  /** Ids between these, both inclusive; all by default. */
  first?: string;
  last?: string;
  limit: number;
  order?: ListOrder;
};

/**
 * Finds an owner's jobs by their metadata. A job's entries are written before its record, so that a list never misses a job;
 * an entry whose job was never written finds nothing. They are removed with the job.
 */
export type MetadataIndex = {
  /** Idempotent. Without metadata nothing is called. */
  add(job: IndexedJob): Promise<void>;
  remove(job: IndexedJob): Promise<void>;
  /** Ids of jobs with the value, in order of creation. May be seconds stale. */
  find(query: MetadataQuery): Promise<string[]>;
};
