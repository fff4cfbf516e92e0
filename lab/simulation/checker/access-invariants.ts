import type { Invariant } from './invariant.ts';

export const ownersSeeOnlyTheirJobs: Invariant = {
  name: "no owner sees another's data",
  breaches: ({ lists, job }) =>
    lists.flatMap(({ ownerId, jobs }) =>
      jobs
        .filter(({ jobId }) => job(jobId)?.ownerId !== ownerId)
        .map(({ jobId }) => `${ownerId} was shown job ${jobId} of ${job(jobId)?.ownerId}`),
    ),
};

export const listsMatchRecords: Invariant = {
  name: 'a list by state shows jobs that were in that state when it was read',
  breaches: ({ lists, job }) =>
    lists.flatMap(({ at, jobs }) =>
      jobs
        .filter(
          ({ jobId, state }) => !job(jobId)?.writes.some((write) => write.at <= at && write.after.state === state),
        )
        .map(({ jobId, state }) => `job ${jobId} was listed as ${state} and never was`),
    ),
};
