import { answerRoutes } from '../../adapters/runtime/http/answer-routes.ts';
import { handler as completeUpload } from './routes/complete-upload.ts';
import { handler as createUpload } from './routes/create-upload.ts';
import { handler as signUploadParts } from './routes/sign-upload-parts.ts';

export const handler = answerRoutes<'uploads'>({ createUpload, signUploadParts, completeUpload });
