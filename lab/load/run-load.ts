import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Client, createClient } from '@media-jobs/client';
import { seededRandom } from '@media-jobs/testing/random';
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import { generatedFile } from '@media-jobs/video/testing';
import { isTerminalState } from '../../core/jobs/states.ts';
import { webhookId } from '../../core/webhooks/delivery.ts';
import { insistently } from '../chaos/customer.ts';
import { type HostedStage, startHostedStage } from '../chaos/hosted-stage.ts';
import { killFunctions } from '../chaos/inject-faults.ts';
import { evaluateLoad, isDelivered, type LoadedJob, type LoadFigures, type ReceivedWebhook } from './evaluate-load.ts';

const owners = Array.from({ length: 10 }, (_, n) => `owner-${n}`);
/** The first half of the owners polls. The others wait for the webhook. */
const pollers = owners.length / 2;
/** The receiver of each tenth job of an owner rejects every attempt. */
const rejectedEvery = 10;

/** A killed worker counts as running until its lease ends, 40 s later: more kills would leave no worker. */
const killWaitMs = [15_000, 30_000] as const;
const firstPollMs = 1_000;
const maxPollMs = 60_000;
const reportEveryMs = 10_000;

export type LoadOptions = {
  /** Jobs a second. */
  rate: number;
  minutes: number;
  /** How long to wait for the last end after the last request. */
  drainMinutes: number;
  seed: number;
  report: (text: string) => void;
};

export type LoadRun = LoadFigures & {
  rate: number;
  /** Ended jobs per second until the last request: the capacity of the machine, if the rate is higher. */
  endedPerSecond: number;
  /** From the last request to the end of the last job. */
  drainSeconds: number;
  kills: number;
};

/** Submits small jobs of ten owners to the local stage at a fixed rate, while its functions are killed, and evaluates them. */
export async function runLoad(options: LoadOptions): Promise<LoadRun> {
  const { rate, minutes, drainMinutes, seed, report } = options;
  const directory = await mkdtemp(join(tmpdir(), 'load-'));
  const stage = await startHostedStage(directory, owners);
  const receiver = await aReceiver();
  const total = Math.round(rate * minutes * 60);
  const began = Date.now();
  const lastRequestAt = began + (total / rate) * 1_000;
  const deadline = lastRequestAt + drainMinutes * 60_000;
  const customers = owners.map((ownerId, n) =>
    aLoadCustomer({ stage, receiver, ownerId, polls: n < pollers, deadline }),
  );
  let kills = 0;
  try {
    const jobs: Promise<LoadedJob>[] = [];
    let ended = 0;
    const killing = killFunctions(
      stage,
      { random: seededRandom(seed), waitMs: killWaitMs },
      { onKill: () => void kills++, isOver: () => Date.now() >= lastRequestAt },
    );
    const telling = setInterval(() => report(`${jobs.length} jobs sent, ${ended} ended`), reportEveryMs).unref();
    for (let n = 0; n < total; n += 1) {
      await wait(Math.max(0, began + (n / rate) * 1_000 - Date.now()));
      const customer = customers[n % customers.length] as LoadCustomer;
      const isRejected = Math.floor(n / customers.length) % rejectedEvery === rejectedEvery - 1;
      jobs.push(customer.run(`load-${n}`, !isRejected).finally(() => void ended++));
    }
    report(`All ${total} jobs are sent`);
    const all = await Promise.all(jobs);
    await killing;
    clearInterval(telling);
    const listed = new Map(
      await Promise.all(customers.map(async ({ ownerId, list }) => [ownerId, await list()] as const)),
    );
    const ends = all.flatMap(({ end }) => (end === undefined ? [] : [end.completedAt]));
    return {
      ...evaluateLoad({ jobs: all, webhooks: receiver.webhooks(), listed }),
      rate,
      endedPerSecond: round((ends.filter((at) => at <= lastRequestAt).length * rate) / total),
      drainSeconds: round(Math.max(0, ...ends.map((at) => (at - lastRequestAt) / 1_000))),
      kills,
    };
  } finally {
    await stage.stop();
    await receiver.server.close();
    await rm(directory, { recursive: true, force: true });
  }
}

