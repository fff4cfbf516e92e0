import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Service } from '@media-jobs/local-stage/emulators';
import { type Random, seededRandom } from '@media-jobs/testing/random';
import { chunkSettingsSchema } from '@media-jobs/video/chunking';
import { chunkSource } from '@media-jobs/video/testing';
import { aCustomer, type Customer, type JobBody } from './customer.ts';
import { type HostedStage, startHostedStage } from './hosted-stage.ts';
import { isDeliveredOnce } from './run-chaos.ts';

/** The services whose outages a job outlasts, in the order in which they fail. */
const services = ['s3', 'dynamodb', 'sqs', 'sfn', 'kms', 'eventbridge'] as const satisfies Service[];

/** Outages that may reject a POST with 503, as docs/alarms.md says. */
const rejecting: readonly Service[] = ['dynamodb', 'kms'];

const maxShortOutageSeconds = 10;
const pauseMs = 10_000;
const drainMs = 8 * 60_000;
const chunking = chunkSettingsSchema.parse({ targetChunkSeconds: 3 });

export type OutagesOptions = {
  jobs: number;
  /** The length of the longest outage of each service. */
  seconds: number;
  seed: number;
  report: (text: string) => void;
};

export type OutagesFigures = {
  jobs: number;
  completed: number;
  webhooksDelivered: number;
  /** Jobs that needed a third attempt. */
  requeuedTwice: number;
  services: readonly Service[];
};

/**
 * Runs jobs of each kind of work while one service after another fails, each for seconds and then for longer.
 * `problems` counts jobs without goodput, and POSTs that another outage than one of `rejecting` has rejected.
 */
export async function runOutages(options: OutagesOptions): Promise<{ figures: OutagesFigures; problems: number }> {
  const { jobs, report } = options;
  const outages = plannedOutages(options);
  const spanMs = (until: readonly Outage[]) => until.reduce((sum, { ms }) => sum + pauseMs + ms, 0);
  const allMs = spanMs(outages);
  /** As many jobs around the begin of each outage: it meets them at every step. */
  const beginsAt = (n: number) => {
    const outage = n % outages.length;
    const fraction = Math.floor(n / outages.length) / Math.ceil(jobs / outages.length);
    return spanMs(outages.slice(0, outage)) + fraction * (pauseMs + Math.min(outages[outage]?.ms ?? 0, pauseMs));
  };
  const directory = await mkdtemp(join(tmpdir(), 'outages-'));
  const stage = await startHostedStage(directory, [], { CHUNKING_SETTINGS: JSON.stringify(chunking) });
  const customer = await aCustomer(stage, await chunkSource('constantRate'));
  try {
    const rejected: Service[] = [];
    let down: Service | undefined;
    const breaking = breakInTurn(stage, outages, (service) => {
      down = service;
      if (service !== undefined) report(`${service} is down`);
    });
    report(`${jobs} jobs for ${Math.round(allMs / 1_000)} s`);
    const deadline = Date.now() + allMs + drainMs;
    const all = Promise.all(
      Array.from({ length: jobs }, async (_, n) => {
        await wait(beginsAt(n));
        return oneJob(customer, { n, deadline, onFailure: () => down !== undefined && rejected.push(down) });
      }),
    );
    const [results] = await Promise.all([all, breaking]);
    const count = (isOne: (result: JobResult) => boolean) => results.filter(isOne).length;
    const figures = {
      jobs,
      completed: count(({ state }) => state === 'completed'),
      webhooksDelivered: count(({ isDelivered }) => isDelivered),
      requeuedTwice: count(({ attempt }) => attempt > 2),
      services,
    };
    for (const result of results.filter((one) => !hasGoodput(one))) report(JSON.stringify(result));
    report(`Requests were rejected while these were down: ${[...new Set(rejected)].join(', ') || 'none'}`);
    const wronglyRejected = rejected.filter((service) => !rejecting.includes(service)).length;
    return { figures, problems: jobs - count(hasGoodput) + wronglyRejected };
  } finally {
    await stage.stop();
    await customer.close();
    await rm(directory, { recursive: true, force: true });
  }
}

