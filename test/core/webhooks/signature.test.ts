import { execFileSync } from 'node:child_process';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { newSigningSecret, signatureHeaders } from '../../../core/webhooks/signature.ts';

/** Test vector of the Standard Webhooks 1.0 reference implementations. */
const published = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  message: { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestampSeconds: 1_614_265_330, body: '{"test": 2432232314}' },
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

const newSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const oldSecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const message = { id: 'evt_1', body: '{"data":{"title":"ü, 你好"}}' };

function aMessageOfNow() {
  return { ...message, timestampSeconds: Math.floor(Date.now() / 1000) };
}

/** The HMAC by Python's standard library; undefined without python3. */
function pythonSignature(secret: string, content: string): string | undefined {
  const program = `
import base64, hashlib, hmac, sys
key = base64.b64decode(sys.argv[1].removeprefix("whsec_"))
print("v1," + base64.b64encode(hmac.new(key, sys.argv[2].encode(), hashlib.sha256).digest()).decode())`;
  try {
    return execFileSync('python3', ['-c', program, secret, content], { encoding: 'utf8' }).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

describe('a webhook signature', () => {
  it('matches the published test vector', () => {
    const headers = signatureHeaders(published.message, [published.secret]);
    expect(headers['webhook-signature']).toBe(published.signature);
  });

  it('is accepted by the reference library', () => {
    const headers = signatureHeaders(aMessageOfNow(), [newSecret]);
    expect(new Webhook(newSecret).verify(message.body, headers)).toEqual(JSON.parse(message.body));
  });

  it('is rejected by the reference library for a changed body', () => {
    const headers = signatureHeaders(aMessageOfNow(), [newSecret]);
    expect(() => new Webhook(newSecret).verify(`${message.body} `, headers)).toThrow('No matching signature');
  });

  it("equals that of Python's hmac", (context) => {
    const python = pythonSignature(newSecret, `evt_1.1700000000.${message.body}`);
    if (python === undefined) context.skip('there is no python3');
    const headers = signatureHeaders({ ...message, timestampSeconds: 1_700_000_000 }, [newSecret]);
    expect(headers['webhook-signature']).toBe(python);
  });

  it.each([newSecret, oldSecret])('verifies with each active secret', (secret) => {
    const headers = signatureHeaders(aMessageOfNow(), [newSecret, oldSecret]);
    expect(() => new Webhook(secret).verify(message.body, headers)).not.toThrow();
  });

  it('comes with the signed id and timestamp', () => {
    expect(signatureHeaders(published.message, [newSecret, oldSecret])).toMatchObject({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': expect.stringMatching(/^v1,\S{44} v1,\S{44}$/),
    });
  });
});

it('a new signing secret is `whsec_` and the base64 of 32 random bytes', () => {
  const bytes = Uint8Array.from({ length: 32 }, (_, index) => index);
  expect(newSigningSecret((size) => bytes.slice(0, size))).toBe(`whsec_${Buffer.from(bytes).toString('base64')}`);
});
