import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stage } from '@media-jobs/local-stage';
import type { Calls } from '@media-jobs/local-stage/emulators';
import type { FunctionPlan } from '@media-jobs/local-stage/template';
import { synthesize } from '../../../../lib/build/synthesize.ts';

export type HostRequest = 'calls' | 'stop';

export type HostReport = ({ kind: 'ready' } & StageReport) | { kind: 'calls'; calls: Calls };

export type StageReport = Pick<Stage, 'baseUrl' | 'endpoints' | 'resources'> & {
  apiKey: string;
  /** The function create-job with the credentials of its role, which only the process of the stage knows. */
  createJob: FunctionPlan;
};

/** A stage in a process of its own, so that the benchmark does not share its event loop. */
export type HostedStage = StageReport & {
  /** The calls of the emulators since the last call of this function. */
  takeCalls(): Promise<Calls>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Starts a stage on an empty directory, which is removed with it. Its workers are paused. */
export async function hostedStage(): Promise<HostedStage> {
  const { assemblyDirectory } = await synthesize({ stage: 'local' });
  const dataDirectory = await mkdtemp(join(tmpdir(), 'bench-stage-'));
  const program = join(import.meta.dirname, 'stage-host.ts');
  const host = fork(program, [assemblyDirectory, dataDirectory], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const { kind: _, ...report } = await reportOf(host, 'ready');
  return {
    ...report,
    takeCalls: async () => (await ask(host, 'calls', 'calls')).calls,
    [Symbol.asyncDispose]: async () => {
      const exited = once(host, 'exit');
      host.send('stop' satisfies HostRequest);
      await exited;
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

type ReportOf<Kind extends HostReport['kind']> = Extract<HostReport, { kind: Kind }>;

function ask<Kind extends HostReport['kind']>(
  host: ChildProcess,
  request: HostRequest,
  kind: Kind,
): Promise<ReportOf<Kind>> {
  const report = reportOf(host, kind);
  host.send(request);
  return report;
}

/** The next report of a kind. @throws Error if the process exits before */
async function reportOf<Kind extends HostReport['kind']>(host: ChildProcess, kind: Kind): Promise<ReportOf<Kind>> {
  const { promise, resolve, reject } = Promise.withResolvers<ReportOf<Kind>>();
  const onMessage = (report: HostReport) => {
    if (report.kind === kind) resolve(report as ReportOf<Kind>);
  };
  const onExit = (code: number | null) => reject(new Error(`The stage ended with code ${code}`));
  host.on('message', onMessage).once('exit', onExit);
  try {
    return await promise;
  } finally {
    host.off('message', onMessage).off('exit', onExit);
  }
}
