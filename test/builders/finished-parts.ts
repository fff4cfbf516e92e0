import type { ParallelInput } from '../../core/chunks/ports.ts';
import type { Job } from '../../core/jobs/job.ts';
import { aPartsStage, type PartsStage } from './a-parts-stage.ts';
import { type InParts, inParts } from './in-parts.ts';
import { waitingParts } from './waiting-parts.ts';

type Encoded = { job: Job; input: ParallelInput; objects: Map<string, Buffer> };

let encoded: Promise<Encoded> | undefined;

/**
 * A stage with a job whose three chunks and sound are encoded and wait to be joined. The encoding itself is done once
 * for all tests of a file.
 */
export async function finishedParts({ attempt = 1 } = {}): Promise<{ stage: PartsStage; work: InParts }> {
  encoded ??= encodeParts();
  const { job, input, objects } = await encoded;
  const stage = await aPartsStage();
  for (const [key, content] of objects) await stage.bucket.put(key, content);
  await stage.ports.jobs.write({ guard: { absent: true }, job: { ...job, attempt } });
  stage.machine.running.set('parallel', input);
  return { stage, work: inParts(stage, 'parallel') };
}

async function encodeParts(): Promise<Encoded> {
  const { stage, work } = await waitingParts();
  await work.encodeAll();
  const objects = new Map<string, Buffer>();
  for (const key of await stage.keys('work/')) objects.set(key, await stage.read(key));
  return { job: await work.job(), input: work.input, objects };
}
