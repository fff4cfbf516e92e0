import { answerPart } from '../../../adapters/runtime/http/route.ts';
import { handler as abortUpload } from '../routes/abort-upload.ts';
import { handler as completeUpload } from '../routes/complete-upload.ts';
import { handler as createUpload } from '../routes/create-upload.ts';
import { handler as listUploadParts } from '../routes/list-upload-parts.ts';
import { handler as signUploadParts } from '../routes/sign-upload-parts.ts';

export const handler = answerPart({
  createUpload,
  listUploadParts,
  signUploadParts,
  completeUpload,
  abortUpload,
});
