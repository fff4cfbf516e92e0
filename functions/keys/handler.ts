import { answerRoutes } from '../../adapters/runtime/http/answer-routes.ts';
import { handler as createKey } from './routes/create-key.ts';
import { handler as deleteKey } from './routes/delete-key.ts';
import { handler as listKeys } from './routes/list-keys.ts';

export const handler = answerRoutes<'keys'>({ listKeys, createKey, deleteKey });
