import type { Principal } from '../../../core/access/authentication.ts';
import type { Api } from '../world/stage.ts';
import type { World } from '../world/world.ts';
import type { Step } from './job-script.ts';

export type ApiCall<T> = {
  app: string;
  jobId?: string;
  tries?: number;
  main: (api: Api) => Promise<T>;
  onAnswer: (answer: T) => void;
};

/** A client that has submitted a job. */
export type Client = {
  world: World;
  ask: <T>(apiCall: ApiCall<T>) => void;
  principal: Principal;
  /** Submits the same job again. */
  repeat(): void;
  /** The idempotency key of a retry; undefined if the client uses none. */
  retryKey: string | undefined;
  /** Records an accepted job. */
  accepted(answer: { body?: { jobId: string } }, key: string | undefined): unknown;
};

type Act = (client: Client, jobId: string) => void;

const nothing = { query: undefined, headers: undefined, body: undefined, rawBody: undefined };
const about = ({ principal }: Client, jobId: string) => ({ ...nothing, principal, params: { id: jobId } });
const done = () => undefined;

/** The actions of a client with its job. */
export const clientActions: Readonly<Record<Step['what'], Act>> = {
  repeat: ({ repeat }) => repeat(),
  cancel: (client, jobId) => {
    const main = (api: Api) => api.cancelJob(about(client, jobId));
    client.ask({ app: 'cancel-job', jobId, main, onAnswer: done });
  },
  delete: (client, jobId) => {
    const main = (api: Api) => api.deleteJob({ ...about(client, jobId), query: {} });
    client.ask({ app: 'delete-job', jobId, main, onAnswer: done });
  },
  redeliver: (client, jobId) => {
    const main = (api: Api) => api.redeliverJob({ ...about(client, jobId), query: {}, headers: {} });
    client.ask({ app: 'redeliver-job', jobId, main, onAnswer: done });
  },
  retry: (client, jobId) => {
    const { retryKey, accepted } = client;
    const headers = { 'idempotency-key': retryKey };
    client.ask({
      app: 'retry-job',
      jobId,
      ...(retryKey === undefined ? { tries: 1 } : {}),
      main: (api) => api.retryJob({ ...about(client, jobId), headers }),
      onAnswer: (answer) => void accepted(answer, retryKey),
    });
  },
  recover: ({ world: { scheduler }, ask, principal }) => {
    const body = { since: new Date(0).toISOString(), until: new Date(scheduler.now()).toISOString() };
    const request = { ...nothing, principal, params: undefined, body, rawBody: body };
    ask({ app: 'recover-deliveries', main: (api) => api.recoverDeliveries(request), onAnswer: done });
  },
  list: ({ world, ask, principal }) => {
    const query = { limit: 20, state: ['completed' as const], order: 'desc' as const };
    const request = { ...nothing, principal, params: undefined, query };
    ask({
      app: 'list-jobs',
      main: (api) => api.listJobs(request),
      onAnswer: ({ body }) => {
        const jobs = body.jobs.map(({ jobId, state }) => ({ jobId, state }));
        world.log({ kind: 'listed', ownerId: principal.ownerId, jobs });
      },
    });
  },
};
