import type { Server, ServerResponse } from 'node:http';
import { interceptRequests } from '../http-server.ts';

/** The trace headers of messages, which SQS keeps as the system attribute `AWSTraceHeader`. fauxqs does not. */
export type MessageTraces = {
  /** Keeps the header of each SendMessage to a server. */
  watch(server: Server): void;
  of(messageId: string): string | undefined;
  forget(messageId: string): void;
};

export function messageTraces(): MessageTraces {
  const headers = new Map<string, string>();
  return {
    watch(server) {
      interceptRequests(server, (request, response, handle) => {
        const header = request.headers['x-amzn-trace-id'];
        const isSent = request.headers['x-amz-target'] === 'AmazonSQS.SendMessage';
        if (isSent && typeof header === 'string') {
          onBody(response, (body) => {
            const { MessageId } = JSON.parse(body);
            if (typeof MessageId === 'string') headers.set(MessageId, header);
          });
        }
        handle();
      });
    },
    of: (messageId) => headers.get(messageId),
    forget: (messageId) => headers.delete(messageId),
  };
}

/** Calls back with the body of a response that is sent in one piece. */
function onBody(response: ServerResponse, callback: (body: string) => void): void {
  const { end } = response;
  response.end = ((...args: Parameters<ServerResponse['end']>) => {
    const [chunk] = args as unknown[];
    if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) callback(chunk.toString());
    return end.apply(response, args);
  }) as ServerResponse['end'];
}
