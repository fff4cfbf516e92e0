import { type AgentOptions, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import type { Network } from '../http/network.ts';
import { type ConnectionRules, openConnection } from '../http/open-connection.ts';

type ConnectOptions = { host?: string | null; port?: number | string | null };
type Callback = (error: Error | null, socket: Duplex) => void;

const agentOptions: AgentOptions = { keepAlive: true, maxSockets: 16 };

/**
 * Agents of the SDK's HTTP client that open every connection as those of inputs and webhooks: the name is looked up once,
 * each address is checked, and the connection goes to a checked address.
 */
export function guardedAgents(
  rules: Omit<ConnectionRules, 'signal'>,
  network: Network,
): { httpAgent: HttpAgent; httpsAgent: HttpsAgent } {
  const connectBy = (scheme: 'http' | 'https') => ({
    createConnection({ host, port }: ConnectOptions, callback: Callback): undefined {
      const hostname = host?.includes(':') ? `[${host}]` : host;
      const url = new URL(`${scheme}://${hostname}${port ? `:${port}` : ''}/`);
      openConnection(url, { ...rules, signal: undefined }, network).then(
        ({ socket }) => callback(null, socket),
        // The type has no connection without a socket; Node ignores it after an error.
        (error: Error) => callback(error, undefined as unknown as Duplex),
      );
    },
  });
  return {
    httpAgent: Object.assign(new HttpAgent(agentOptions), connectBy('http')),
    httpsAgent: Object.assign(new HttpsAgent(agentOptions), connectBy('https')),
  };
}
