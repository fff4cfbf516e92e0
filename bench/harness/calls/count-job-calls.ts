import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { recipeRequestSchema } from '../../../core/recipes/registry.ts';
import { findFfmpeg } from '../../../local/find-ffmpeg.ts';
import { makeClip } from '../../../local/sample/clip.ts';
import type { Stage } from '../../../local/stage.ts';
import { type BenchStage, benchStage } from '../stage/bench-stage.ts';
import { aCustomer } from './customer.ts';
import { deliveryTransitions } from './delivery-transitions.ts';
import { type FunctionCall, type JobCalls, jobCalls } from './job-calls.ts';
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
  await until(() => ended('media-jobs-local-transcode') && stage.calls().sqs.DeleteMessage !== undefined);
  await until(() => ended('media-jobs-local-deliver-webhook') && stage.events().length > 0);
  await client.getJob({ params: { id: jobId } });
  await until(() => ended('media-jobs-local-get-job'));
  return withOthers(jobCalls(seen), stage);
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

/** Adds the calls that no function makes: those of the gateway, the event source mapping and the state machine. */
async function withOthers(calls: JobCalls, stage: Stage): Promise<JobCalls> {
  const request = { 'apigateway.Request': 1 };
  // One message, received once.
  const mapping = { 'sqs.ReceiveMessage': 1, 'sqs.DeleteMessage': stage.calls().sqs.DeleteMessage ?? 0 };
  const machine = {
    'sfn.Transition': await deliveryTransitions(),
    'events.PutEvents': stage.events().length,
  };
  const others = { create: request, work: mapping, deliver: machine, read: request };
  for (const [room, more] of Object.entries(others))
    Object.assign(calls[room as keyof typeof others].calls, more);
  return calls;
}

async function until(isThere: () => boolean): Promise<void> {
  while (!isThere()) await setTimeout(20);
}
