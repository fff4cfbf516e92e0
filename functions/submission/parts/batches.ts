import { answerPart } from '../../../adapters/runtime/http/route.ts';
import { batchRoutes } from '../routes/batches.ts';

export const handler = answerPart(batchRoutes);
