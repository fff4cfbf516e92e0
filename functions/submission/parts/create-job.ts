import { answerPart } from '../../../adapters/runtime/http/answer-routes.ts';
import { handler as createJob } from '../routes/create-job.ts';

export const handler = answerPart({ createJob });
