import { answerRoutes } from '../../adapters/runtime/http/route.ts';
import { handler as getEmbedPage } from './routes/get-embed-page.ts';
import { handler as getFile } from './routes/get-file.ts';
import { handler as headFile } from './routes/head-file.ts';

export const handler = answerRoutes<'files'>({ getFile, headFile, getEmbedPage });
