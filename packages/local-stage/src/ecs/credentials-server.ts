import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { closeServer, serveOnLoopback } from '../http-server.ts';
import { roleCredentials } from '../permissions/role-credentials.ts';

/** Serves the credentials of running tasks, each under a path of its own, as ECS does on 169.254.170.2. */
export type CredentialsServer = {
  /** The URL of a role's credentials, for `AWS_CONTAINER_CREDENTIALS_FULL_URI`. */
  serve(roleArn: string): { url: string; end(): void };
  stop(): Promise<void>;
};

/** ECS renews credentials long before they expire. */
const lifetimeMs = 6 * 3_600_000;

export async function startCredentialsServer(): Promise<CredentialsServer> {
  const roles = new Map<string, string>();
  const server = createServer((request, response) => {
    const roleArn = roles.get(request.url ?? '');
    if (roleArn === undefined) return void response.writeHead(404).end();
    const { accessKeyId, secretAccessKey, sessionToken } = roleCredentials(roleArn);
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        AccessKeyId: accessKeyId,
        SecretAccessKey: secretAccessKey,
        Token: sessionToken,
        Expiration: new Date(Date.now() + lifetimeMs).toISOString(),
        RoleArn: roleArn,
      }),
    );
  });
  const port = await serveOnLoopback(server, { pages: 'none' });
  return {
    serve(roleArn) {
      const path = `/v2/credentials/${randomUUID()}`;
      roles.set(path, roleArn);
      return { url: `http://127.0.0.1:${port}${path}`, end: () => void roles.delete(path) };
    },
    stop: () => closeServer(server),
  };
}
