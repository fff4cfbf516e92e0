import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { type PermissionGuard, permissionGuard } from '../permissions/guard.ts';
import { findKey, type KmsKey } from '../permissions/kms-requests.ts';
import { type Emulator, EmulatorError } from './emulator.ts';
import { startJsonEndpoint } from './start-endpoint.ts';
import type { Traffic } from './traffic.ts';

/** The KMS endpoint. Keys are those of the template. */
export type Kms = Emulator & { serve(keys: readonly KmsKey[]): void };

/** KMS's limit of a plaintext that it encrypts itself. */
const maxPlaintextBytes = 4096;

const context = z.record(z.string(), z.string()).default({});
const encryptSchema = z.object({ KeyId: z.string(), Plaintext: z.base64(), EncryptionContext: context });
const decryptSchema = z.object({
  KeyId: z.string().optional(),
  CiphertextBlob: z.base64(),
  EncryptionContext: context,
});
const blobSchema = z.object({ keyArn: z.string(), iv: z.base64(), tag: z.base64(), data: z.base64() });

/** Starts an endpoint for Encrypt and Decrypt with symmetric keys. Its master key is a file in `directory`. */
export async function startKms(
  directory: string,
  traffic: Traffic,
  guard: PermissionGuard = permissionGuard(),
): Promise<Kms> {
  const masterKey = readMasterKey(directory);
  let keys: readonly KmsKey[] = [];
  const emulator = await startJsonEndpoint(
    { service: 'kms', traffic, guard },
    {
      version: '1.1',
      handle: (operation, body) => handle(operation, JSON.parse(body), { keys, masterKey }),
    },
  );
  return {
    ...emulator,
    serve(plans) {
      keys = plans;
    },
  };
}

type Keys = { keys: readonly KmsKey[]; masterKey: Buffer };

function handle(operation: string, body: unknown, keys: Keys): object {
  if (operation === 'Encrypt') return encrypt(encryptSchema.parse(body), keys);
  if (operation === 'Decrypt') return decrypt(decryptSchema.parse(body), keys);
  throw new EmulatorError('UnsupportedOperationException', `${operation} is not supported here`);
}

function encrypt({ KeyId, Plaintext, EncryptionContext }: z.output<typeof encryptSchema>, keys: Keys) {
  const key = existingKey(KeyId, keys);
  const plaintext = Buffer.from(Plaintext, 'base64');
  if (plaintext.length > maxPlaintextBytes) {
    throw new EmulatorError('ValidationException', `Plaintext has more than ${maxPlaintextBytes} bytes`);
  }
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keys.masterKey, iv);
  cipher.setAAD(authenticatedData(key.arn, EncryptionContext));
  const data = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  const blob = {
    keyArn: key.arn,
    iv: iv.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  };
  return { KeyId: key.arn, CiphertextBlob: Buffer.from(JSON.stringify(blob)).toString('base64') };
}

function decrypt(request: z.output<typeof decryptSchema>, keys: Keys) {
  try {
    const blob = blobSchema.parse(JSON.parse(Buffer.from(request.CiphertextBlob, 'base64').toString()));
    const key = existingKey(request.KeyId ?? blob.keyArn, keys);
    if (key.arn !== blob.keyArn) throw new EmulatorError('IncorrectKeyException', 'Another key encrypted this');
    const decipher = createDecipheriv('aes-256-gcm', keys.masterKey, Buffer.from(blob.iv, 'base64'));
    decipher.setAAD(authenticatedData(key.arn, request.EncryptionContext));
    decipher.setAuthTag(Buffer.from(blob.tag, 'base64'));
    const plaintext = Buffer.concat([decipher.update(Buffer.from(blob.data, 'base64')), decipher.final()]);
    return { KeyId: key.arn, Plaintext: plaintext.toString('base64') };
  } catch (error) {
    if (error instanceof EmulatorError) throw error;
    throw new EmulatorError('InvalidCiphertextException', '');
  }
}

function existingKey(keyId: string, { keys }: Keys): KmsKey {
  const key = findKey(keyId, keys);
  if (key === undefined) throw new EmulatorError('NotFoundException', `There is no key ${keyId}`);
  return key;
}

/** Key and context, which a ciphertext is bound to. The order of the pairs does not matter. */
function authenticatedData(keyArn: string, pairs: Readonly<Record<string, string>>): Buffer {
  return Buffer.from(JSON.stringify([keyArn, Object.entries(pairs).sort()]));
}

function readMasterKey(directory: string): Buffer {
  const path = join(directory, 'master-key');
  mkdirSync(directory, { recursive: true });
  try {
    writeFileSync(path, randomBytes(32), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(path);
}
