import type { DueKind } from '../../core/jobs/durations.ts';
import type { JobRef } from '../../core/jobs/ports.ts';
import { defaultPriority, maxPriority } from '../../core/jobs/request-limits.ts';
import type { UsageGroup } from '../../core/jobs/usage.ts';

/**
 * Primary keys of all items. Items of an owner share the owner's partition, except those that would take most of its
 * writes, and API keys: they have partitions of their own, so that the roles of functions can exclude them.
 */

const jobSortPrefix = 'JOB#';

/** The partition of the rate of a credential. */
export const ratePartition = (credentialHash: string): string => `RATE#${credentialHash}`;

export const rateSort = 'TOKENS';

export const ownerPartition = (ownerId: string): string => `OWNER#${ownerId}`;

/** The owner of a partition that begins with that of `ownerPartition`. No owner id contains `#`. */
export const ownerIdFromPartition = (pk: string): string => pk.split('#', 2)[1] ?? '';

/** The partition of the logs and delivery attempts of one job: their writes do not add to those of the owner's jobs. */
export const jobPartition = ({ ownerId, jobId }: JobRef): string => `${ownerPartition(ownerId)}#${jobId}`;

export function jobRefFromPartition(pk: string): JobRef {
  const [, ownerId = '', jobId = ''] = pk.split('#', 3);
  return { ownerId, jobId };
}

/** The sort key of a job. Job ids sort by creation time. */
export const jobSort = (jobId: string): string => jobSortPrefix + jobId;

export const jobIdFromSort = (sk: string): string => sk.slice(jobSortPrefix.length);

/** The partition of an owner's jobs with a metadata value: its own, so that no partition takes the writes of all jobs. */
export function metadataPartition(ownerId: string, valueHash: string): string {
  return `${ownerPartition(ownerId)}#METADATA#${valueHash}`;
}

/** The sort key of a job among those with a metadata value. */
export const metadataSort = (keyHash: string, jobId: string): string => `${keyHash}#${jobId}`;

/** The partition of the index `byState`: of an owner's jobs that ended in a state. */
export const statePartition = (ownerId: string, state: string): string => `${ownerPartition(ownerId)}#${state}`;

/** A partition of the index `due`. */
export const duePartition = (kind: DueKind, shard: number): string => `${kind}#${shard}`;

/** The sort key of a job's delivery to an endpoint, in the partition of the job. */
export const endpointSort = (endpointId: string): string => endpointSortPrefix + endpointId;

export const endpointSortPrefix = 'ENDPOINT#';

/** The endpoint of such a sort key; undefined for that of a job. */
export function endpointIdFromSort(sk: string): string | undefined {
  return sk.startsWith(endpointSortPrefix) ? sk.slice(endpointSortPrefix.length) : undefined;
}

/** The sort key of what is remembered of a job's playback, in the partition of the job. */
export const playbackSort = 'PLAYBACK';

/** The sort key prefix of a job's delivery attempts, or of one delivery's attempts, in the partition of the job. */
export function attemptSortPrefix(deliveryId?: string): string {
  return `DELIVERY#${deliveryId === undefined ? '' : `${deliveryId}#`}`;
}

/** The sort key of one attempt of a delivery. `attempt` counts from 1. */
export const attemptSort = (deliveryId: string, attempt: number): string => attemptSortPrefix(deliveryId) + attempt;

/** The partition of an owner's feed of events: its own, so that its writes do not add to those of the owner's jobs. */
export const eventsPartition = (ownerId: string): string => `${ownerPartition(ownerId)}#EVENTS`;

export const settingsSort = 'SETTINGS';

/** The request of an owner that its data be erased, and where the index `due` lists it. */
export const erasureSort = 'ERASURE';
export const erasuresPartition = 'erasures';

/**
 * The partitions of an owner besides that of `ownerPartition`, which the erasure of the owner empties: not those of jobs,
 * nor the audit log.
 */
export function partitionsOfOwner(ownerId: string, runningParts: number): string[] {
  const running = Array.from({ length: runningParts }, (_, part) => runningPartition(ownerId, part));
  const others = [presetsPartition(ownerId), usagePartition(ownerId), eventsPartition(ownerId)];
  return [...others, ownerPartition(playlistLimit(ownerId)), ...running];
}

/** The partition of an owner's audit log: its own, so that a route that writes entries reads and writes nothing else by it. */
export const auditPartition = (ownerId: string): string => `${ownerPartition(ownerId)}#AUDIT`;

/** The item of the salt of owner ids: its own partition, the only one in which every route with sessions may write. */
export const ownerSaltKey = { pk: 'OWNER_SALT', sk: 'OWNER_SALT' };

/** The partition of the list of an owner's API keys. */
export const keysPartition = (ownerId: string): string => `KEYS#${ownerId}`;

export const keySortPrefix = 'KEY#';

/** The sort key of an API key in its owner's list. */
export const keySort = (keyId: string): string => keySortPrefix + keyId;

/** The partition of the item that maps an API key to its owner. `hash` is the hex SHA-256 of the key. */
export const keyHashPartition = (hash: string): string => `KEYHASH#${hash}`;

export const keyHashSort = 'KEY';

/** The sort key of a reservation. `keyHash` is the hex SHA-256 of the caller's Idempotency-Key. */
export const idempotencySort = (keyHash: string): string => `IDEMPOTENCY#${keyHash}`;

/** The sort key prefix of a job's logs, in the partition of the job. */
export const logSortPrefix = 'LOG#';

