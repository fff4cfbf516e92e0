import { type Network, systemNetwork } from '../../../adapters/http/open-connection.ts';
import { providerClient } from '../../../adapters/storage/provider-client.ts';
import type { StorageProvider } from '../../../core/storage/provider.ts';
import type { ProviderServer } from './a-provider-server.ts';
import { aStorageProvider } from './a-storage-provider.ts';

/** A storage provider whose bucket is at this server, or at another endpoint. */
export function aProviderAt(server: ProviderServer, endpoint = server.endpoint): StorageProvider {
  const access = { type: 'keys', accessKeyId: server.keys.accessKeyId, encryptedSecret: '' } as const;
  return aStorageProvider({ bucket: server.bucket, endpoint, access });
}

const localhost = [{ address: '127.0.0.1', port: '*' as const }];

type ClientOptions = {
  endpoint?: string;
  reachable?: typeof localhost;
  keys?: ProviderServer['keys'];
  network?: Network;
};

/** The access of a job to the bucket of such a provider. */
export function aProviderClient(
  server: ProviderServer,
  { endpoint, reachable = localhost, keys = server.keys, network = systemNetwork }: ClientOptions = {},
) {
  const options = { credentials: async () => keys, reachable, network };
  return providerClient(aProviderAt(server, endpoint), options);
}
