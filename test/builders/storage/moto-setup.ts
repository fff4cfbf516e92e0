import type { TestProject } from 'vitest/node';
import { hasMoto, startMoto } from './a-foreign-s3.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of moto in place of the emulators of DynamoDB and S3; undefined: the emulators. */
    moto: string | undefined;
  }
}

/** Starts moto for all tests of `npm run test:moto`. Where it is not installed, they run on the emulators, with a warning. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_SERVICES !== 'moto' || !(await hasMoto())) return undefined;
  const server = await startMoto();
  project.provide('moto', server.endpoint);
  return async () => server[Symbol.asyncDispose]();
}