type Receiver = {
  server: WebServer;
  webhooks(): ReceivedWebhook[];
  /** Resolves once the receiver of a job has got what it is to get. */
  delivered(jobId: string, accepts: boolean): Promise<void>;
};

/** The server of all owners: it has the input, and accepts or rejects webhooks by their path. */
async function aReceiver(): Promise<Receiver> {
  const pattern = ['-f', 'lavfi', '-i', 'testsrc2=size=64x36', '-frames:v', '1'];
  const image = await readFile(await generatedFile('load.png', pattern));
  const counts = new Map<string, number>();
  const waiting = new Map<string, () => void>();
  const server = await aWebServer(({ method, path, headers }, response) => {
    if (method !== 'POST') {
      response.writeHead(200, { 'content-length': image.length }).end(image);
      return;
    }
    const id = String(headers['webhook-id']);
    counts.set(id, (counts.get(id) ?? 0) + 1);
    response.writeHead(path.endsWith('/accepts') ? 204 : 503).end();
    waiting.get(id)?.();
  });
  return {
    server,
    webhooks: () =>
      server.requests
        .filter(({ method }) => method === 'POST')
        .map(({ path, headers, body, at }) => ({
          ownerId: path.split('/')[2] ?? '',
          webhookId: String(headers['webhook-id']),
          body,
          at,
        })),
    delivered: (jobId, accepts) => {
      const id = webhookId(jobId);
      const { promise, resolve } = Promise.withResolvers<void>();
      const check = () => {
        if (isDelivered(accepts, counts.get(id) ?? 0)) resolve();
      };
      waiting.set(id, check);
      check();
      return promise;
    },
  };
}

type LoadCustomer = {
  ownerId: string;
  /** Submits a job and waits until it has ended and is delivered, or until the deadline. */
  run(idempotencyKey: string, receiverAccepts: boolean): Promise<LoadedJob>;
  /** The ids of all jobs of the owner. */
  list(): Promise<string[]>;
};

type LoadCustomerOptions = {
  stage: HostedStage;
  receiver: Receiver;
  ownerId: string;
  polls: boolean;
  deadline: number;
};

function aLoadCustomer({ stage, receiver, ownerId, polls, deadline }: LoadCustomerOptions): LoadCustomer {
  const client = createClient({ baseUrl: stage.baseUrl(), apiKey: stage.keyOf(ownerId) });
  const { origin } = receiver.server;
  return {
    ownerId,
    run: async (key, receiverAccepts) => {
      const submittedAt = Date.now();
      const { jobId } = await insistently(() =>
        client.createJob({
          headers: { 'idempotency-key': key },
          body: {
            mode: 'recipe',
            input: { url: `${origin}/load.png` },
            output: { format: 'jpg' },
            recipe: { name: 'image' },
            webhookUrl: `${origin}/hook/${ownerId}/${receiverAccepts ? 'accepts' : 'rejects'}`,
          },
        }),
      );
      const delivered = receiver.delivered(jobId, receiverAccepts);
      const tooLate = wait(Math.max(0, deadline - Date.now()), undefined, { ref: false });
      if (polls) await Promise.race([polledEnd(client, jobId, deadline), tooLate]);
      await Promise.race([delivered, tooLate]);
      const { state, completedAt } = await insistently(() => client.getJob({ params: { id: jobId } }));
      const end = isTerminalState(state) ? { state, completedAt: Date.parse(completedAt ?? '') } : undefined;
      return { jobId, ownerId, submittedAt, receiverAccepts, end };
    },
    list: async () => {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await insistently(() => client.listJobs({ query: { limit: 100, ...(cursor && { cursor }) } }));
        ids.push(...page.jobs.map(({ jobId }) => jobId));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      return ids;
    },
  };
}

/** Polls a job, less and less often, until it has ended. */
async function polledEnd(client: Client, jobId: string, deadline: number): Promise<void> {
  for (let pauseMs = firstPollMs; Date.now() < deadline; pauseMs = Math.min(pauseMs * 1.5, maxPollMs)) {
    await wait(pauseMs, undefined, { ref: false });
    const { state } = await insistently(() => client.getJob({ params: { id: jobId } }));
    if (isTerminalState(state)) return;
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
