import { JobError } from '@media-jobs/video/errors';
import { expect, it } from 'vitest';
import type { JobIn } from '../../../core/jobs/record.ts';
import { storageProviderId } from '../../../core/storage/storage-url.ts';
import type { SignedRequest, UploadsRequest } from '../../../core/worker/open-job.ts';
import { openProviders, openUploads, type ProviderPorts } from '../../../functions/open-job/open-providers.ts';
import { aJobId, aProcessingJob } from '../../builders/jobs/jobs.ts';
import { aStorageProvider } from '../../builders/storage/a-storage-provider.ts';

const id = storageProviderId(aJobId(1));
const to = (keyTemplate: string) => ({ storageProviderId: id, keyTemplate });

/** Ports with one provider, which signs requests as `METHOD key?query`. */
function somePorts({ type = 'keys', failAt = '' } = {}) {
  const calls: string[] = [];
  const role = { type: 'role', roleArn: 'arn', externalId: 'id' } as const;
  const provider = aStorageProvider({
    storageProviderId: id,
    prefix: 'videos',
    ...(type === 'role' && { access: role }),
  });
  const ports: ProviderPorts = {
    onUnexpected: (_, cause) => calls.push(`error ${(cause as Error).message}`),
    findProvider: async (ref) => {
      if (ref.storageProviderId === 'sp_broken') throw new Error('no KMS');
      if (ref.storageProviderId !== id) return undefined;
      return {
        provider,
        session: async () => ({ refused: { code: 'AccessDenied', status: 403 } }),
        sign: async (method, key, query = {}): Promise<SignedRequest> => ({
          method,
          url: `${key}?${new URLSearchParams(query)}`,
        }),
        store: {
          begin: async ({ key }) => {
            if (key === failAt)
              throw new JobError('UPLOAD_ERROR', 'The files could not be stored', { retryable: true });
            calls.push(`begin ${key}`);
            return { key, uploadId: `upload of ${key}` };
          },
          abort: async ({ key }) => void calls.push(`abort ${key}`),
        },
      };
    },
  };
  return { ports, calls };
}

function open(
  { ports }: ReturnType<typeof somePorts>,
  uploads: UploadsRequest['uploads'],
  destination: JobIn<'processing'>['destination'] = to('{jobId}/{name}.{extension}'),
) {
  const job = { ...aProcessingJob(), jobId: 'job-1', destination };
  const { ownerId, leaseId } = job;
  return openUploads(ports, job, { lease: { ownerId, jobId: 'job-1', leaseId }, storageProviderId: id, uploads });
}

const planned = (key: string, mark = 'job-1/1') => ({ key, mark, mimeType: 'video/mp4', parts: 2 });
const begun = (key: string) => ({ key, uploadId: 'u', firstPart: 3, parts: 1 });

it('uploads are begun, and every request of them is signed', async () => {
  const answer = await open(somePorts(), [planned('videos/job-1/a.mp4')]);
  const uploadId = 'upload of videos/job-1/a.mp4';
  if (answer === undefined || 'failed' in answer) throw new Error('Expected uploads');
  expect(answer.uploadIds).toEqual([uploadId]);
  const requests = answer.signed.map(({ method, url }) => `${method} ${decodeURIComponent(url.replaceAll('+', ' '))}`);
  expect(requests).toEqual([
    'HEAD videos/job-1/a.mp4?',
    'DELETE videos/job-1/a.mp4?',
    `POST videos/job-1/a.mp4?uploadId=${uploadId}`,
    `DELETE videos/job-1/a.mp4?uploadId=${uploadId}`,
    `PUT videos/job-1/a.mp4?partNumber=1&uploadId=${uploadId}`,
    `PUT videos/job-1/a.mp4?partNumber=2&uploadId=${uploadId}`,
  ]);
});

it('after the failure of one upload the others are aborted, and the worker has the reason', async () => {
  const some = somePorts({ failAt: 'videos/job-1/b.mp4' });
  expect(await open(some, [planned('videos/job-1/a.mp4'), planned('videos/job-1/b.mp4')])).toEqual({
    failed: { message: 'The files could not be stored', retryable: true },
  });
  expect(some.calls).toEqual(['begin videos/job-1/a.mp4', 'abort videos/job-1/a.mp4']);
});

it.each<[string, UploadsRequest['uploads'][number], string?]>([
  ['a file of another job', planned('videos/job-2/a.mp4')],
  ['a file beside the prefix', planned('job-1/a.mp4')],
  ['a file of another job, begun', begun('videos/job-2/a.mp4')],
  ['a file under the mark of another job', planned('videos/job-1/a.mp4', 'job-2/1')],
  ['another file than that of the template', begun('videos/fixed/b.mp4'), 'fixed/a.mp4'],
])('open-job signs no request of %s', async (_, upload, template) => {
  await expect(open(somePorts(), [upload], template ? to(template) : undefined)).rejects.toThrow('does not write this');
});

it.each([
  ['{name}.{extension}', 'videos/a.mp4'],
  ['fixed/a.mp4', 'videos/fixed/a-small.mp4'],
  ['{date}/{jobId}-{name}.mp4', `videos/${aProcessingJob().createdAt.slice(0, 10)}/job-1-x.mp4.srt`],
])('open-job signs the requests of what the template %s makes', async (template, key) => {
  expect(await open(somePorts(), [begun(key)], to(template))).toMatchObject({ uploadIds: ['u'] });
});

it('a provider by role has no signed uploads, and the refusal of its role reaches the worker', async () => {
  const some = somePorts({ type: 'role' });
  expect(await open(some, [planned('videos/job-1/a.mp4')])).toBeUndefined();
  const refused = { [id]: { refused: { code: 'AccessDenied', status: 403 } } };
  expect(await openProviders(some.ports, { ...aProcessingJob(), destination: to('a') })).toEqual(refused);
});

it('the inputs of a job are signed, those of others are not, and a provider that cannot be opened is left out', async () => {
  const some = somePorts();
  const input = { storageProviderId: id, key: 'in.mp4' };
  const job = aProcessingJob();
  const request = { ...job.request, input };
  const destination = { storageProviderId: 'sp_broken', keyTemplate: 'a' };
  expect(await openProviders(some.ports, { ...job, request, destination })).toEqual({
    [id]: { signed: ['HEAD', 'GET'].map((method) => ({ method, url: 'videos/in.mp4?' })) },
  });
  expect(some.calls).toEqual(['error no KMS']);
});
