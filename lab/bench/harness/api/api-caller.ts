import { Agent, request } from 'node:http';

/** One request to the API: its method and path, and a body that is sent as JSON. */
export type ApiRequest = { method: string; path: string; body?: unknown };

export type ApiCaller = {
  /** Returns the body. @throws Error if the answer has another status */
  call(request: ApiRequest, wantedStatus: number): Promise<string>;
  close(): void;
};

/** A minimal client with one open connection, so that its own overhead is small. */
export function apiCaller({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): ApiCaller {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    call: async ({ method, path, body }, wantedStatus) => {
      const sent = body === undefined ? undefined : JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${apiKey}`,
        ...(sent === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
      };
      const { promise, resolve, reject } = Promise.withResolvers<{
        status: number | undefined;
        answer: string;
      }>();
      request(baseUrl + path, { method, headers, agent }, (response) => {
        let answer = '';
        response
          .setEncoding('utf8')
          .on('data', (text: string) => {
            answer += text;
          })
          .on('end', () => resolve({ status: response.statusCode, answer }))
          .on('error', reject);
      })
        .on('error', reject)
        .end(sent);
      const { status, answer } = await promise;
      if (status !== wantedStatus) throw new Error(`${method} ${path} was answered ${status}: ${answer}`);
      return answer;
    },
    close: () => agent.destroy(),
  };
}
