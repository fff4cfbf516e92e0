// @module-tag storage
import { readFile } from 'node:fs/promises';
import { clipWith } from '@media-jobs/video/testing';
import { beforeAll, expect, it } from 'vitest';
import type { JobResource } from '../../core/api/job-resource.ts';
import { maxSinglePutBytes } from '../../core/uploads/upload.ts';
import { anApiKeyOf } from '../builders/stage/an-api-key.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { submitJob, waitForJobEnd } from '../builders/stage/submitted-jobs.ts';

type InOnePut = { inputUrl: string; uploadUrl: string };
type InParts = { inputUrl: string; uploadId: string; partUrls: string[]; partSizeBytes: number };

/** The size limit of inputs on this stage. Above 5 GiB an upload has parts. */
const maxBytes = 9_000_000_000;

let running: RunningStage;
let clip: Buffer;
beforeAll(async () => {
  // No private address may be reached: whatever a worker gets, it gets from S3 itself.
  const environment = { REACHABLE_PRIVATE_ADDRESSES: '', MAX_INPUT_BYTES: String(maxBytes) };
  clip = await readFile(await clipWith());
  running = await aRunningStage({ environment });
});

type Announced = { sizeBytes: number; filename?: string; multipart?: boolean | undefined };

async function begin<Upload extends InOnePut | InParts>(announced: Announced): Promise<Upload> {
  const { status, body } = await running.api('POST', '/api/v1/uploads', announced);
  expect(status).toBe(201);
  return body as Upload;
}

const put = (url: string, body: Uint8Array) => fetch(url, { method: 'PUT', body: new Uint8Array(body) });

/** The job that takes a URL for its input, once it has ended. */
async function jobOf(url: string, api = running.api): Promise<JobResource> {
  const { jobId } = await submitJob(api, { input: { url } });
  return waitForJobEnd(api, jobId);
}

const noSuchUpload = {
  state: 'rejected',
  error: {
    code: 'INPUT_UNREACHABLE',
    message: 'There is no such upload: it was never completed, or its 7 days are over',
    stage: 'downloading',
    retryable: false,
  },
};

it('an upload in one PUT is the input of a job, which reads it from S3', async () => {
  const { inputUrl, uploadUrl } = await begin<InOnePut>({ sizeBytes: clip.byteLength, filename: 'my-video.mp4' });
  expect((await put(uploadUrl, clip)).status).toBe(200);
  running.stage.resetCalls();
  const job = await jobOf(inputUrl);
  expect(job).toMatchObject({ state: 'completed', request: { input: { url: inputUrl } } });
  expect(job.output_files?.output?.filename).toBe('my-video.mp4');
  expect(running.stage.calls().s3.GetObject).toBe(1);
});

it.each([
  ['above 5 GiB', 197, 26 * 1024 ** 2, undefined],
  ['on request', 2, 5 * 1024 ** 2, true],
])('an upload in parts, %s, is the input of a job once it is complete', async (_, wholeParts, partSize, multipart) => {
  // The last part has exactly the bytes of the clip.
  const partNumber = wholeParts + 1;
  const sizeBytes = wholeParts * partSize + clip.length;
  expect(sizeBytes > maxSinglePutBytes).toBe(multipart === undefined);
  const { inputUrl, uploadId, partUrls, partSizeBytes } = await begin<InParts>({ sizeBytes, multipart });
  expect([partSizeBytes, partUrls.length]).toEqual([partSize, partNumber]);
  const again = await running.api('POST', `/api/v1/uploads/${uploadId}/parts`, { partNumbers: [partNumber] });
  const [last = ''] = (again.body as InParts).partUrls;
  expect((await put(last, clip.subarray(1))).status).toBe(403);
  const etag = (await put(last, clip)).headers.get('etag');
  const join = (parts: object[]) => running.api('POST', `/api/v1/uploads/${uploadId}/complete`, { parts });
  expect(await join([{ partNumber, etag: '"another"' }])).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', details: [{ path: 'parts' }] } },
  });
  const arrived = { parts: [{ partNumber, sizeBytes: clip.length, etag }], partSizeBytes };
  const list = () => running.api('GET', `/api/v1/uploads/${uploadId}/parts`);
  expect(await list()).toMatchObject({ status: 200, body: arrived });
  expect(await join([{ partNumber, etag }])).toMatchObject({ status: 200 });
  expect(await list()).toMatchObject({ status: 404 });
  expect(await jobOf(inputUrl)).toMatchObject({ state: 'completed' });
});

it('an upload in parts is aborted once, by its owner', async () => {
  const { uploadId } = await begin<InParts>({ sizeBytes: 42, multipart: true });
  const abort = (api = running.api) => api('DELETE', `/api/v1/uploads/${uploadId}`);
  expect(await abort(running.apiAs(await anApiKeyOf(running.stage, 'bob')))).toMatchObject({ status: 404 });
  expect(await abort()).toMatchObject({ status: 204 });
  expect(await abort()).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
});

it("another owner's upload is unknown", async () => {
  const { inputUrl, uploadUrl } = await begin<InOnePut>({ sizeBytes: clip.byteLength });
  await put(uploadUrl, clip);
  const bob = running.apiAs(await anApiKeyOf(running.stage, 'bob'));
  expect(await jobOf(inputUrl, bob)).toMatchObject(noSuchUpload);
  const { inputUrl: neverSent } = await begin<InOnePut>({ sizeBytes: clip.byteLength });
  expect(await jobOf(neverSent)).toMatchObject(noSuchUpload);
});
