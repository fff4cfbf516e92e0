import { countedAttempts } from '../../../core/jobs/transitions.ts';
import { type JobHistory, lastRecord } from './history.ts';
import { deliveryInvariant, jobInvariant } from './invariant.ts';

const faultsOfService = ['INTERNAL_ERROR', 'UPLOAD_ERROR', 'WORKER_LOST'];

/** Outages last a minute at most in every run. */
export const outagesCostNoJob = jobInvariant(
  'an outage alone fails no accepted job, and requeues it once at most',
  (job) => {
    if (!onlyOutages(job) || job.acceptedAt === undefined) return [];
    const failure = job.writes.find(
      ({ after }) => after.state === 'failed' && faultsOfService.includes(after.error.code),
    );
    const attempts = job.writes.map(({ after }) => (after.state === 'processing' ? countedAttempts(after) : 0));
    return [
      ...(failure?.after.state === 'failed' ? [`failed with ${failure.after.error.code}`] : []),
      ...(Math.max(0, ...attempts) > 2 ? ['was requeued more than once'] : []),
    ];
  },
);

export const outagesCostNoWebhook = deliveryInvariant('an outage alone costs a willing receiver no webhook', (job) => {
  const last = lastRecord(job);
  if (!onlyOutages(job) || last === undefined || last.state === 'deleted') return [];
  const isWilling = 'webhookTarget' in last && last.webhookTarget?.endsWith('/willing');
  return isWilling && !job.posts.some(({ post }) => post.status < 300) ? ['was not reported'] : [];
});

function onlyOutages({ faults }: JobHistory): boolean {
  return faults.length > 0 && faults.every(({ fault }) => fault === 'outage');
}
