import { JobError } from '@media-jobs/video/errors';
import type { AwsCredentialIdentity } from '@smithy/types';
import * as z from 'zod';
import type { ObjectStore, PlannedObject } from '../../core/storage/object-store.ts';
import type { StorageProvider } from '../../core/storage/provider.ts';
import { providerBucketUrl } from '../../core/storage/provider-rules.ts';
import { choosePartSize } from '../../core/uploads/upload.ts';
import { maxPlannedUploads, maxSignedParts, type SignedRequest } from '../../core/worker/open-job.ts';
import { formatName, nameOfSigned, presignedRequests, type RequestName } from '../storage/signed-requests.ts';
import { AssumeRoleError } from '../sts/assume-role.ts';
import { jobAccess, signedForJob } from './clients/client-settings.ts';
import { dynamo } from './clients/dynamo.ts';
import { readEnv } from './env.ts';
import { openUploads } from './open-job.ts';
import { type OpenClient, providerClients } from './provider-clients.ts';

/** Of the hour that a signed request is valid. */
const signedMs = 50 * 60_000;
/** Of an upload that another worker began. */
const partsOfUnknownUpload = 100;

/**
 * Opens storage providers for the open job of this worker, which knows no secret of them: with a session of the provider's
 * role, or with requests that open-job signs for this job.
 */
export function jobClients(): OpenClient {
  const clientOf = providerClients();
  const { AWS_ENDPOINT_URL_S3: awsEndpoint } = readEnv(z.object({ AWS_ENDPOINT_URL_S3: z.url().optional() }));
  return (provider) => {
    const { type } = provider.access;
    if (type === 'stage') return clientOf(provider, () => dynamo.config.credentials());
    if (type === 'role') return clientOf(provider, () => roleSession(provider));
    const uploads = signedUploads(provider, new URL(providerBucketUrl(provider, awsEndpoint)).pathname);
    const none = { accessKeyId: 'signed-by-open-job', secretAccessKey: '' };
    return { ...clientOf(provider, async () => none, presignedRequests(uploads.find)), uploads };
  };
}

async function roleSession({ storageProviderId }: StorageProvider): Promise<AwsCredentialIdentity> {
  const access = (await jobAccess()).providers[storageProviderId];
  if (access !== undefined && 'refused' in access) {
    const { code, status, disabledRegion } = access.refused;
    const cause = Object.assign(new Error(), { name: code, $metadata: { httpStatusCode: status } });
    throw new AssumeRoleError(cause, disabledRegion);
  }
  if (access === undefined || !('credentials' in access)) throw new Error('open-job gave no session of this provider');
  // The SDK keeps credentials until they expire, also when the job's access was renewed.
  return { ...access.credentials, expiration: new Date(0) };
}

type SignedUploads = Required<Pick<ObjectStore, 'prepare' | 'begin'>> & {
  find(name: RequestName): Promise<SignedRequest>;
};

/** The requests of one provider that open-job has signed, by name, and the uploads that it has begun, by key. */
function signedUploads({ storageProviderId }: StorageProvider, bucketPath: string): SignedUploads {
  const nameIn = (name: RequestName) => `${storageProviderId} ${formatName(name)}`;
  const begun = new Map<string, string>();
  const open = async (uploads: Parameters<typeof openUploads>[0]['uploads']) => {
    const until = Date.now() + signedMs;
    const answer = await openUploads({ storageProviderId, uploads });
    if ('failed' in answer) {
      throw new JobError('UPLOAD_ERROR', answer.failed.message, { retryable: answer.failed.retryable });
    }
    for (const request of answer.signed) signedForJob.set(nameIn(nameOfSigned(request)), { request, until });
    return answer.uploadIds;
  };
  const fresh = (name: RequestName) => {
    const found = signedForJob.get(nameIn(name));
    return found !== undefined && found.until > Date.now() ? found.request : undefined;
  };
  const prepare = async (objects: readonly PlannedObject[]) => {
    for (const batch of batchesOf(objects.map(plannedUpload))) {
      const uploadIds = await open(batch);
      for (const [index, { key }] of batch.entries()) begun.set(key, uploadIds[index] ?? '');
    }
  };
  return {
    prepare,
    async begin(object) {
      if (!begun.has(object.key)) await prepare([object]);
      const uploadId = begun.get(object.key) ?? '';
      // Another publication of the job begins an upload of its own.
      begun.delete(object.key);
      return { key: object.key, uploadId };
    },
    async find(name) {
      const access = (await jobAccess()).providers[storageProviderId];
      const ofInputs = access !== undefined && 'signed' in access ? access.signed : [];
      const input = ofInputs.find((request) => formatName(nameOfSigned(request)) === formatName(name));
      const found = input ?? fresh(name);
      if (found !== undefined) return found;
      const key = name.path.slice(bucketPath.replace(/\/$/, '').length + 1);
      const { uploadId, partNumber } = name.query;
      const parts = partNumber === undefined ? 0 : partsOfUnknownUpload;
      await open([{ key, uploadId, firstPart: Number(partNumber ?? 1), parts }]);
      const signed = fresh(name);
      if (signed === undefined) throw new Error(`open-job does not sign ${name.method} requests of this object`);
      return signed;
    },
  };
}

function plannedUpload({ key, mimeType, mark, headers, storageClass, tags, sizeBytes = 0 }: PlannedObject) {
  const parts = Math.max(1, Math.ceil(sizeBytes / choosePartSize(sizeBytes)));
  return { key, mimeType, mark, headers, storageClass, tags, parts: Math.min(parts, maxSignedParts) };
}

/** Batches whose answers fit: of at most `maxPlannedUploads`, with `maxSignedParts` parts together. */
function batchesOf<Upload extends { parts: number }>(uploads: readonly Upload[]): Upload[][] {
  const batches: Upload[][] = [];
  let parts = 0;
  for (const upload of uploads) {
    parts += upload.parts;
    const last = batches.at(-1);
    if (last !== undefined && last.length < maxPlannedUploads && parts <= maxSignedParts) last.push(upload);
    else {
      batches.push([upload]);
      ({ parts } = upload);
    }
  }
  return batches;
}
