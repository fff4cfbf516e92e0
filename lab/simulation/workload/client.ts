import type { Principal } from '../../../core/access/authentication.ts';
import { keyGrantSchema } from '../../../core/access/key-record.ts';
import { jobRequestSchema } from '../../../core/api/job-request.ts';
import { AppError } from '../../../core/errors.ts';
import { uploadInputUrl, uploadKey } from '../../../core/uploads/upload.ts';
import { ServiceError } from '../world/calls.ts';
import type { Outcome } from '../world/invocation-types.ts';
import { aSource, isChunkable } from '../world/media-origin.ts';
import type { CallApi } from '../world/stage.ts';
import type { World } from '../world/world.ts';
import { type ApiCall, type Client, clientActions } from './client-actions.ts';
import type { JobScript } from './job-script.ts';
import { workOf } from './work-of-script.ts';

const maxTries = 6;
const retryAfterMs = 3_000;

/** Runs a client: submits its job, retries where allowed, and performs the script's steps. */
export function runJobScript(world: World, callApi: CallApi, script: JobScript, key: string): void {
  const { scheduler } = world;
  const { ownerId } = script;
  const url = script.isUploaded ? upload(world, script) : inputUrl(script);
  const principal = principalOf(script);
  const later = (afterMs: number, act: () => void) => scheduler.at(scheduler.now() + afterMs, act);
  const ask = askOf(callApi, later);

  const accepted = ({ body }: { body?: { jobId: string } }, withKey: string | undefined) => {
    if (body === undefined) return;
    world.log({ kind: 'accepted', ownerId, jobId: body.jobId, key: withKey });
    return body.jobId;
  };
  const submit = (isRepeat = false) => {
    const { sent: rawBody, body } = requestOf(script, url);
    const headers = script.hasIdempotencyKey ? { 'idempotency-key': key } : {};
    ask({
      app: 'create-job',
      ...(script.hasIdempotencyKey ? {} : { tries: 1 }),
      main: (api) => api.createJob({ params: undefined, query: undefined, headers, body, rawBody, principal }),
      onAnswer: (answer) => {
        const jobId = accepted(answer, script.hasIdempotencyKey ? key : undefined);
        if (jobId === undefined || isRepeat) return;
        for (const { afterMs, what } of script.steps) later(afterMs, () => clientActions[what](client, jobId));
      },
    });
  };
  const client: Client = {
    world,
    ask,
    principal,
    repeat: () => submit(true),
    retryKey: script.hasIdempotencyKey ? `${key} retry` : undefined,
    accepted,
  };
  scheduler.at(scheduler.now() + script.atMs, () => submit());
}

/** Sends a request and retries it after a failure that may pass; a rejection is final. */
function askOf(callApi: CallApi, later: (afterMs: number, act: () => void) => void): Client['ask'] {
  const ask: Client['ask'] = <T>({ app, jobId, tries = maxTries, main, onAnswer }: ApiCall<T>) => {
    const onEnd = (outcome: Outcome<T>) => {
      if (outcome !== 'dead' && 'value' in outcome) return onAnswer(outcome.value);
      if (outcome !== 'dead' && outcome.error instanceof AppError) return;
      // Any other error is a defect of the program.
      if (outcome !== 'dead' && !(outcome.error instanceof ServiceError)) throw outcome.error;
      if (tries <= 1) return;
      later(retryAfterMs, () =>
        ask({ app, ...(jobId === undefined ? {} : { jobId }), tries: tries - 1, main, onAnswer }),
      );
    };
    callApi({ app, jobId, main, onEnd });
  };
  return ask;
}

/** The caller of a script: a session, or the key with its limit. */
function principalOf({ ownerId, keyUsdPerDay: usdPerDay }: JobScript): Principal {
  if (usdPerDay === undefined) return { ownerId, caller: 'session' };
  const keyId = `key-${usdPerDay}`;
  const key = keyGrantSchema.parse({ ownerId, keyId, hash: keyId, limits: { usdPerDay } });
  return { ownerId, caller: 'key', key };
}

function inputUrl({ input, encodeMs }: JobScript): string {
  return `https://media.example/${input}/${encodeMs}`;
}

/** Stores the input in the bucket as an upload of its owner; returns its URL. */
function upload({ bucket, newId, scheduler }: World, { ownerId, input, encodeMs }: JobScript): string {
  const objectId = newId(new Date(scheduler.now()));
  const url = uploadInputUrl(objectId, `${input}.${encodeMs}`);
  bucket.put(uploadKey(ownerId, objectId), aSource(url));
  return url;
}

type Request = { sent: unknown; body: ReturnType<typeof jobRequestSchema.parse> };

const parsed = new Map<string, Request>();

/** The validated request of a script. */
function requestOf(
  { ownerId, input, isPatient, isEconomy, receiver, receiverPort = 443, maxCostUsd, ...script }: JobScript,
  url: string,
): Request {
  const webhookUrl = receiver === 'default' ? undefined : `https://${ownerId}.example:${receiverPort}/${receiver}`;
  const { isEncrypted, isPipeline, graph, bitrate } = script;
  const work = [isEncrypted, isPipeline, graph, bitrate].join();
  const name = `${url} ${webhookUrl} ${maxCostUsd} ${isPatient} ${isEconomy} ${work}`;
  const known = parsed.get(name);
  if (known !== undefined) return known;
  const sent = {
    input: { url },
    ...workOf(script),
    ...(isChunkable(input) && !isPatient ? { speed: 'fast' } : {}),
    ...(isEconomy && { speed: 'economy' }),
    ...(webhookUrl === undefined ? {} : { webhookUrl }),
    ...(maxCostUsd === undefined ? {} : { maxCostUsd }),
  };
  const request = { sent, body: jobRequestSchema.parse(sent) };
  parsed.set(name, request);
  return request;
}
