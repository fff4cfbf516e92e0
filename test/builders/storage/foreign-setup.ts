import type { TestProject } from 'vitest/node';
import { type ForeignServer, hasMoto, startMoto, startSeaweedFs } from './foreign-servers.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of moto in place of the emulator of DynamoDB; undefined: the emulator. */
    dynamodb: string | undefined;
    /** A server in place of the emulator of S3; undefined: the emulator. */
    s3: { service: 'moto' | 'seaweedfs'; endpoint: string } | undefined;
  }
}

/**
 * Starts the servers that the variable TEST_SERVICES names, for all tests: `moto`, `seaweedfs`, or both, where S3 is SeaweedFS. Where
 * one cannot be had, the tests run on the emulators, with a warning.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const services = process.env.TEST_SERVICES?.split(',') ?? [];
  const servers: ForeignServer[] = [];
  if (services.includes('moto') && (await hasMoto())) {
    const server = await startMoto();
    servers.push(server);
    project.provide('dynamodb', server.endpoint);
    project.provide('s3', { service: 'moto', endpoint: server.endpoint });
  }
  const other = services.includes('seaweedfs') ? await startSeaweedFs() : undefined;
  if (other) {
    servers.push(other);
    project.provide('s3', { service: 'seaweedfs', endpoint: other.endpoint });
  }
  return async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
  };
}
