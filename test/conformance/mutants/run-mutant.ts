import { startRun } from '../../../conformance/run.ts';
import { type Result, runSuite } from '../../../conformance/run-suite.ts';
import { suite } from '../../../conformance/suite.ts';
import { timeouts } from '../../../conformance/target.ts';
import type { ConformingStage } from '../builders/a-conforming-stage.ts';
import type { Mutant } from './mutant.ts';
import { unchanged } from './mutation.ts';
import { startProxy } from './proxy.ts';

/** Nothing that never ends, and a long while for what a mutant sends too much: it is noticed as it comes. */
const mutantPatience = { ...timeouts, jobMs: 60_000, quietMs: 30_000 };

/** Holds a mutant of a stage to the one clause that it breaks. */
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
  const run = await startRun(target, { ...mutantPatience, ...mutant.patience });
  try {
    const clauses = suite.filter(({ id }) => id === mutant.breaks);
    for await (const result of runSuite(clauses, run)) return result;
    return undefined;
  } finally {
    await run.end();
    await Promise.all([api.stop(), relay.stop()]);
  }
}

/** The suite adds the port that it listens on to the address that it is given: `/port:49152/inbox`. */
function receiverOf(path: string): { origin: string; path: string } {
  const [, port = '', rest = ''] = /^\/port:(\d+)(\/.*)$/.exec(path) ?? [];
  return { origin: `http://127.0.0.1:${port}`, path: rest };
}
