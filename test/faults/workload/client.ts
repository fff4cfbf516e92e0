import { jobRequestSchema } from '../../../core/api/job-request.ts';
import { AppError } from '../../../core/errors.ts';
import { uploadKey, uploadUrl } from '../../../core/uploads/upload.ts';
import type { Outcome } from '../simulation/invocation.ts';
import { aSource, isCut } from '../simulation/media.ts';
import type { Api, CallApi } from '../simulation/stage.ts';
import type { World } from '../simulation/world.ts';
import type { Errand, Step } from './errand.ts';

const mostTries = 6;
const retryAfterMs = 3_000;

type Asked<T> = {
  app: string;
  jobId?: string;
  tries?: number;
  main: (api: Api) => Promise<T>;
  onAnswer: (answer: T) => void;
};

/** A client: submits its job, tries again where it may, and does what the errand says. */
export function runErrand(world: World, callApi: CallApi, errand: Errand, key: string): void {
  const { scheduler } = world;
  const { ownerId } = errand;
  const url = errand.isUploaded ? upload(world, errand) : inputUrl(errand);
  const principal = { ownerId, caller: 'key' } as const;
  const later = (afterMs: number, act: () => void) => scheduler.at(scheduler.now() + afterMs, act);

  /** Asks, and asks again after a failure that may pass; a refusal is an answer too, and the end of it. */
  const ask = <T>({ app, jobId, tries = mostTries, main, onAnswer }: Asked<T>) => {
    const onEnd = (outcome: Outcome<T>) => {
      if (outcome !== 'dead' && 'value' in outcome) return onAnswer(outcome.value);
      const isRefusal = outcome !== 'dead' && outcome.error instanceof AppError;
      if (isRefusal || tries <= 1) return;
      later(retryAfterMs, () =>
        ask({ app, ...(jobId === undefined ? {} : { jobId }), tries: tries - 1, main, onAnswer }),
      );
    };
    callApi({ app, jobId, main, onEnd });
  };

  const accepted = ({ body }: { body?: { jobId: string } }, withKey: string | undefined) => {
    if (body === undefined) return;
    world.log({ kind: 'accepted', ownerId, jobId: body.jobId, key: withKey });
    return body.jobId;
  };
  const submit = (isRepeat = false) => {
    const { sent, body } = requestOf(errand, url);
    const headers = errand.keyed ? { 'idempotency-key': key } : {};
    ask({
      app: 'create-job',
      ...(errand.keyed ? {} : { tries: 1 }),
      main: (api) => api.createJob({ params: undefined, query: undefined, headers, body, sent, principal }),
      onAnswer: (answer) => {
        const jobId = accepted(answer, errand.keyed ? key : undefined);
        if (jobId === undefined || isRepeat) return;
        for (const step of errand.steps) later(step.afterMs, () => take(step, jobId));
      },
    });
  };
  const take = ({ what }: Step, jobId: string) => {
    const plain = { query: undefined, headers: undefined, body: undefined, sent: undefined, principal };
    const request = { ...plain, params: { id: jobId } };
    const done = () => undefined;
    if (what === 'repeat') submit(true);
    if (what === 'cancel')
      ask({ app: 'cancel-job', jobId, main: (api) => api.cancelJob(request), onAnswer: done });
    if (what === 'delete')
      ask({ app: 'delete-job', jobId, main: (api) => api.deleteJob(request), onAnswer: done });
    if (what === 'redeliver') {
      ask({ app: 'redeliver-job', jobId, main: (api) => api.redeliverJob(request), onAnswer: done });
    }
    if (what === 'retry') {
      const retryKey = errand.keyed ? `${key} retry` : undefined;
      const headers = { 'idempotency-key': retryKey };
      ask({
        app: 'retry-job',
        jobId,
        ...(errand.keyed ? {} : { tries: 1 }),
        main: (api) => api.retryJob({ ...request, headers }),
        onAnswer: (answer) => void accepted(answer, retryKey),
      });
    }
    if (what === 'recover') {
      const body = { since: new Date(0).toISOString(), until: new Date(scheduler.now()).toISOString() };
      const main = (api: Api) => api.recoverDeliveries({ ...plain, params: undefined, body, sent: body });
      ask({ app: 'recover-deliveries', main, onAnswer: done });
    }
    if (what === 'list') {
      const query = { limit: 20, state: 'completed' as const };
      const onAnswer = ({ body }: { body: { jobs: { jobId: string; state: string }[] } }) =>
        world.log({
          kind: 'listed',
          ownerId,
          jobs: body.jobs.map(({ jobId: id, state }) => ({ jobId: id, state })),
        });
      ask({
        app: 'list-jobs',
        main: (api) => api.listJobs({ ...plain, params: undefined, query }),
        onAnswer,
      });
    }
  };
  scheduler.at(scheduler.now() + errand.atMs, () => submit());
}

function inputUrl({ input, encodeMs }: Errand): string {
  return `https://media.example/${input}/${encodeMs}`;
}

/** Puts the input into the bucket as an upload of its owner; returns its URL. */
function upload({ bucket, newId, scheduler }: World, { ownerId, input, encodeMs }: Errand): string {
  const objectId = newId(new Date(scheduler.now()));
  const url = uploadUrl(objectId, `${input}.${encodeMs}`);
  bucket.put(uploadKey(ownerId, objectId), aSource(url));
  return url;
}

type Request = { sent: unknown; body: ReturnType<typeof jobRequestSchema.parse> };

const parsed = new Map<string, Request>();

/** The request of an errand, checked once as the API checks it. */
function requestOf({ ownerId, input, receiver }: Errand, url: string): Request {
  const webhookUrl = receiver === 'default' ? undefined : `https://${ownerId}.example/${receiver}`;
  const name = `${url} ${webhookUrl}`;
  const known = parsed.get(name);
  if (known !== undefined) return known;
  const sent = {
    mode: 'recipe',
    input: { url },
    output: { format: 'mp4' },
    recipe: { name: 'compress', crf: 28 },
    ...(isCut(input) ? { speed: 'fast' } : {}),
    ...(webhookUrl === undefined ? {} : { webhookUrl }),
  };
  const request = { sent, body: jobRequestSchema.parse(sent) };
  parsed.set(name, request);
  return request;
}