/** The sort key of the log of one attempt of a job. `attempt` counts from 1. */
export const logSort = (attempt: number): string => logSortPrefix + attempt;

/** The sort key of the uploads that an owner announced in one UTC day. */
export const uploadDaySort = (day: string): string => `UPLOADS#${day}`;

/** The partition of an owner's usage counters: its own, so that their writes do not add to those of the owner's jobs. */
export const usagePartition = (ownerId: string): string => `${ownerPartition(ownerId)}#USAGE`;

/** The sort key of a usage counter of a UTC day. Counters of earlier versions have no group. */
export function usageSort(date: string, shard: number | string, group?: UsageGroup): string {
  const { recipe, caller, preset } = group ?? {};
  return [date, shard, recipe, caller, preset].filter((part) => part !== undefined).join('#');
}

/** The sort key of the spending counter of a cap in a UTC month, such as `2026-11`, among the usage counters. */
export function spendingSort(month: string, keyId?: string): string {
  return `SPENDING#${month}${keyId === undefined ? '' : `#${keyId}`}`;
}

/** The owner, key and month of a spending counter. */
export function spendingFromKey({ pk, sk }: { pk: string; sk: string }) {
  const [, month = '', keyId] = sk.split('#');
  return { ownerId: ownerIdFromPartition(pk), month, keyId };
}

/** The partition of the index `due` with the spending counters whose reservations are to be confirmed. */
export const reservationsPartition = 'reservations';

/** The partition of an owner's batches. Their ids sort by creation time. */
export const batchesPartition = (ownerId: string): string => `${ownerPartition(ownerId)}#BATCHES`;

/** The partition of the index `due` with the batches that have not ended. */
export const dueBatchesPartition = 'batches';

/** The day and group in the sort key of a usage counter. */
export function fromUsageSort(sk: string): { date: string; group: UsageGroup | undefined } {
  const [date = '', , recipe, caller, preset] = sk.split('#');
  if (recipe === undefined || caller === undefined) return { date, group: undefined };
  return { date, group: { recipe, caller, ...(preset !== undefined && { preset }) } };
}

/** The partition of an owner's presets: its own, so that a list of them reads nothing else. */
export const presetsPartition = (ownerId: string): string => `${ownerPartition(ownerId)}#PRESETS`;

/** The sort key prefix of the versions of a preset, whose names have no `#`. */
export const presetSortPrefix = (name: string): string => `${name}#`;

/** The sort key of a version, which sorts as its number does. */
export function presetSort({ name, version }: { name: string; version: number }): string {
  return presetSortPrefix(name) + String(version).padStart(6, '0');
}

export const storageProviderSortPrefix = 'STORAGE#';

/** The sort key of a storage provider. Its id sorts by creation time. */
export const storageProviderSort = (storageProviderId: string): string => storageProviderSortPrefix + storageProviderId;

/** The sort keys of limits of an owner. */
export const webhookTestSort = 'WEBHOOK_TEST';
export const providerTestSort = 'STORAGE_TEST';
export const openBatchesSort = 'OPEN_BATCHES';
export const batchStepsSort = 'BATCH_STEPS';

export const slowDeliveriesSort = 'SLOW_DELIVERIES';

/** The limit of an owner's reads of playlists: its own partition, the only one that the function `files` writes to. */
export const playlistLimit = (ownerId: string): string => `${ownerId}#PLAYLISTS`;

export const playlistSort = 'READS';

/** The sort key of the limits of long jobs and of batches. */
export const longLimitSort = 'LONG_JOBS';

/** The item of what the workers of the stage measured. No owner id starts with `#`, so no owner has its partition. */
export const encoderSlownessKey = { pk: ownerPartition('#workers'), sk: 'SLOWNESS' };

/** The partition of a part of the limit of an owner's running jobs: each its own, so that none takes all their writes. */
export const runningPartition = (ownerId: string, part: number): string => `${ownerPartition(ownerId)}#RUNNING#${part}`;

export const runningSort = 'RUNNING';

/** The sort key of a job in the index `byName`. The index's partition key is that of the job. */
export const nameSort = (name: string, jobId: string): string => `${name}#${jobId}`;

/** The partition of a queue in the index `waiting`. */
export const waitingPartition = (queue?: string): string => queue ?? 'jobs';

/** The sort key of a queued job in the index `waiting`. Without a job: the prefix of those of one priority. */
export function waitingSort({ ownerId, jobId = '', priority = defaultPriority }: WaitingPlace): string {
  return `${ownerId}#${waitingRank(priority)}${jobId}`;
}

type WaitingPlace = { ownerId: string; jobId?: string; priority?: number | undefined };

/** Sorts a higher priority before the digits with which ids begin, and a lower one behind; the default one has no rank. */
function waitingRank(priority: number): string {
  if (priority === defaultPriority) return '';
  return `${priority > defaultPriority ? '-' : 'z'}${maxPriority - priority}-`;
}

/** The priority in the sort key of a queued job; undefined for the default one. */
export function priorityFromWaitingSort(sort: string, { ownerId }: { ownerId: string }): number | undefined {
  const [, rank] = /^[-z](\d)-/.exec(sort.slice(ownerId.length + 1)) ?? [];
  return rank === undefined ? undefined : maxPriority - Number(rank);
}

/** The partition of what a watch remembers: its state, and a record of each version of an object. */
export const watchPartition = (name: string): string => `WATCH#${name}`;

export const watchStateSort = 'STATE';

export const watchedObjectPrefix = 'OBJECT#';
