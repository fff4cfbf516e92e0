import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '@media-jobs/local-stage/emulators';
import type { Random } from '@media-jobs/testing/random';
import type { HostedStage } from './hosted-stage.ts';

export type InjectedFaults = { kills: number; outages: number; crashes: number };

export type FaultInjectionOptions = {
  random: Random;
  forMs: number;
  crashes: number;
  report: (text: string) => void;
};

/** Kills functions, makes services fail for seconds and kills the whole stage, until the time is over. */
export async function injectFaults(stage: HostedStage, options: FaultInjectionOptions): Promise<InjectedFaults> {
  const until = Date.now() + options.forMs;
  const done: InjectedFaults = { kills: 0, outages: 0, crashes: 0 };
  const isOver = () => Date.now() >= until;
  await Promise.all([
    killFunctions(stage, { ...options, waitMs: [2_000, 5_000] }, { onKill: () => void done.kills++, isOver }),
    breakServices(stage, options, { done, isOver }),
    crashStage(stage, options, done),
  ]);
  return done;
}

type Progress = { done: InjectedFaults; isOver: () => boolean };

/** Kills the sandboxes of a function after each random wait, until it is over. */
export async function killFunctions(
  stage: HostedStage,
  { random, waitMs }: Pick<FaultInjectionOptions, 'random'> & { waitMs: readonly [min: number, max: number] },
  { onKill, isOver }: { onKill: () => void; isOver: () => boolean },
): Promise<void> {
  for (;;) {
    await wait(random.between(...waitMs));
    if (isOver()) return;
    const names = stage.functions().filter((name) => /transcode|deliver|reconcile|submission/.test(name));
    const [first = ''] = names;
    stage.killSandboxes(random.pick([first, ...names.slice(1)]));
    onKill();
  }
}

/** Outages of up to five seconds: longer than any AWS client retries. */
async function breakServices(
  stage: HostedStage,
  { random }: FaultInjectionOptions,
  { done, isOver }: Progress,
): Promise<void> {
  while (!isOver()) {
    await wait(random.between(4_000, 9_000));
    const fault: Fault = {
      service: random.pick(['dynamodb', 'dynamodb', 'sqs', 's3', 'sfn', 'eventbridge']),
      kind: random.pick(['error', 'reset']),
    };
    const mend = stage.fail(fault);
    await wait(random.between(1_000, 5_000));
    mend();
    done.outages += 1;
  }
}

async function crashStage(
  stage: HostedStage,
  { forMs, crashes, report }: FaultInjectionOptions,
  done: InjectedFaults,
): Promise<void> {
  for (let crash = 1; crash <= crashes; crash++) {
    await wait(forMs / (crashes + 1));
    await stage.crash();
    done.crashes += 1;
    report(`The stage was killed and is back at ${stage.baseUrl()} (${crash} of ${crashes})`);
  }
}
