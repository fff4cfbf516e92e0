import { createHash, createHmac } from 'node:crypto';
import { createContext, Script } from 'node:vm';

/** The store that a function reads, as CloudFront gives it. */
export type StoreReader = { get(name: string): string | undefined; size(): number };

export type EdgeRequest = {
  method: string;
  uri: string;
  querystring: object;
  headers: Record<string, { value: string }>;
};
type EdgeResponse = { statusCode: number; headers?: Record<string, { value: string }>; body?: string };

/** What a function returns: the request to be served, or a response. */
export type Verdict = EdgeRequest | EdgeResponse;

export function isResponse(verdict: Verdict): verdict is EdgeResponse {
  return 'statusCode' in verdict;
}

export type ViewerRequest = (request: EdgeRequest) => Promise<Verdict>;

/**
 * Loads a CloudFront Function of runtime 2.0: its two modules and `Buffer`, and neither network, files, timers, `eval` nor the
 * environment (CloudFront Developer Guide, "JavaScript runtime 2.0 features for CloudFront Functions").
 *
 * @param store of its association; undefined without one
 */
export function loadViewerRequest(code: string, store: StoreReader | undefined): ViewerRequest {
  const modules: Record<string, unknown> = { crypto: hashes, cloudfront: { kvs: () => storeHandle(store) } };
  const source = code.replaceAll(/^import (\w+) from '(\w+)';$/gm, (statement, name: string, module: string) => {
    if (!Object.hasOwn(modules, module)) throw new Error(`a CloudFront Function has no module: ${statement}`);
    return `const ${name} = modules.${module};`;
  });
  const context = createContext(
    { modules, Buffer, console: { log: () => undefined } },
    { codeGeneration: { strings: false, wasm: false } },
  );
  new Script(source).runInContext(context);
  const run = new Script('handler').runInContext(context) as (event: object) => Promise<Verdict>;
  return async (request) => run({ version: '1.0', context: {}, viewer: { ip: '127.0.0.1' }, request });
}

const algorithms = ['md5', 'sha1', 'sha256'];

const hashes = {
  createHash: (algorithm: string) => createHash(supported(algorithm)),
  createHmac: (algorithm: string, key: string) => createHmac(supported(algorithm), key),
};

function supported(algorithm: string): string {
  if (!algorithms.includes(algorithm)) throw new Error(`CloudFront Functions have no ${algorithm}`);
  return algorithm;
}

/** The methods of a store ("Helper methods for key value stores"). `get` throws for a missing entry. */
function storeHandle(store: StoreReader | undefined) {
  if (store === undefined) throw new Error('the function has no key value store');
  return {
    async get(name: string, { format = 'string' } = {}) {
      const value = store.get(name);
      if (value === undefined) throw new Error('KeyNotFound');
      return format === 'json' ? JSON.parse(value) : format === 'bytes' ? Buffer.from(value) : value;
    },
    exists: async (name: string) => store.get(name) !== undefined,
    count: async () => store.size(),
  };
}
