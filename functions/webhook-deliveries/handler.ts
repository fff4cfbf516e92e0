import { answerRoutes } from '../../adapters/runtime/http/answer-routes.ts';
import { handler as listDeliveries } from './routes/list-deliveries.ts';
import { handler as recoverDeliveries } from './routes/recover-deliveries.ts';
import { handler as redeliverJob } from './routes/redeliver-job.ts';

export const handler = answerRoutes<'webhook-deliveries'>({
  listDeliveries,
  redeliverJob,
  recoverDeliveries,
});