type Outage = { service: Service; kind: 'error' | 'reset'; ms: number };

/** Two outages of each service: a short one, then the longest. */
function plannedOutages({ seconds, seed }: OutagesOptions): Outage[] {
  const random: Random = seededRandom(seed);
  return services.flatMap((service) => {
    const kinds = random.chance(0.5) ? (['error', 'reset'] as const) : (['reset', 'error'] as const);
    const short = Math.min(random.between(500, maxShortOutageSeconds * 1_000), seconds * 1_000);
    return [
      { service, kind: kinds[0], ms: short },
      { service, kind: kinds[1], ms: seconds * 1_000 },
    ];
  });
}

async function breakInTurn(
  stage: HostedStage,
  outages: readonly Outage[],
  onChange: (down: Service | undefined) => void,
): Promise<void> {
  for (const { service, kind, ms } of outages) {
    await wait(pauseMs);
    const mend = stage.fail({ service, kind });
    onChange(service);
    await wait(ms);
    mend();
    onChange(undefined);
  }
}

type JobResult = {
  jobId: string;
  kind: string;
  state: string;
  attempt: number;
  error?: unknown;
  isDelivered: boolean;
};

/** Whether a job completed and was reported after at most one requeue. */
function hasGoodput({ state, isDelivered, attempt }: JobResult): boolean {
  return state === 'completed' && isDelivered && attempt <= 2;
}

type Source = { url: string; upload: () => Promise<string>; webhookUrl: string };

const mp4 = { mode: 'recipe', output: { format: 'mp4' } } as const;

/** One request for each way in which work uses the services. */
const kinds: Readonly<Record<string, (source: Source) => Promise<JobBody>>> = {
  clip: async ({ url, webhookUrl }) => ({
    ...mp4,
    input: { url },
    recipe: { name: 'clip', start: 1, end: 3 },
    webhookUrl,
  }),
  chunked: async ({ url, webhookUrl }) => ({
    ...mp4,
    input: { url },
    recipe: { name: 'compress', crf: 35, preset: 'ultrafast' },
    speed: 'fast',
    webhookUrl,
  }),
  upload: async ({ upload, webhookUrl }) => ({
    ...mp4,
    input: { url: await upload() },
    recipe: { name: 'clip', start: 2, end: 4 },
    webhookUrl,
  }),
  encrypted: async ({ url, webhookUrl }) => ({
    mode: 'recipe',
    input: { url },
    output: { format: 'm3u8' },
    recipe: {
      name: 'hls',
      preset: 'ultrafast',
      encryption: { scheme: 'aes-128', key: 'ab'.repeat(16), keyUri: 'https://keys.example/film' },
    },
    webhookUrl,
  }),
};

type JobOptions = { n: number; deadline: number; onFailure: () => void };

/** Runs a job until the deadline. */
async function oneJob(customer: Customer, { n, deadline, onFailure }: JobOptions): Promise<JobResult> {
  const names = Object.keys(kinds);
  const kind = names[Math.floor(n / (services.length * 2)) % names.length] ?? '';
  const result = { jobId: '', kind, state: 'unfinished', attempt: 0, isDelivered: false };
  const run = async () => {
    const { origin, upload } = customer;
    const body = await kinds[kind]?.({ url: `${origin}/clip.mp4`, upload, webhookUrl: `${origin}/hook` });
    result.jobId = await customer.submit(`outages-${n}`, body, onFailure);
    const job = await customer.ended(result.jobId);
    Object.assign(result, { state: job.state, attempt: job.attempt, error: job.error });
    while (!isDeliveredOnce(customer, job)) await wait(1_000, undefined, { ref: false });
    result.isDelivered = true;
  };
  await Promise.race([run(), wait(Math.max(0, deadline - Date.now()))]);
  return result;
}
