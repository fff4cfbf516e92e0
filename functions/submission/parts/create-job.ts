import { answerPart } from '../../../adapters/runtime/http/route.ts';
import { handler as createJob } from '../routes/create-job.ts';

export const handler = answerPart({ createJob });
