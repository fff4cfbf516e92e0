import { readFile, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '../../client/client.ts';
import { type Check, expect } from './check.ts';

/** Longer than a first start of the transcoder and a short clip take. */
const patienceMs = 5 * 60_000;

/** The whole way of a job: upload, submit, wait, download. */
export const oneRealJob: Check = {
  name: 'transcodes a clip that is uploaded to it',
  async run({ baseUrl, apiKey, clipPath }) {
    const client = createClient({ baseUrl, apiKey });
    const url = await upload(client, clipPath);
    const { jobId } = await client.createJob({
      body: {
        mode: 'recipe',
        input: { url },
        output: { format: 'mp4' },
        recipe: { name: 'compress', crf: 28 },
      },
    });
    const job = await ended(client, jobId);
    expect(
      job.state === 'completed',
      `Job ${jobId} is ${job.state}: ${JSON.stringify(job.error ?? job.stage)}`,
    );
    const file = await fetch(job.output?.signedUrl ?? '');
    const bytes = (await file.arrayBuffer()).byteLength;
    expect(file.ok && bytes > 0, `The file of job ${jobId} answered ${file.status} with ${bytes} bytes.`);
    await client.deleteJob({ params: { id: jobId } });
  },
};

async function upload(client: Client, clipPath: string): Promise<string> {
  const { size: sizeBytes } = await stat(clipPath);
  const begun = await client.createUpload({ body: { sizeBytes, filename: 'check.mp4' } });
  expect('uploadUrl' in begun, 'The clip is so large that it goes up in parts: choose a short one.');
  const put = await fetch(begun.uploadUrl, { method: 'PUT', body: await readFile(clipPath) });
  expect(put.ok, `The upload was answered with ${put.status}: ${await put.text()}`);
  return begun.inputUrl;
}

async function ended(client: Client, jobId: string) {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const job = await client.getJob({ params: { id: jobId } });
    if (job.completedAt !== null || Date.now() > deadline) return job;
    await sleep(1000);
  }
}
