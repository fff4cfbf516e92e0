import { answerRoutes } from '../../adapters/runtime/http/answer-routes.ts';
import { handler as getLimits } from './routes/get-limits.ts';
import { handler as getUsage } from './routes/get-usage.ts';

export const handler = answerRoutes<'usage'>({ getUsage, getLimits });
