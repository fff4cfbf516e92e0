import * as z from 'zod';
import { idempotencyTable } from '../../../adapters/dynamodb/idempotency-table.ts';
import { uploadLedger } from '../../../adapters/dynamodb/upload-ledger.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { s3Client } from '../../../adapters/runtime/clients/s3.ts';
import { readEnv, readOwnerLimits } from '../../../adapters/runtime/env.ts';
import { answerPart, route } from '../../../adapters/runtime/http/route.ts';
import { mediaPresigner } from '../../../adapters/runtime/media-urls.ts';
import { uploads as bucketUploads } from '../../../adapters/s3/uploads.ts';
import { newId, systemClock } from '../../../adapters/system/clock.ts';
import * as contracts from '../../../core/api/uploads.ts';
import * as apps from '../uploads.ts';

const env = readEnv(
  z.object({
    TABLE_NAME: z.string(),
    MAX_INPUT_BYTES: z.coerce.number().int().min(1),
    MEDIA_BUCKET: z.string(),
    AWS_ENDPOINT_URL_S3: z.url().optional(),
    UPLOAD_URL_SECONDS: z.coerce.number().int().min(1),
  }),
);

const uploads = bucketUploads({
  client: s3Client(env.AWS_ENDPOINT_URL_S3),
  bucket: env.MEDIA_BUCKET,
  presign: mediaPresigner(),
  lifetimeSeconds: env.UPLOAD_URL_SECONDS,
});

export const handler = answerPart({
  createUpload: route(
    contracts.createUploadContract,
    apps.createUpload({
      uploads,
      newId,
      maxInputBytes: env.MAX_INPUT_BYTES,
      ledger: uploadLedger(dynamo, env.TABLE_NAME),
      reservations: idempotencyTable(dynamo, env.TABLE_NAME),
      limits: readOwnerLimits(),
      clock: systemClock,
    }),
  ),
  listUploadParts: route(contracts.listUploadPartsContract, apps.listUploadParts({ uploads })),
  signUploadParts: route(contracts.signUploadPartsContract, apps.signUploadParts({ uploads })),
  completeUpload: route(contracts.completeUploadContract, apps.completeUpload({ uploads })),
  abortUpload: route(contracts.abortUploadContract, apps.abortUpload({ uploads })),
});
