import { answerRoutes } from '../../adapters/runtime/http/answer-routes.ts';
import { handler as cancelJob } from './routes/cancel-job.ts';
import { handler as createPlayback } from './routes/create-playback.ts';
import { handler as deleteJob } from './routes/delete-job.ts';
import { handler as getJob } from './routes/get-job.ts';
import { handler as getJobLog } from './routes/get-job-log.ts';
import { handler as listDeliveries } from './routes/list-deliveries.ts';
import { handler as listJobs } from './routes/list-jobs.ts';
import { handler as recoverDeliveries } from './routes/recover-deliveries.ts';
import { handler as redeliverJob } from './routes/redeliver-job.ts';
import { handler as retryJob } from './routes/retry-job.ts';
import { handler as revokePlayback } from './routes/revoke-playback.ts';

export const handler = answerRoutes<'jobs'>({
  getJob,
  listJobs,
  getJobLog,
  cancelJob,
  retryJob,
  deleteJob,
  createPlayback,
  revokePlayback,
  listDeliveries,
  redeliverJob,
  recoverDeliveries,
});
