import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface, type Interface } from 'node:readline';
import { hasCommands } from '@media-jobs/testing/has-commands';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { busEventDetailSchema } from '../../core/webhooks/delivery.ts';
import { signatureHeaders } from '../../core/webhooks/signature.ts';

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const otherSecret = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const guide = readFileSync('docs/webhooks.md', 'utf8');

const examples = [
  { language: 'ts', command: process.execPath, file: 'examples/node/webhook-receiver.ts' },
  { language: 'python', command: 'python3', file: 'examples/python/webhook_receiver.py' },
];

type Message = { id?: string; jobId?: string; secrets?: string[]; ageSeconds?: number; changed?: boolean };

for (const { language, command, file } of examples) {
  describe.runIf(hasCommands(command))(`the guide's receiver in ${language}`, () => {
    let receiver: ChildProcess;
    let lines: Interface;
    let origin: string;

    beforeAll(async () => {
      const { PATH = '', HOME = '' } = process.env;
      const env = { PATH, HOME, WEBHOOK_SECRET: secret, PORT: '0' };
      receiver = spawn(command, [file], { env, stdio: ['ignore', 'pipe', 'ignore'] });
      if (receiver.stdout === null) throw new Error('The receiver has no stdout');
      lines = createInterface({ input: receiver.stdout });
      const [greeting] = await once(lines, 'line');
      origin = `http://127.0.0.1:${/\d+$/.exec(greeting)?.[0]}`;
    });

    afterAll(async () => {
      const ended = once(receiver, 'exit');
      receiver.kill('SIGKILL');
      await ended;
    });

    /** Sends a signed webhook and returns the status of the answer. */
    async function send({ id = 'evt_1', jobId = 'job-1', secrets = [secret], ageSeconds = 0, changed }: Message = {}) {
      const body = JSON.stringify({ data: { jobId, state: 'cancelled', progress: 5 }, timestamp: 1 });
      const timestampSeconds = Math.floor(Date.now() / 1000) - ageSeconds;
      const headers = signatureHeaders({ id, timestampSeconds, body }, secrets);
      const sent = changed === true ? body.replace('cancelled', 'completed') : body;
      return (await fetch(origin, { method: 'POST', headers, body: sent })).status;
    }

    it('accepts a signed webhook', async () => expect(await send()).toBe(204));

    it('accepts a webhook with two signatures if it knows one of the secrets', async () => {
      expect(await send({ secrets: [otherSecret, secret] })).toBe(204);
      expect(await send({ secrets: [secret, otherSecret] })).toBe(204);
    });

    it.each<[string, Message]>([
      ['that is signed with another secret', { secrets: [otherSecret] }],
      ['whose body was changed', { changed: true }],
      ['that is ten minutes old', { ageSeconds: 600 }],
      ['of the future', { ageSeconds: -600 }],
    ])('rejects a webhook %s', async (_, message) => expect(await send(message)).toBe(401));

    it.each([['²'], ['9'.repeat(5_000)]])('rejects a webhook of the time %.4s', async (timestamp) => {
      const headers = { ...signatureHeaders({ id: 'evt_1', timestampSeconds: 1, body: '{}' }, [secret]) };
      const sent = { ...headers, 'webhook-timestamp': timestamp };
      expect((await fetch(origin, { method: 'POST', headers: sent, body: '{}' })).status).toBe(401);
    });

    it('rejects a request without a signature', async () => {
      const { status } = await fetch(origin, { method: 'POST', body: '{"data":{}}' });
      expect(status).toBe(401);
    });

    it('survives a sender that disconnects during the request', async () => {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1');
      socket.end('POST / HTTP/1.1\r\nhost: receiver\r\ncontent-length: 100\r\n\r\n{"data"');
      socket.resume();
      await once(socket, 'close');
      expect(await send()).toBe(204);
    });

    it('handles a repeated event once', async () => {
      const handled: string[] = [];
      lines.on('line', (line) => handled.push(line));
      for (const id of ['evt_a', 'evt_a', 'evt_a', 'evt_b']) {
        expect(await send({ id, jobId: `job-of-${id}` })).toBe(204);
      }
      while (handled.at(-1) !== 'job-of-evt_b cancelled') await once(lines, 'line');
      expect(handled.filter((line) => line.startsWith('job-of-'))).toEqual([
        'job-of-evt_a cancelled',
        'job-of-evt_b cancelled',
      ]);
    });
  });

  it(`the guide shows the ${language} receiver that is tested`, () => {
    expect(guide).toContain(`\`\`\`${language}\n${readFileSync(file, 'utf8')}\`\`\``);
  });
}

it("the guide's bus event matches the schema", () => {
  const [, json = ''] = /```json bus-event-detail\n(.*?)```/s.exec(guide) ?? [];
  const detail = JSON.parse(json);
  expect(busEventDetailSchema.parse(detail)).toEqual(detail);
});
