import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { recipeRequestSchema } from '@media-jobs/video/recipes';
import type { JobCalls } from '../../../../core/pricing/per-job.ts';
import { makeClip } from '../../../../lib/local/sample.ts';
import { type BenchStage, benchStage } from '../stage/bench-stage.ts';
import { aCustomer } from './customer.ts';
import { type FunctionCall, jobCalls } from './job-calls.ts';
import { readCall } from './observed-call.ts';

const recipe = recipeRequestSchema.parse({ name: 'compress', crf: 28 });

/**
 * Runs one job on a stage of its own, from POST to its delivered webhook and a GET, and counts every AWS call by phase.
 * Calls that belong to no job are left out: reconcile, and receives of an empty queue.
 */
export async function countJobCalls(): Promise<JobCalls> {
  await using cleanup = new AsyncDisposableStack();
  const seen: FunctionCall[] = [];
  const hasBeaten = Promise.withResolvers<void>();
  const observed = await observedStage((call) => {
    seen.push(call);
    if (Object.keys(jobCalls(seen).heartbeat.calls).length === 2) hasBeaten.resolve();
  });
  const { stage, client, directory } = cleanup.use(observed);
  const path = join(directory, 'in.mp4');
  await makeClip({ ffmpeg: findFfmpeg(process.env).ffmpeg, path, seconds: 1 });
  const customer = await aCustomer(path, hasBeaten.promise);
  cleanup.defer(customer.close);

  const { inputUrl, webhookUrl } = customer;
  const { jobId } = await client.createJob({
    body: { mode: 'recipe', input: { url: inputUrl }, output: { format: 'mp4' }, recipe, webhookUrl },
  });
  const ended = (functionName: string) =>
    seen.some((one) => one.functionName === functionName && one.call.operation === 'Invoke');
  await until(() => ended('media-jobs-local-transcode') && ended('media-jobs-local-deliver-webhook'));
  await until(() => stage.calls().sqs.DeleteMessage === 2);
  await client.getJob({ params: { id: jobId } });
  await until(() => ended('media-jobs-local-jobs'));
  return withOthers(jobCalls(seen));
}

function observedStage(onCall: (call: FunctionCall) => void): Promise<BenchStage> {
  return benchStage({
    preload: join(import.meta.dirname, 'observed-function.ts'),
    log: (source, line) => {
      const call = readCall(line);
      if (call !== undefined) onCall({ functionName: source.replace(/^function /, ''), call });
    },
  });
}

/** Adds the calls that no function makes: those of the gateway and the event source mappings. */
function withOthers(calls: JobCalls): JobCalls {
  const request = { 'apigateway.Request': 1 };
  // One message in each queue, received once.
  const mapping = { 'sqs.ReceiveMessage': 1, 'sqs.DeleteMessage': 1 };
  const others = { create: request, work: mapping, deliver: mapping, read: request };
  for (const [room, more] of Object.entries(others)) Object.assign(calls[room as keyof typeof others].calls, more);
  return calls;
}

async function until(isThere: () => boolean): Promise<void> {
  while (!isThere()) await setTimeout(20);
}
