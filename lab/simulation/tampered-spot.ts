import { isWrite, type Tamper, without } from './tampering.ts';
import { aJobScript } from './workload/job-script.ts';
import { noFaults } from './world/fault.ts';

/** An economy job in several chunks, whose first task loses its capacity after 200 s. */
export const anInterruptedJob = () => {
  let tasks = 0;
  const plan = { ...noFaults(), spotMs: () => (++tasks === 1 ? 200_000 : undefined) };
  return { plan, scripts: [aJobScript({ input: 'film', isEconomy: true, encodeMs: 300_000 })] };
};

/** For each invariant about interruptions, a log of that job that breaks it. */
export const tamperedSpot: { name: string; how: string; tamper: Tamper }[] = [
  {
    name: 'an interruption repeats at most one chunk, or a single pass that is as short',
    how: 'no chunk is kept',
    tamper: without((entry) => entry.kind === 'object-stored'),
  },
  {
    name: 'a task that is stopped gives its job back at once',
    how: 'after a minute',
    tamper: (log) =>
      log.map((entry) => (isWrite('processing', 'queued')(entry) ? { ...entry, at: entry.at + 60_000 } : entry)),
  },
];
