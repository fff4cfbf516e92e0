import { expect, it, vi } from 'vitest';
import { anHttpServer } from '../../../adapters/http/builders/servers.ts';

/** The credentials of a task whose first requests ECS answers with 500, and the number of its requests. */
async function credentialsAfter(failures: number) {
  let requests = 0;
  const port = await anHttpServer((_, response) => {
    requests += 1;
    if (requests <= failures) return response.writeHead(500).end();
    const Expiration = '2026-03-01T12:00:00Z';
    return response.end(JSON.stringify({ AccessKeyId: 'id', SecretAccessKey: 'secret', Token: 'token', Expiration }));
  });
  vi.resetModules();
  vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `http://127.0.0.1:${port}/`);
  const { defaultProvider } = await import('../../../../lib/build/sdk-stubs/credential-provider.ts');
  vi.unstubAllEnvs();
  return { credentials: await defaultProvider()().catch((error: Error) => error.message), requests };
}

it('a task gets its credentials although ECS fails for a moment', async () => {
  expect(await credentialsAfter(2)).toEqual({
    credentials: {
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      sessionToken: 'token',
      expiration: new Date('2026-03-01T12:00:00Z'),
    },
    requests: 3,
  });
});

it('a task whose credentials ECS does not serve says so after four requests', async () => {
  expect(await credentialsAfter(100)).toEqual({
    credentials: 'The credentials of the task: ECS answered 500',
    requests: 4,
  });
});
