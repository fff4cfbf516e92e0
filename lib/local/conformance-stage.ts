import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildDashboard } from '../build/build-dashboard.ts';
import { synthesize } from '../build/synthesize.ts';
import { firstApiKey } from './first-key.ts';
import { tokensAfterSignIn } from './sign-in.ts';
import { startLocalStage } from './start-stage.ts';

/** A stage of this checkout, with all that the suite can be given. */
export type LocalStage = AsyncDisposable & {
  baseUrl: string;
  apiKey: string;
  /** Of the demo user, who has signed in at the stage's own identity provider. */
  sessionToken: string;
};

/** Starts the local stage on an empty directory and any free port. Disposing it stops it and removes its data. */
export async function startConformanceStage(print: (text: string) => void): Promise<LocalStage> {
  await using started = new AsyncDisposableStack();
  print('Building the stage and its dashboard');
  const [{ assemblyDirectory }, dashboardDirectory] = await Promise.all([
    synthesize({ stage: 'local' }),
    buildDashboard(),
  ]);
  const dataDirectory = await mkdtemp(join(tmpdir(), 'conformance-'));
  started.defer(() => rm(dataDirectory, { recursive: true, force: true }));
  const stage = await startLocalStage({
    assemblyDirectory,
    dashboardDirectory,
    dataDirectory,
    port: 0,
    log: () => undefined,
  });
  started.defer(stage.stop);
  const { baseUrl, identity } = stage;
  if (identity === undefined) throw new Error('The stage `local` has no identity provider.');
  const { access_token: sessionToken } = await tokensAfterSignIn(identity);
  if (sessionToken === undefined) throw new Error('The identity provider of the stage gave no token.');
  const apiKey = await firstApiKey(stage, dataDirectory);
  print(`The stage runs at ${baseUrl}`);
  const stop = started.move();
  return { baseUrl, apiKey, sessionToken, [Symbol.asyncDispose]: () => stop.disposeAsync() };
}
