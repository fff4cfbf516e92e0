import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Where the apps are that the simulation runs, with everything that they share. */
const folders = [
  ...['worker', 'transcode', 'chunked', 'encode-chunk', 'join-chunks'],
  ...['terminate-job', 'deliver-webhook', 'webhooks', 'reconcile'],
];
const routes = [
  'create-job',
  'cancel-job',
  'delete-job',
  'find-job',
  'list-jobs',
  'recover-deliveries',
  'redeliver-job',
  'retry-job',
  'submit-job',
];

/** A call of a port that reaches the world outside; signing a URL and naming the encoder's version do not. */
const ports = [
  ...['jobs', 'journal', 'settings', 'reservations', 'queue', 'deliveries', 'files', 'workFiles', 'logs'],
  ...['parallel', 'encoder', 'packetReader', 'packets'],
];
const methods = [
  ...[
    'get',
    'put',
    'write',
    'recordChunkProgress',
    'list',
    'due',
    'open',
    'close',
    'removeAll',
    'upload',
    'send',
    'start',
  ],
  ...['stop', 'isRunning', 'reserve', 'ensureSecrets', 'probe', 'run', 'readFrameIndex', 'readAudioRange'],
  ...['readText', 'writeText', 'find'],
];
const others = ['workspace\\.remove', 'download', 'openWorkspace', 'openS3RangeProxy', 'post'];
const portCall = new RegExp(
  `\\b(?:(?:${ports.join('|')})\\s*\\.(?:${methods.join('|')})|(?<!function )(?:${others.join('|')}))\\(`,
  'g',
);

/** `file:line` of every place in the apps where a port is called, found in their text. */
export function writtenSites(): string[] {
  const files = [
    ...folders.flatMap((folder) => sourcesIn(`functions/${folder}`)),
    ...routes.map((route) => `functions/api/app/${route}.ts`),
  ];
  return files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return [...text.matchAll(portCall)].map(({ index, 0: call }) => {
      const lines = text.slice(0, index + call.length).split('\n').length;
      return `${file}:${lines}`;
    });
  });
}

function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.ts') && name !== 'handler.ts')
    .map((name) => `${folder}/${name}`);
}

/** Notes from which places in the apps ports are called. It reads the stack, so that it makes a run slow. */
export function siteRecorder(): { onCall: () => void; reached: Set<string> } {
  const reached = new Set<string>();
  const places = /\/(functions\/[^:]+\.ts:\d+):\d+/g;
  const onCall = () => {
    const { stack = '' } = new Error('where');
    // All of them: a port may be called through another one that wraps it.
    for (const [, site = ''] of stack.matchAll(places)) reached.add(site);
  };
  return { onCall, reached };
}
