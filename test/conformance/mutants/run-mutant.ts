import { startRun } from '../../../conformance/run.ts';
import { type Result, runSuite } from '../../../conformance/run-suite.ts';
import { suite } from '../../../conformance/suite.ts';
import { timeouts } from '../../../conformance/target.ts';
import type { ConformingStage } from '../builders/a-conforming-stage.ts';
import type { Mutant } from './mutant.ts';
import { unchanged } from './mutation.ts';
import { startProxy } from './proxy.ts';

/** A long silence: a superfluous webhook ends the wait at once. */
const mutantTimeouts = { ...timeouts, jobMs: 60_000, silenceMs: 30_000 };

/** Checks a mutant against the clause that it violates. */
export async function runMutant(stage: ConformingStage, mutant: Mutant): Promise<Result | undefined> {
  const customer = await stage.aCustomer();
  const api = await startProxy(
    (path) => ({ origin: stage.baseUrl, path }),
    mutant.api?.(customer) ?? unchanged,
  );
  const relay = await startProxy(receiverOf, mutant.webhooks?.() ?? unchanged);
  const target = {
    ...customer,
    baseUrl: api.origin,
    receiver: { url: `${relay.origin}/port`, port: 0 },
    hasDashboard: true,
    ...mutant.target,
  };
  const run = await startRun(target, { ...mutantTimeouts, ...mutant.timeouts });
  try {
    const clauses = suite.filter(({ id }) => id === mutant.breaks);
    for await (const result of runSuite(clauses, run)) return result;
    return undefined;
  } finally {
    await run.end();
    await Promise.all([api.stop(), relay.stop()]);
  }
}

/** The suite appends its port to the given URL: `/port:49152/inbox`. */
function receiverOf(path: string): { origin: string; path: string } {
  const [, port = '', rest = ''] = /^\/port:(\d+)(\/.*)$/.exec(path) ?? [];
  return { origin: `http://127.0.0.1:${port}`, path: rest };
}
