import { noFaults } from '../world/fault.ts';
import { aJobScript } from './job-script.ts';
import type { Scenario } from './scenario.ts';

const seconds = (n: number) => n * 1_000;

/** The ports of each service. */
const portsOfServices = {
  s3: ['files', 'workFiles'],
  dynamodb: [
    ...['jobs', 'running', 'journal', 'logs', 'settings', 'reservations', 'usage', 'spending', 'slowness'],
    ...['providers', 'metadataIndex', 'slowDeliveries', 'long'],
  ],
  sqs: ['queue', 'deliveries'],
  sfn: ['parallel', 'fargate', 'retries'],
  eventbridge: ['eventBus'],
};

/** From ten seconds on. Every second a job begins, so that the outage meets the others at every step. */
function outageOf(name: string, services: readonly (keyof typeof portsOfServices)[]): Scenario {
  const inputs = ['good', 'long', 'good', 'endless', 'long'] as const;
  return {
    name: `${name} for a minute`,
    scripts: Array.from({ length: 40 }, (_, n) =>
      aJobScript({
        ownerId: `owner-${n % 4}`,
        atMs: n * 700,
        input: inputs[n % inputs.length] ?? 'good',
        isUploaded: n % 10 === 0,
        encodeMs: seconds(1 + (n % 7)),
        receiver: n % 3 === 0 ? 'hesitant' : 'willing',
      }),
    ),
    plan: () =>
      noFaults(({ effect, now }) => {
        const sinceMs = now - startsAt - seconds(10);
        const service = services[Math.floor(sinceMs / (seconds(60) + pauseMs))];
        const isDown = service !== undefined && sinceMs % (seconds(60) + pauseMs) < seconds(60);
        const [port = ''] = effect.split('.');
        return isDown && portsOfServices[service].includes(port) ? 'outage' : undefined;
      }),
  };
}

const startsAt = Date.parse('2026-03-01T12:00:00.000Z');
const pauseMs = seconds(5);

const all = Object.keys(portsOfServices) as (keyof typeof portsOfServices)[];

/** An outage of each service alone, and of all in turn. */
export const outageScenarios: readonly Scenario[] = [
  ...all.map((service) => outageOf(`${service} is down`, [service])),
  outageOf('one service after another is down', all),
];
