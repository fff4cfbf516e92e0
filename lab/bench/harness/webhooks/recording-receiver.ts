import { createServer } from 'node:http';
import { closeServer, listenOnLoopback } from '@media-jobs/local-stage/http';

/** An attempt at its receiver: the times of the request and of the answer, in ms of one clock. */
export type ReceivedAttempt = { arrivedAt: number; answeredAt: number };

export type RecordingReceiver = {
  urlFor(id: string): string;
  /** Waits until so many attempts at a URL have been answered. */
  attemptsAt(id: string, count: number): Promise<ReceivedAttempt[]>;
  close(): Promise<void>;
};

/** A receiver on the loopback interface that answers with `status` and records the times with sub-millisecond precision. */
export async function recordingReceiver(now: () => number, status: number): Promise<RecordingReceiver> {
  const seen = new Map<string, ReceivedAttempt[]>();
  const waiting = new Map<string, () => void>();
  const server = createServer((request, response) => {
    const arrivedAt = now();
    const id = request.url?.slice(1) ?? '';
    request.resume();
    request.once('end', () => {
      // Before the answer is sent: its receiver may act before this process continues.
      seen.set(id, [...(seen.get(id) ?? []), { arrivedAt, answeredAt: now() }]);
      response.writeHead(status).end();
      waiting.get(id)?.();
    });
  });
  const port = await listenOnLoopback(server);
  return {
    urlFor: (id) => `http://127.0.0.1:${port}/${id}`,
    attemptsAt: async (id, count) => {
      while ((seen.get(id)?.length ?? 0) < count) {
        await new Promise<void>((resolve) => waiting.set(id, resolve));
      }
      waiting.delete(id);
      return seen.get(id) ?? [];
    },
    close: () => closeServer(server),
  };
}
