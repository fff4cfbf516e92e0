import type { ChunkedExecutionInput } from '../../../core/jobs/chunked-ports.ts';
import type { Job } from '../../../core/jobs/record.ts';
import { aChunkedStage, type ChunkedStage } from './a-chunked-stage.ts';
import { type ChunkedJob, chunkedJob } from './chunked-job.ts';
import { type JoinedFormat, waitingChunks } from './waiting-chunks.ts';

type Encoded = { job: Job; input: ChunkedExecutionInput; objects: Map<string, Buffer> };

const encoded = new Map<JoinedFormat, Promise<Encoded>>();

/**
 * A stage with a job whose three chunks and audio are encoded and not joined yet. They are encoded once for all tests of
 * a file.
 */
export async function encodedChunks({
  attempt = 1,
  format = 'mkv',
}: {
  attempt?: number;
  format?: JoinedFormat;
} = {}): Promise<{ stage: ChunkedStage; work: ChunkedJob }> {
  const encoding = encoded.get(format) ?? encodeAll(format);
  encoded.set(format, encoding);
  const { job, input, objects } = await encoding;
  const stage = await aChunkedStage();
  for (const [key, content] of objects) await stage.bucket.put(key, content);
  await stage.ports.jobs.write({ guard: { absent: true }, job: { ...job, attempt } });
  stage.machine.running.set('parallel', input);
  return { stage, work: chunkedJob(stage, 'parallel') };
}

async function encodeAll(format: JoinedFormat): Promise<Encoded> {
  const { stage, work } = await waitingChunks({ format });
  await work.encodeAll();
  const objects = new Map<string, Buffer>();
  for (const key of await stage.keys('work/')) objects.set(key, await stage.read(key));
  return { job: await work.job(), input: work.input, objects };
}
