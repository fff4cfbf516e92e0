import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** The folders and files of the apps that the simulation runs, and of what they share. */
// biome-ignore format: a table
const sources = [
  'core/worker', 'core/chunked', 'core/termination', 'core/jobs/job-queue.ts', 'core/jobs/unfinished-jobs.ts',
  'core/webhooks/signature.ts', 'functions/transcode', 'functions/encode-chunk', 'functions/join-chunks',
  'functions/deliver-webhook', 'functions/reconcile', 'functions/submission/create-job.ts', 'functions/jobs/job-actions.ts',
  'functions/jobs/list-jobs.ts', 'core/jobs/view.ts',
  'core/submission', 'functions/jobs/deliveries.ts',
  'functions/jobs/deliveries.ts',
];

/** Calls of ports that reach another service. Signing a URL and reading the encoder's version do not. */
// biome-ignore format: a table
const ports = [
  'jobs', 'journal', 'settings', 'metadataIndex', 'reservations', 'queue', 'deliveries', 'files', 'workFiles', 'logs',
  'retries', 'eventBus', 'parallel', 'encoder', 'endpointDeliveries', 'packetReader', 'packets', 'running', 'slowDeliveries', 'long', 'slowness',
];
// biome-ignore format: a table
const methods = [
  'get', 'put', 'write', 'recordChunkProgress', 'list', 'due', 'read', 'open', 'close', 'removeAll', 'upload', 'send', 'start',
  'stop', 'isRunning', 'reserve', 'ensureSecrets', 'probe', 'run', 'readFrameIndex', 'readAudioRange', 'assemble',
  'readAudioTiming',
  'readText', 'writeText', 'find', 'add', 'remove', 'named', 'waiting', 'count', 'take', 'mark', 'enter', 'leave', 'waitFor', 'free', 'begin', 'end',
  'markSlowReceivers', 'publish',
];
const others = ['workspace\\.remove', 'download', 'openWorkspace', 'openRangeProxy', 'post'];
const portCall = new RegExp(
  `\\b(?:(?:${ports.join('|')})\\s*\\.(?:${methods.join('|')})|(?<!function |async )(?:${others.join('|')}))\\(`,
  'g',
);

/**
 * The simulated encoder measures no quality and writes no fragments: the tests of join-chunks, and those of chunked streams
 * with real ffmpeg, run these files. Its plans measure nothing at a remote
 * source: these files have tests of their own.
 */
const unsimulated = [
  'functions/join-chunks/assemble-stream.ts',
  'functions/join-chunks/compare-with-source.ts',
  'functions/transcode/remote-source.ts',
];

/** `file:line` of every call of a port in the source of the apps. */
export function writtenSites(): string[] {
  const files = [...sources.flatMap(sourcesIn)].filter((file) => !unsimulated.includes(file));
  return files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return [...text.matchAll(portCall)].map(({ index, 0: call }) => {
      const lines = text.slice(0, index + call.length).split('\n').length;
      return `${file}:${lines}`;
    });
  });
}

function sourcesIn(folder: string): string[] {
  if (folder.endsWith('.ts')) return [folder];
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.ts') && name !== 'handler.ts')
    .map((name) => `${folder}/${name}`);
}

/** Records from which call sites ports are called. It reads the stack, which makes a run slow. */
export function siteRecorder(): { onCall: () => void; reached: Set<string> } {
  const reached = new Set<string>();
  const sitePattern = /\/(functions\/[^:]+\.ts:\d+):\d+/g;
  const onCall = () => {
    const { stack = '' } = new Error('where');
    // Every frame of the stack: a port may be wrapped by another.
    for (const [, site = ''] of stack.matchAll(sitePattern)) reached.add(site);
  };
  return { onCall, reached };
}
